#include "bocs/problem/instance_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {

std::optional<InstanceFile> InstanceFile::open(const InstanceOptions& options, const Spec& spec,
                                               const std::vector<std::string>& decided) {
  if (options.instance.empty()) {
    require(options.number == 0,
            [&] { return "case=" + std::to_string(options.number) + " needs instance=FILE beside it"; });
    return std::nullopt;
  }
  for (const auto& setting : spec.settings) {
    require(std::find(decided.begin(), decided.end(), setting.first) == decided.end(), [&] {
      return setting.first + "=" + setting.second + ": instance=" + options.instance + " decides this; leave it out";
    });
  }
  std::ifstream stream(options.instance);
  require(stream.good(), [&] { return "instance=" + options.instance + ": the file cannot be read"; });
  InstanceFile file;
  file.where_ = options.instance;
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  require(!is_nested_deeply(text), [&] { return file.where_ + " is nested too deeply for an instance"; });
  try {
    file.fields_ = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(file.where_ + " is not valid JSON: " + error.what());
  }
  if (file.has("cases")) {
    const nlohmann::json cases = file.at("cases");
    const std::string number = std::to_string(options.number);
    require(cases.is_array() && static_cast<std::size_t>(options.number) < cases.size(), [&] {
      return "case=" + number + ": " + file.where_ + " has " + std::to_string(cases.size()) + " cases, counted from 0";
    });
    file.fields_ = cases[static_cast<std::size_t>(options.number)];
    file.where_ += ", case " + number;
  } else {
    require(options.number == 0, [&] {
      return "case=" + std::to_string(options.number) + ": " + file.where_ + " holds no list of `cases`";
    });
  }
  require(file.fields_.is_object(), [&] { return file.where_ + ": an object is expected"; });
  return file;
}

bool InstanceFile::has(const std::string& field) const { return fields_.is_object() && fields_.contains(field); }

const nlohmann::json& InstanceFile::at(const std::string& field) const {
  require(has(field), [&] { return where_ + ": the field '" + field + "' is missing"; });
  return fields_.at(field);
}

void InstanceFile::refuse(const std::string& field, const std::string& expected) const {
  throw InvalidArgument(where_ + ": '" + field + "' must be " + expected);
}

int InstanceFile::whole(const std::string& field, int low, int high) const {
  const auto& value = at(field);
  if (!value.is_number_integer() || value < low || value > high) {
    refuse(field, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value.get<int>();
}

std::vector<double> InstanceFile::numbers(const std::string& field) const {
  const auto& value = at(field);
  const auto finite = [](const nlohmann::json& v) { return v.is_number() && std::isfinite(v.get<double>()); };
  if (!value.is_array() || value.empty() || !std::all_of(value.begin(), value.end(), finite)) {
    refuse(field, "a list of finite numbers");
  }
  return value.get<std::vector<double>>();
}

std::vector<double> InstanceFile::numbers(const std::string& field, int size) const {
  auto values = numbers(field);
  if (values.size() != static_cast<std::size_t>(size)) {
    refuse(field, "a list of " + std::to_string(size) + " numbers, not " + std::to_string(values.size()));
  }
  return values;
}

Matrix InstanceFile::matrix(const std::string& field) const {
  const auto& value = at(field);
  if (!value.is_array() || value.empty() || !value[0].is_array()) refuse(field, "a list of rows");
  Matrix matrix(value.size(), value[0].size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const auto& row = value[static_cast<std::size_t>(i)];
    if (!row.is_array() || row.size() != static_cast<std::size_t>(matrix.cols())) {
      refuse(field, "a list of rows of equal length");
    }
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      const auto& entry = row[static_cast<std::size_t>(j)];
      if (!entry.is_number() || !std::isfinite(entry.get<double>())) refuse(field, "made of finite numbers");
      matrix(i, j) = entry.get<double>();
    }
  }
  return matrix;
}

Matrix InstanceFile::matrix(const std::string& field, int rows, int cols) const {
  Matrix result = matrix(field);
  if (result.rows() != rows || result.cols() != cols) {
    refuse(field, std::to_string(rows) + " rows of " + std::to_string(cols) + " numbers, not " +
                      std::to_string(result.rows()) + " of " + std::to_string(result.cols()));
  }
  return result;
}

nlohmann::json to_json(const Matrix& rows) {
  auto list = nlohmann::json::array();
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    auto row = nlohmann::json::array();
    for (Eigen::Index j = 0; j < rows.cols(); ++j) row.push_back(rows(i, j));
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace bocs

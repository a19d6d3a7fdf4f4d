#pragma once
// Where a random instance comes from: the instance seed, or a JSON file. For the sources of this folder only; what
// users see is the option `instance=FILE` and Problem::instance_json.

#include <nlohmann/json.hpp>
#include <optional>

#include "bocs/numeric/linalg.hpp"
#include "bocs/problem/instance_options.hpp"

namespace bocs {

/// The fields of one instance, as a JSON object.
class InstanceFile {
 public:
  /// Nothing when no file is asked for. The file decides the sizes, so the spec may not set any of `decided` as well.
  static std::optional<InstanceFile> open(const InstanceOptions&, const Spec&, const std::vector<std::string>& decided);

  [[nodiscard]] bool has(const std::string& field) const;
  [[nodiscard]] int whole(const std::string& field, int low, int high) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& field) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& field, int size) const;
  [[nodiscard]] Matrix matrix(const std::string& field) const;  // a list of rows of equal length
  [[nodiscard]] Matrix matrix(const std::string& field, int rows, int cols) const;

 private:
  [[nodiscard]] const nlohmann::json& at(const std::string& field) const;
  [[noreturn]] void refuse(const std::string& field, const std::string& expected) const;

  std::string where_;  // file name, and the case in it
  nlohmann::json fields_;
};

nlohmann::json to_json(const Matrix& rows);

}  // namespace bocs

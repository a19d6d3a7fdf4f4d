#include "bocs/study/toml_reader.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace bocs {
namespace {

constexpr std::size_t kShown = 60;  // characters of a value in a message

/// The value as it stands in the file, shortened.
std::string written(const toml::node& node) {
  if (node.is_table()) return "a table";
  std::ostringstream text;
  node.visit([&text](const auto& value) { text << value; });
  std::string result = text.str();
  if (result.size() > kShown) result = result.substr(0, kShown) + "...";
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Letters to insert, delete, replace or swap with their neighbour to get from a to b.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  int distance = word.size() <= 3 ? 2 : 3;  // what is as far as this is another word
  for (const auto& candidate : known) {
    const int d = edit_distance(word, candidate);
    if (d >= distance) continue;
    distance = d;
    nearest = &candidate;
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

TomlReader::TomlReader(const std::filesystem::path& file) : file_(file.string()) {
  require(std::filesystem::is_regular_file(file), [&] { return file_ + ": there is no such file"; });
  try {
    root_ = toml::parse_file(file_);
  } catch (const toml::parse_error& error) {
    throw InvalidArgument(file_ + ":" + std::to_string(error.source().begin.line) + ": " +
                          std::string(error.description()));
  }
}

std::string TomlReader::place(const toml::node& node) const {
  return file_ + ":" + std::to_string(node.source().begin.line);
}

void TomlReader::refuse(const toml::node& node, const std::string& message) const {
  throw InvalidArgument(place(node) + ": " + message);
}

void TomlReader::refuse(const std::string& key, const toml::node& node, const std::string& allowed) const {
  refuse(node, key + ": found " + written(node) + "; allowed: " + allowed);
}

std::int64_t TomlReader::whole(const std::string& key, const toml::node& node, std::int64_t low,
                               std::int64_t high) const {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < low || *value > high) {
    refuse(key, node, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return *value;
}

double TomlReader::number(const std::string& key, const toml::node& node, double low) const {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value) || *value < low) {
    refuse(key, node, std::string("a finite number") + (low == 0 ? ", not negative" : ""));
  }
  return *value;
}

std::string TomlReader::text(const std::string& key, const toml::node& node) const {
  const auto value = node.value_exact<std::string>();
  if (!value || value->empty() || value->find('\0') != std::string::npos) {
    refuse(key, node, "a text in quotes, without NUL");
  }
  return *value;
}

std::string TomlReader::choice(const std::string& key, const toml::node& node,
                               const std::vector<std::string>& allowed) const {
  const auto value = node.value_exact<std::string>();
  if (!value || std::find(allowed.begin(), allowed.end(), *value) == allowed.end()) {
    refuse(key, node, joined(allowed) + (value ? did_you_mean(*value, allowed) : ""));
  }
  return *value;
}

const toml::table& TomlReader::table(const std::string& key, const toml::node& node) const {
  if (!node.is_table()) refuse("[" + key + "]", node, "a table");
  return *node.as_table();
}

void TomlReader::read(const toml::table& values, const Keys& keys) const {
  for (const auto& [name, node] : values) {
    const std::string word(name.str());
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == word; });
    if (key == keys.end()) {
      std::vector<std::string> known;
      for (const auto& k : keys) known.push_back(k.first);
      refuse(node, "found '" + word + "'; allowed: " + joined(known) + did_you_mean(word, known));
    }
    key->second(node);
  }
}

const toml::node& TomlReader::required(const toml::table& values, const std::string& key) const {
  const toml::node* node = values.get(key);
  if (node == nullptr && &values == &root_) throw InvalidArgument(file_ + ": '" + key + "' is missing");
  if (node == nullptr) refuse(values, "'" + key + "' is missing");
  return *node;
}

}  // namespace bocs

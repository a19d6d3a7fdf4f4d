#include "bocs/study/toml_reader.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "bocs/base/text.hpp"

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

}  // namespace

TomlReader::TomlReader(const std::filesystem::path& file)
    : file_(file.string()), folder_(std::filesystem::absolute(file).parent_path()) {
  require(!std::filesystem::is_directory(file), [&] { return file_ + ": this is a folder; a file is needed"; });
  require(std::filesystem::exists(file), [&] { return file_ + ": there is no such file"; });
  require(std::filesystem::is_regular_file(file), [&] { return file_ + ": this is not a file that can be read"; });
  try {
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    require(!is_nested_deeply(text), [&] { return file_ + ": nested too deeply for a study file"; });
    root_ = toml::parse(text, file_);
  } catch (const toml::parse_error& error) {
    const std::string description(error.description());
    const bool twice = description.find("redefine existing table") != std::string::npos;
    throw InvalidArgument(file_ + ":" + std::to_string(error.source().begin.line) + ": " + description +
                          (twice ? "; one of several tables is written with two brackets: [[variables]]" : ""));
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

bool TomlReader::flag(const std::string& key, const toml::node& node) const {
  const auto value = node.value_exact<bool>();
  if (!value) refuse(key, node, "true or false");
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
      const auto hint = hints_.find(word);
      refuse(node, "found '" + word + "'; allowed: " + joined(known) +
                       (hint == hints_.end() ? did_you_mean(word, known) : "; " + hint->second));
    }
    key->second(node);
  }
}

const toml::node& TomlReader::required(const toml::table& values, const std::string& key) const {
  if (const toml::node* node = values.get(key)) return *node;
  if (&values != &root_) refuse(values, "'" + key + "' is missing");
  for (const auto& [name, node] : values) {
    const std::string word(name.str());
    const std::string meant = did_you_mean(word, {key});
    if (!meant.empty()) refuse(node, "found '" + word + "'" + meant);
  }
  throw InvalidArgument(file_ + ": '" + key + "' is missing");
}

}  // namespace bocs

#pragma once
// Reading the golden data of independent programs, tests/data/*.json.

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "bocs/space/space.hpp"
#include "paths.hpp"

namespace bocs::test {

inline nlohmann::json golden(const std::string& name) {
  std::ifstream file(std::string(BOCS_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("cannot read tests/data/" + name);
  return nlohmann::json::parse(file);
}

/// "0110" -> {0, 1, 1, 0}
inline Point bits(const std::string& text) {
  Point x;
  for (const char c : text) x.push_back(c == '1' ? 1 : 0);
  return x;
}

}  // namespace bocs::test

#pragma once
// A level of a categorical variable as its owner wrote it: None, true, 64, 0.5 and "64" are different levels.

#include <cstdint>
#include <string>
#include <variant>

namespace bocs {

/// What JSON has no word for, such as a function of Python: only the program that made the study knows it. Others know
/// its text.
struct Unstorable {
  std::string text;
  bool operator==(const Unstorable&) const = default;
};

/// The first is null. 64 and 64.0 are different values.
using LevelValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, Unstorable>;

/// The value as people read it, and as Python writes it: None, True, 64, 0.5, 1e-05, red.
std::string text_of(const LevelValue& value);

/// True if a person who writes this text may mean the value: it is its text, or another spelling, as in JSON and CSV
/// files: null or nothing for None, true for True, 64.0 for 64.
bool may_mean(const std::string& text, const LevelValue& value);

}  // namespace bocs

#include "bocs/run/failure_watch.hpp"

#include <cctype>

namespace bocs {
namespace {

constexpr int kFirst = 5;    // failures of a study without any value
constexpr int kInARow = 20;  // failures for the same reason

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string brief(const std::string& error) { return error.substr(0, error.find('\n')); }

std::string without_numbers(const std::string& error) {
  std::string text;
  const std::string line = brief(error);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!is_digit(line[i])) {
      text += line[i];
    } else if (i == 0 || !is_digit(line[i - 1])) {
      text += "...";
    }
  }
  return text;
}

bool same_reason(const std::string& error, const std::string& other) {
  return without_numbers(error) == without_numbers(other);
}

FailureWatch::FailureWatch(const History& history) {
  for (const Trial& trial : history.trials()) {
    if (trial.state == State::failed) before_.insert(trial.number);
  }
}

std::optional<std::string> FailureWatch::verdict(const History& history) const {
  int count = 0;     // failures since the watch began
  int in_a_row = 0;  // of the last trials, for one reason
  bool any_value = false;
  const Trial* last = nullptr;
  for (const Trial& trial : history.trials()) {
    const bool from_outside = trial.info.origin == Origin::imported || trial.info.origin == Origin::told;
    if (trial.state == State::complete && !from_outside) {
      any_value = true;
      in_a_row = 0;
    }
    if (trial.state != State::failed || before_.contains(trial.number)) continue;
    ++count;
    in_a_row = in_a_row > 0 && same_reason(last->error, trial.error) ? in_a_row + 1 : 1;
    last = &trial;
  }
  const auto why = [&](int n, const char* which) {
    return "the " + std::string(which) + " " + std::to_string(n) + " evaluations failed: " + brief(last->error);
  };
  if (!any_value && count >= kFirst) return why(count, "first");
  if (in_a_row >= kInARow) return why(in_a_row, "last");
  return std::nullopt;
}

}  // namespace bocs

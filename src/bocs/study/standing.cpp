#include "bocs/study/standing.hpp"

#include <algorithm>
#include <cctype>

namespace bocs {
namespace {

constexpr int kFirst = 5;    // failures of a study without any value
constexpr int kInARow = 20;  // failures for the same reason

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The first line, with "..." for numbers: "line ... of mesh.py".
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

std::vector<const Trial*> failed(const History& history) {
  std::vector<const Trial*> result;
  for (const Trial& trial : history.trials()) {
    if (trial.state == State::failed) result.push_back(&trial);
  }
  return result;
}

}  // namespace

std::string brief(const std::string& error) { return error.substr(0, error.find('\n')); }

bool same_reason(const std::string& error, const std::string& other) {
  return without_numbers(error) == without_numbers(other);
}

std::vector<FailureReason> count_failures(const History& history) {
  std::vector<FailureReason> reasons;
  for (const Trial* trial : failed(history)) {
    const std::string text = brief(trial->error);
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const FailureReason& reason) { return same_reason(reason.text, text); });
    if (known == reasons.end()) {
      reasons.push_back({text, 1, trial->number});
      continue;
    }
    if (known->text != text) known->text = without_numbers(text);
    ++known->count;
    known->last = trial->number;
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  return reasons;
}

Standing standing(const Task& task, const History& history) {
  Standing result;
  result.best = history.best(task);
  for (const Trial& trial : history.trials()) {
    result.complete += trial.state == State::complete ? 1 : 0;
    result.failed += trial.state == State::failed ? 1 : 0;
    result.running += trial.state == State::running ? 1 : 0;
    result.waiting += trial.state == State::waiting ? 1 : 0;
    const bool is_finished = trial.state == State::complete || trial.state == State::failed;
    if (is_finished && result.best != nullptr && trial.number > result.best->number) ++result.since_best;
  }
  return result;
}

Standing standing(const Study& study) {
  Standing result = standing(study.task(), study.history());
  if (result.best == nullptr) return result;
  const Recommendation recommended = study.recommend();
  if (std::isfinite(recommended.error)) result.recommended = recommended;
  return result;
}

FailureWatch::FailureWatch(const History& history) {
  for (const Trial* trial : failed(history)) before_.insert(trial->number);
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

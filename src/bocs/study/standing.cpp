#include "bocs/study/standing.hpp"

#include <algorithm>

namespace bocs {
namespace {

std::vector<const Trial*> failed(const History& history) {
  std::vector<const Trial*> result;
  for (const Trial& trial : history.trials()) {
    if (trial.state == State::failed) result.push_back(&trial);
  }
  return result;
}

}  // namespace

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
    if (is_finished(trial) && result.best != nullptr && trial.number > result.best->number) ++result.since_best;
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

}  // namespace bocs

#include "bocs/study/progress.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/text.hpp"

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

std::string describe_outliers(const std::vector<Outlier>& outliers) {
  constexpr double kClear = 3;  // below, the values may only be skewed
  std::vector<const Outlier*> bad, good;
  for (const Outlier& outlier : outliers) {
    if (outlier.times >= kClear) (outlier.is_good ? good : bad).push_back(&outlier);
  }
  const auto described = [](const std::vector<const Outlier*>& list) {
    const auto farthest =
        *std::max_element(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->times < b->times; });
    const std::string times = shortest(std::round(std::min(farthest->times, 1e15)));
    if (list.size() == 1)
      return "trial " + std::to_string(farthest->number) + " is " + times + " times outside the rest";
    return std::to_string(list.size()) + " trials are far outside the rest (trial " + std::to_string(farthest->number) +
           ": " + times + " times)";
  };
  std::string text;
  if (!bad.empty()) {
    text = described(bad) + (bad.size() == 1   ? "; models leave it out"
                             : bad.size() == 2 ? "; models leave them out"
                                               : "; to models they are failed evaluations");
  }
  if (!good.empty()) {
    text +=
        (text.empty() ? "" : ". ") + described(good) + ", on the good side: luck, or an error? bocs strike removes it";
  }
  return text;
}

Progress progress_of(const Task& task, const History& history) {
  Progress result;
  result.outliers = outliers(history);
  result.best = history.best(task);
  for (const Trial& trial : history.trials()) {
    result.complete += trial.state == State::complete ? 1 : 0;
    result.failed += trial.state == State::failed ? 1 : 0;
    result.running += trial.state == State::running ? 1 : 0;
    result.struck += trial.state == State::struck ? 1 : 0;
    result.waiting += trial.state == State::waiting ? 1 : 0;
    if (is_finished(trial) && result.best != nullptr && trial.number > result.best->number) ++result.since_best;
  }
  return result;
}

Progress progress_of(const Study& study) {
  Progress result = progress_of(study.task(), study.history());
  if (result.best == nullptr) return result;
  const Recommendation recommended = study.recommend();
  if (std::isfinite(recommended.error)) result.recommended = recommended;
  return result;
}

}  // namespace bocs

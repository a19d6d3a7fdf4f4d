#include "bocs/study/progress.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// The complete trial that breaks the limits least: each by its share of the bound; nullptr if none is complete.
const Trial* nearest_allowed(const Task& task, const History& history) {
  const Trial* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Trial* trial : history.complete()) {
    double broken = 0;
    for (const OutcomeLimit& limit : task.outcomes) {
      const auto found = trial->metrics.find(limit.metric);
      if (found == trial->metrics.end()) continue;
      const double bound = found->second < limit.low ? limit.low : limit.high;
      broken += std::max(0.0, -limit.margin(found->second)) / (bound == 0 ? 1 : std::abs(bound));
    }
    if (broken >= least) continue;
    least = broken;
    nearest = trial;
  }
  return nearest;
}

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

std::string describe_limits(const Task& task, const Trial& trial) {
  std::string text;
  for (const OutcomeLimit& limit : task.outcomes) {
    const auto found = trial.metrics.find(limit.metric);
    if (found == trial.metrics.end() || limit.allows(found->second)) continue;
    text +=
        (text.empty() ? "" : ", ") + limit.metric + " " + shortest(found->second) + " instead of " + to_string(limit);
  }
  return text;
}

Progress progress_of(const Task& task, const History& history) {
  Progress result;
  result.outliers = outliers(history);
  result.best = history.best(task);
  if (task.has_front()) result.front = history.front(task);
  int last = result.best == nullptr ? std::numeric_limits<int>::max() : result.best->number;
  for (const Trial* trial : result.front) last = std::max(last, trial->number);
  if (result.best == nullptr) result.nearest = nearest_allowed(task, history);
  for (const Trial& trial : history.trials()) {
    result.complete += trial.state == State::complete ? 1 : 0;
    result.failed += trial.state == State::failed ? 1 : 0;
    result.running += trial.state == State::running ? 1 : 0;
    result.struck += trial.state == State::struck ? 1 : 0;
    result.waiting += trial.state == State::waiting ? 1 : 0;
    if (is_finished(trial) && trial.number > last) ++result.since_best;
  }
  return result;
}

Progress progress_of(const Study& study) {
  Progress result = progress_of(study.task(), study.history());
  if (result.best == nullptr || study.task().has_front()) return result;
  const Recommendation recommended = study.recommend();
  if (std::isfinite(recommended.error)) result.recommended = recommended;
  return result;
}

}  // namespace bocs

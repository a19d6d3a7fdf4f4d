#include "bocs/acquire/epoch.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "bocs/acquire/initial.hpp"
#include "bocs/model/scalarization.hpp"

namespace bocs {
namespace {

constexpr int kRandom = 20;               // points at the beginning of an epoch
constexpr std::size_t kMostTrials = 600;  // that count: so many keep a proposal at fractions of a second

/// Was the result of `earlier` there when the trial was asked?
bool was_known(int earlier, const Trial& trial) {
  const auto is_it = [&](int entry) { return entry == earlier || ~entry == earlier; };
  return earlier < trial.number && std::ranges::none_of(trial.info.pending, is_it);
}

/// The trial with which the last epoch but one ended; -1: there is one epoch only.
int end_of_last_epoch(const ProposalContext& now, int patience) {
  if (patience == 0 || now.task.has_front() || now.noise) return -1;
  patience = std::max(patience, now.task.space.dimension());
  const Merit merit(now.task, now.history, now.number);
  int end = -1, count = 0, since = 0;
  double best = std::numeric_limits<double>::infinity();
  for (const Trial* trial : now.history.complete()) {
    if (end >= 0 && !was_known(end, *trial)) continue;  // proposed for the epoch before
    const bool is_own = trial->info.origin == Origin::initial || trial->info.origin == Origin::proposed;
    count += is_own ? 1 : 0;  // past data, in any order, say nothing about the search
    since += is_own ? 1 : 0;
    if (const double value = merit(*trial); value < best) {
      best = value;
      since = 0;
    }
    if (since < patience || count < kRandom + patience || best == std::numeric_limits<double>::infinity()) continue;
    end = trial->number;
    best = std::numeric_limits<double>::infinity();
    count = since = 0;
  }
  return end;
}

/// Which of many trials count: half of them are the best ones, the others the latest. A point that was measured again
/// is as good as its measurements on average: its lucky ones do not count without the others.
std::vector<bool> best_and_latest(const ProposalContext& now, const std::vector<const Trial*>& trials) {
  const Merit merit(now.task, now.history, now.number);
  struct Sum {
    double total = 0;
    int count = 0;
  };
  std::unordered_map<Point, Sum, PointHash> sums;
  for (const Trial* trial : trials) {
    if (trial->state != State::complete) continue;
    Sum& sum = sums[trial->x];
    sum.total += merit(*trial);
    ++sum.count;
  }
  std::vector<double> values;
  for (const Trial* trial : trials) {
    const Sum& sum = sums[trial->x];
    values.push_back(sum.count > 0 ? sum.total / sum.count : std::numeric_limits<double>::infinity());
  }
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<bool> counts(trials.size());
  for (std::size_t k = 0; k < kMostTrials / 2; ++k) counts[order[k]] = true;
  std::size_t left = kMostTrials - kMostTrials / 2;
  for (std::size_t i = trials.size(); left > 0 && i-- > 0;) {
    if (counts[i]) continue;
    counts[i] = true;
    --left;
  }
  return counts;
}

}  // namespace

Epoch::Epoch(const ProposalContext& now, int patience) : whole_(&now.history) {
  const int end = end_of_last_epoch(now, patience);
  std::vector<const Trial*> trials;
  int complete = 0;
  for (const Trial& trial : now.history.trials()) {
    if (trial.state == State::struck || (end >= 0 && !was_known(end, trial))) continue;
    trials.push_back(&trial);
    complete += trial.state == State::complete ? 1 : 0;
  }
  begins_at_random_ = end >= 0 && complete < kRandom;
  const bool is_long = trials.size() > kMostTrials;
  if (begins_at_random_ || (end < 0 && !is_long)) return;
  const std::vector<bool> counts = is_long ? best_and_latest(now, trials) : std::vector<bool>(trials.size(), true);
  part_.emplace();
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (counts[i]) part_->add(*trials[i]);
  }
}

}  // namespace bocs

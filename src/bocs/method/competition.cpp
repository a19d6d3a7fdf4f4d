#include "bocs/method/competition.hpp"

#include <algorithm>

namespace bocs {
namespace {

// Chosen on Ising instances 100-129, contamination 100-109 and the wing (docs/results.md, "Which order").
constexpr std::size_t kRecent = 60;  // proposals that count: what was good early says little about late
constexpr std::size_t kFewest = 3;   // of each order, before there is a comparison
constexpr double kLevel = 0.2;       // share of the low order when both are equally good
constexpr double kGain = 5;          // of the share over the rate of wins
constexpr double kLeast = 0.05;      // share of the loser, so that it can recover

}  // namespace

double share_of_low(const Task& task, const History& history, Orders orders) {
  std::vector<double> low;
  std::vector<double> high;
  const auto trials = history.trials();
  for (auto trial = trials.rbegin(); trial != trials.rend() && low.size() + high.size() < kRecent; ++trial) {
    const bool finished = trial->state == State::complete || trial->state == State::failed;
    if (!finished || (trial->info.order != orders.low && trial->info.order != orders.high)) continue;
    const double value =
        trial->state == State::complete ? total(task, *trial) : std::numeric_limits<double>::infinity();
    (trial->info.order == orders.low ? low : high).push_back(value);
  }
  if (std::min(low.size(), high.size()) < kFewest) return 0.5;  // both need proposals to be judged by
  double wins = 1;  // a win and a loss in advance: no verdict from few pairs
  for (const double a : low) {
    for (const double b : high) wins += a < b ? 1 : a == b ? 0.5 : 0;
  }
  const double rate = wins / static_cast<double>(low.size() * high.size() + 2);
  return std::clamp(kLevel + kGain * (rate - 0.5), kLeast, 1 - kLeast);
}

int next_order(const Task& task, const History& history, Orders orders, int number) {
  Rng coin(task.seed, "order", static_cast<std::uint64_t>(number));
  return coin.uniform() < share_of_low(task, history, orders) ? orders.low : orders.high;
}

}  // namespace bocs

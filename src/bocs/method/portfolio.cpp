#include "bocs/method/portfolio.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

// Chosen on Ising instances 100-129, contamination 100-109 and the wing (docs/decisions.md, 2026-11-18).
constexpr std::size_t kRecent = 60;  // proposals that count: what was good early says little about late
constexpr std::size_t kFewest = 3;   // of each member, before there is a comparison
constexpr double kLevel = 0.2;       // share of the first member when both are equally good
constexpr double kGain = 5;          // of the share over the rate of wins
constexpr double kLeast = 0.05;      // share of the loser, so that it can recover

/// Then a member that takes turns takes them all: with limits and goals, expected improvement
/// (docs/decisions/0055-outcomes-and-goals.md).
bool several_numbers(const Task& task) { return task.has_front() || !task.outcomes.empty(); }

}  // namespace

Portfolio::Portfolio(std::vector<Member> members) : members_(std::move(members)) {
  const auto most = std::numeric_limits<std::size_t>::max();
  require(!competitors(most).empty() && competitors(0).size() <= 2,
          "a portfolio has one or two competing members, one of them for any number of evaluations");
}

std::vector<const Member*> Portfolio::competitors(std::size_t evaluations) const {
  std::vector<const Member*> result;
  for (const Member& member : members_) {
    if (member.every == 0 && evaluations <= member.most_evaluations) result.push_back(&member);
  }
  return result;
}

const Member& Portfolio::next(const Task& task, const History& history, int number) const {
  const std::size_t evaluations = history.complete().size();
  for (const Member& member : members_) {
    const int every = several_numbers(task) ? std::min(member.every, 1) : member.every;
    const bool turn = every > 0 && number % every == every - 1;
    if (turn && evaluations <= member.most_evaluations) return member;
  }
  const auto competing = competitors(evaluations);
  if (competing.size() == 1) return *competing.front();
  Rng coin(task.seed, "order", static_cast<std::uint64_t>(number));
  const double share = share_of_first(Merit(task, history, number), history, competing[0]->name, competing[1]->name);
  return *competing[coin.uniform() < share ? 0 : 1];
}

std::vector<double> Portfolio::shares(const Task& task, const History& history) const {
  const std::size_t evaluations = history.complete().size();
  const auto competing = competitors(evaluations);
  std::vector<double> result(members_.size(), 0.0);
  double left = 1;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].every == 0 || evaluations > members_[i].most_evaluations) continue;
    result[i] = several_numbers(task) ? 1 : 1.0 / members_[i].every;
    left -= result[i];
  }
  const auto share_of = [&](const Member* member) -> double& { return result[member - members_.data()]; };
  const Merit merit(task, history, history.size());
  const double first =
      competing.size() == 1 ? 1 : share_of_first(merit, history, competing[0]->name, competing[1]->name);
  share_of(competing.front()) = left * first;
  if (competing.size() == 2) share_of(competing.back()) = left * (1 - first);
  return result;
}

const Member& Portfolio::leader(const Task& task, const History& history) const {
  const auto all = shares(task, history);
  return members_[std::max_element(all.begin(), all.end()) - all.begin()];
}

bool is_turn_to_measure_again(int number) { return number % 4 == 0; }

double share_of_first(const Merit& merit, const History& history, const std::string& first, const std::string& second) {
  std::vector<double> of_first;
  std::vector<double> of_second;
  const auto trials = history.trials();
  for (auto trial = trials.rbegin(); trial != trials.rend() && of_first.size() + of_second.size() < kRecent; ++trial) {
    const bool finished = trial->state == State::complete || trial->state == State::failed;
    const std::string& member = trial->info.member;
    if (!finished || (member != first && member != second)) continue;
    (member == first ? of_first : of_second).push_back(merit(*trial));
  }
  if (std::min(of_first.size(), of_second.size()) < kFewest) return 0.5;  // both need proposals to be judged by
  double wins = 1;  // a win and a loss in advance: no verdict from few pairs
  for (const double a : of_first) {
    for (const double b : of_second) wins += a < b ? 1 : a == b ? 0.5 : 0;
  }
  const double rate = wins / static_cast<double>(of_first.size() * of_second.size() + 2);
  return std::clamp(kLevel + kGain * (rate - 0.5), kLeast, 1 - kLeast);
}

}  // namespace bocs

#pragma once
// Runs one cell. The pieces a single run shares with an experiment are here as well.

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <tuple>

#include "bocs/experiment/cell.hpp"
#include "bocs/problem/problem.hpp"
#include "bocs/run/objective.hpp"

namespace bocs {

/// One measurement per trial. Noise is drawn from the trial's own stream: the same for any number of threads. The
/// problem must outlive the objective.
Objective measurement(const Problem& problem, std::uint64_t seed);

/// The noise-free value with the penalty, in the problem's own sense.
double penalized(const Problem& problem, const Task& task, const Point& x);

/// Optimal values, each computed once: for some problems that takes seconds. May be asked from several threads.
class Optima {
 public:
  void remember(const CellResult& result);
  std::optional<double> find(const Cell& cell, const Problem& problem);

 private:
  using Key = std::tuple<std::string, std::uint64_t, double, std::string>;  // problem, instance, lambda, penalty
  std::mutex mutex_;
  std::map<Key, std::shared_future<std::optional<double>>> values_;
};

/// Throws InvalidArgument for specs that are unknown or do not fit together, before anything is run.
void check(const Cell& cell);

/// The result, a function of the cell alone but for the seconds; nothing if `stop` became true on the way.
std::optional<CellResult> measure(const Cell& cell, Optima& optima, const std::function<bool()>& stop);

}  // namespace bocs

#pragma once
// What a history says about single points. The searches without a model (annealing, local, particle) are replayed over
// it from their first step: a step that meets a known point costs nothing, the first point it cannot answer for is the
// proposal. So a search needs no state of its own, and points that others added are simply known.

#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "bocs/trial/trial.hpp"

namespace bocs {

class KnownValues {
 public:
  KnownValues() = default;
  KnownValues(KnownValues&&) = default;  // places in values_ stay
  KnownValues& operator=(KnownValues&&) = default;

  /// Reads what the history has more than at the last call. False: what was read before is different there, or a point
  /// was measured again; nothing of what is known can be trusted any more. Never false at the first call.
  bool extend(const Task& task, const History& history);

  /// nullptr: never seen. Infinity: failed, beyond a limit or still running, so that a search passes by
  /// for now. Otherwise the total,
  /// the mean of all observations of the point.
  [[nodiscard]] const double* find(const Point& x) const;

 private:
  struct Value {
    double mean;
    int observations = 0;
  };
  struct Read {  // a trial, as it was
    State state;
    double y;
    const Point* x;  // in values_
  };
  [[nodiscard]] bool unchanged(const History& history) const;

  std::vector<Read> read_;
  std::unordered_map<Point, Value, PointHash> values_;
};

/// The start of a search's `restart`-th run: the first one starts where random search does.
Point random_start(const Task& task, int restart);

/// The same for all that a search looks at.
bool same_task(const Task& a, const Task& b);

/// The proposal when every run of a search ended among known points: a random one.
Proposal after_all_runs(const Task& task, const History& history, int number, const std::string& name);

/// Replays the runs 0, 1, ... of a search. Where a replay stopped, the next one goes on if all it has seen is still
/// the same, so that a long history is not replayed from its first step at every trial; that changes no bit.
///
/// Search(options, task, restart) is a run at its beginning; search.run(task, known) goes on to the first point that it
/// needs and does not know, and may be called again; nothing: the run has ended.
template <class Search>
class Replay {
 public:
  /// name: "walk", for Info::how; runs: after so many the proposal is a random point.
  template <class Options>
  Proposal propose(const Options& options, const Task& task, const History& history, int number,
                   const std::string& name, int runs) {
    std::optional<Progress> progress = take();
    if (!progress || !same_task(progress->task, task) || !progress->known.extend(task, history)) {
      progress.emplace(Progress{task, {}, 0, std::nullopt});
      progress->known.extend(task, history);
    }
    Proposal proposal;
    for (; proposal.x.empty() && progress->restart < runs; ++progress->restart) {
      if (!progress->search) progress->search.emplace(options, task, progress->restart);
      if (auto x = progress->search->run(task, progress->known)) {
        proposal.x = std::move(*x);
        proposal.info.how = name + " " + std::to_string(progress->restart);
        break;
      }
      progress->search.reset();
    }
    if (proposal.x.empty()) proposal = after_all_runs(task, history, number, name);
    const std::scoped_lock lock(mutex_);
    progress_ = std::move(progress);
    return proposal;
  }

 private:
  struct Progress {
    Task task;
    KnownValues known;
    int restart;
    std::optional<Search> search;  // of this restart; nothing: it has not begun
  };
  std::optional<Progress> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }

  std::mutex mutex_;
  std::optional<Progress> progress_;  // nothing: none yet, or another thread has it
};

}  // namespace bocs

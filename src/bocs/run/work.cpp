#include "bocs/run/work.hpp"

#include <atomic>
#include <exception>
#include <thread>

#include "bocs/numeric/parallel.hpp"

namespace bocs {
namespace {

/// The outcomes of a batch, as far as there are any, and what ended the others.
struct Evaluated {
  std::vector<std::optional<Outcome>> outcomes;
  std::exception_ptr no_outcome;
};

Evaluated evaluate_all(const std::vector<Trial>& batch, const Objective& objective, const Space& space, int threads) {
  Evaluated result{std::vector<std::optional<Outcome>>(batch.size()), nullptr};
  std::atomic<bool> ended = false;
  try {
    parallel_for(static_cast<int>(batch.size()), threads, [&](int i) {
      if (ended) return;
      try {
        result.outcomes[i] = evaluate(objective, space, batch[i]);
      } catch (const NoOutcome&) {
        ended = true;
        throw;
      }
    });
  } catch (const NoOutcome&) {
    result.no_outcome = std::current_exception();
  }
  return result;
}

}  // namespace

void work(Loop& loop, Session& session, const Objective& objective, int batch, int threads,
          const std::function<void(const Trial&, Told)>& on_trial) try {
  for (;;) {
    const Loop::Next next = loop.next(session, batch);
    if (next.begin.empty()) {
      if (next.ended) return;
      std::this_thread::sleep_for(std::chrono::duration<double>(next.wait_seconds));
      continue;
    }
    const Evaluated evaluated = evaluate_all(next.begin, objective, session.task().space, threads);
    for (std::size_t i = 0; i < next.begin.size(); ++i) {
      if (!evaluated.outcomes[i]) continue;
      Told told{};
      const Trial trial = loop.finished(session, next.begin[i].number, *evaluated.outcomes[i], &told);
      if (on_trial) on_trial(trial, told);
    }
    if (evaluated.no_outcome) std::rethrow_exception(evaluated.no_outcome);
  }
} catch (...) {
  loop.abandon(session);
  throw;
}

WorkResult work(Session& session, const Objective& objective, const Limits& limits,
                const std::function<void(const Trial&)>& on_trial) {
  Loop loop(limits);
  work(loop, session, objective, limits.batch, limits.threads, [&](const Trial& trial, Told) {
    if (on_trial) on_trial(trial);
  });
  return loop.result();
}

}  // namespace bocs

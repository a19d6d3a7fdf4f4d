#pragma once
// Evaluates in the calling thread, or on threads of its own: ask, evaluate, tell, until the loop ends.

#include "bocs/run/loop.hpp"
#include "bocs/run/objective.hpp"

namespace bocs {

/// Runs the session until a limit is reached. Store sessions also end when the study's budget is used up. While all
/// remaining trials run elsewhere, the call waits: a dead worker's trial may come back. Batches are synchronous: all
/// asked, then evaluated on any number of threads, then told in order of number. on_trial sees every finished trial.
/// When an evaluation throws NoOutcome, no other is begun, those that end with an outcome are told, the others are
/// given back, and the exception passes.
WorkResult work(Session& session, const Objective& objective, const Limits& limits,
                const std::function<void(const Trial&)>& on_trial = {});

/// The same for a loop that other threads may work for, too: with a session of each, in batches of `batch`. on_trial is
/// also told whether the outcome decided the trial.
void work(Loop& loop, Session& session, const Objective& objective, int batch, int threads,
          const std::function<void(const Trial&, Told)>& on_trial);

}  // namespace bocs

#pragma once
// Workers of one study in this process: what `bocs run`, `bocs worker` and every other front have in common.

#include "bocs/run/objective.hpp"
#include "bocs/run/work.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/worker.hpp"

namespace bocs {

/// Told what happens while a study runs, by one worker at a time; `study` is the session of that worker.
class StudyObserver {
 public:
  virtual ~StudyObserver() = default;
  /// A trial is going to be evaluated by this process. Here `study` may be in use: only its spec may be looked at.
  virtual void on_begin(const Study& study, const Trial& trial);
  /// A trial was told by this process.
  virtual void on_trial(const Study& study, const Trial& trial);
  /// A trial was evaluated here, too, but another worker had told it before: `trial` is what stands.
  virtual void on_late(const Study& study, const Trial& trial);
  /// Something is being waited for; the same text may come again and again.
  virtual void on_trouble(const std::string& what);
};

struct RunOptions {
  int workers = 1;                    // evaluations at once in this process
  double seconds = 0;                 // begin no evaluation after so many; 0: no limit
  double patience_seconds = 600;      // how long the store may be away, or the machine in trouble (MachineTrouble)
  std::function<bool()> stop = {};    // asked often, by all workers; true: end after what runs
  std::optional<double> target = {};  // end at a value as good as this: penalty included, in the user's sense
};

/// Works until the study's budget is reached, the time is up or `stop` says so; then what ran is told. What an
/// objective ends by Cancelled is given back; so it is after MachineTrouble, and the worker tries again a second later,
/// then two, four, up to thirty, until its patience is at an end. When evaluations do nothing but fail, all workers end
/// (Reason::failures), unless the study is to keep going. If one worker cannot go on, the others end after what they
/// are at, and its exception is thrown. The study's own session is that of the first worker.
WorkResult run_study(Study& study, const Objective& objective, const RunOptions& options, StudyObserver& observer);

/// The command of the study. `directory`: where it runs; `cancelled`, `on_run`: as in CommandOptions. Throws
/// InvalidArgument when there is none, or its program is not found here.
Objective command_of(const StudySpec& spec, const std::string& directory, std::function<bool()> cancelled,
                     decltype(CommandOptions::on_run) on_run = {});

}  // namespace bocs

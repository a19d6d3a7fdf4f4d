#pragma once
// A history that outlives the process: the same shape as Optimizer, shared by any number of processes through the
// store.

#include <memory>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/method/method.hpp"
#include "bocs/run/session.hpp"
#include "bocs/store/trial_table.hpp"
#include "bocs/study/study_spec.hpp"

namespace bocs {

struct Evaluation {
  Point x;
  double y = kUnknown;  // as measured, in the user's sense, without the penalty; with goals it may be left out
  std::map<std::string, double> metrics = {};
};

/// The trial was finished by another worker, who was given it while this one was silent. The first result stands; this
/// one is kept as a late one.
class Overtaken : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// Every thread or process opens its own. Any call may throw StoreError; after StoreUnavailable it may be repeated.
/// Got from Store::create and Store::open.
class Study : public Session {
 public:
  /// The next trial, now running: one that waits (enqueued, or given up by a worker that died), else a new one. Throws
  /// AllRunning, BudgetReached or SpaceExhausted when there is none.
  Trial ask() override;
  /// Ends a running trial, in any order and from any process. A finished one is refused (InvalidArgument). A value that
  /// is not finite is recorded as a failure. Who was given the trial may tell it even if it was reclaimed since; throws
  /// Overtaken if another result came first.
  Told tell(int number, const Outcome& outcome) override;
  using Session::tell;
  /// Records an evaluation that was not asked for, with all that its outcome says, and returns its number. It comes on
  /// top of the budget, as past evaluations do.
  int tell(const Point& x, const Outcome& outcome, Origin origin = Origin::told);
  int tell(const Point& x, double y);  // refuses a value that is not finite
  /// Records evaluations made elsewhere, on top of the budget: all of them, or, if anything is wrong or cuts it off,
  /// none. Those that are there already, imported with the same point and value, are left out, however many processes
  /// do it at once, unless `again`. Returns how many were added.
  int add_past(const std::vector<Evaluation>& evaluations, bool again = false);
  /// Counts towards the budget, too.
  int enqueue(const Point& x) override;
  /// Gives a running trial back, whoever holds it.
  bool release(int number, Attempt attempt = Attempt::not_counted) override;
  /// Makes a failed trial wait to be evaluated again, at the same point: from now on nobody knows it as failed. False:
  /// it has not failed.
  bool retry(int number);
  void strike(int number, const std::string& why) override;
  /// Gives back all trials this session was given and has not told.
  void release_all();

  /// From now on trials are claimed in the name of this worker (see name_worker), who promises to call heartbeat()
  /// until they are told. Trials claimed without a name, as by a person, stay claimed until they are told or released.
  void sign(const std::string& worker) { worker_ = worker; }
  /// Leaves a trial that this session was given to a person, whatever becomes of this process: it stays claimed until
  /// it is told or released.
  void hand_over(int number);
  /// Tells the others that the signed worker lives.
  void heartbeat() { table_.beat(worker_); }
  /// Makes the trials of dead workers wait for others, and returns how many: those whose process is known to be gone,
  /// and those whose last heartbeat is older than `silent_seconds`. The last of too many attempts fails instead. A
  /// trial whose point was still being thought about counts as that of a worker, whoever asked for it. With `last_look`
  /// silence must have been seen before (see TrialTable::reclaim).
  int reclaim(double silent_seconds, Beats* last_look = nullptr);

  /// Asked while the store does not answer; true ends the call with StoreUnavailable.
  void give_up_when(std::function<bool()> stop) { table_.connection().give_up_when(std::move(stop)); }

  /// Takes over what may change of a study: the budget, the cap on running trials, the objective and the attempts. The
  /// first two hold for everybody at once, the others for whoever opens the study from now on.
  /// A budget below the number of trials that have begun is refused, or ends the study there.
  void amend(const StudySpec& wanted, BudgetBelowStarted below_started = BudgetBelowStarted::reject);
  /// From now on nobody is given a trial: those who ask wait (AllRunning), what runs is finished and told. Or, after
  /// false, everybody goes on.
  void pause(bool paused);
  [[nodiscard]] bool paused() const { return paused_; }  // as of the last refresh
  /// Reads what the others did, and how it came about. ask() does it by itself, but for Info: of the trials of others
  /// it reads `origin` and `member`, which is what methods use.
  void refresh() override;

  /// Opens another session of the same study, in whatever thread it is called; all share one method, and what it keeps.
  [[nodiscard]] std::function<Study()> session_opener(std::function<bool()> stop = {}) const;  // see StoreOptions

  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] const std::string& url() const { return table_.connection().url(); }  // with its password
  [[nodiscard]] const StudySpec& spec() const { return spec_; }
  [[nodiscard]] const Task& task() const override { return spec_.task; }
  [[nodiscard]] Sense sense() const override { return spec_.sense; }
  /// How many trials there will be: spec().trials and those told or imported on top of it; 0: no limit.
  [[nodiscard]] int budget() const { return spec_.trials == 0 ? 0 : spec_.trials + extra_; }
  /// Trials that were told or imported without being asked for: they come on top of the budget.
  [[nodiscard]] int past() const { return extra_; }
  /// All trials that have a point, those that wait included, as of the last refresh or ask, and what this session told.
  [[nodiscard]] const History& history() const override { return history_; }
  [[nodiscard]] const Method& method() const override;  // throws InvalidArgument if this program does not know it
  /// True when the budget is used up and every trial has finished, as of the last refresh.
  [[nodiscard]] bool finished() const;
  /// Its store was written by an older version: nothing can be changed before upgrade_store (store/upgrade.hpp).
  [[nodiscard]] bool is_outdated() const { return schema_version(table_.connection()) < kSchemaVersion; }
  /// Who holds the running trials now, for people to look at.
  [[nodiscard]] std::vector<Claim> claims() { return table_.claims(); }
  /// Results that came too late (Overtaken).
  [[nodiscard]] std::vector<LateResult> late() { return table_.late(); }

  /// Who worked on each trial, and when, as of now.
  [[nodiscard]] std::vector<TrialRecord> records() { return table_.records(); }

  /// Proposes a trial of the history again, from what was known when it was first proposed: the same point, on the same
  /// kind of machine. For trials that were proposed, not added or enqueued.
  [[nodiscard]] Proposal replay(const Trial& trial) const;

 private:
  friend class Store;
  Study(std::shared_ptr<Connection> connection, std::int64_t id, StudySpec spec, std::shared_ptr<const Method> method);

  void adopt(const History& history);  // of a study that has no trials yet
  void apply(TrialTable::Changes changes);
  void check_loaded(const Trial& trial) const;  // throws StoreError
  void check_point(const Point& x) const;       // throws InvalidArgument
  [[nodiscard]] std::vector<int> pending_for(int number) const;
  [[nodiscard]] static bool was_amended_after(int number, const Trial& trial, const std::map<int, int>& amendments);
  [[nodiscard]] History history_as_of(int number, const std::vector<int>& pending) const;
  [[nodiscard]] Proposal propose(int number) const;
  [[nodiscard]] Trial evaluated(const Point& x, const Outcome& outcome, Origin origin) const;
  int insert(const std::vector<Trial>& trials, TrialTable::Budget budget);

  std::int64_t id_;
  StudySpec spec_;
  TrialTable table_;
  mutable std::shared_ptr<const Method> method_;  // made when it is first needed: those who only look need none
  bool paused_ = false;
  int extra_ = 0;  // trials on top of the budget
  std::string worker_;
  std::string thinker_;                // names this session while it thinks, as worker_ does if it is signed
  std::string asking_;                 // the claim of an ask() that has not returned yet
  std::string adding_;                 // likewise, of what is added
  std::map<int, std::string> claims_;  // number -> claim, of the trials this session was given
  History history_;
  std::map<int, int> retried_;  // trials that had failed -> the first trial that was begun after they were retried
  std::map<int, int> struck_;   // trials that were complete -> the first trial that was begun after they were struck
  std::set<int> unfinished_;    // waiting and running, those without a point included
  std::int64_t revision_ = 0;   // of the newest change in history_
  std::int64_t infos_revision_ = 0;  // of the newest change whose whole Info is there
};

}  // namespace bocs

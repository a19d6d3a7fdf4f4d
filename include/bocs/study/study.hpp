#pragma once
// A history that outlives the process: the same shape as Optimizer, shared by any number of processes through the
// store.

#include <memory>

#include "bocs/base/error.hpp"
#include "bocs/method/method.hpp"
#include "bocs/run/session.hpp"
#include "bocs/study/ledger.hpp"
#include "bocs/study/mirror.hpp"

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

/// A session over three things: the table of trials, what this session has read of it (StudyMirror), and what it holds
/// (ClaimLedger). Every thread or process opens its own. Any call may throw StoreError; after StoreUnavailable it may
/// be repeated. Got from Store::create and Store::open.
class Study : public Session {
 public:
  /// The next trial, now running: one that waits (enqueued, or given up by a worker that died), else a new one. Throws
  /// AllRunning, BudgetReached or SpaceExhausted when there is none.
  Trial ask() override { return ask(std::vector<Constraint>()); }
  Trial ask(const std::vector<Constraint>& rules) override;
  /// Ends a running trial, in any order and from any process. A finished one is refused (InvalidArgument). A value that
  /// is not finite is recorded as a failure. Who was given the trial may tell it even if it was reclaimed since; throws
  /// Overtaken if another result came first.
  Told tell(int number, const Outcome& outcome) override;
  using Session::tell;
  /// Records an evaluation that was not asked for, with all that its outcome says, and returns its number. It comes on
  /// top of the budget, as past evaluations do.
  int tell(const Point& x, const Outcome& outcome, Origin origin = Origin::told) override;
  /// Records evaluations made elsewhere, on top of the budget: all of them, or, if anything is wrong or cuts it off,
  /// none. Those that are there already, imported with the same point and value, are left out, however many processes
  /// do it at once, unless `again`. Returns how many were added.
  int add_past(const std::vector<Evaluation>& evaluations, bool again = false);
  /// Counts towards the budget, too.
  int enqueue(const Point& x) override;
  /// Gives a running trial back, no matter which session holds it.
  bool release(int number, Attempt attempt = Attempt::not_counted) override;
  /// Makes a failed trial wait to be evaluated again, at the same point: from now on nobody knows it as failed. False:
  /// it has not failed.
  bool retry(int number);
  void strike(int number, const std::string& why) override;
  /// Gives back all trials this session was given and has not told.
  void release_all();

  /// Takes over what may change of a study: the budget, the cap on running trials, the objective and the attempts. The
  /// first two hold for every session at once, the others for sessions that open the study from now on.
  /// A budget below the number of trials that have begun is refused, or ends the study there.
  void amend(const StudySpec& wanted, BudgetBelowStarted below_started = BudgetBelowStarted::reject);
  /// From now on no trial is handed out: sessions that ask wait (AllRunning), running trials finish and are told. Or,
  /// after false, all sessions continue.
  void pause(bool paused);
  /// Reads what the others did, and how it came about. ask() does it by itself, but for Info: of the trials of others
  /// it reads `origin` and `member`, which is what methods use.
  void refresh() override;

  /// Opens another session of the same study, in whatever thread it is called; all share one method, and what it keeps.
  [[nodiscard]] std::function<Study()> session_opener(std::function<bool()> stop = {}) const;  // see StoreOptions

  [[nodiscard]] const StudySpec& spec() const { return mirror_.spec(); }
  [[nodiscard]] const Task& task() const override { return spec().task; }
  [[nodiscard]] Sense sense() const override { return spec().sense; }
  [[nodiscard]] const History& history() const override { return mirror_.history(); }
  [[nodiscard]] const Method& method() const override;  // throws InvalidArgument if this program does not know it
  /// Budget, pause and trials, as of the last refresh or ask, and what this session told.
  [[nodiscard]] const StudyMirror& mirror() const { return mirror_; }
  /// What this session holds, and in whose name.
  [[nodiscard]] ClaimLedger& ledger() { return ledger_; }
  /// The trials as the store has them now: who holds which, who worked on them when, results that came too late.
  [[nodiscard]] TrialTable& table() { return table_; }
  [[nodiscard]] const TrialTable& table() const { return table_; }

  /// Proposes a trial of the history again, from what was known when it was first proposed: the same point, on the same
  /// kind of machine. For trials that were proposed, not added or enqueued.
  [[nodiscard]] Proposal replay(const Trial& trial) const;

 private:
  friend class Store;
  Study(std::shared_ptr<Connection> connection, std::int64_t id, StudySpec spec, std::shared_ptr<const Method> method);

  void adopt(const History& history);      // of a study that has no trials yet
  void check_point(const Point& x) const;  // throws InvalidArgument
  [[nodiscard]] Proposal propose(int number, const std::vector<Constraint>& rules) const;
  [[nodiscard]] Trial evaluated(const Point& x, const Outcome& outcome, Origin origin) const;
  int insert(const std::vector<Trial>& trials, TrialTable::Budget budget);

  TrialTable table_;
  StudyMirror mirror_;
  ClaimLedger ledger_;
  mutable std::shared_ptr<const Method> method_;  // made when it is first needed: those who only look need none
};

}  // namespace bocs

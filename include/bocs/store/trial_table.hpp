#pragma once
// The life of a trial as SQL: waiting -> running -> complete | failed. Every function is one short transaction; taking,
// writing and finishing a trial are one round trip to the database each.

#include <map>
#include <optional>

#include "bocs/store/connection.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// Who holds a running trial.
struct Claim {
  int number = 0;
  std::string worker;         // empty: a person, who needs no heartbeat
  double seconds = 0;         // since it was claimed
  double silent_seconds = 0;  // since the last heartbeat; 0: a person
  int attempts = 0;           // this one included
  bool gone = false;          // a process of this machine that has ended
  bool proposed = false;      // it has a point
  std::string claim;
  double beat = 0;  // when the last heartbeat was, by the clock of the process that wrote it
};

/// Who worked on a trial, and when. Times are seconds since 1970 by the database's clock; kUnknown: not yet, or never.
struct TrialRecord {
  int number = 0;
  std::string worker;  // empty: nobody, or a person
  double claimed = kUnknown;
  double finished = kUnknown;
};

/// Of claims whose workers were silent when another worker looked: the last heartbeat.
using Beats = std::map<std::string, double>;

/// A result that came after another one of the same trial, which stands.
struct LateResult {
  int number = 0;
  std::string worker;
  Outcome outcome;  // inside: smaller is better
};

/// What becomes of a budget below the number of trials that have begun.
enum class BudgetBelowStarted { reject, end_study };

class TrialTable {
 public:
  TrialTable(std::shared_ptr<Connection> connection, std::int64_t study)
      : connection_(std::move(connection)), study_(study) {}
  [[nodiscard]] Connection& connection() const { return *connection_; }
  [[nodiscard]] std::int64_t study() const { return study_; }
  /// Its store was written by an older version: nothing can be changed before upgrade_store (store/upgrade.hpp).
  [[nodiscard]] bool is_outdated() const { return schema_version(*connection_) < kSchemaVersion; }

  /// Who takes a trial: while its point is being computed, always a process, so that others see when it has ended;
  /// after that the worker, or a person (empty).
  struct Taker {
    std::string proposer;
    std::string worker;
  };
  struct Changes {
    std::vector<Trial> trials;   // in order of number; without a point while it is computed; of Info, origin and member
    std::map<int, int> retried;  // of these, those that had failed before -> the first trial that was begun after that
    std::map<int, int> struck;   // likewise, those that were complete before
    std::int64_t revision = 0;
    int budget = 0;  // without the extra ones
    int extra = 0;
    int parallel = 0;  // -1: paused
  };
  struct Taken {
    std::optional<Trial> trial;  // nothing: see throw_if_nothing_available()
    Changes changes;             // what happened since the revision, the trial itself included
  };
  /// The trial that `claim`, a name never used before, holds from now on: a waiting one, else a new one. Holding one
  /// already, it gets that.
  Taken take(const std::string& claim, const Taker& taker, std::int64_t revision);
  /// Throws why there was nothing to take: AllRunning, BudgetReached. Returns if there is by now.
  void throw_if_nothing_available();
  /// Gives the claimed trial its point, and the trial to the worker. False: another trial got the same point since
  /// `revision`; or this one is not to be had any more, because it was reclaimed meanwhile, or because it has a point.
  bool write(const Trial& trial, const std::string& claim, const std::string& worker, std::int64_t revision);
  /// The outcome that a database gives back.
  static Outcome storable(Outcome outcome);
  enum class Finished { yes, late };
  /// Ends a trial that has a point. With the claim it was once given under, also after it was reclaimed: a worker that
  /// is first decides, and what comes later is kept apart (`late`). Without a claim, a finished one is refused
  /// (InvalidArgument). The outcome is a storable one.
  Finished finish(int number, const std::string& claim, const std::string& worker, const Outcome& outcome);
  std::vector<LateResult> late();      // in order of number
  std::vector<TrialRecord> records();  // of all trials, in order of number
  enum class Budget { counts, grows };
  /// Trials from outside, waiting or finished, all of them or none; returns the number of the first. They count towards
  /// the budget, or it grows by them. Inserted once only under the same claim.
  int insert(const std::vector<Trial>& trials, const std::string& claim, Budget budget = Budget::counts);
  /// Imported trials: adds those that are not in the study yet, all of them or none, on top of the budget, and returns
  /// how many they were. One is there if as many imported trials with its point and value are there as came before it.
  int insert_new(const std::vector<Trial>& rows);
  /// A failed trial waits again, with its point; false: it has not failed.
  bool retry(int number);
  /// A complete trial is struck, and says why; false: it is not complete.
  bool strike(int number, const std::string& why);
  bool release(int number, Attempt attempt = Attempt::not_counted);  // from its holder; false: it has none
  bool release(const std::string& claim);                            // if it still holds one
  /// From its worker to a person.
  void hand_over(const std::string& claim);
  void beat(const std::string& worker);
  /// With `last_look`, which it replaces, silence counts only if it was seen then, too: clocks jump and differ, but a
  /// worker that lives has beaten between two looks.
  int reclaim(double silent_seconds, int attempts, Beats* last_look = nullptr);
  std::vector<Claim> claims();

  Changes since(std::int64_t revision);
  /// The whole Info of the trials that changed since, by number.
  std::map<int, Info> infos_since(std::int64_t revision);
  struct Amendment {
    int trials = 0;    // the budget
    int parallel = 0;  // the cap on running trials
    std::string spec;  // the study's, as text
  };
  int amend(const Amendment& wanted,
            BudgetBelowStarted below_started);  // keeps a pause; returns what the budget is now
  /// A paused study has the cap -1, below which no number of running trials is; its spec keeps the cap it had.
  void pause(bool paused);

 private:
  struct Head {  // of the study
    std::int64_t revision = 0;
    int trials = 0;
    int extra = 0;
    int parallel = 0;
    int next = 0;  // number of a new trial; known after lock() only

    [[nodiscard]] int budget() const { return trials == 0 ? 0 : trials + extra; }  // 0: none
  };
  struct Answers {
    Head head;
    std::vector<Rows> rows;  // of each statement
  };
  [[nodiscard]] std::vector<Statement> locking() const;
  static Head to_head(const Rows& rows);
  Head lock();  // inside a transaction that needs to look before it writes
  Answers change(Commit commit, std::vector<Statement> statements);  // under the lock, in one round trip
  [[nodiscard]] Statement changes_since(std::int64_t revision) const;
  static Changes to_changes(const Head& head, const Rows& rows, std::int64_t revision);
  [[nodiscard]] std::string now() const { return std::string(connection_->now()); }
  void append(const Head& head, std::span<const Trial> trials, const std::string& claim, Budget budget);
  bool release_where(const char* condition, const SqlValue& value, Attempt attempt);

  std::shared_ptr<Connection> connection_;
  std::int64_t study_;
};

}  // namespace bocs

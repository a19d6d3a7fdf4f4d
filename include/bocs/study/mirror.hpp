#pragma once
// What a session knows of a study in a store: its trials and how they were amended, kept as the table has them.

#include <set>

#include "bocs/store/trial_table.hpp"
#include "bocs/study/study_spec.hpp"

namespace bocs {

/// As of the last refresh, and what its session told since. Used through Study.
class StudyMirror {
 public:
  /// Of a study as it is now. Throws StoreError if trials are missing, or cannot be used.
  StudyMirror(StudySpec spec, TrialTable& table);

  [[nodiscard]] const StudySpec& spec() const { return spec_; }
  /// All trials that have a point, those that wait included.
  [[nodiscard]] const History& history() const { return history_; }
  /// Of the newest change that is known.
  [[nodiscard]] std::int64_t revision() const { return revision_; }
  [[nodiscard]] bool paused() const { return paused_; }
  /// How many trials there will be: spec().trials and those told or imported on top of it; 0: no limit.
  [[nodiscard]] int budget() const { return spec_.trials == 0 ? 0 : spec_.trials + extra_; }
  /// Trials that were told or imported without being asked for: they come on top of the budget.
  [[nodiscard]] int past() const { return extra_; }
  /// True when the budget is used up and every trial has finished.
  [[nodiscard]] bool finished() const { return spec_.trials > 0 && unfinished_.empty() && history_.size() >= budget(); }

  /// What the others did since.
  void refresh(TrialTable& table) { apply(table.since(revision_)); }
  /// How it came about: of the trials of others refresh() reads `origin` and `member`, which is what methods use.
  void refresh_infos(TrialTable& table);
  /// Throws StoreError for what cannot be used: anybody can write into a database.
  void apply(TrialTable::Changes changes);
  void amend(StudySpec spec) { spec_ = std::move(spec); }
  /// A trial of this session that has its point now.
  void put(Trial trial) { history_.put(std::move(trial)); }
  /// The same with its outcome. False: it has ended already, or is not known; refresh() tells.
  bool finish(int number, const Outcome& outcome);

  /// What a proposal of `number` does not know the values of, for Info::pending: n for a trial whose point it knows, ~n
  /// for one that had no point yet.
  [[nodiscard]] std::vector<int> pending_for(int number) const;
  /// The trials before `number`, and those in `pending` as they were before they finished. Later ones than `number`
  /// exist when it was reclaimed: their values stay out, so that it can be proposed again from what is written.
  [[nodiscard]] History history_as_of(int number, const std::vector<int>& pending) const;
  /// history() is what history_as_of(number, pending_for(number)) would copy.
  [[nodiscard]] bool is_as_of(int number) const;

 private:
  using Amendments = std::map<int, int>;  // number -> the first trial that was begun after the trial was amended
  void check(const Trial& trial) const;

  StudySpec spec_;
  bool paused_ = false;
  int extra_ = 0;  // trials on top of the budget
  History history_;
  Amendments retried_;        // trials that had failed
  Amendments struck_;         // trials that were complete
  std::set<int> unfinished_;  // waiting and running, those without a point included
  std::int64_t revision_ = 0;
  std::int64_t infos_revision_ = 0;  // of the newest change whose whole Info is there
};

}  // namespace bocs

#include "bocs/store/study.hpp"

#include <algorithm>

#include "bocs/core/error.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

bool is_finished(const Trial& trial) { return trial.state == State::complete || trial.state == State::failed; }

}  // namespace

Study::Study(std::shared_ptr<Connection> connection, std::int64_t id, StudySpec spec)
    : id_(id),
      spec_(std::move(spec)),
      table_(std::move(connection), id),
      method_(make_method(spec_.method, spec_.task.space, spec_.task.constraints)) {
  refresh();
}

void Study::refresh() {
  auto changes = table_.since(revision_);
  spec_.trials = changes.budget;
  spec_.parallel = changes.parallel;
  for (Trial& trial : changes.trials) {
    if (is_finished(trial)) {
      unfinished_.erase(trial.number);
    } else {
      unfinished_.insert(trial.number);
    }
    if (!trial.x.empty()) history_.put(std::move(trial));
  }
  revision_ = changes.revision;
}

Trial Study::ask() {
  if (asking_.empty()) asking_ = unique_name();
  for (;;) {
    Trial trial;
    try {
      trial = table_.take(asking_, worker_);
    } catch (const StoreError&) {
      throw;
    } catch (const Error&) {  // AllRunning, BudgetReached: whoever waits wants to see what the others do
      refresh();
      throw;
    }
    refresh();
    if (trial.x.empty()) {
      try {
        Proposal proposal = propose(trial.number);
        trial.x = std::move(proposal.x);
        trial.info = std::move(proposal.info);
      } catch (const SpaceExhausted&) {
        table_.release(asking_);
        throw;
      }
      // Somebody was faster with the same point: think again, knowing it.
      if (table_.write(trial, asking_, revision_) != TrialTable::Written::yes) continue;
      history_.put(trial);
    }
    claims_[trial.number] = std::move(asking_);
    asking_.clear();
    return trial;
  }
}

/// What a proposal of `number` does not know the values of, for Info::pending: n for a trial whose point it knows, ~n
/// for one that had no point yet.
std::vector<int> Study::pending_for(int number) const {
  std::vector<int> pending;
  for (const int other : unfinished_) {
    if (other != number) pending.push_back(history_.find(other) != nullptr ? other : ~other);
  }
  for (const auto& trial : history_.trials()) {
    if (trial.number > number && is_finished(trial)) pending.push_back(trial.number);
  }
  std::sort(pending.begin(), pending.end());
  return pending;
}

/// The trials before `number`, and those in `pending` as they were before they finished. Later ones than `number` exist
/// when it was reclaimed: their values stay out, so that it can be proposed again from what is written.
History Study::known_to(int number, const std::vector<int>& pending) const {
  const auto listed = [&pending](int entry) { return std::binary_search(pending.begin(), pending.end(), entry); };
  History known;
  for (const auto& trial : history_.trials()) {
    if (listed(~trial.number)) continue;
    if (listed(trial.number)) {
      Trial masked;
      masked.number = trial.number;
      masked.x = trial.x;
      masked.info = trial.info;
      known.add(std::move(masked));
    } else if (trial.number < number) {
      known.add(trial);
    }
  }
  return known;
}

Proposal Study::propose(int number) const {
  auto pending = pending_for(number);
  const bool has_later = history_.size() > 0 && history_.trials().back().number > number;
  Proposal proposal = has_later ? method_->propose(spec_.task, known_to(number, pending), number)
                                : method_->propose(spec_.task, history_, number);  // the same, without a copy
  proposal.info.pending = std::move(pending);
  return proposal;
}

Proposal Study::replay(const Trial& trial) const {
  Proposal proposal = method_->propose(spec_.task, known_to(trial.number, trial.info.pending), trial.number);
  proposal.info.pending = trial.info.pending;
  return proposal;
}

void Study::tell(int number, const Outcome& outcome) {
  const auto claim = claims_.find(number);
  table_.finish(number, claim == claims_.end() ? "" : claim->second, oriented(spec_.sense, outcome));
  refresh();
  if (claim != claims_.end()) claims_.erase(claim);  // kept until here, in case the call is cut off and repeated
}

void Study::tell(int number, double y) {
  check_told(y);
  tell(number, Outcome::value(y));
}

/// The complete trial of an evaluation nobody asked for, without its number.
Trial Study::told(const Evaluation& evaluation) const {
  check_told(evaluation.y);
  Trial trial;
  trial.state = State::complete;
  trial.x = evaluation.x;
  trial.y = oriented(spec_.sense, evaluation.y);
  trial.info.how = "told without asking";
  return trial;
}

int Study::add(const Point& x, double y) { return insert({told({x, y})}, TrialTable::Budget::counts); }

int Study::add_past(const std::vector<Evaluation>& evaluations) {
  std::vector<Trial> trials;
  for (const Evaluation& evaluation : evaluations) trials.push_back(told(evaluation));
  return insert(trials, TrialTable::Budget::grows);
}

int Study::enqueue(const Point& x) {
  Trial trial;
  trial.state = State::waiting;
  trial.x = x;
  trial.info.how = "enqueued";
  return insert({trial}, TrialTable::Budget::counts);
}

int Study::insert(const std::vector<Trial>& trials, TrialTable::Budget budget) {
  for (const Trial& trial : trials) {
    spec_.task.space.check(trial.x);
    spec_.task.constraints.check(trial.x);
  }
  if (adding_.empty()) adding_ = unique_name();
  const int first = table_.insert(trials, adding_, budget);
  refresh();
  adding_.clear();
  return first;
}

void Study::release(int number) {
  table_.release(number);
  claims_.erase(number);
  refresh();
}

void Study::release_all() {
  if (!asking_.empty()) table_.release(asking_);
  for (; !claims_.empty(); claims_.erase(claims_.begin())) table_.release(claims_.begin()->second);
  refresh();
}

int Study::reclaim(double silent_seconds) { return table_.reclaim(silent_seconds, spec_.attempts); }

void Study::amend(const StudySpec& wanted) {
  StudySpec amended = spec_;
  amended.trials = wanted.trials;
  amended.parallel = wanted.parallel;
  amended.objective = wanted.objective;
  amended.attempts = wanted.attempts;
  check(amended);
  table_.amend(amended);
  spec_ = std::move(amended);
  refresh();
}

bool Study::finished() const { return spec_.trials > 0 && unfinished_.empty() && history_.size() >= spec_.trials; }

}  // namespace bocs

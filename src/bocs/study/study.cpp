#include "bocs/study/study.hpp"

#include <algorithm>

#include "bocs/base/text.hpp"
#include "bocs/store/process.hpp"
#include "bocs/study/spec_json.hpp"
#include "bocs/version.hpp"

namespace bocs {
Study::Study(std::shared_ptr<Connection> connection, std::int64_t id, StudySpec spec,
             std::shared_ptr<const Method> method)
    : id_(id),
      spec_(std::move(spec)),
      table_(std::move(connection), id),
      method_(std::move(method)),
      thinker_(name_worker()) {
  TrialTable::Changes all = table_.since(revision_);
  for (std::size_t i = 0; i < all.trials.size(); ++i) {  // numbers have no gaps: one that is missing is damage
    if (all.trials[i].number == static_cast<int>(i)) continue;
    throw StoreError("the study '" + spec_.name + "' is damaged: trial " + std::to_string(i) +
                     " is missing; go on with a backup");
  }
  apply(std::move(all));
}

std::function<Study()> Study::session_opener(std::function<bool()> stop) const {
  (void)method();  // one for all of them: what it has worked out for one session serves the others
  return [url = url(), id = id_, spec = spec_, method = method_, stop = std::move(stop)] {
    return Study(connect_to_tables(url, {.check = false, .stop = stop}), id, spec, method);
  };
}

const Method& Study::method() const {
  if (!method_) method_ = make_method(spec_);
  return *method_;
}

/// Anybody can write into a database: nothing of it is believed before it was looked at.
void Study::check_loaded(const Trial& trial) const {
  const auto refuse = [&](const std::string& why) {
    throw StoreError("trial " + std::to_string(trial.number) + " of the study '" + spec_.name +
                     "' cannot be used: " + why);
  };
  if (is_finished(trial) && trial.x.empty()) refuse("it is finished, but has no point");
  if (has_value(trial) && !std::isfinite(trial.y)) refuse("it is complete, but its value is no number");
  try {
    if (!trial.x.empty()) spec_.task.space.check(trial.x);
  } catch (const InvalidArgument& error) {
    refuse(error.what());
  }
}

void Study::apply(TrialTable::Changes changes) {
  spec_.trials = changes.budget;
  extra_ = changes.extra;
  paused_ = changes.parallel < 0;
  if (!paused_) spec_.parallel = changes.parallel;
  for (const Trial& trial : changes.trials) check_loaded(trial);
  for (Trial& trial : changes.trials) {
    const Trial* known = history_.find(trial.number);
    if (known != nullptr && known->state == State::complete) {  // told by this session, perhaps; failed ones change
      if (trial.state == State::struck) history_.strike(trial.number, trial.error);
      continue;
    }
    if (known != nullptr) trial.info = known->info;  // as whole as it was
    if (is_finished(trial)) {
      unfinished_.erase(trial.number);
    } else {
      unfinished_.insert(trial.number);
    }
    if (!trial.x.empty()) history_.put(std::move(trial));
  }
  for (const auto& [number, first_after] : changes.retried) retried_[number] = first_after;
  for (const auto& [number, first_after] : changes.struck) struck_[number] = first_after;
  revision_ = changes.revision;
}

void Study::refresh() {
  apply(table_.since(revision_));
  if (infos_revision_ == revision_) return;
  for (auto& [number, info] : table_.infos_since(infos_revision_)) {
    if (history_.find(number) != nullptr) history_.set_info(number, std::move(info));
  }
  infos_revision_ = revision_;
}

Trial Study::ask() {
  if (asking_.empty()) asking_ = unique_name();
  for (;;) {
    auto taken = table_.take(asking_, {worker_.empty() ? thinker_ : worker_, worker_}, revision_);
    apply(std::move(taken.changes));
    if (!taken.trial) {
      table_.throw_if_nothing_available();
      continue;
    }
    Trial trial = std::move(*taken.trial);
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
      if (!table_.write(trial, asking_, worker_, revision_)) continue;
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
  const auto trials = history_.trials();
  for (auto later = trials.rbegin(); later != trials.rend() && later->number > number; ++later) {
    if (is_finished(*later)) pending.push_back(later->number);
  }
  std::sort(pending.begin(), pending.end());
  return pending;
}

/// True if the trial was amended (retried or struck) after `number` was begun.
bool Study::was_amended_after(int number, const Trial& trial, const std::map<int, int>& amendments) {
  const auto found = amendments.find(trial.number);
  return found != amendments.end() && number < found->second;
}

/// The trials before `number`, and those in `pending` as they were before they finished. Later ones than `number` exist
/// when it was reclaimed: their values stay out, so that it can be proposed again from what is written.
History Study::history_as_of(int number, const std::vector<int>& pending) const {
  const auto listed = [&pending](int entry) { return std::binary_search(pending.begin(), pending.end(), entry); };
  History known;
  for (const auto& trial : history_.trials()) {
    if (listed(~trial.number)) continue;
    Trial masked;
    masked.number = trial.number;
    masked.x = trial.x;
    masked.info = trial.info;
    if (listed(trial.number)) {
      known.add(std::move(masked));
    } else if (trial.number < number && was_amended_after(number, trial, retried_)) {
      masked.state = State::failed;
      known.add(std::move(masked));
    } else if (trial.number < number && was_amended_after(number, trial, struck_)) {
      masked.state = State::complete;
      masked.y = trial.y;
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
  const auto is_before = [number](const auto& amendment) { return number < amendment.second; };
  const bool was_begun_before_an_amendment = std::any_of(retried_.begin(), retried_.end(), is_before) ||
                                             std::any_of(struck_.begin(), struck_.end(), is_before);
  Proposal proposal = has_later || was_begun_before_an_amendment
                          ? method().propose(spec_.task, history_as_of(number, pending), number)
                          : method().propose(spec_.task, history_, number);  // the same, without a copy
  proposal.info.pending = std::move(pending);
  proposal.info.program = signature();
  return proposal;
}

Proposal Study::replay(const Trial& trial) const {
  Proposal proposal = method().propose(spec_.task, history_as_of(trial.number, trial.info.pending), trial.number);
  proposal.info.pending = trial.info.pending;
  return proposal;
}

Told Study::tell(int number, const Outcome& outcome) {
  const Outcome told = TrialTable::storable(judged(spec_.task, spec_.sense, outcome));
  const auto claim = claims_.find(number);
  const auto finished = table_.finish(number, claim == claims_.end() ? "" : claim->second, worker_, told);
  const Trial* known = history_.find(number);
  if (finished == TrialTable::Finished::late || known == nullptr || is_finished(*known)) {
    apply(table_.since(revision_));
  } else {
    Trial trial = *known;
    trial.state = told.state;
    trial.y = told.y;
    trial.error = told.error;
    trial.seconds = told.seconds;
    trial.metrics = told.metrics;
    history_.put(std::move(trial));
    unfinished_.erase(number);
  }
  if (claim != claims_.end()) claims_.erase(claim);  // kept until here, in case the call is cut off and repeated
  if (finished == TrialTable::Finished::late) {
    throw Overtaken("trial " + std::to_string(number) +
                    " was given to another worker, who told it first: that result stands, this one is kept as a late "
                    "one");
  }
  return Told::stands;
}

/// The trial of an evaluation that was not proposed, without its number.
Trial Study::evaluated(const Point& x, const Outcome& outcome, Origin origin) const {
  check_point(x);
  Outcome told = TrialTable::storable(judged(spec_.task, spec_.sense, outcome));
  Trial trial;
  trial.state = told.state;
  trial.x = x;
  trial.y = told.y;
  trial.error = std::move(told.error);
  trial.seconds = told.seconds;
  trial.metrics = std::move(told.metrics);
  trial.info.origin = origin;
  return trial;
}

void Study::check_point(const Point& x) const {
  spec_.task.space.check(x);
  spec_.task.constraints.check(x);
}

int Study::tell(const Point& x, const Outcome& outcome, Origin origin) {
  return insert({evaluated(x, outcome, origin)}, TrialTable::Budget::grows);
}

int Study::tell(const Point& x, double y) {
  check_told(y);
  return tell(x, Outcome::value(y));
}

int Study::add_past(const std::vector<Evaluation>& evaluations, bool again) {
  std::vector<Trial> trials;
  for (const Evaluation& evaluation : evaluations) {
    const Outcome outcome = past_outcome(task(), evaluation.y, evaluation.metrics);
    trials.push_back(evaluated(evaluation.x, outcome, Origin::imported));
  }
  if (!again) {
    const int added = table_.insert_new(trials);
    refresh();
    return added;
  }
  insert(trials, TrialTable::Budget::grows);
  return static_cast<int>(trials.size());
}

int Study::enqueue(const Point& x) {
  Trial trial;
  trial.state = State::waiting;
  trial.x = x;
  trial.info.origin = Origin::enqueued;
  check_point(x);
  return insert({trial}, TrialTable::Budget::counts);
}

int Study::insert(const std::vector<Trial>& trials, TrialTable::Budget budget) {
  if (adding_.empty()) adding_ = unique_name();
  const int first = table_.insert(trials, adding_, budget);
  refresh();
  adding_.clear();
  return first;
}

void Study::adopt(const History& history) {
  std::vector<Trial> trials;
  for (Trial trial : history.trials()) {
    check_point(trial.x);
    if (trial.state == State::running) trial.state = State::waiting;
    if (trial.state == State::struck) trial.state = State::complete;  // for a moment
    trials.push_back(std::move(trial));
  }
  if (!trials.empty()) insert(trials, TrialTable::Budget::counts);
  for (const Trial& trial : history.trials()) {
    if (trial.state == State::struck) strike(trial.number, trial.error);
  }
}

bool Study::release(int number, Attempt attempt) {
  const bool released = table_.release(number, attempt);
  claims_.erase(number);
  refresh();
  return released;
}

bool Study::retry(int number) {
  const bool retried = table_.retry(number);
  claims_.erase(number);
  refresh();
  return retried;
}

void Study::strike(int number, const std::string& why) {
  refresh();
  const Trial* found = history_.find(number);
  const bool is_repeated = found != nullptr && found->state == State::struck && found->error == clean_utf8(why);
  if (is_repeated) return;  // an earlier call went through, though its caller did not hear of it
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  require(found->state != State::struck,
          [&] { return "trial " + std::to_string(number) + " is struck already: " + found->error; });
  require(table_.strike(number, why),
          [&] { return "trial " + std::to_string(number) + " has no value: only complete trials can be struck"; });
  refresh();
}

void Study::hand_over(int number) {
  const auto claim = claims_.find(number);
  require(claim != claims_.end(), [&] { return "trial " + std::to_string(number) + " was not given to this session"; });
  table_.hand_over(claim->second);
  claims_.erase(claim);
}

void Study::release_all() {
  if (!asking_.empty()) table_.release(asking_);
  for (; !claims_.empty(); claims_.erase(claims_.begin())) table_.release(claims_.begin()->second);
  refresh();
}

int Study::reclaim(double silent_seconds, Beats* last_look) {
  return table_.reclaim(silent_seconds, spec_.attempts, last_look);
}

void Study::pause(bool paused) {
  table_.pause(paused);
  refresh();
}

void Study::amend(const StudySpec& wanted, BudgetBelowStarted below_started) {
  StudySpec amended = spec_;
  amended.trials = wanted.trials;
  amended.parallel = wanted.parallel;
  amended.objective = wanted.objective;
  amended.attempts = wanted.attempts;
  amended.check();
  amended.trials = table_.amend({amended.trials, amended.parallel, spec_to_json(amended)}, below_started);
  spec_ = std::move(amended);
  refresh();
}

bool Study::finished() const { return spec_.trials > 0 && unfinished_.empty() && history_.size() >= budget(); }

}  // namespace bocs

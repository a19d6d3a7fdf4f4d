#include "bocs/study/study.hpp"

#include "bocs/base/text.hpp"
#include "bocs/study/spec_json.hpp"
#include "bocs/version.hpp"

namespace bocs {

Study::Study(std::shared_ptr<Connection> connection, std::int64_t id, StudySpec spec,
             std::shared_ptr<const Method> method)
    : table_(std::move(connection), id), mirror_(std::move(spec), table_), method_(std::move(method)) {}

std::function<Study()> Study::session_opener(std::function<bool()> stop) const {
  (void)method();  // one for all of them: what it has worked out for one session serves the others
  return
      [url = table_.connection().url(), id = table_.study(), spec = spec(), method = method_, stop = std::move(stop)] {
        return Study(connect_to_tables(url, {.check = false, .stop = stop}), id, spec, method);
      };
}

const Method& Study::method() const {
  if (!method_) method_ = make_method(spec());
  return *method_;
}

void Study::refresh() {
  mirror_.refresh(table_);
  mirror_.refresh_infos(table_);
}

Trial Study::ask(const std::vector<Constraint>& rules) {
  const std::string claim = ledger_.asking();
  for (;;) {
    auto taken = table_.take(claim, ledger_.taker(), mirror_.revision());
    mirror_.apply(std::move(taken.changes));
    if (!taken.trial) {
      table_.throw_if_nothing_available();
      continue;
    }
    Trial trial = std::move(*taken.trial);
    if (trial.x.empty()) {
      try {
        Proposal proposal = propose(trial.number, rules);
        trial.x = std::move(proposal.x);
        trial.info = std::move(proposal.info);
      } catch (const SpaceExhausted&) {
        table_.release(claim);
        throw;
      }
      // Another session was faster with the same point: propose again, knowing it.
      if (!table_.write(trial, claim, ledger_.worker(), mirror_.revision())) continue;
      mirror_.put(trial);
    }
    ledger_.hold(trial.number);
    return trial;
  }
}

Proposal Study::propose(int number, const std::vector<Constraint>& rules) const {
  auto pending = mirror_.pending_for(number);
  const Task wanted = rules.empty() ? task() : with_rules(task(), rules);
  Proposal proposal = mirror_.is_as_of(number)
                          ? next_proposal(method(), wanted, history(), number)  // the same, without a copy
                          : next_proposal(method(), wanted, mirror_.history_as_of(number, pending), number);
  proposal.info.rules = rules;
  proposal.info.pending = std::move(pending);
  proposal.info.program = signature();
  return proposal;
}

Proposal Study::replay(const Trial& trial) const {
  const History known = mirror_.history_as_of(trial.number, trial.info.pending);
  Proposal proposal = next_proposal(method(), with_rules(task(), trial.info.rules), known, trial.number);
  proposal.info.pending = trial.info.pending;
  proposal.info.rules = trial.info.rules;
  return proposal;
}

Told Study::tell(int number, const Outcome& outcome) {
  const Outcome told = TrialTable::storable(judged(task(), sense(), outcome));
  const auto finished = table_.finish(number, ledger_.claim_of(number), ledger_.worker(), told);
  const bool is_late = finished == TrialTable::Finished::late;
  if (is_late || !mirror_.finish(number, told)) mirror_.refresh(table_);
  ledger_.forget(number);  // kept until here, in case the call is cut off and repeated
  if (is_late) {
    throw Overtaken("trial " + std::to_string(number) +
                    " was given to another worker, who told it first: that result stands, this one is kept as a late "
                    "one");
  }
  return Told::stands;
}

/// The trial of an evaluation that was not proposed, without its number.
Trial Study::evaluated(const Point& x, const Outcome& outcome, Origin origin) const {
  check_point(x);
  Outcome told = TrialTable::storable(judged(task(), sense(), outcome));
  Trial trial;
  trial.state = told.state;
  trial.x = x;
  trial.y = told.y;
  trial.error = std::move(told.error);
  trial.seconds = told.seconds;
  trial.metrics = std::move(told.metrics);
  trial.remark = std::move(told.remark);
  trial.info.origin = origin;
  return trial;
}

void Study::check_point(const Point& x) const {
  task().space.check(x);
  task().constraints.check(x);
}

int Study::tell(const Point& x, const Outcome& outcome, Origin origin) {
  return insert({evaluated(x, outcome, origin)}, TrialTable::Budget::grows);
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
  const int first = table_.insert(trials, ledger_.adding(), budget);
  refresh();
  ledger_.added();
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
  ledger_.forget(number);
  refresh();
  return released;
}

bool Study::retry(int number) {
  const bool retried = table_.retry(number);
  ledger_.forget(number);
  refresh();
  return retried;
}

void Study::strike(int number, const std::string& why) {
  refresh();
  const Trial* found = history().find(number);
  const bool is_repeated = found != nullptr && found->state == State::struck && found->error == clean_utf8(why);
  if (is_repeated) return;  // an earlier call went through, though its caller did not hear of it
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  require(found->state != State::struck,
          [&] { return "trial " + std::to_string(number) + " is struck already: " + found->error; });
  require(table_.strike(number, why),
          [&] { return "trial " + std::to_string(number) + " has no value: only complete trials can be struck"; });
  refresh();
}

void Study::release_all() {
  ledger_.release_all(table_);
  refresh();
}

void Study::pause(bool paused) {
  table_.pause(paused);
  refresh();
}

void Study::amend(const StudySpec& wanted, BudgetBelowStarted below_started) {
  StudySpec amended = spec();
  amended.trials = wanted.trials;
  amended.parallel = wanted.parallel;
  amended.objective = wanted.objective;
  amended.attempts = wanted.attempts;
  amended.until = wanted.until;
  amended.check();
  amended.trials = table_.amend({amended.trials, amended.parallel, spec_to_json(amended)}, below_started);
  mirror_.amend(std::move(amended));
  refresh();
}

}  // namespace bocs

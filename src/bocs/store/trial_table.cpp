#include "bocs/store/trial_table.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/store/json.hpp"
#include "bocs/store/trial_sql.hpp"

namespace bocs {
namespace {

/// What a method needs to know of a trial; `info`, which is longer than all of it, is for those who look.
const std::string kColumns =
    " number, state, point, value, error, seconds, metrics, revision, origin, member, retried, attempts, struck, "
    "remark ";

constexpr int kMost = 1'000'000'000;  // of trials, and of all that counts them

Trial to_trial(const Row& row) {
  Trial trial;
  trial.number = row.whole(0, 0, kMost);
  trial.state = value_from_store<State>(row.text(1));
  if (!row.null(2)) trial.x = point_from_json(row.text(2));
  if (!row.null(3)) trial.y = row.real(3);
  trial.error = row.text(4);
  trial.seconds = row.real(5);
  trial.metrics = metrics_from_json(row.text(6));
  trial.info.origin = value_from_store<Origin>(row.text(8));
  trial.info.member = row.text(9);
  trial.attempts = static_cast<int>(row.integer(11));
  trial.remark = row.text(13);
  if (row.integer(12) > 0 && trial.state == State::complete) trial.state = State::struck;
  return trial;
}

const std::string kHead = " revision, trials, extra, parallel";  // of the study
const std::string kSelectHead = "SELECT" + kHead + " FROM bocs_study WHERE id = $1";

/// -0 becomes 0, since not all databases tell them apart.
SqlValue real_or_null(double y) { return std::isfinite(y) ? SqlValue(y + 0.0) : SqlValue(nullptr); }

std::string the_trial(int number) { return "trial " + std::to_string(number); }

}  // namespace

/// First of all in whatever changes a study: the others wait here for its end.
std::vector<Statement> TrialTable::locking() const {
  std::vector<Statement> statements;
  if (!connection_->wait_in_line().empty()) statements.push_back({std::string(connection_->wait_in_line()), {study_}});
  statements.push_back({"UPDATE bocs_study SET revision = revision + 1 WHERE id = $1 RETURNING" + kHead, {study_}});
  return statements;
}

TrialTable::Head TrialTable::to_head(const Rows& rows) {
  if (rows.empty()) throw StoreError("the study has been deleted");
  const Row& row = rows.front();
  return {row.integer(0), row.whole(1, 0, kMost), row.whole(2, 0, kMost), row.whole(3, -1, kMost)};
}

TrialTable::Head TrialTable::lock() {
  Rows rows;
  for (const Statement& statement : locking()) rows = connection_->execute(statement.sql, statement.arguments);
  Head head = to_head(rows);
  head.next = static_cast<int>(connection_->execute("SELECT " + kNext, {study_}).front().integer(0));
  return head;
}

TrialTable::Answers TrialTable::change(Commit commit, std::vector<Statement> statements) {
  std::vector<Statement> all = locking();
  const std::size_t before = all.size();
  std::move(statements.begin(), statements.end(), std::back_inserter(all));
  std::vector<Rows> rows = connection_->execute_together(commit, all);
  Answers answers{to_head(rows[before - 1]), {}};
  std::move(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(), std::back_inserter(answers.rows));
  return answers;
}

TrialTable::Taken TrialTable::take(const std::string& claim, const Taker& taker, std::int64_t revision) {
  // Unless an earlier call went through, though its caller did not hear of it, and if the cap allows one more.
  static const std::string kMayTake =
      " NOT EXISTS (SELECT 1 FROM bocs_trial WHERE study = $1 AND claim = $2 AND state = 'running') AND EXISTS (SELECT "
      "1 FROM bocs_study WHERE id = $1 AND (parallel = 0 OR parallel > (SELECT COUNT(*) FROM bocs_trial WHERE study = "
      "$1 AND" +
      kRunning + ")))";
  Answers answers = change(
      Commit::quick,
      {{"UPDATE bocs_trial SET state = 'running', claim = $2, worker = CASE WHEN point IS NULL THEN $3 ELSE $4 END, "
        "attempts = attempts + 1, revision = " +
            kRevision + ", claimed = " + now() + ", beat = " + now() +
            " WHERE study = $1 AND state = 'waiting' AND number = (SELECT MIN(number) FROM bocs_trial WHERE study = $1 "
            "AND state = 'waiting') AND" +
            kMayTake,
        {study_, claim, taker.proposer, taker.worker}},
       {"INSERT INTO bocs_trial (study, number, state, claim, worker, attempts, revision, claimed, beat) "
        "SELECT id, " +
            kNext + ", 'running', CAST($2 AS TEXT), CAST($3 AS TEXT), 1, revision, " + now() + ", " + now() +
            " FROM bocs_study WHERE id = $1 AND (trials = 0 OR trials + extra > " + kNext + ") AND" + kMayTake,
        {study_, claim, taker.proposer}},
       {"SELECT" + kColumns + "FROM bocs_trial WHERE study = $1 AND claim = $2 AND state = 'running'", {study_, claim}},
       changes_since(revision)});
  Taken taken{{}, to_changes(answers.head, answers.rows[3], revision)};
  if (!answers.rows[2].empty()) taken.trial = to_trial(answers.rows[2].front());
  return taken;
}

void TrialTable::throw_if_nothing_available() {
  const auto count = [&](const std::string& sql) { return connection_->execute(sql, {study_}).front().integer(0); };
  const Head head = to_head(connection_->execute(kSelectHead, {study_}));
  if (head.parallel < 0) throw AllRunning("the study is paused; bocs resume ends that");
  const auto running = count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND" + kRunning);
  if (head.parallel > 0 && running >= head.parallel) {
    throw AllRunning(std::to_string(running) + " trials are running, as many as the study allows");
  }
  const auto waiting = count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND state = 'waiting'");
  const auto next = count("SELECT " + kNext);
  const int budget = head.budget();
  if (waiting > 0 || budget == 0 || next < budget) return;
  const auto by_workers = count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND worker <> '' AND" + kRunning);
  if (by_workers > 0) throw AllRunning("the last " + std::to_string(by_workers) + " trials are running");
  throw BudgetReached("all " + std::to_string(head.trials) + " trials of the study have been given out");
}

bool TrialTable::write(const Trial& trial, const std::string& claim, const std::string& worker, std::int64_t revision) {
  const Answers answers = change(
      Commit::quick,
      {{"UPDATE bocs_trial SET point = $4, info = $5, origin = $6, member = $7, worker = $8, revision = " + kRevision +
            " WHERE study = $1 AND number = $2 AND claim = $3 AND state = 'running' AND point IS NULL AND NOT EXISTS "
            "(SELECT 1 FROM bocs_trial WHERE study = $1 AND revision > $9 AND number <> $2 AND point = $4) "
            "RETURNING number",
        {study_, std::int64_t{trial.number}, claim, point_to_json(trial.x), info_to_json(trial.info),
         std::string(word_of(trial.info.origin)), trial.info.member, worker, revision}}});
  return !answers.rows.front().empty();
}

Outcome TrialTable::storable(Outcome outcome) {
  outcome.error = clean_utf8(outcome.error);
  outcome.remark = clean_utf8(outcome.remark);
  outcome.y += 0.0;  // -0 becomes 0, since not all databases tell them apart
  if (!std::isfinite(outcome.seconds)) outcome.seconds = 0;
  outcome.metrics = metrics_from_json(metrics_to_json(outcome.metrics));
  return outcome;
}

TrialTable::Finished TrialTable::finish(int number, const std::string& claim, const std::string& worker,
                                        const Outcome& outcome) {
  for (;;) {
    const Answers answers = change(
        Commit::durable,
        {{"UPDATE bocs_trial SET state = $3, value = $4, error = $5, seconds = $6, metrics = $7, claim = $8, remark = "
          "$9, "
          "revision = " +
              kRevision + ", finished = " + now() +
              " WHERE study = $1 AND number = $2 AND state IN ('waiting', 'running') AND point IS NOT NULL RETURNING "
              "number",
          {study_, std::int64_t{number}, std::string(word_of(outcome.state)), real_or_null(outcome.y), outcome.error,
           outcome.seconds, metrics_to_json(outcome.metrics), claim, outcome.remark}}});
    if (!answers.rows.front().empty()) return Finished::yes;

    const Rows rows = connection_->execute(
        "SELECT state, claim, point FROM bocs_trial WHERE study = $1 AND number = $2", {study_, std::int64_t{number}});
    require(!rows.empty(), [&] { return "there is no " + the_trial(number); });
    require(!rows.front().null(2), [&] {
      return the_trial(number) + " has no point yet: the worker that asked for it still computes it, or has ended";
    });
    const State state = value_from_store<State>(rows.front().text(0));
    if (state != State::complete && state != State::failed) continue;  // it got its point just now
    require(!claim.empty(), [&] { return the_trial(number) + " is already finished; a finished trial never changes"; });
    if (rows.front().text(1) == claim) return Finished::yes;  // told by an earlier call
    const Statement late{
        "INSERT INTO bocs_late (study, number, claim, state, value, error, seconds, metrics, worker, finished) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, " +
            now() + ") ON CONFLICT DO NOTHING",
        {study_, std::int64_t{number}, claim, std::string(word_of(outcome.state)), real_or_null(outcome.y),
         outcome.error, outcome.seconds, metrics_to_json(outcome.metrics), worker}};
    connection_->execute_together(Commit::durable, {&late, 1});
    return Finished::late;
  }
}

std::vector<LateResult> TrialTable::late() {
  std::vector<LateResult> results;
  for (const Row& row : connection_->execute("SELECT number, worker, state, value, error, seconds, metrics FROM "
                                             "bocs_late WHERE study = $1 ORDER BY number, finished",
                                             {study_})) {
    results.push_back({static_cast<int>(row.integer(0)),
                       row.text(1),
                       {value_from_store<State>(row.text(2)), row.null(3) ? kUnknown : row.real(3), row.text(4),
                        row.real(5), metrics_from_json(row.text(6))}});
  }
  return results;
}

std::vector<TrialRecord> TrialTable::records() {
  std::vector<TrialRecord> records;
  for (const Row& row : connection_->execute(
           "SELECT number, worker, claimed, finished FROM bocs_trial WHERE study = $1 ORDER BY number", {study_})) {
    const auto time = [&row](int column) { return row.null(column) ? kUnknown : row.real(column); };
    records.push_back({static_cast<int>(row.integer(0)), row.text(1), time(2), time(3)});
  }
  return records;
}

/// The rows of the trials, numbered from head.next.
void TrialTable::append(const Head& head, std::span<const Trial> trials, const std::string& claim, Budget budget) {
  std::int64_t number = head.next;
  for (const Trial& trial : trials) {
    connection_->execute(
        "INSERT INTO bocs_trial (study, number, state, point, value, error, seconds, metrics, info, revision, claim, "
        "origin, member, remark, finished) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, " +
            (trial.state == State::waiting ? "NULL" : now()) + ")",
        {study_, number++, std::string(word_of(trial.state)), point_to_json(trial.x), real_or_null(trial.y),
         trial.error, trial.seconds, metrics_to_json(trial.metrics), info_to_json(trial.info), head.revision, claim,
         std::string(word_of(trial.info.origin)), trial.info.member, clean_utf8(trial.remark)});
  }
  const auto count = static_cast<std::int64_t>(trials.size());
  if (budget == Budget::grows) {
    connection_->execute("UPDATE bocs_study SET extra = extra + $2 WHERE id = $1", {study_, count});
  }
}

int TrialTable::insert(const std::vector<Trial>& trials, const std::string& claim, Budget budget) {
  // What tells a repeated call from another one.
  const auto text = [](const std::string& point, double value, const std::string& error) {
    return point + (std::isfinite(value) ? std::to_string(value) : "") + error;
  };
  std::vector<std::string> points;
  for (const Trial& trial : trials) points.push_back(text(point_to_json(trial.x), trial.y, trial.error));
  const auto count = static_cast<int>(trials.size());
  int first = 0;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    first = head.next;
    std::vector<std::string> earlier;
    for (const Row& row : connection_->execute(
             "SELECT number, point, value, error FROM bocs_trial WHERE study = $1 AND claim = $2 ORDER BY number",
             {study_, claim})) {
      if (earlier.empty()) first = static_cast<int>(row.integer(0));
      earlier.push_back(text(row.text(1), row.null(2) ? kUnknown : row.real(2), row.text(3)));
    }
    if (earlier == points) return;  // an earlier call went through, though its caller did not hear of it
    first = head.next;
    const int limit = head.budget();
    require(limit == 0 || budget == Budget::grows || head.next + count <= limit, [&] {
      return "the budget of " + std::to_string(head.trials) +
             " trials is used up, and enqueued trials count towards it; raise it first";
    });
    append(head, trials, claim, budget);
  });
  return first;
}

int TrialTable::insert_new(const std::vector<Trial>& rows) {
  std::vector<Trial> missing;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    std::map<std::pair<std::string, double>, int> known;
    for (const Row& row : connection_->execute(
             "SELECT point, value FROM bocs_trial WHERE study = $1 AND origin = 'imported' AND state = 'complete'",
             {study_})) {
      ++known[{row.text(0), row.real(1)}];
    }
    missing.clear();
    for (const Trial& row : rows) {
      if (--known[{point_to_json(row.x), row.y}] < 0) missing.push_back(row);
    }
    append(head, missing, "", Budget::grows);
  });
  return static_cast<int>(missing.size());
}

bool TrialTable::retry(int number) {
  const Answers answers =
      change(Commit::durable,
             {{"UPDATE bocs_trial SET state = 'waiting', error = '', seconds = 0, metrics = '{}', claim = '', worker = "
               "'', attempts = 0, finished = NULL, retried = " +
                   kNext + ", revision = " + kRevision +
                   " WHERE study = $1 AND number = $2 AND state = 'failed' RETURNING number",
               {study_, std::int64_t{number}}}});
  return !answers.rows.front().empty();
}

bool TrialTable::strike(int number, const std::string& why) {
  const Answers answers = change(
      Commit::durable, {{"UPDATE bocs_trial SET error = $3, struck = " + kNext + ", revision = " + kRevision +
                             " WHERE study = $1 AND number = $2 AND state = 'complete' AND struck = 0 RETURNING number",
                         {study_, std::int64_t{number}, clean_utf8(why)}}});
  return !answers.rows.front().empty();
}

Statement TrialTable::changes_since(std::int64_t revision) const {
  return {"SELECT" + kColumns + "FROM bocs_trial WHERE study = $1 AND revision > $2", {study_, revision}};
}

TrialTable::Changes TrialTable::to_changes(const Head& head, const Rows& rows, std::int64_t revision) {
  Changes changes{{}, {}, {}, revision, head.trials, head.extra, head.parallel};
  for (const Row& row : rows) {
    changes.trials.push_back(to_trial(row));
    const int number = changes.trials.back().number;
    if (row.integer(10) > 0) changes.retried[number] = static_cast<int>(row.integer(10));
    if (row.integer(12) > 0) changes.struck[number] = static_cast<int>(row.integer(12));
    changes.revision = std::max(changes.revision, row.integer(7));
  }
  std::sort(changes.trials.begin(), changes.trials.end(),
            [](const Trial& a, const Trial& b) { return a.number < b.number; });
  return changes;
}

TrialTable::Changes TrialTable::since(std::int64_t revision) {
  const Head head = to_head(connection_->execute(kSelectHead, {study_}));
  const Statement changes = changes_since(revision);
  return to_changes(head, connection_->execute(changes.sql, changes.arguments), revision);
}

std::map<int, Info> TrialTable::infos_since(std::int64_t revision) {
  std::map<int, Info> infos;
  for (const Row& row : connection_->execute("SELECT number, info, origin, member FROM bocs_trial WHERE study = $1 AND "
                                             "revision > $2 AND point IS NOT NULL",
                                             {study_, revision})) {
    Info info = info_from_json(row.text(1));
    info.origin = value_from_store<Origin>(row.text(2));
    info.member = row.text(3);
    infos.emplace(static_cast<int>(row.integer(0)), std::move(info));
  }
  return infos;
}

void TrialTable::pause(bool paused) {
  connection_->transaction([&] {
    lock();
    const Rows rows = connection_->execute("SELECT spec FROM bocs_study WHERE id = $1", {study_});
    const int cap = paused ? -1 : cap_of_spec(rows.front().text(0));
    connection_->execute("UPDATE bocs_study SET parallel = $2 WHERE id = $1", {study_, std::int64_t{cap}});
  });
}

int TrialTable::amend(const Amendment& wanted, BudgetBelowStarted below_started) {
  int trials = wanted.trials;
  connection_->transaction([&] {
    const Head head = lock();
    const int begun = head.next - head.extra;
    if (wanted.trials != 0 && below_started == BudgetBelowStarted::end_study) trials = std::max(wanted.trials, begun);
    require(trials == 0 || trials >= begun, [&] {
      return "a budget of " + std::to_string(trials) + " trials is too small: " + std::to_string(begun) +
             " have begun already";
    });
    connection_->execute(
        "UPDATE bocs_study SET trials = $2, parallel = CASE WHEN parallel < 0 THEN parallel ELSE $3 END, spec = $4 "
        "WHERE id = $1",
        {study_, std::int64_t{trials}, std::int64_t{wanted.parallel}, wanted.spec});
  });
  return trials;
}

}  // namespace bocs

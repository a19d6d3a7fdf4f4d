#include "bocs/store/trial_table.hpp"

#include <algorithm>
#include <span>

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"
#include "bocs/store/json.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

constexpr const char* kColumns =
    " number, state, point, value, error, seconds, metrics, info, revision, origin, member, retried ";

Trial to_trial(const Row& row) {
  Trial trial;
  trial.number = static_cast<int>(row.integer(0));
  trial.state = state_from_text(row.text(1));
  if (!row.null(2)) trial.x = point_from_json(row.text(2));
  if (!row.null(3)) trial.y = row.real(3);
  trial.error = row.text(4);
  trial.seconds = row.real(5);
  trial.metrics = metrics_from_json(row.text(6));
  trial.info = info_from_json(row.text(7));
  trial.info.origin = origin_from_text(row.text(9));
  trial.info.member = row.text(10);
  return trial;
}

/// -0 becomes 0, since not all databases tell them apart.
Value real_or_null(double y) { return std::isfinite(y) ? Value(y + 0.0) : Value(nullptr); }

double seconds_or_0(const Outcome& outcome) { return std::isfinite(outcome.seconds) ? outcome.seconds : 0; }

std::string the_trial(int number) { return "trial " + std::to_string(number); }

}  // namespace

TrialTable::Head TrialTable::lock() {
  const Rows rows = connection_->execute(
      "UPDATE bocs_study SET revision = revision + 1 WHERE id = $1 "
      "RETURNING revision, next_trial, trials, extra, parallel, data_rows",
      {study_});
  if (rows.empty()) throw StoreError("the study has been deleted");
  const Row& row = rows.front();
  const auto whole = [&row](int column) { return static_cast<int>(row.integer(column)); };
  Head head{row.integer(0), whole(1), whole(2), whole(3), whole(4)};
  if (!row.null(5)) head.data_rows = whole(5);
  return head;
}

Trial TrialTable::take(const std::string& claim, const Taker& taker) {
  Rows taken;
  connection_->transaction([&] {
    const Head head = lock();
    taken = connection_->execute(
        "SELECT" + std::string(kColumns) + "FROM bocs_trial WHERE study = $1 AND claim = $2 AND state = 'running'",
        {study_, claim});
    if (!taken.empty()) return;  // an earlier call went through, though its caller did not hear of it

    if (head.parallel < 0) throw AllRunning("the study is paused; bocs resume ends that");
    const auto count = [&](const char* sql) { return connection_->execute(sql, {study_}).front().integer(0); };
    const auto running = count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND state = 'running'");
    if (head.parallel > 0 && running >= head.parallel) {
      throw AllRunning(std::to_string(running) + " trials are running, as many as the study allows");
    }
    taken = connection_->execute(
        "UPDATE bocs_trial SET state = 'running', claim = $2, worker = CASE WHEN point IS NULL THEN $3 ELSE $5 END, "
        "attempts = attempts + 1, revision = $4, claimed = " +
            now() + ", beat = " + now() +
            " WHERE study = $1 AND state = 'waiting' AND number = (SELECT MIN(number) FROM bocs_trial WHERE study = $1 "
            "AND state = 'waiting') RETURNING" +
            kColumns,
        {study_, claim, taker.thinker, head.revision, taker.worker});
    if (!taken.empty()) return;

    const int budget = head.budget();
    if (budget > 0 && head.next >= budget) {
      const auto by_workers =
          count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND state = 'running' AND worker <> ''");
      if (by_workers > 0) throw AllRunning("the last " + std::to_string(by_workers) + " trials are running");
      throw BudgetReached("all " + std::to_string(budget) + " trials of the study have been given out");
    }
    taken = connection_->execute(
        "INSERT INTO bocs_trial (study, number, state, claim, worker, attempts, revision, claimed, beat) "
        "VALUES ($1, $2, 'running', $3, $4, 1, $5, " +
            now() + ", " + now() + ") RETURNING" + kColumns,
        {study_, std::int64_t{head.next}, claim, taker.thinker, head.revision});
    connection_->execute("UPDATE bocs_study SET next_trial = next_trial + 1 WHERE id = $1", {study_});
  });
  return to_trial(taken.front());
}

TrialTable::Written TrialTable::write(const Trial& trial, const std::string& claim, const std::string& worker,
                                      std::int64_t revision) {
  const Value point = point_to_json(trial.x);
  const Value number = std::int64_t{trial.number};
  auto written = Written::yes;
  connection_->transaction([&] {
    const Head head = lock();
    if (connection_
            ->execute("SELECT 1 FROM bocs_trial WHERE study = $1 AND number = $2 AND claim = $3 AND state = 'running' "
                      "AND point IS NULL",
                      {study_, number, claim})
            .empty()) {
      written = Written::lost;
    } else if (!connection_
                    ->execute(
                        "SELECT 1 FROM bocs_trial WHERE study = $1 AND revision > $2 AND number <> $3 AND point = $4 "
                        "LIMIT 1",
                        {study_, revision, number, point})
                    .empty()) {
      written = Written::taken;
    } else {
      connection_->execute(
          "UPDATE bocs_trial SET point = $3, info = $4, revision = $5, origin = $6, member = $7, worker = $8 "
          "WHERE study = $1 AND number = $2",
          {study_, number, point, info_to_json(trial.info), head.revision, to_string(trial.info.origin),
           trial.info.member, worker});
    }
  });
  return written;
}

TrialTable::Finished TrialTable::finish(int number, const std::string& claim, const std::string& worker,
                                        const Outcome& outcome) {
  auto finished = Finished::yes;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    const Rows rows = connection_->execute(
        "SELECT state, claim, point FROM bocs_trial WHERE study = $1 AND number = $2", {study_, std::int64_t{number}});
    require(!rows.empty(), [&] { return "there is no " + the_trial(number); });
    const State state = state_from_text(rows.front().text(0));
    const bool is_finished = state == State::complete || state == State::failed;
    if (is_finished && !claim.empty()) {
      if (rows.front().text(1) == claim) return;  // told by an earlier call
      finished = Finished::late;
      connection_->execute(
          "INSERT INTO bocs_late (study, number, claim, state, value, error, seconds, metrics, worker, finished) "
          "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, " +
              now() + ") ON CONFLICT DO NOTHING",
          {study_, std::int64_t{number}, claim, to_string(outcome.state), real_or_null(outcome.y),
           clean_utf8(outcome.error), seconds_or_0(outcome), metrics_to_json(outcome.metrics), worker});
      return;
    }
    require(!is_finished, [&] { return the_trial(number) + " is already finished; a finished trial never changes"; });
    require(!rows.front().null(2), [&] {
      return the_trial(number) + " has no point yet: whoever asked for it still thinks, or has ended meanwhile";
    });
    connection_->execute(
        "UPDATE bocs_trial SET state = $3, value = $4, error = $5, seconds = $6, metrics = $7, claim = $8, "
        "revision = $9, finished = " +
            now() + " WHERE study = $1 AND number = $2",
        {study_, std::int64_t{number}, to_string(outcome.state), real_or_null(outcome.y), clean_utf8(outcome.error),
         seconds_or_0(outcome), metrics_to_json(outcome.metrics), claim, head.revision});
  });
  return finished;
}

std::vector<LateResult> TrialTable::late() {
  std::vector<LateResult> results;
  for (const Row& row : connection_->execute("SELECT number, worker, state, value, error, seconds, metrics FROM "
                                             "bocs_late WHERE study = $1 ORDER BY number, finished",
                                             {study_})) {
    results.push_back({static_cast<int>(row.integer(0)),
                       row.text(1),
                       {state_from_text(row.text(2)), row.null(3) ? kUnknown : row.real(3), row.text(4), row.real(5),
                        metrics_from_json(row.text(6))}});
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
        "INSERT INTO bocs_trial (study, number, state, point, value, info, revision, claim, origin, member, finished) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, " +
            (trial.state == State::complete ? now() : "NULL") + ")",
        {study_, number++, to_string(trial.state), point_to_json(trial.x), real_or_null(trial.y),
         info_to_json(trial.info), head.revision, claim, to_string(trial.info.origin), trial.info.member});
  }
  const auto count = static_cast<std::int64_t>(trials.size());
  connection_->execute("UPDATE bocs_study SET next_trial = next_trial + $2, extra = extra + $3 WHERE id = $1",
                       {study_, count, budget == Budget::grows ? count : 0});
}

int TrialTable::insert(const std::vector<Trial>& trials, const std::string& claim, Budget budget) {
  std::vector<std::string> points;
  for (const Trial& trial : trials) points.push_back(point_to_json(trial.x));
  const auto count = static_cast<int>(trials.size());
  int first = 0;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    first = head.next;
    std::vector<std::string> earlier;
    for (const Row& row : connection_->execute(
             "SELECT number, point FROM bocs_trial WHERE study = $1 AND claim = $2 ORDER BY number", {study_, claim})) {
      if (earlier.empty()) first = static_cast<int>(row.integer(0));
      earlier.push_back(row.text(1));
    }
    if (earlier == points) return;  // an earlier call went through, though its caller did not hear of it
    first = head.next;
    const int limit = head.budget();
    require(limit == 0 || budget == Budget::grows || head.next + count <= limit, [&] {
      return "the budget of " + std::to_string(limit) +
             " trials is used up, and added trials count towards it; raise it first";
    });
    append(head, trials, claim, budget);
  });
  return first;
}

int TrialTable::insert_data(const std::vector<Trial>& rows) {
  int added = 0;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    const int known = head.data_rows ? *head.data_rows : count_known(rows);
    const auto size = static_cast<int>(rows.size());
    added = std::max(0, size - known);
    append(head, std::span(rows).last(added), "", Budget::grows);
    connection_->execute("UPDATE bocs_study SET data_rows = $2 WHERE id = $1",
                         {study_, std::int64_t{std::max(known, size)}});
  });
  return added;
}

/// How many of the first rows are among the told trials of a study that bocs 0.1 made, in the same order.
int TrialTable::count_known(const std::vector<Trial>& rows) {
  std::size_t known = 0;
  for (const Row& told : connection_->execute(
           "SELECT point, value FROM bocs_trial WHERE study = $1 AND origin = 'imported' ORDER BY number", {study_})) {
    if (known == rows.size()) break;
    if (told.text(0) == point_to_json(rows[known].x) && told.real(1) == rows[known].y) ++known;
  }
  return static_cast<int>(known);
}

bool TrialTable::retry(int number) {
  Rows rows;
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    rows = connection_->execute(
        "UPDATE bocs_trial SET state = 'waiting', error = '', seconds = 0, metrics = '{}', claim = '', worker = '', "
        "attempts = 0, finished = NULL, retried = $3, revision = $4 WHERE study = $1 AND number = $2 AND state = "
        "'failed' RETURNING number",
        {study_, std::int64_t{number}, std::int64_t{head.next}, head.revision});
  });
  return !rows.empty();
}

bool TrialTable::release(int number) { return release_where("number = $2", std::int64_t{number}); }
bool TrialTable::release(const std::string& claim) { return release_where("claim = $2", claim); }

bool TrialTable::release_where(const char* condition, const Value& value) {
  bool released = false;
  connection_->transaction([&] {
    const Head head = lock();
    const Rows rows = connection_->execute(
        "UPDATE bocs_trial SET state = 'waiting', claim = '', worker = '', attempts = attempts - 1, "
        "revision = $3 WHERE study = $1 AND state = 'running' AND " +
            std::string(condition) + " RETURNING number",
        {study_, value, head.revision});
    released = !rows.empty();
  });
  return released;
}

void TrialTable::hand_over(const std::string& claim) {
  connection_->execute("UPDATE bocs_trial SET worker = '' WHERE study = $1 AND state = 'running' AND claim = $2",
                       {study_, claim});
}

void TrialTable::beat(const std::string& worker) {
  connection_->execute(
      "UPDATE bocs_trial SET beat = " + now() + " WHERE study = $1 AND state = 'running' AND worker = $2",
      {study_, worker});
}

std::vector<Claim> TrialTable::claims() {
  std::vector<Claim> claims;
  for (const Row& row : connection_->execute("SELECT number, worker, " + now() + " - claimed, " + now() +
                                                 " - beat, attempts, point, claim FROM bocs_trial WHERE study = $1 AND "
                                                 "state = 'running' ORDER BY number",
                                             {study_})) {
    const std::string& worker = row.text(1);
    const bool proposed = !row.null(5);
    const bool by_hand =
        worker.empty() && proposed;  // people get points; in bocs 0.1 they also held trials without one
    claims.push_back({static_cast<int>(row.integer(0)), worker, row.real(2), by_hand ? 0 : row.real(3),
                      static_cast<int>(row.integer(4)), is_gone(worker), proposed, row.text(6)});
  }
  return claims;
}

int TrialTable::reclaim(double silent_seconds, int attempts) {
  int count = 0;
  for (const Claim& claim : claims()) {
    if (!claim.gone && claim.silent_seconds <= silent_seconds) continue;
    const bool give_up = claim.proposed && claim.attempts >= attempts;
    const std::string error = "given up after " + std::to_string(claim.attempts) + " workers ended in the middle of it";
    connection_->transaction([&] {
      const Head head = lock();
      // Only if it still is as it was seen: not told, not given to another, and no heartbeat since.
      const Rows changed = connection_->execute(
          "UPDATE bocs_trial SET state = $4, error = $5, claim = '', worker = '', revision = $6, finished = " +
              std::string(give_up ? connection_->now() : "NULL") +
              " WHERE study = $1 AND number = $2 AND claim = $3 AND state = 'running' AND ($7 = 1 OR beat < " + now() +
              " - $8) RETURNING number",
          {study_, std::int64_t{claim.number}, claim.claim, std::string(give_up ? "failed" : "waiting"),
           give_up ? error : std::string(), head.revision, std::int64_t{claim.gone ? 1 : 0}, silent_seconds});
      if (!changed.empty()) ++count;
    });
  }
  return count;
}

TrialTable::Changes TrialTable::since(std::int64_t revision) {
  Changes changes;
  changes.revision = revision;
  const Rows heads = connection_->execute("SELECT trials, extra, parallel FROM bocs_study WHERE id = $1", {study_});
  if (heads.empty()) throw StoreError("the study has been deleted");
  changes.budget = static_cast<int>(heads.front().integer(0));
  changes.extra = static_cast<int>(heads.front().integer(1));
  changes.parallel = static_cast<int>(heads.front().integer(2));
  for (const Row& row : connection_->execute(
           "SELECT" + std::string(kColumns) + "FROM bocs_trial WHERE study = $1 AND revision > $2 ORDER BY number",
           {study_, revision})) {
    changes.trials.push_back(to_trial(row));
    if (row.integer(11) > 0) changes.retried[changes.trials.back().number] = static_cast<int>(row.integer(11));
    changes.revision = std::max(changes.revision, row.integer(8));
  }
  return changes;
}

void TrialTable::pause(bool paused) {
  connection_->transaction([&] {
    lock();
    const Rows rows = connection_->execute("SELECT spec FROM bocs_study WHERE id = $1", {study_});
    const int cap = paused ? -1 : spec_from_json(rows.front().text(0)).parallel;
    connection_->execute("UPDATE bocs_study SET parallel = $2 WHERE id = $1", {study_, std::int64_t{cap}});
  });
}

void TrialTable::amend(const StudySpec& spec) {
  connection_->transaction([&] {
    const Head head = lock();
    const int begun = head.next - head.extra;
    require(spec.trials == 0 || spec.trials >= begun, [&] {
      return "a budget of " + std::to_string(spec.trials) + " trials is too small: " + std::to_string(begun) +
             " have begun already";
    });
    connection_->execute(
        "UPDATE bocs_study SET trials = $2, parallel = CASE WHEN parallel < 0 THEN parallel ELSE $3 END, spec = $4 "
        "WHERE id = $1",
        {study_, std::int64_t{spec.trials}, std::int64_t{spec.parallel}, spec_to_json(spec)});
  });
}

}  // namespace bocs

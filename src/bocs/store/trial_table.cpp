#include "bocs/store/trial_table.hpp"

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"
#include "bocs/store/json.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

constexpr const char* kColumns = " number, state, point, value, error, seconds, metrics, info, revision ";

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
  return trial;
}

/// -0 becomes 0, since not all databases tell them apart.
Value real_or_null(double y) { return std::isfinite(y) ? Value(y + 0.0) : Value(nullptr); }

std::string the_trial(int number) { return "trial " + std::to_string(number); }

}  // namespace

TrialTable::Head TrialTable::lock() {
  const Rows rows = connection_->execute(
      "UPDATE bocs_study SET revision = revision + 1 WHERE id = $1 RETURNING revision, next_trial, trials, parallel",
      {study_});
  if (rows.empty()) throw StoreError("the study has been deleted");
  const Row& row = rows.front();
  return {row.integer(0), static_cast<int>(row.integer(1)), static_cast<int>(row.integer(2)),
          static_cast<int>(row.integer(3))};
}

Trial TrialTable::take(const std::string& claim, const std::string& worker) {
  Rows taken;
  connection_->transaction([&] {
    const Head head = lock();
    taken = connection_->execute(
        "SELECT" + std::string(kColumns) + "FROM bocs_trial WHERE study = $1 AND claim = $2 AND state = 'running'",
        {study_, claim});
    if (!taken.empty()) return;  // an earlier call went through, though its caller did not hear of it

    const auto count = [&](const char* sql) { return connection_->execute(sql, {study_}).front().integer(0); };
    const auto running = count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND state = 'running'");
    if (head.parallel > 0 && running >= head.parallel) {
      throw AllRunning(std::to_string(running) + " trials are running, as many as the study allows");
    }
    taken = connection_->execute(
        "UPDATE bocs_trial SET state = 'running', claim = $2, worker = $3, attempts = attempts + 1, revision = $4, "
        "claimed = " +
            now() + ", beat = " + now() +
            " WHERE study = $1 AND state = 'waiting' AND number = (SELECT MIN(number) FROM bocs_trial WHERE study = $1 "
            "AND state = 'waiting') RETURNING" +
            kColumns,
        {study_, claim, worker, head.revision});
    if (!taken.empty()) return;

    if (head.budget > 0 && head.next >= head.budget) {
      const auto by_workers =
          count("SELECT COUNT(*) FROM bocs_trial WHERE study = $1 AND state = 'running' AND worker <> ''");
      if (by_workers > 0) throw AllRunning("the last " + std::to_string(by_workers) + " trials are running");
      throw BudgetReached("all " + std::to_string(head.budget) + " trials of the study have been given out");
    }
    taken = connection_->execute(
        "INSERT INTO bocs_trial (study, number, state, claim, worker, attempts, revision, claimed, beat) "
        "VALUES ($1, $2, 'running', $3, $4, 1, $5, " +
            now() + ", " + now() + ") RETURNING" + kColumns,
        {study_, std::int64_t{head.next}, claim, worker, head.revision});
    connection_->execute("UPDATE bocs_study SET next_trial = next_trial + 1 WHERE id = $1", {study_});
  });
  return to_trial(taken.front());
}

TrialTable::Written TrialTable::write(const Trial& trial, const std::string& claim, std::int64_t revision) {
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
          "UPDATE bocs_trial SET point = $3, info = $4, revision = $5 WHERE study = $1 AND number = $2",
          {study_, number, point, info_to_json(trial.info), head.revision});
    }
  });
  return written;
}

void TrialTable::finish(int number, const std::string& claim, const Outcome& outcome) {
  connection_->transaction(Commit::durable, [&] {
    const Head head = lock();
    const Rows rows = connection_->execute(
        "SELECT state, claim, point FROM bocs_trial WHERE study = $1 AND number = $2", {study_, std::int64_t{number}});
    require(!rows.empty(), [&] { return "there is no " + the_trial(number); });
    const State state = state_from_text(rows.front().text(0));
    const bool is_finished = state == State::complete || state == State::failed;
    if (is_finished && !claim.empty() && rows.front().text(1) == claim) return;  // told by an earlier call
    require(!is_finished, [&] { return the_trial(number) + " is already finished; a finished trial never changes"; });
    require(!rows.front().null(2), [&] { return the_trial(number) + " has no point yet"; });
    require(state == State::running || !claim.empty(),
            [&] { return the_trial(number) + " is waiting: ask for it before it is told"; });
    connection_->execute(
        "UPDATE bocs_trial SET state = $3, value = $4, error = $5, seconds = $6, metrics = $7, claim = $8, "
        "revision = $9, finished = " +
            now() + " WHERE study = $1 AND number = $2",
        {study_, std::int64_t{number}, to_string(outcome.state), real_or_null(outcome.y), clean_utf8(outcome.error),
         std::isfinite(outcome.seconds) ? outcome.seconds : 0, metrics_to_json(outcome.metrics), claim, head.revision});
  });
}

int TrialTable::insert(const std::vector<Trial>& trials, const std::string& claim, Budget budget) {
  std::vector<std::string> points;
  for (const Trial& trial : trials) points.push_back(point_to_json(trial.x));
  const auto count = static_cast<std::int64_t>(trials.size());
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
    const bool grows = budget == Budget::grows && head.budget > 0;
    require(head.budget == 0 || grows || head.next + count <= head.budget, [&] {
      return "the budget of " + std::to_string(head.budget) +
             " trials is used up, and added trials count towards it; raise it first";
    });
    first = head.next;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const Trial& trial = trials[i];
      connection_->execute(
          "INSERT INTO bocs_trial (study, number, state, point, value, info, revision, claim, finished) "
          "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, " +
              (trial.state == State::complete ? now() : "NULL") + ")",
          {study_, head.next + static_cast<std::int64_t>(i), to_string(trial.state), points[i], real_or_null(trial.y),
           info_to_json(trial.info), head.revision, claim});
    }
    connection_->execute("UPDATE bocs_study SET next_trial = next_trial + $2, trials = trials + $3 WHERE id = $1",
                         {study_, count, grows ? count : 0});
  });
  return first;
}

void TrialTable::release(int number) { release_where("number = $2", std::int64_t{number}); }
void TrialTable::release(const std::string& claim) { release_where("claim = $2", claim); }

void TrialTable::release_where(const char* condition, const Value& value) {
  connection_->transaction([&] {
    const Head head = lock();
    connection_->execute(
        "UPDATE bocs_trial SET state = 'waiting', claim = '', worker = '', attempts = attempts - 1, "
        "revision = $3 WHERE study = $1 AND state = 'running' AND " +
            std::string(condition),
        {study_, value, head.revision});
  });
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
    claims.push_back({static_cast<int>(row.integer(0)), worker, row.real(2), worker.empty() ? 0 : row.real(3),
                      static_cast<int>(row.integer(4)), is_gone(worker), !row.null(5), row.text(6)});
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
  const Rows heads = connection_->execute("SELECT trials, parallel FROM bocs_study WHERE id = $1", {study_});
  if (heads.empty()) throw StoreError("the study has been deleted");
  changes.budget = static_cast<int>(heads.front().integer(0));
  changes.parallel = static_cast<int>(heads.front().integer(1));
  for (const Row& row : connection_->execute(
           "SELECT" + std::string(kColumns) + "FROM bocs_trial WHERE study = $1 AND revision > $2 ORDER BY number",
           {study_, revision})) {
    changes.trials.push_back(to_trial(row));
    changes.revision = std::max(changes.revision, row.integer(8));
  }
  return changes;
}

void TrialTable::amend(const StudySpec& spec) {
  connection_->transaction([&] {
    const Head head = lock();
    require(spec.trials == 0 || spec.trials >= head.next, [&] {
      return "a budget of " + std::to_string(spec.trials) + " trials is too small: " + std::to_string(head.next) +
             " have begun already";
    });
    connection_->execute("UPDATE bocs_study SET trials = $2, parallel = $3, spec = $4 WHERE id = $1",
                         {study_, std::int64_t{spec.trials}, std::int64_t{spec.parallel}, spec_to_json(spec)});
  });
}

}  // namespace bocs

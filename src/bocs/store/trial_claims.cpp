// Who holds a trial, who lives, and what becomes of the trials of the dead.

#include "bocs/store/process.hpp"
#include "bocs/store/trial_sql.hpp"
#include "bocs/store/trial_table.hpp"

namespace bocs {

bool TrialTable::release(int number, Attempt attempt) {
  return release_where("number = $2", std::int64_t{number}, attempt);
}

bool TrialTable::release(const std::string& claim) { return release_where("claim = $2", claim, Attempt::not_counted); }

bool TrialTable::release_where(const char* condition, const SqlValue& value, Attempt attempt) {
  const Answers answers = change(
      Commit::quick, {{"UPDATE bocs_trial SET state = 'waiting', claim = '', worker = '', attempts = attempts - "
                       "$3, revision = " +
                           kRevision + " WHERE study = $1 AND state = 'running' AND " + condition + " RETURNING number",
                       {study_, value, std::int64_t{attempt == Attempt::not_counted ? 1 : 0}}}});
  return !answers.rows.front().empty();
}

void TrialTable::hand_over(const std::string& claim) {
  connection_->execute("UPDATE bocs_trial SET worker = '' WHERE study = $1 AND state = 'running' AND claim = $2",
                       {study_, claim});
}

void TrialTable::beat(const std::string& worker) {
  connection_->execute("UPDATE bocs_trial SET beat = " + now() + " WHERE study = $1 AND worker = $2 AND" + kRunning,
                       {study_, worker});
}

std::vector<Claim> TrialTable::claims() {
  std::vector<Claim> claims;
  for (const Row& row : connection_->execute("SELECT number, worker, " + now() + " - claimed, " + now() +
                                                 " - beat, attempts, point, claim, beat FROM bocs_trial WHERE study = "
                                                 "$1 AND" +
                                                 kRunning + " ORDER BY number",
                                             {study_})) {
    const std::string& worker = row.text(1);
    const bool proposed = !row.null(5);
    const bool by_hand =
        worker.empty() && proposed;  // people get points; in bocs 0.1 they also held trials without one
    claims.push_back({static_cast<int>(row.integer(0)), worker, row.real(2), by_hand ? 0 : row.real(3),
                      static_cast<int>(row.integer(4)), is_gone(worker), proposed, row.text(6), row.real(7)});
  }
  return claims;
}

int TrialTable::reclaim(double silent_seconds, int attempts, Beats* last_look) {
  int count = 0;
  Beats silent;
  for (const Claim& claim : claims()) {
    if (!claim.gone && claim.silent_seconds <= silent_seconds) continue;
    if (!claim.gone && !claim.worker.empty() && last_look != nullptr) {  // without a name nobody beats
      silent[claim.claim] = claim.beat;
      const auto seen = last_look->find(claim.claim);
      if (seen == last_look->end() || seen->second != claim.beat) continue;
    }
    const bool give_up = claim.proposed && claim.attempts >= attempts;
    const std::string error = "given up after " + std::to_string(claim.attempts) + " workers ended in the middle of it";
    // Only if it still is as it was seen: not told, not given to another, and no heartbeat since.
    const Answers answers =
        change(Commit::quick,
               {{"UPDATE bocs_trial SET state = $4, error = $5, claim = '', worker = '', revision = " + kRevision +
                     ", finished = " + (give_up ? now() : "NULL") +
                     " WHERE study = $1 AND number = $2 AND claim = $3 AND state = 'running' AND ($6 = 1 OR beat = $7) "
                     "RETURNING number",
                 {study_, std::int64_t{claim.number}, claim.claim, std::string(give_up ? "failed" : "waiting"),
                  give_up ? error : std::string(), std::int64_t{claim.gone ? 1 : 0}, claim.beat}}});
    if (!answers.rows.front().empty()) ++count;
  }
  if (last_look != nullptr) *last_look = std::move(silent);
  return count;
}

}  // namespace bocs

#pragma once
// The trials that one session of a study holds, and under which claims.

#include <map>
#include <string>

#include "bocs/store/trial_table.hpp"

namespace bocs {

/// A claim is a name that nobody else uses: by it the table knows a call that is repeated because it was cut off. Used
/// through Study.
class ClaimLedger {
 public:
  ClaimLedger();

  /// From now on trials are claimed in the name of this worker (see name_worker), who promises heartbeats until they
  /// are told. Trials claimed without a name, as by a person, stay claimed until they are told or released.
  void sign(const std::string& worker) { worker_ = worker; }
  [[nodiscard]] const std::string& worker() const { return worker_; }
  /// Who takes a trial: while its point is being thought about, this session.
  [[nodiscard]] TrialTable::Taker taker() const { return {worker_.empty() ? proposer_ : worker_, worker_}; }

  /// The claim of the call that asks, or adds, now: the same until it has come to its end.
  const std::string& asking();
  const std::string& adding();
  void added() { adding_.clear(); }
  /// The call that asked was given this trial.
  void hold(int number);
  /// Under which this session was given the trial; empty: it was not.
  [[nodiscard]] std::string claim_of(int number) const;
  void forget(int number) { claims_.erase(number); }
  /// Leaves a trial that this session was given to a person, whatever becomes of this process: it stays claimed until
  /// it is told or released.
  void hand_over(int number, TrialTable& table);
  /// Gives back what is held.
  void release_all(TrialTable& table);

 private:
  std::string worker_;
  std::string proposer_;  // names this session while it proposes, as worker_ does if it is signed
  std::string asking_;    // of an ask() that has not returned yet
  std::string adding_;    // likewise, of what is added
  std::map<int, std::string> claims_;
};

}  // namespace bocs

#include "bocs/study/ledger.hpp"

#include "bocs/base/error.hpp"
#include "bocs/store/process.hpp"

namespace bocs {

ClaimLedger::ClaimLedger() : proposer_(name_worker()) {}

const std::string& ClaimLedger::asking() {
  if (asking_.empty()) asking_ = unique_name();
  return asking_;
}

const std::string& ClaimLedger::adding() {
  if (adding_.empty()) adding_ = unique_name();
  return adding_;
}

void ClaimLedger::hold(int number) {
  claims_[number] = std::move(asking_);
  asking_.clear();
}

std::string ClaimLedger::claim_of(int number) const {
  const auto found = claims_.find(number);
  return found == claims_.end() ? "" : found->second;
}

void ClaimLedger::hand_over(int number, TrialTable& table) {
  const std::string claim = claim_of(number);
  require(!claim.empty(), [&] { return "trial " + std::to_string(number) + " was not given to this session"; });
  table.hand_over(claim);
  forget(number);
}

void ClaimLedger::release_all(TrialTable& table) {
  if (!asking_.empty()) table.release(asking_);
  for (; !claims_.empty(); claims_.erase(claims_.begin())) table.release(claims_.begin()->second);
}

}  // namespace bocs

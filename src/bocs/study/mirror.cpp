#include "bocs/study/mirror.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

/// True if the trial was amended after `number` was begun.
bool was_amended_after(int number, const Trial& trial, const std::map<int, int>& amendments) {
  const auto found = amendments.find(trial.number);
  return found != amendments.end() && number < found->second;
}

bool was_begun_before_any(int number, const std::map<int, int>& amendments) {
  return std::any_of(amendments.begin(), amendments.end(),
                     [number](const auto& amendment) { return number < amendment.second; });
}

}  // namespace

StudyMirror::StudyMirror(StudySpec spec, TrialTable& table) : spec_(std::move(spec)) {
  TrialTable::Changes all = table.since(revision_);
  for (std::size_t i = 0; i < all.trials.size(); ++i) {  // numbers have no gaps: one that is missing is damage
    if (all.trials[i].number == static_cast<int>(i)) continue;
    throw StoreError("the study '" + spec_.name + "' is damaged: trial " + std::to_string(i) +
                     " is missing; go on with a backup");
  }
  apply(std::move(all));
}

/// Nothing of a database is believed before it was looked at.
void StudyMirror::check(const Trial& trial) const {
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

void StudyMirror::apply(TrialTable::Changes changes) {
  spec_.trials = changes.budget;
  extra_ = changes.extra;
  paused_ = changes.parallel < 0;
  if (!paused_) spec_.parallel = changes.parallel;
  for (const Trial& trial : changes.trials) check(trial);
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

void StudyMirror::refresh_infos(TrialTable& table) {
  if (infos_revision_ == revision_) return;
  for (auto& [number, info] : table.infos_since(infos_revision_)) {
    if (history_.find(number) != nullptr) history_.set_info(number, std::move(info));
  }
  infos_revision_ = revision_;
}

bool StudyMirror::finish(int number, const Outcome& outcome) {
  const Trial* known = history_.find(number);
  if (known == nullptr || is_finished(*known)) return false;
  Trial trial = *known;
  trial.state = outcome.state;
  trial.y = outcome.y;
  trial.error = outcome.error;
  trial.seconds = outcome.seconds;
  trial.metrics = outcome.metrics;
  trial.remark = outcome.remark;
  history_.put(std::move(trial));
  unfinished_.erase(number);
  return true;
}

std::vector<int> StudyMirror::pending_for(int number) const {
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

History StudyMirror::history_as_of(int number, const std::vector<int>& pending) const {
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
      masked.metrics = trial.metrics;
      known.add(std::move(masked));
    } else if (trial.number < number) {
      known.add(trial);
    }
  }
  return known;
}

bool StudyMirror::is_as_of(int number) const {
  const bool has_later = history_.size() > 0 && history_.trials().back().number > number;
  return !has_later && !was_begun_before_any(number, retried_) && !was_begun_before_any(number, struck_);
}

}  // namespace bocs

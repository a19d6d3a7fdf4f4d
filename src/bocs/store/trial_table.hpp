#pragma once
// The life of a trial as SQL: waiting -> running -> complete | failed. Every function is one short transaction.

#include <optional>

#include "bocs/store/connection.hpp"
#include "bocs/store/study_spec.hpp"

namespace bocs {

/// Who holds a running trial.
struct Claim {
  int number = 0;
  std::string worker;         // empty: a person, who needs no heartbeat
  double seconds = 0;         // since it was claimed
  double silent_seconds = 0;  // since the last heartbeat
  int attempts = 0;           // this one included
  bool gone = false;          // a process of this machine that has ended
  bool proposed = false;      // it has a point
  std::string claim;
};

class TrialTable {
 public:
  TrialTable(std::shared_ptr<Connection> connection, std::int64_t study)
      : connection_(std::move(connection)), study_(study) {}

  /// The trial that `claim`, a name never used before, holds from now on: a waiting one, else a new one. Holding one
  /// already, it gets that. Throws AllRunning, BudgetReached.
  Trial take(const std::string& claim, const std::string& worker);
  enum class Written { yes, taken, lost };
  /// Gives the claimed trial its point. `taken`: since `revision`, another trial got the same point. `lost`: it is not
  /// to be had any more, because it was reclaimed meanwhile, or because it has a point.
  Written write(const Trial& trial, const std::string& claim, std::int64_t revision);
  /// Ends a trial. With the claim it was once given under, also after it was reclaimed: whoever is first decides.
  /// Without, only if it is running. Refused (InvalidArgument) otherwise.
  void finish(int number, const std::string& claim, const Outcome& outcome);
  enum class Budget { counts, grows };
  /// Trials from outside, waiting or complete, all of them or none; returns the number of the first. They count towards
  /// the budget, or it grows by them. Inserted once only under the same claim.
  int insert(const std::vector<Trial>& trials, const std::string& claim, Budget budget = Budget::counts);
  void release(int number);                // from whoever holds it
  void release(const std::string& claim);  // if it still holds one
  void beat(const std::string& worker);
  int reclaim(double silent_seconds, int attempts);
  std::vector<Claim> claims();

  struct Changes {
    std::vector<Trial> trials;  // in order of number; without a point while a method thinks
    std::int64_t revision = 0;
    int budget = 0;
    int parallel = 0;
  };
  Changes since(std::int64_t revision);
  void amend(const StudySpec& spec);

 private:
  struct Head {  // of the study
    std::int64_t revision = 0;
    int next = 0;
    int budget = 0;
    int parallel = 0;
  };
  Head lock();  // first of all in a transaction that writes: the others wait for its end
  [[nodiscard]] std::string now() const { return std::string(connection_->now()); }
  void release_where(const char* condition, const Value& value);

  std::shared_ptr<Connection> connection_;
  std::int64_t study_;
};

}  // namespace bocs

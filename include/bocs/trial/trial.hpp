#pragma once
// What is asked and what came back: Task, Trial, History. Below `run` and `store` smaller values are better, always.

#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bocs/base/words.hpp"
#include "bocs/rule/constraint.hpp"
#include "bocs/trial/goal.hpp"

namespace bocs {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Minimize f(x) + l1 |x|_1 + l2 |x|_2^2 over the points of the space that satisfy the constraints. f is the black box,
/// the penalty is known ([BP18] Sec. 3.2).
struct Task {
  Space space;
  double l1 = 0;
  double l2 = 0;
  std::uint64_t seed = 0;
  Constraints constraints = {};
  int trials = 0;                // evaluations planned: the initial design takes at most a fifth of them; 0: not known
  std::vector<Goal> goals = {};  // empty: the value. The first is measured; the penalty is added to it
  std::vector<OutcomeLimit> outcomes = {};  // what an answer must report besides
  Point present = {};  // the setting that is in use: the penalty counts changes from it, and the first trial is at it

  /// Throws InvalidArgument unless l1 and l2 are finite and not negative, the constraints are those of the space, the
  /// first goal is measured and no metric is named twice.
  void check() const;
  /// The answer is a front: several trials, none of which is better than another in every goal.
  [[nodiscard]] bool has_front() const { return goals.size() > 1; }
};

/// With the rules that structures and conditions bring along, if the constraints were left out.
Task completed(Task task);

/// The task of a proposal that also has to satisfy the rules of its batch. Throws SpaceExhausted if no point does.
Task with_rules(const Task& task, const std::vector<Constraint>& rules);

/// l1 |x|_1 + l2 |x|_2^2 over the values of binary and integer variables; categorical ones have no size. With a present
/// setting: l1 + l2 for every coordinate that is not as it is there.
double penalty(const Task&, const Point&);

/// struck: complete, but a person took it out of models and answers (Session::strike); it is kept and shown.
enum class State { waiting, running, complete, failed, struck };
template <>
inline constexpr auto kWords<State> = std::to_array<Word<State>>({{State::waiting, "waiting"},
                                                                  {State::running, "running"},
                                                                  {State::complete, "complete"},
                                                                  {State::failed, "failed"},
                                                                  {State::struck, "struck"}});
enum class Status { ok, limit, repaired };  // of a numerical step: fine, stopped at a limit, repaired
template <>
inline constexpr auto kWords<Status> =
    std::to_array<Word<Status>>({{Status::ok, "ok"}, {Status::limit, "limit"}, {Status::repaired, "repaired"}});

/// Where a trial came from: the method's initial design, its models, a user's wish to have this point evaluated, a
/// value that was told for a point that was not proposed, or a row of past data.
enum class Origin { initial, proposed, enqueued, told, imported };
template <>
inline constexpr auto kWords<Origin> = std::to_array<Word<Origin>>({{Origin::initial, "initial"},
                                                                    {Origin::proposed, "proposed"},
                                                                    {Origin::enqueued, "enqueued"},
                                                                    {Origin::told, "told"},
                                                                    {Origin::imported, "imported"}});

/// How a proposal came about.
struct Info {
  Origin origin = Origin::proposed;
  std::string program;            // version and commit that proposed it: "0.2.0 5504c41d1755"; empty: version 0.1
  std::string member;             // of the method, which proposed it: "order 3", "ei"; empty: no model did
  double predicted = kUnknown;    // value of the draw at the point, penalty included
  double lower_bound = kUnknown;  // certified: no point of the space is below it under the same draw
  double regress_seconds = 0;
  double minimize_seconds = 0;
  int repairs = 0;  // numerical repairs on the way
  Status status = Status::ok;
  std::string how;                     // in words: "initial design", "order 3, tabu"
  std::vector<int> pending;            // trials still running when it was asked; ~n: trial n, which had no point yet
  std::vector<Constraint> rules = {};  // of the batch it was asked for, on top of the task's constraints
};

struct Proposal {
  Point x;
  Info info;
};

/// What an evaluation gave: a value, or the reason why there is none.
struct Outcome {
  State state = State::failed;  // complete or failed
  double y = kUnknown;
  std::string error;
  double seconds = 0;
  std::map<std::string, double> metrics = {};  // what else the evaluation reported, as it reported it
  std::string remark = {};                     // a note of a person, kept and shown; no method reads it

  static Outcome value(double y, double seconds = 0);  // failed, with the reason, if y is not finite
  static Outcome failure(std::string error, double seconds = 0);
  /// Complete for a task whose goals are all metrics; for others `why_not` says what is missing.
  static Outcome metrics_alone(std::string why_not);
};

/// From the user's sense to "smaller is better". A value that is not finite becomes a failure that says so.
Outcome oriented(Sense sense, Outcome outcome);
/// The same for a task: the value is that of its first goal, and an outcome that does not report a metric the task
/// names is a failure that says so.
Outcome judged(const Task& task, Sense sense, Outcome outcome);
/// Of an evaluation made elsewhere or told by hand, in the user's sense: a failure is refused (InvalidArgument).
Outcome past_outcome(const Task& task, double y, std::map<std::string, double> metrics);
/// The metrics that the task names: they must be reported.
std::vector<std::string> named_metrics(const Task& task);
/// Throws InvalidArgument unless y is finite: a value told by hand, where a typing error should not end a trial.
void check_told(double y);

/// Does giving a trial back count as one of its attempts? Only if its evaluator died over it.
enum class Attempt { not_counted, counted };

struct Trial {
  int number = 0;
  State state = State::running;
  Point x;
  double y = kUnknown;  // f(x) without the penalty; smaller is better
  std::string error;
  double seconds = 0;  // of the evaluation
  std::map<std::string, double> metrics = {};
  Info info;
  std::string remark = {};  // as of Outcome
  int attempts = 0;  // how often it was handed out, but for those times when it was given back; no method reads it
};

/// Complete, failed or struck: it never changes again, unless a person retries or strikes it.
inline bool is_finished(const Trial& trial) { return trial.state != State::waiting && trial.state != State::running; }

/// It has a y. A struck one does, but only to look at.
inline bool has_value(const Trial& trial) { return trial.state == State::complete || trial.state == State::struck; }

/// y plus the penalty: what is minimized.
double total(const Task&, const Trial&);

/// The trial is complete and within all limits: it may be the answer.
bool is_allowed(const Task&, const Trial&);

/// Of a trial with a value: what it has in each goal, smaller is better, the penalty included; without goals, its
/// total.
std::vector<double> goal_values(const Task&, const Trial&);

/// Trials in order of number.
class History {
 public:
  [[nodiscard]] std::span<const Trial> trials() const { return trials_; }
  [[nodiscard]] int size() const { return static_cast<int>(trials_.size()); }
  [[nodiscard]] std::vector<const Trial*> complete() const;
  /// How many of the complete trials come before the first unfinished one: nothing will ever be put between them.
  [[nodiscard]] int stable_prefix() const;
  /// Complete or failed, or still running: never to be proposed again on a deterministic objective.
  [[nodiscard]] const PointSet& seen() const { return seen_; }
  /// The allowed trial with the smallest total, the earliest of equals; nullptr if there is none. With several goals:
  /// the best in the first of them.
  [[nodiscard]] const Trial* best(const Task&) const;
  /// The allowed trials that no other beats in one goal without being worse in another, the best in the first goal
  /// first; of equals the earliest. With one goal: the best trial.
  [[nodiscard]] std::vector<const Trial*> front(const Task&) const;
  [[nodiscard]] const Trial* find(int number) const;

  void add(Trial trial);                    // its number must be above all others
  void put(Trial trial);                    // inserts it by its number, or replaces that one, unless it is complete
  void set_info(int number, Info info);     // how a trial that is there came about, in whatever state it is
  void finish(int number, const Outcome&);  // running -> complete | failed; throws InvalidArgument otherwise
  void strike(int number, const std::string& why);  // complete -> struck; throws InvalidArgument otherwise

 private:
  std::vector<Trial> trials_;
  PointSet seen_;
};

}  // namespace bocs

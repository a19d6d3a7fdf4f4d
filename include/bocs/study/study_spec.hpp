#pragma once
// What a study is: everything a worker on another machine must know to go on with it. Fixed when the study is created,
// but for what Study::amend changes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bocs/method/method.hpp"
#include "bocs/method/remaining.hpp"
#include "bocs/run/session.hpp"

namespace bocs {

/// The external program that evaluates a point; see docs/cli.md. Empty: the asking session evaluates by other means.
struct ObjectiveSpec {
  std::vector<std::string> command;  // program and arguments, {name} stands for a variable's value
  double timeout_seconds = 0;        // of one run; 0: none
  int retries = 0;                   // runs after a failed one
  bool keep_alive = false;           // one program for many points
  bool keep_going = false;           // however many evaluations fail

  bool operator==(const ObjectiveSpec&) const = default;
};

struct StudySpec {
  std::string name;
  Task task;
  std::string method = "bocs";  // as make_method reads it, the number of initial points included: "bocs:initial=20"
  Sense sense = Sense::minimize;
  int trials = 0;    // the budget: trials of any outcome, initial, failed and enqueued ones included; what is told
                     // or imported unasked comes on top of it; 0: no limit
  int parallel = 0;  // trials that may run at once; 0: no limit
  int attempts = kAttempts;  // workers that may die over one trial before it counts as failed
  ObjectiveSpec objective = {};
  std::map<std::string, std::string> labels = {};  // free notes, kept and shown
  std::optional<StopRule> until = {};              // a run ends when it is met; may change

  /// Throws InvalidArgument that names what is wrong: no name, text that is not UTF-8, negative numbers. Whether the
  /// method can treat the space, make_method(spec) tells.
  void check() const;
};

std::shared_ptr<const Method> make_method(const StudySpec& spec);

/// "minimize price = 3*pump + crew (reference 20)", for each goal.
std::vector<std::string> goal_texts(const Task& task);

/// What of the two descriptions differs, in words: "variables (crew was integer 1 to 4, is integer 1 to 6), seed (was
/// 1, is 3)"; empty: nothing that matters. The command, the budget and the parallelism may change while a study lives.
std::string differences(const StudySpec& a, const StudySpec& b);

}  // namespace bocs

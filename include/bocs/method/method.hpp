#pragma once
// The interface of the methods. A method is a pure function: (task, history, trial number) -> next point.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bocs/base/options.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

class PolynomialModel;

/// The answer after a history: the point to use, and what is known of its value.
struct Recommendation {
  Point x;
  double value =
      kUnknown;  // f(x) plus the penalty: measured, or expected where measurements are random; smaller is better
  double error = kUnknown;  // standard error of the measurements at x; unknown where they are exact, or taken to be
  int measurements = 0;     // complete trials at x
};

class Method {
 public:
  virtual ~Method() = default;
  /// The point of trial `number`. Depends on nothing but its arguments. Throws SpaceExhausted when nothing new is left.
  [[nodiscard]] virtual Proposal propose(const Task& task, const History& history, int number) const = 0;
  /// The point the method would bet on after the history. Unless a method knows better: the best observed one.
  /// Needs at least one complete trial.
  [[nodiscard]] virtual Recommendation recommend(const Task& task, const History& history) const;
  /// How many trials the initial design has, before a model takes over; 0: there is none.
  [[nodiscard]] virtual int initial_points(const Task& /*task*/) const { return 0; }
  /// It can look for several goals at once.
  [[nodiscard]] virtual bool has_fronts() const { return true; }
  /// The polynomial model that will make most of the next proposals; nullptr if the method has none.
  [[nodiscard]] virtual const PolynomialModel* explained_model(const Task& task, const History& history) const;
};

/// The point of trial `number`: the present setting of the task, while nothing was measured there, else the method's.
Proposal next_proposal(const Method& method, const Task& task, const History& history, int number);

/// Throws InvalidArgument for a task with several goals and a method that has but one.
void check_fronts(const Method& method, const Task& task);

/// spec: "bocs:order=3,minimizer=annealing,model.sweeps=500", or a shorthand such as "bocs-sdp".
/// Throws InvalidArgument for what is unknown, and for spaces, under these constraints, the method cannot treat.
std::unique_ptr<Method> make_method(std::string_view spec, const Space& space, const Constraints& constraints = {});

/// Throws InvalidArgument for what is wrong whatever the space: an unknown name or option, a value out of bounds.
void check_method(std::string_view spec);

/// The spec with a shorthand written out: "bocs-sdp:order=1" -> bocs:minimizer=sdp,order=1. Settings that follow a
/// shorthand win over its own.
Spec method_spec(std::string_view text);

/// The spec with shorthands written out, and `initial` set where the method has such an option and the spec leaves it
/// open. initial = 0: the method's choice.
Spec method_spec_with_initial(std::string_view method, int initial);

std::vector<RegistryEntry> list_methods();

/// A method that spec strings name.
struct MethodRow {
  std::string name;
  std::string help;                              // one line, for `bocs methods`
  std::function<std::vector<Option>()> options;  // what may follow the name
  std::function<std::unique_ptr<Method>(const Spec&, const Space&, const Constraints&)> make;
};

/// From now on make_method, study files and stores of this program know the method. Call it at start-up, before there
/// are threads. Throws InvalidArgument for a name that is taken, or is no name.
void register_method(MethodRow row);

/// The same for a method whose options are a struct that describes itself: make(options, space, constraints).
template <class Options, class Make>
void register_method(std::string name, std::string help, Make make) {
  register_method({std::move(name), std::move(help), list_options<Options>,
                   [make](const Spec& spec, const Space& space, const Constraints& constraints) {
                     return make(parse_options<Options>(spec), space, constraints);
                   }});
}

/// One of those that share the trials of a method: what it does, and which trials it takes.
struct MemberEntry {
  std::string name;  // Info::member
  std::string help;
};
/// Of the method of that name; empty: it has but one.
std::vector<MemberEntry> list_members(std::string_view method);

}  // namespace bocs

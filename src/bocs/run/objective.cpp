#include "bocs/run/objective.hpp"

#include <chrono>

#include "bocs/base/clock.hpp"

namespace bocs {

Objective callback(std::function<double(const Point&)> f) {
  return [f = std::move(f)](const Space&, const Trial& trial) { return Outcome::value(f(trial.x)); };
}

Outcome evaluate(const Objective& objective, const Space& space, const Trial& trial) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  try {
    outcome = objective(space, trial);
  } catch (const NoOutcome&) {
    throw;
  } catch (const std::exception& e) {
    outcome = Outcome::failure(e.what());
  } catch (...) {
    outcome = Outcome::failure("the objective threw something that is not a std::exception");
  }
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace bocs

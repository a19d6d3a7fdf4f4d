#include "bocs/run/work.hpp"

namespace bocs {

std::string to_string(Reason reason) {
  switch (reason) {
    case Reason::trials:
      return "the number of trials has been reached";
    case Reason::seconds:
      return "the time is up";
    case Reason::target:
      return "the target has been reached";
    case Reason::failures:
      return "too many evaluations failed";
    case Reason::stopped:
      return "it was stopped from outside";
    case Reason::exhausted:
      return "the whole space has been evaluated";
  }
  return {};
}

void check(const Limits& limits) {
  const auto at_least = [](const char* name, double value, double low) {
    require(std::isfinite(value) && value >= low, [&] {
      return std::string(name) + "=" + std::to_string(value) + ": allowed is a finite number, at least " +
             std::to_string(static_cast<int>(low));
    });
  };
  at_least("trials", limits.trials, 0);
  at_least("seconds", limits.seconds, 0);
  at_least("failures", limits.failures, 0);
  at_least("batch", limits.batch, 1);
  at_least("threads", limits.threads, 1);
  if (limits.target) require(std::isfinite(*limits.target), "the target must be a finite number");
  require(limits.trials > 0 || limits.seconds > 0 || limits.target || limits.failures > 0 || limits.stop,
          "no limit is set: give trials, seconds, target, failures or stop");
}

}  // namespace bocs

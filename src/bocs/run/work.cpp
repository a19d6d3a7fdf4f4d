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
      return "the evaluations fail";
    case Reason::stopped:
      return "it was interrupted";
    case Reason::exhausted:
      return "the whole space has been evaluated";
  }
  return {};
}

void Limits::check() const {
  const auto at_least = [](const char* name, double value, double low) {
    require(std::isfinite(value) && value >= low, [&] {
      return std::string(name) + "=" + std::to_string(value) + ": allowed is a finite number, at least " +
             std::to_string(static_cast<int>(low));
    });
  };
  at_least("trials", trials, 0);
  at_least("seconds", seconds, 0);
  at_least("failures", failures, 0);
  at_least("batch", batch, 1);
  at_least("threads", threads, 1);
  if (target) require(std::isfinite(*target), "the target must be a finite number");
  require(trials > 0 || seconds > 0 || target || failures > 0 || stop,
          "no limit is set: give trials, seconds, target, failures or stop");
}

}  // namespace bocs

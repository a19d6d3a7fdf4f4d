#pragma once
// Workers of one study in this process: what `bocs run FILE` and `bocs worker` have in common.

#include <chrono>
#include <string>
#include <thread>

#include "arguments.hpp"
#include "bocs/run/command.hpp"
#include "bocs/run/work.hpp"
#include "bocs/store/store.hpp"

namespace bocs::cli {

struct StudyRun {
  std::string url;
  std::string name;
  std::string directory;          // where the command runs
  int parallel = 1;               // evaluations of this process at once
  double seconds = 0;             // begin no evaluation after so many; 0: no limit
  double patience_seconds = 600;  // how long the store may be away
  bool json = false;              // a line for every trial
  bool quiet = false;
  bool verbose = false;
};

/// Calls until it is not the absence of the store that ends the call, for at most so many seconds.
template <class Call>
auto patiently(double seconds, const Call& call) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    try {
      return call();
    } catch (const StoreUnavailable&) {
      if (std::chrono::steady_clock::now() >= deadline || interrupted()) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

/// Works until the budget is reached, the time is up or somebody interrupts; then what ran is told or released.
/// Throws BadData when the command cannot be run.
WorkResult work_on(const StudyRun& run, const Study& study);

/// The end of a run for people, or as the last JSON line.
void print_result(const StudyRun& run, const Study& study, const WorkResult& result);

}  // namespace bocs::cli

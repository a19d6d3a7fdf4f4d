#pragma once
// Waiting for a store that is away.

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "bocs/base/error.hpp"

namespace bocs {

struct Patience {
  double seconds = 0;                                       // how long the store may be away
  std::function<bool()> stop = {};                          // asked while it is; true: give up
  std::function<void(const std::string&)> on_trouble = {};  // told what is being waited for, at every attempt
};

/// Calls until it is not the absence of the store that ends the call, and returns what it returned. Throws
/// StoreUnavailable when patience is at an end.
template <class Call>
auto retry_while_unavailable(const Patience& patience, const Call& call) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds kShortest{0.1}, kLongest{5};  // between two attempts
  constexpr Seconds kSlice{0.1};                  // of a pause, after which `stop` is asked
  const auto stopped = [&] { return patience.stop && patience.stop(); };
  const auto start = Clock::now();
  for (Seconds pause = kShortest;; pause = std::min(2 * pause, kLongest)) {
    try {
      return call();
    } catch (const StoreUnavailable& trouble) {
      if (Clock::now() - start >= Seconds(patience.seconds) || stopped()) throw;
      if (patience.on_trouble) patience.on_trouble(trouble.what());
    }
    for (const auto begin = Clock::now(); Clock::now() - begin < pause && !stopped();) {
      std::this_thread::sleep_for(kSlice);
    }
  }
}

}  // namespace bocs

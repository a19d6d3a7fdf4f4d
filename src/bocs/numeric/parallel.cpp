#include "bocs/numeric/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace bocs {
namespace {

thread_local bool inside_parallel_for = false;
thread_local int allowed = 1;

}  // namespace

void parallel_for(int n, int threads, const std::function<void(int)>& body) {
  if (n <= 0) return;
  const int workers = inside_parallel_for ? 1 : std::min(threads, n);
  std::atomic<int> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(n));
  const auto run = [&] {
    const bool nested = std::exchange(inside_parallel_for, inside_parallel_for || workers > 1);
    for (int i = next++; i < n; i = next++) {
      try {
        body(i);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
      }
    }
    inside_parallel_for = nested;
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (int t = 1; t < workers; ++t) helpers.emplace_back(run);
    } catch (const std::system_error&) {  // the machine has no room for more: those there are do it all
    }
    run();
  }  // joined here
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

UseThreads::UseThreads(int count) : before_(std::exchange(allowed, std::max(1, count))) {}
UseThreads::~UseThreads() { allowed = before_; }

int threads_for(double nanoseconds) { return inside_parallel_for || nanoseconds < 3e5 ? 1 : allowed; }

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace bocs

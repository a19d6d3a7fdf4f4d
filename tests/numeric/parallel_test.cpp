// All names contain "Parallel": the thread sanitizer runs them.

#include "bocs/numeric/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : {-1, 0, 1, 2, 8, 100}) {
    for (const int n : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
      parallel_for(n, threads, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const auto& c : calls) ASSERT_EQ(c, 1) << n << " on " << threads;
    }
  }
  parallel_for(-3, 2, [](int) { FAIL() << "nothing to do"; });
}

TEST(ParallelFor, SlotsAndStreamsGiveTheSameBitsForAnyThreads) {
  const auto run = [](int threads) {
    const Rng root(3, "parallel");
    std::vector<double> slots(200);
    parallel_for(200, threads, [&](int i) {
      Rng rng = root.fork(static_cast<std::uint64_t>(i));
      for (int k = 0; k <= i; ++k) slots[static_cast<std::size_t>(i)] += rng.normal();
    });
    return slots;
  };
  const auto serial = run(1);
  EXPECT_EQ(run(2), serial);
  EXPECT_EQ(run(8), serial);
}

/// How many threads take part in 200 calls. The first call of each waits until `expected` of them have begun, since a
/// busy machine may start a thread only when the others have done all the work.
std::size_t threads_used(int threads, std::size_t expected) {
  std::mutex mutex;
  std::condition_variable arrived;
  std::set<std::thread::id> ids;
  parallel_for(200, threads, [&](int) {
    std::unique_lock lock(mutex);
    ids.insert(std::this_thread::get_id());
    arrived.notify_all();
    arrived.wait_for(lock, std::chrono::minutes(2), [&] { return ids.size() >= expected; });
  });
  return ids.size();
}

TEST(ParallelFor, UsesThatManyThreads) {
  EXPECT_EQ(threads_used(1, 1), 1u);
  EXPECT_EQ(threads_used(3, 3), 3u);
}

TEST(ParallelFor, NestedCallsRunInTheCallersThread) {
  std::atomic<int> foreign{0};
  std::atomic<int> calls{0};
  parallel_for(4, 2, [&](int) {
    const auto self = std::this_thread::get_id();
    parallel_for(5, 4, [&](int) {
      ++calls;
      if (std::this_thread::get_id() != self) ++foreign;
    });
  });
  EXPECT_EQ(calls, 20);
  EXPECT_EQ(foreign, 0);
}

TEST(ParallelFor, RethrowsTheLowestIndex) {
  for (const int threads : {1, 2, 8}) {
    try {
      parallel_for(50, threads, [](int i) {
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "no exception on " << threads;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7") << threads;
    }
  }
}

TEST(ParallelFor, WorksAgainAfterAnException) {
  EXPECT_THROW(parallel_for(4, 2, [](int) { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_EQ(threads_used(2, 2), 2u);
}

TEST(ParallelFor, HardwareThreads) { EXPECT_GE(hardware_threads(), 1); }

TEST(ParallelFor, UseThreadsCountsWhereItIsWorthIt) {
  EXPECT_EQ(threads_for(1e9), 1);
  {
    const UseThreads four(4);
    EXPECT_EQ(threads_for(1e9), 4);
    EXPECT_EQ(threads_for(1e3), 1);
    {
      const UseThreads none(0);
      EXPECT_EQ(threads_for(1e9), 1);
    }
    EXPECT_EQ(threads_for(1e9), 4);
    std::vector<int> inside(8);
    parallel_for(8, 2, [&](int i) { inside[static_cast<std::size_t>(i)] = threads_for(1e9); });
    EXPECT_EQ(inside, std::vector<int>(8, 1));
    std::jthread([] { EXPECT_EQ(threads_for(1e9), 1); });  // another thread was given none
  }
  EXPECT_EQ(threads_for(1e9), 1);
}

}  // namespace
}  // namespace bocs

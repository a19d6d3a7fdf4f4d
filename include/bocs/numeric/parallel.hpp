#pragma once
#include <functional>

namespace bocs {

/// Calls body(i) for i = 0 ... n-1 on up to `threads` threads. Write results into slot i and draw from stream i, then
/// the outcome does not depend on `threads`. A call from inside a body runs serially. If bodies throw, the exception of
/// the lowest index is rethrown after all have ended.
void parallel_for(int n, int threads, const std::function<void(int)>& body);

/// While it lives, what this thread computes may use so many threads, where it is worth it. Nothing that is computed
/// depends on it. Without one, everything runs on the thread that asks for it.
class UseThreads {
 public:
  explicit UseThreads(int count);
  ~UseThreads();
  UseThreads(const UseThreads&) = delete;
  UseThreads& operator=(const UseThreads&) = delete;

 private:
  int before_;
};
/// How many threads a loop of about so many nanoseconds should be given: starting one takes some ten thousand. 1 inside
/// a body that runs beside others.
int threads_for(double nanoseconds);

/// The number of hardware threads, at least 1.
int hardware_threads();

}  // namespace bocs

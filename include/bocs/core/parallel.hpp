#pragma once
#include <functional>

namespace bocs {

/// Calls body(i) for i = 0 ... n-1 on up to `threads` threads. Write results into slot i and draw from stream i, then
/// the outcome does not depend on `threads`. A call from inside a body runs serially. If bodies throw, the exception of
/// the lowest index is rethrown after all have ended.
void parallel_for(int n, int threads, const std::function<void(int)>& body);

/// The number of hardware threads, at least 1.
int hardware_threads();

}  // namespace bocs

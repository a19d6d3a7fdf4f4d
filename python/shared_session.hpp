#pragma once
// A session that Python's threads take turns with. Its lock is only ever waited for without Python's own (ReleaseGil),
// so that the two cannot block each other.

#include <mutex>

#include "bindings.hpp"
#include "bocs/run/session.hpp"

namespace bocs::python {

class SharedSession {
 public:
  SharedSession() = default;
  SharedSession(const SharedSession&) = delete;
  SharedSession& operator=(const SharedSession&) = delete;
  virtual ~SharedSession() = default;

  /// call(session), alone.
  template <class Call>
  auto with(const Call& call) {
    const std::lock_guard lock(mutex_);
    try {
      return call(session());
    } catch (const Error&) {
      raise_interrupt();
      throw;
    }
  }

 private:
  virtual Session& session() = 0;
  /// Throws the KeyboardInterrupt, if any, because of which the session gave a call up.
  virtual void raise_interrupt() {}

  std::mutex mutex_;
};

inline TrialView seen(const Session& session, const Trial& trial) {
  return view(session.task(), session.sense(), trial);
}

}  // namespace bocs::python

#pragma once
// The exceptions of the library. Numerical trouble is never an exception: see Status in trial/trial.hpp.

#include <stdexcept>
#include <string>

namespace bocs {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: a bad option, a point outside the space, a minimizer asked for what it cannot treat.
/// The message names the offending value and what is allowed.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// Nothing is left to propose: every point of the space has been evaluated or is pending.
class SpaceExhausted : public Error {
 public:
  using Error::Error;
};

/// A long search found no new point, but did not see all of them: there may be one.
class SearchGaveUp : public SpaceExhausted {
 public:
  using SpaceExhausted::SpaceExhausted;
};

/// As many trials as may run at once are running: ask again later. One of them may still come back, if its worker dies.
class AllRunning : public Error {
 public:
  using Error::Error;
};

/// The budget is used up: every trial has finished, or was handed to a person by `ask`.
class BudgetReached : public Error {
 public:
  using Error::Error;
};

/// The world's trouble: a database that is missing, broken, read-only or of a newer version.
class StoreError : public Error {
 public:
  using Error::Error;
};

/// The store was written by an older version: it can be read as it is, and changed after upgrade_store
/// (store/store.hpp).
class StoreOutdated : public StoreError {
 public:
  using StoreError::StoreError;
};

/// A StoreError that may be gone in a while: no connection, a server that starts or stops, a locked file, a full disk.
/// Nothing was changed, or the same call repeated finds out what was: every call of a Study may be repeated after it.
class StoreUnavailable : public StoreError {
 public:
  using StoreError::StoreError;
};

/// Throws InvalidArgument(message) unless the condition holds. Build the message only when it is needed: see the
/// overload.
inline void require(bool condition, const char* message) {
  if (!condition) throw InvalidArgument(message);
}

template <class MakeMessage>
requires std::is_invocable_r_v<std::string, MakeMessage>
void require(bool condition, MakeMessage&& make_message) {
  if (!condition) throw InvalidArgument(make_message());
}

}  // namespace bocs

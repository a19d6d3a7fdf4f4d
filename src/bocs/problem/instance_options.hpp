#pragma once
// Options that many problems share.

#include "bocs/base/options.hpp"

namespace bocs {

/// Of binary problems.
struct FlipOptions {
  int flip = 0;

  void describe(OptionTable& table);
};

/// Of binary problems with random instances.
struct InstanceOptions : FlipOptions {
  std::string instance;
  int number = 0;

  void describe(OptionTable& table);
};

}  // namespace bocs

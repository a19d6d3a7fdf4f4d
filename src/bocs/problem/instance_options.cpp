#include "bocs/problem/instance_options.hpp"

#include <limits>

namespace bocs {

void FlipOptions::describe(OptionTable& table) {
  table.integer("flip", flip, 0, std::numeric_limits<int>::max(),
                "seed of a random mask the bits are flipped by; 0: not flipped");
}

void InstanceOptions::describe(OptionTable& table) {
  FlipOptions::describe(table);
  table.text("instance", instance, "JSON file to read the instance from, instead of drawing it");
  table.integer("case", number, 0, std::numeric_limits<int>::max(), "which one, if the file has a list of `cases`");
}

}  // namespace bocs

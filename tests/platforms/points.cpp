// Prints a hash over the points that every method proposes for spaces of several sizes and kinds. `scripts/platforms`
// runs it on other processors and C libraries and compares the lines (docs/determinism.md).

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bocs/bocs.hpp"

namespace {

struct Case {
  const char* name;
  bocs::Space space;
  int trials;
};

/// Sines and products of neighbours, rounded to a grid: a difference of libm in the last bit is not what is tested.
double objective(const bocs::Point& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += std::sin(static_cast<double>(i + 1)) * x[i];
    if (i > 0) sum += 0.7 * std::cos(static_cast<double>(3 * i)) * x[i] * x[i - 1];
  }
  return std::round(sum * 4096) / 4096;
}

std::uint64_t fingerprint(const std::string& method, const Case& now) {
  bocs::Optimizer optimizer({.space = now.space, .l1 = 0.1, .seed = 7}, method);
  bocs::work(optimizer, bocs::callback(objective), {.trials = now.trials});
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const bocs::Trial& trial : optimizer.history().trials()) {
    for (const int level : trial.x) hash = (hash ^ static_cast<std::uint64_t>(level + 1)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace

/// points_on_this_platform [quick]: the small cases only.
int main(int argc, char**) {
  using bocs::Space;
  std::vector<Case> cases = {
      {"binary-12", Space::binary(12), 40},
      {"mixed-8",
       Space({bocs::integer("n", 1, 8), bocs::categorical("kind", {"a", "b", "c"}), bocs::binary("night"),
              bocs::real("rate", 0.001, 0.1, {.steps = 30, .log = true}), bocs::ordinal("m", {0, 0.5, 1, 4}),
              bocs::binary("day"), bocs::categorical("more", {"x", "y"}), bocs::integer("k", -2, 3)}),
       40},
      {"order-7", Space({bocs::permutation("tour", {"a", "b", "c", "d", "e", "f", "g"})}), 40}};
  if (argc < 2) {
    cases.push_back({"binary-20", Space::binary(20), 60});
    cases.push_back({"binary-40", Space::binary(40), 80});
    cases.push_back({"binary-100", Space::binary(100), 60});
  }
  std::vector<std::string> methods;
  for (const auto& method : bocs::list_methods()) {
    methods.push_back(method.name);
    for (const auto& shorthand : method.shorthands) methods.push_back(shorthand.substr(0, shorthand.find(' ')));
  }
  for (const char* spec : {"bocs:order=2", "bocs:order=4"}) methods.emplace_back(spec);
  for (const Case& now : cases) {
    for (const std::string& method : methods) {
      try {
        std::printf("%-12s %-14s %016llx\n", now.name, method.c_str(),
                    static_cast<unsigned long long>(fingerprint(method, now)));
      } catch (const bocs::InvalidArgument&) {
        std::printf("%-12s %-14s cannot treat this space\n", now.name, method.c_str());
      }
      std::fflush(stdout);
    }
  }
  return EXIT_SUCCESS;
}

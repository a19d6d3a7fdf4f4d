#include "bocs/problem/nk.hpp"

#include <memory>

#include "bocs/base/error.hpp"
#include "bocs/problem/binary.hpp"

namespace bocs {
namespace {

constexpr int kOptimumVariables = 24;

struct Landscape {
  std::vector<std::vector<int>> variables;   // of each contribution, its own first
  std::vector<std::vector<double>> numbers;  // by the code of their settings

  Landscape(const NkOptions& options, std::uint64_t instance) {
    Rng rng(instance, "nk");
    for (int i = 0; i < options.n; ++i) {
      std::vector<int> others;
      for (int j = 0; j < options.n; ++j) {
        if (j != i) others.push_back(j);
      }
      auto& own = variables.emplace_back(1, i);
      for (int c = 0; c < options.k; ++c) {  // the first steps of a shuffle
        const auto left = static_cast<std::uint32_t>(others.size()) - static_cast<std::uint32_t>(c);
        std::swap(others[static_cast<std::size_t>(c)], others[static_cast<std::size_t>(c) + rng.below(left)]);
        own.push_back(others[static_cast<std::size_t>(c)]);
      }
      auto& table = numbers.emplace_back(std::size_t{1} << (options.k + 1));
      for (double& number : table) number = rng.uniform();
    }
  }

  [[nodiscard]] double mean(const Point& z) const {
    double sum = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      std::size_t code = 0;
      for (const int v : variables[i]) code = 2 * code + static_cast<std::size_t>(z[static_cast<std::size_t>(v)]);
      sum += numbers[i][code];
    }
    return sum / static_cast<double>(variables.size());
  }
};

/// For enumerate_by_ones: minus the mean.
class Walker {
 public:
  Walker(const Landscape& landscape, Point z) : landscape_(landscape), z_(std::move(z)) {}
  [[nodiscard]] double value() const { return -landscape_.mean(z_); }
  void flip(int i) { z_[static_cast<std::size_t>(i)] ^= 1; }

 private:
  const Landscape& landscape_;
  Point z_;
};

}  // namespace

void NkOptions::describe(OptionTable& table) {
  table.integer("n", n, 1, 2000, "number of variables");
  table.integer("k", k, 0, 16, "other variables in a contribution, fewer than n");
  table.real("noise", noise, 0, 1e6, "standard deviation of the noise added to every measurement");
  FlipOptions::describe(table);
}

Problem make_nk(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<NkOptions>(spec);
  require(options.k < options.n, [&] {
    return "nk: k=" + std::to_string(options.k) + " with n=" + std::to_string(options.n) + ": allowed is less than n";
  });
  BinaryProblem problem{
      spec.text(), Space::binary(options.n), Sense::maximize, flip_mask(options.flip, options.n), {}, {}, {}, {}, {}};
  const auto landscape = std::make_shared<const Landscape>(options, instance);
  problem.f = [landscape](const Point& z) { return landscape->mean(z); };
  if (options.n <= kOptimumVariables) {
    problem.best_by_ones = [landscape, flip = problem.flip] {
      return enumerate_by_ones(flip, [&](Point z) { return Walker(*landscape, std::move(z)); });
    };
  }
  Problem finished = finish(std::move(problem));
  add_noise(finished, options.noise);
  return finished;
}

}  // namespace bocs

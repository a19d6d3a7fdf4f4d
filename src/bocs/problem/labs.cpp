#include "bocs/problem/labs.hpp"

#include "bocs/problem/binary.hpp"

namespace bocs {
namespace {

constexpr int kOptimumLength = 24;

/// A sequence, its autocorrelations and its energy E, in whole numbers.
class Sequence {
 public:
  explicit Sequence(const Point& z) : s_(z.size()), correlation_(z.size(), 0) {
    const int n = static_cast<int>(z.size());
    for (int i = 0; i < n; ++i) s_[i] = 2 * z[i] - 1;
    for (int k = 1; k < n; ++k) {
      for (int i = 0; i + k < n; ++i) correlation_[k] += s_[i] * s_[i + k];
    }
  }

  [[nodiscard]] double value() const {
    long energy = 0;
    for (std::size_t k = 1; k < s_.size(); ++k) energy += static_cast<long>(correlation_[k]) * correlation_[k];
    return static_cast<double>(energy);
  }

  void flip(int i) {
    const int n = static_cast<int>(s_.size());
    for (int k = 1; k <= i; ++k) correlation_[k] -= 2 * s_[i] * s_[i - k];
    for (int k = 1; k < n - i; ++k) correlation_[k] -= 2 * s_[i] * s_[i + k];
    s_[i] = -s_[i];
  }

 private:
  std::vector<int> s_;
  std::vector<int> correlation_;  // by shift; shift 0 is not used
};

}  // namespace

void LabsOptions::describe(OptionTable& table) {
  table.integer("n", n, 2, 2000, "length of the sequence");
  FlipOptions::describe(table);
}

Problem make_labs(const Spec& spec, std::uint64_t /*instance*/) {
  const auto options = parse_options<LabsOptions>(spec);
  const int n = options.n;
  BinaryProblem problem{spec.text(), Space::binary(n), Sense::minimize, flip_mask(options.flip, n), {}, {}, {}, {}, {}};
  problem.f = [n](const Point& z) { return -0.5 * n * n / Sequence(z).value(); };
  problem.picture = [](const Point& z) {
    std::string text;
    for (const auto bit : z) text += bit == 1 ? '+' : '-';
    return text + "\n";
  };
  if (n <= kOptimumLength) {  // the least energy is the least value
    problem.best_by_ones = [flip = problem.flip] {
      return enumerate_by_ones(flip, [](const Point& z) { return Sequence(z); });
    };
  }
  return finish(std::move(problem));
}

}  // namespace bocs

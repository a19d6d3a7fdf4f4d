#include "bocs/problem/binary.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

/// Computes optima on demand and keeps them: they depend on nothing but l1.
class OptimumFinder {
 public:
  explicit OptimumFinder(std::shared_ptr<const BinaryProblem> problem) : problem_(std::move(problem)) {}

  Optimum operator()(double l1) {
    require(std::isfinite(l1), "optimum: the penalty must be finite");
    const std::lock_guard lock(mutex_);
    if (problem_->best) {
      const auto found = known_.find(l1);
      return found != known_.end() ? found->second : known_[l1] = valued(problem_->best(l1), l1);
    }
    if (by_ones_.empty()) by_ones_ = problem_->best_by_ones();
    Optimum optimum = valued(by_ones_.front(), l1);
    for (const Point& z : by_ones_) {
      Optimum other = valued(z, l1);
      if (problem_->sense == Sense::minimize ? other.value < optimum.value : other.value > optimum.value) {
        optimum = std::move(other);
      }
    }
    return optimum;
  }

 private:
  [[nodiscard]] Optimum valued(const Point& z, double l1) const {
    Optimum optimum{flipped(z, problem_->flip), problem_->f(z)};
    const double penalty = l1 * std::accumulate(optimum.x.begin(), optimum.x.end(), 0);
    optimum.value += problem_->sense == Sense::minimize ? penalty : -penalty;
    return optimum;
  }

  std::shared_ptr<const BinaryProblem> problem_;
  std::mutex mutex_;
  std::vector<Point> by_ones_;
  std::map<double, Optimum> known_;
};

/// z, z'Qz, and what adding each element would change: g_i = Q_ii + sum_{j != i} (Q_ij + Q_ji) z_j.
class QuadraticWalker {
 public:
  QuadraticWalker(const Matrix& Q, const Matrix& pairs, Point z) : pairs_(pairs), z_(std::move(z)), g_(Q.diagonal()) {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if (z_[i] == 0) continue;
      z_[i] = 0;
      flip(static_cast<int>(i));
    }
  }
  [[nodiscard]] double value() const { return value_; }
  void flip(int i) {
    const double sign = z_[i] == 0 ? 1 : -1;
    value_ += sign * g_[i];
    g_ += sign * pairs_.col(i);
    z_[i] ^= 1;
  }

 private:
  const Matrix& pairs_;  // Q + Q' with a zero diagonal
  Point z_;
  Vector g_;
  double value_ = 0;
};

}  // namespace

Point flip_mask(int seed, int dimension) {
  Point mask(dimension, 0);
  if (seed == 0) return mask;
  Rng rng(static_cast<std::uint64_t>(seed), "flip");
  for (auto& bit : mask) bit = static_cast<std::int32_t>(rng.below(2));
  return mask;
}

Point flipped(Point x, const Point& mask) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] ^= mask[i];
  return x;
}

Problem finish(BinaryProblem binary) {
  const auto shared = std::make_shared<const BinaryProblem>(std::move(binary));
  Problem problem{shared->name, shared->space, shared->sense, {}, {}, {}, {}, shared->instance_json};
  problem.f = [shared](const Point& x) {
    shared->space.check(x);
    return shared->f(flipped(x, shared->flip));
  };
  if (shared->picture) {
    problem.picture = [shared](const Point& x) {
      shared->space.check(x);
      return shared->picture(flipped(x, shared->flip));
    };
  }
  if (shared->best || shared->best_by_ones) {
    problem.optimum = [finder = std::make_shared<OptimumFinder>(shared)](double l1) { return (*finder)(l1); };
  } else {
    problem.optimum = [](double) { return std::nullopt; };
  }
  return problem;
}

void add_noise(Problem& problem, double deviation) {
  if (deviation == 0) return;
  problem.noisy = [f = problem.f, deviation](const Point& x, Rng& rng) { return f(x) + deviation * rng.normal(); };
}

std::function<std::vector<Point>()> quadratic_by_ones(const Matrix& Q, const Point& flip) {
  if (Q.rows() > kQuadraticLimit) return {};
  return [Q, flip] {
    Matrix pairs = Q + Q.transpose();
    pairs.diagonal().setZero();
    return enumerate_by_ones(flip, [&](Point z) { return QuadraticWalker(Q, pairs, std::move(z)); });
  };
}

}  // namespace bocs

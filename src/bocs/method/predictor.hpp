#pragma once
// What expected improvement asks of a model of f: a mean and a variance at any point.

#include <functional>
#include <memory>
#include <span>

#include "bocs/core/linalg.hpp"
#include "bocs/core/space.hpp"

namespace bocs {

struct Prediction {
  Vector mean;
  Vector variance;  // of f itself, without observation noise; >= 0
};

class Predictor {
 public:
  virtual ~Predictor() = default;
  [[nodiscard]] virtual Prediction predict(std::span<const Point> points) const = 0;

  /// Is the point still of interest with this mean if its variance is not above this?
  using Matters = std::function<bool(Eigen::Index point, double mean, double variance)>;
  /// The same, but the variance of points that do not matter may stay at such an upper bound, which saves time.
  [[nodiscard]] virtual Prediction predict_if(std::span<const Point> points, const Matters& matters) const {
    static_cast<void>(matters);
    return predict(points);
  }
  [[nodiscard]] virtual int repairs() const { return 0; }  // numerical ones, while fitting
};

/// y is standardized: mean 0 and variance 1, or all 0.
using FitPredictor = std::function<std::unique_ptr<Predictor>(const Space& space, std::span<const Point> points,
                                                              const Vector& y, Rng& rng)>;

}  // namespace bocs

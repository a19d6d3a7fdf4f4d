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
  [[nodiscard]] virtual int repairs() const { return 0; }  // numerical ones, while fitting
};

/// y is standardized: mean 0 and variance 1, or all 0.
using FitPredictor = std::function<std::unique_ptr<Predictor>(const Space& space, std::span<const Point> points,
                                                              const Vector& y, Rng& rng)>;

}  // namespace bocs

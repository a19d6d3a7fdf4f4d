#pragma once
// Gaussian process regression over a mixed space, with any kernel.

#include "bocs/model/kernel.hpp"
#include "bocs/model/model.hpp"

namespace bocs {

struct ProcessParameters {
  Vector kernel;     // > 0
  double noise = 0;  // variance of the noise over that of the process, > 0
};

/// The process with given parameters; its mean (flat prior) and variance are the most likely ones. Further outputs at
/// the same points, the columns of `others`, have the same parameters, and a mean and a variance of their own: they
/// cost a solution each, not a factorization. The last `expected` values are no measurements: they do not tell how
/// large the variance is. `like` has the same points and kernel: what does not depend on the parameters is taken of it.
class GaussianProcess : public Posterior {
 public:
  GaussianProcess(std::shared_ptr<const Kernel> kernel, std::span<const Point> points, const Vector& y,
                  ProcessParameters parameters, const Matrix& others = Matrix(), Eigen::Index expected = 0,
                  const GaussianProcess* like = nullptr);

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override;
  /// Fastest for points that differ from the first one in few variables.
  [[nodiscard]] Prediction predict_if(std::span<const Point> points, const Matters& matters) const override;
  [[nodiscard]] std::vector<Prediction> predict_all(std::span<const Point> points,
                                                    const Matters& matters) const override;
  /// Of f at the points, jointly; lower triangle.
  [[nodiscard]] Matrix covariance(std::span<const Point> points) const;

  /// log p(y | theta, noise) at the most likely mean and variance, up to a constant; the sum over the outputs.
  [[nodiscard]] double log_likelihood() const;
  /// Its derivatives with respect to log theta_1, ..., log theta_m, log noise.
  [[nodiscard]] Vector gradient() const;

  [[nodiscard]] double mean() const { return first_.mean; }
  [[nodiscard]] double variance() const { return first_.variance; }
  [[nodiscard]] int repairs() const override { return repairs_; }
  [[nodiscard]] const ProcessParameters& parameters() const { return parameters_; }

 private:
  struct Output {
    Vector alpha;  // (R + noise I)^-1 (y - mean)
    double mean = 0, variance = 1;
  };
  [[nodiscard]] Vector solve(Vector b) const;
  [[nodiscard]] Output output(const Vector& y, Eigen::Index expected) const;

  std::shared_ptr<const Kernel> kernel_;
  ProcessParameters parameters_;
  std::unique_ptr<const Correlations> correlations_;  // with the data
  Matrix R_;                                          // among the data, lower triangle
  Matrix L_;                                          // lower factor of R + noise I
  Matrix L_inverse_;
  Vector beta_;  // (R + noise I)^-1 1
  Output first_;
  std::vector<Output> others_;
  int repairs_ = 0;
};

/// The process at the most probable parameters found in `steps` steps of Adam from the default ones. A normal prior on
/// their logarithms keeps few data from moving many weights. y is standardized, `noise` is the variance of its noise as
/// far as it is known.
std::unique_ptr<GaussianProcess> fit_gaussian_process(const std::shared_ptr<const Kernel>& kernel,
                                                      std::span<const Point> points, const Vector& y, int steps,
                                                      double noise = 0, const Matrix& others = Matrix());

/// Steps of the fit that are worth their time: what matters in an order, or how far numbers are alike, is often far
/// from the default parameters (docs/decisions/0004-orders.md, 0051-numbers.md).
int usual_steps(const Space& space);

class GaussianProcessModel : public Model {
 public:
  GaussianProcessModel(std::shared_ptr<const Kernel> kernel, int steps) : kernel_(std::move(kernel)), steps_(steps) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng& rng) const override {
    return fit_all(data, Matrix(), rng);
  }
  /// With the parameters that are most probable for all of them together.
  [[nodiscard]] std::unique_ptr<Posterior> fit_all(const Data& data, const Matrix& others,
                                                   const Rng& rng) const override;

 private:
  std::shared_ptr<const Kernel> kernel_;
  int steps_;
};

}  // namespace bocs

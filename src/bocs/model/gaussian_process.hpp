#pragma once
// Gaussian process regression over a mixed space, with any kernel.

#include "bocs/model/kernel.hpp"
#include "bocs/model/model.hpp"

namespace bocs {

struct ProcessParameters {
  Vector kernel;     // > 0
  double noise = 0;  // variance of the noise over that of the process, > 0
};

/// The process with given parameters; its mean (flat prior) and variance are the most likely ones.
class GaussianProcess : public Posterior {
 public:
  GaussianProcess(std::shared_ptr<const Kernel> kernel, std::span<const Point> points, const Vector& y,
                  ProcessParameters parameters);

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override;
  /// Fastest for points that differ from the first one in few variables.
  [[nodiscard]] Prediction predict_if(std::span<const Point> points, const Matters& matters) const override;

  /// log p(y | theta, noise) at the most likely mean and variance, up to a constant.
  [[nodiscard]] double log_likelihood() const;
  /// Its derivatives with respect to log theta_1, ..., log theta_m, log noise.
  [[nodiscard]] Vector gradient() const;

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] int repairs() const override { return repairs_; }
  [[nodiscard]] const ProcessParameters& parameters() const { return parameters_; }

 private:
  std::shared_ptr<const Kernel> kernel_;
  ProcessParameters parameters_;
  std::unique_ptr<const Correlations> correlations_;  // with the data
  Matrix R_;                                          // among the data, lower triangle
  Matrix L_;                                          // lower factor of R + noise I
  Matrix L_inverse_;
  Vector alpha_;  // (R + noise I)^-1 (y - mean)
  Vector beta_;   // (R + noise I)^-1 1
  double mean_ = 0;
  double variance_ = 1;
  int repairs_ = 0;
};

/// The process at the most probable parameters found in `steps` steps of Adam from the default ones. A normal prior on
/// their logarithms keeps few data from moving many weights. y is standardized, `noise` is the variance of its noise as
/// far as it is known.
std::unique_ptr<GaussianProcess> fit_gaussian_process(const std::shared_ptr<const Kernel>& kernel,
                                                      std::span<const Point> points, const Vector& y, int steps,
                                                      double noise = 0);

class GaussianProcessModel : public Model {
 public:
  GaussianProcessModel(std::shared_ptr<const Kernel> kernel, int steps) : kernel_(std::move(kernel)), steps_(steps) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng& /*rng*/) const override {
    return fit_gaussian_process(kernel_, data.x, data.y, steps_, data.noise);
  }

 private:
  std::shared_ptr<const Kernel> kernel_;
  int steps_;
};

}  // namespace bocs

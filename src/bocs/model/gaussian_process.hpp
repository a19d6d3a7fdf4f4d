#pragma once
// Gaussian process regression over a mixed space. The correlation of two points is exp(-sum_i w_i dist_i), where dist_i
// is [x_i != x'_i] for binary variables and categories (so one-hot and Hamming kernels coincide) and |x_i - x'_i| in
// units of the range for integer and real variables, whose levels count as equally far apart.

#include "bocs/model/model.hpp"

namespace bocs {

struct KernelParameters {
  Vector weights;    // w_i > 0, one per variable
  double noise = 0;  // variance of the noise over that of the process, > 0
};

/// What is usual before anything is known: half of the variables changed leaves a correlation of 1/e.
KernelParameters default_kernel(const Space& space);

/// The process with given kernel parameters; its mean (flat prior) and variance are the most likely ones.
class GaussianProcess : public Posterior {
 public:
  GaussianProcess(const Space& space, std::span<const Point> points, const Vector& y, KernelParameters parameters);

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override;
  /// Fastest for points that differ from the first one in few variables.
  [[nodiscard]] Prediction predict_if(std::span<const Point> points, const Matters& matters) const override;

  /// log p(y | w, noise) at the most likely mean and variance, up to a constant.
  [[nodiscard]] double log_likelihood() const;
  /// Its derivatives with respect to log w_1, ..., log w_d, log noise.
  [[nodiscard]] Vector gradient() const;

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] int repairs() const override { return repairs_; }
  [[nodiscard]] const KernelParameters& parameters() const { return parameters_; }

 private:
  [[nodiscard]] bool is_bit(Eigen::Index i) const { return space_[static_cast<int>(i)].is_bit(); }
  /// Its distance is a difference; that of others is "equal or not".
  [[nodiscard]] bool is_measured(Eigen::Index i) const { return is_bit(i) || space_[static_cast<int>(i)].ordered; }
  [[nodiscard]] double place(Eigen::Index i, std::int32_t level) const {
    const Coordinate& c = space_[static_cast<int>(i)];
    return c.ordered ? c.place(level) : level;
  }
  /// One row per point: levels, of ordered coordinates in units of their range.
  [[nodiscard]] Matrix coordinates(std::span<const Point> points) const;
  /// sum_j += weight * (distance of variable i between data point first + j and `at`).
  void add_distance(Eigen::Index i, double at, double weight, Eigen::Index first, double* sum) const;
  void fill_correlations();
  /// Entry (j, k): correlation of data point j with the k-th of the points.
  [[nodiscard]] Matrix correlations(std::span<const Point> points) const;

  KernelParameters parameters_;
  Space space_;
  Matrix x_;      // N x d
  Matrix signs_;  // N x (number of binary variables): sqrt(w_i / 2) where x_i = 1, the negative where it is 0
  Matrix R_;      // N x N correlations, lower triangle
  Matrix L_;      // lower factor of R + noise I
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
std::unique_ptr<GaussianProcess> fit_gaussian_process(const Space& space, std::span<const Point> points,
                                                      const Vector& y, int steps, double noise = 0);

class GaussianProcessModel : public Model {
 public:
  GaussianProcessModel(Space space, int steps) : space_(std::move(space)), steps_(steps) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng& /*rng*/) const override {
    return fit_gaussian_process(space_, data.x, data.y, steps_, data.noise);
  }

 private:
  Space space_;
  int steps_;
};

}  // namespace bocs

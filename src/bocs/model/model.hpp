#pragma once
// What every model of the black box f can do: fit data, then predict f at any point.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bocs/numeric/linalg.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

/// y[i] was measured at x[i].
struct Data {
  std::vector<Point> x;
  Vector y;
  double noise = 0;  // variance of one measurement around f; 0: measurements are exact
  /// Points that are being measured. Models that say how certain they are take each for measured, with the value that
  /// the data make them expect: the mean stays, and there is less to be learnt near them.
  std::vector<Point> under_way = {};
};

/// Values in units of their standard deviation, from their mean. If all are the same, the unit is 1.
class Standard {
 public:
  explicit Standard(const Vector& y);
  [[nodiscard]] double operator()(double y) const { return (y - shift_) / scale_; }
  [[nodiscard]] double original(double standardized) const { return shift_ + scale_ * standardized; }
  [[nodiscard]] double scale() const { return scale_; }

 private:
  double shift_ = 0, scale_ = 1;
};

/// The variance of one measurement in units of `y`, which is standardized: the variance within the points measured
/// repeatedly; as long as there are none, a tenth of the variance of all values.
double noise_variance(const Data& data);

struct Prediction {
  Vector mean;
  Vector variance;  // of f itself, without observation noise; >= 0
};

/// What a model believes about f after some data.
class Posterior {
 public:
  virtual ~Posterior() = default;
  [[nodiscard]] virtual Prediction predict(std::span<const Point> points) const = 0;

  /// Is the point still of interest with this mean if its variance is not above this?
  using Matters = std::function<bool(Eigen::Index point, double mean, double variance)>;
  /// The same, but the variance of points that do not matter may stay at such an upper bound, which saves time.
  [[nodiscard]] virtual Prediction predict_if(std::span<const Point> points, const Matters& matters) const {
    static_cast<void>(matters);
    return predict(points);
  }
  /// The same of every output of Model::fit_all, the first as predict_if gives it.
  [[nodiscard]] virtual std::vector<Prediction> predict_all(std::span<const Point> points,
                                                            const Matters& matters) const {
    return {predict_if(points, matters)};
  }
  [[nodiscard]] virtual int repairs() const { return 0; }  // numerical ones, while fitting
};

/// Every point matters.
inline bool all_matter(Eigen::Index /*point*/, double /*mean*/, double /*variance*/) { return true; }

/// The points under way as data, with what the posterior expects of each output there: of the first one, and of those
/// that are the columns of `others`.
Data with_expected(const Data& data, const Posterior& posterior, Matrix& others);

class Model {
 public:
  virtual ~Model() = default;
  /// The values are standardized, at least one. Depends on nothing but its arguments.
  [[nodiscard]] virtual std::unique_ptr<Posterior> fit(const Data& data, const Rng& rng) const = 0;
  /// One posterior of several outputs that were measured at the same points: data.y, and each column of `others`,
  /// standardized, too. By default each has a fit of its own.
  [[nodiscard]] virtual std::unique_ptr<Posterior> fit_all(const Data& data, const Matrix& others,
                                                           const Rng& rng) const;
};

}  // namespace bocs

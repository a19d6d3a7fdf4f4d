#include "bocs/model/model.hpp"

#include <unordered_map>

namespace bocs {

Standard::Standard(const Vector& y) {
  const double largest = y.cwiseAbs().maxCoeff();  // taken out first: squares of huge values overflow
  if (largest == 0) return;
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(y.size());
  for (const double value : y) mean += value / largest / n;
  for (const double value : y) squares += std::pow(value / largest - mean, 2) / n;
  shift_ = mean * largest;
  if (squares > 1e-24) scale_ = std::sqrt(squares) * largest;  // else they are all the same, up to rounding
}

double noise_variance(const Data& data) {
  constexpr double kGuess = 0.1;
  struct Moments {
    int n = 0;
    double mean = 0;
  };
  std::unordered_map<Point, Moments, PointHash> points;
  double squares = 0;  // sum of squared deviations from the mean of the same point
  int repetitions = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    Moments& point = points[data.x[i]];
    const double y = data.y[static_cast<Eigen::Index>(i)];
    const double before = y - point.mean;  // Welford's update
    repetitions += point.n > 0 ? 1 : 0;
    point.n += 1;
    point.mean += before / point.n;
    squares += before * (y - point.mean);
  }
  return repetitions > 0 ? squares / repetitions : kGuess;
}

namespace {

/// Outputs that know nothing of each other.
class Separate : public Posterior {
 public:
  explicit Separate(std::vector<std::unique_ptr<Posterior>> outputs) : outputs_(std::move(outputs)) {}

  [[nodiscard]] Prediction predict(std::span<const Point> points) const override {
    return outputs_.front()->predict(points);
  }
  [[nodiscard]] Prediction predict_if(std::span<const Point> points, const Matters& matters) const override {
    return outputs_.front()->predict_if(points, matters);
  }
  [[nodiscard]] std::vector<Prediction> predict_all(std::span<const Point> points,
                                                    const Matters& matters) const override {
    std::vector<Prediction> all{predict_if(points, matters)};
    for (std::size_t k = 1; k < outputs_.size(); ++k) all.push_back(outputs_[k]->predict(points));
    return all;
  }
  [[nodiscard]] int repairs() const override {
    int sum = 0;
    for (const auto& output : outputs_) sum += output->repairs();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Posterior>> outputs_;
};

}  // namespace

Data with_expected(const Data& data, const Posterior& posterior, Matrix& others) {
  const std::vector<Prediction> expected = posterior.predict_all(data.under_way, all_matter);
  const Eigen::Index more = expected.front().mean.size(), n = data.y.size() + more;
  Data all = data;
  all.under_way.clear();
  all.x.insert(all.x.end(), data.under_way.begin(), data.under_way.end());
  all.y.conservativeResize(n);
  all.y.tail(more) = expected.front().mean;
  others.conservativeResize(n, Eigen::NoChange);
  for (Eigen::Index k = 0; k < others.cols(); ++k) others.col(k).tail(more) = expected[k + 1].mean;
  return all;
}

std::unique_ptr<Posterior> Model::fit_all(const Data& data, const Matrix& others, const Rng& rng) const {
  std::vector<std::unique_ptr<Posterior>> outputs;
  outputs.push_back(fit(data, rng));
  for (Eigen::Index k = 0; k < others.cols(); ++k) {
    outputs.push_back(
        fit({data.x, others.col(k), data.noise, data.under_way}, rng.fork(static_cast<std::uint64_t>(k))));
  }
  return std::make_unique<Separate>(std::move(outputs));
}

}  // namespace bocs

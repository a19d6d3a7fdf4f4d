#pragma once
// A forest of randomized regression trees over a mixed space: the model of SMAC (Hutter, Hoos and Leyton-Brown 2011).

#include "bocs/model/model.hpp"

namespace bocs {

struct ForestOptions {
  int trees = 50;
  double split_fraction = 5.0 / 6;  // of the variables tried at a node
  int min_split = 3;                // nodes with fewer data are leaves
};

/// Every tree is grown on its own bootstrap sample. A node tries one random cut per variable of a random subset, a
/// level against the others for categories and a threshold for the rest, and keeps the one that lowers the variance
/// most.
class RandomForest : public Posterior {
 public:
  RandomForest(const Space& space, std::span<const Point> points, const Vector& y, const ForestOptions& options,
               const Rng& rng);

  /// Mean over the trees of their leaves' means; variance by the law of total variance: that of the leaves' means plus
  /// the mean of the leaves' variances.
  [[nodiscard]] Prediction predict(std::span<const Point> points) const override;

 private:
  struct Node {
    int variable = -1;  // -1: a leaf
    std::int32_t level = 0;
    bool equal = false;  // left if x == level; otherwise left if x <= level
    std::size_t left = 0, right = 0;
    double mean = 0, variance = 0;
  };
  using Tree = std::vector<Node>;

  struct Growth;

  std::vector<Tree> trees_;
};

class RandomForestModel : public Model {
 public:
  RandomForestModel(Space space, const ForestOptions& options) : space_(std::move(space)), options_(options) {}
  [[nodiscard]] std::unique_ptr<Posterior> fit(const Data& data, const Rng& rng) const override {
    auto forest = std::make_unique<RandomForest>(space_, data.x, data.y, options_, rng);
    if (data.under_way.empty()) return forest;
    Matrix others;
    const Data all = with_expected(data, *forest, others);
    return std::make_unique<RandomForest>(space_, all.x, all.y, options_, rng);
  }

 private:
  Space space_;
  ForestOptions options_;
};

}  // namespace bocs

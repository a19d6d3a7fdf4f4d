#include "bocs/problem/contamination.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/numeric/config.hpp"
#include "bocs/problem/binary.hpp"
#include "bocs/problem/instance_file.hpp"

namespace bocs {
namespace {

constexpr double kLimit = 0.1;      // U
constexpr double kEpsilon = 0.05;   // allowed share of paths above the limit
constexpr int kOptimumStages = 50;  // about a second with 100 paths
constexpr int kMaxSize = 10000;     // of d and T

struct Chain {
  Vector Z0;      // T
  Matrix Lambda;  // T x d: column i is stage i
  Matrix Gamma;   // T x d
  bool constant = true;

  [[nodiscard]] int stages() const { return static_cast<int>(Lambda.cols()); }
  [[nodiscard]] int paths() const { return static_cast<int>(Lambda.rows()); }
};

/// next = spread (1 - before) + before; returns the number of paths above the limit.
BOCS_MULTIVERSION
int spread(int paths, const double* before, const double* rate, double* next) {
  int above = 0;
  for (int k = 0; k < paths; ++k) {
    next[k] = rate[k] * (1 - before[k]) + before[k];
    above += next[k] > kLimit ? 1 : 0;
  }
  return above;
}

/// next = (1 - restored) before; returns the number of paths above the limit.
BOCS_MULTIVERSION
int restore(int paths, const double* before, const double* rate, double* next) {
  int above = 0;
  for (int k = 0; k < paths; ++k) {
    next[k] = (1 - rate[k]) * before[k];
    above += next[k] > kLimit ? 1 : 0;
  }
  return above;
}

int advance(const Chain& chain, int stage, bool act, const double* before, double* next) {
  return act ? restore(chain.paths(), before, chain.Gamma.col(stage).data(), next)
             : spread(chain.paths(), before, chain.Lambda.col(stage).data(), next);
}

double evaluate(const Chain& chain, const Point& x) {
  Vector Z = chain.Z0;
  Vector next(Z.size());
  int above = 0;
  for (int i = 0; i < chain.stages(); ++i) {
    above += advance(chain, i, x[i] == 1, Z.data(), next.data());
    Z.swap(next);
  }
  const int actions = std::accumulate(x.begin(), x.end(), 0);
  const double value = actions + static_cast<double>(above) / chain.paths();
  return chain.constant ? value - kEpsilon * chain.stages() : value;
}

/// Depth-first over the stages. Z_i increases with Z_{i-1} whatever is done, so stages i..d cost at least what they
/// cost at best from a clean start, Z_{i-1} = 0 on every path: a bound found by the same search, from the last stage to
/// the first ("Russian doll search" of Verfaillie, Lemaitre and Schiex, AAAI 1996).
class Schedule {
 public:
  Schedule(const Chain& chain, std::vector<double> costs)
      : chain_(chain),
        costs_(std::move(costs)),
        bound_(chain.stages() + 1, 0.0),
        Z_(chain.paths(), chain.stages() + 1) {}

  Point best() {
    for (int first = chain_.stages() - 1; first > 0; --first) {
      Z_.col(first).setZero();
      bound_[first] = search(first);
    }
    Z_.col(0) = chain_.Z0;
    search(0);
    return best_x_;
  }

 private:
  static constexpr double kTie = 1e-12;  // costs this close are equal

  /// The least cost of the stages from `first` on, from the state Z_.col(first).
  double search(int first) {
    x_.assign(chain_.stages(), 0);
    best_cost_ = std::numeric_limits<double>::infinity();
    descend(first, 0);
    return best_cost_;
  }

  void descend(int stage, double cost) {
    if (stage == chain_.stages()) {
      best_cost_ = cost;
      best_x_ = x_;
      return;
    }
    const auto after = [&](int act) {
      const int above = advance(chain_, stage, act == 1, Z_.col(stage).data(), Z_.col(stage + 1).data());
      return cost + act * costs_[stage] + static_cast<double>(above) / chain_.paths();
    };
    const auto branch = [&](int act, double cost_after) {
      if (cost_after + bound_[stage + 1] >= best_cost_ - kTie) return;
      x_[stage] = act;
      descend(stage + 1, cost_after);
    };
    const double acted = after(1);
    const double left = after(0);  // Z_.col(stage + 1) is now that of "left"
    if (left <= acted) {
      branch(0, left);
      after(1);
      branch(1, acted);
    } else {
      after(1);
      branch(1, acted);
      after(0);
      branch(0, left);
    }
  }

  const Chain& chain_;
  std::vector<double> costs_;  // of acting at each stage; stages may have different ones under a flipped penalty
  std::vector<double> bound_;  // least cost of the stages from i on
  Matrix Z_;                   // column i: the state before stage i
  Point x_;
  Point best_x_;
  double best_cost_ = 0;
};

Chain draw(const ContaminationOptions& options, std::uint64_t instance) {
  const auto fill = [&](const char* purpose, double b, auto& numbers) {
    Rng rng(instance, purpose);
    for (Eigen::Index k = 0; k < numbers.size(); ++k) numbers.data()[k] = rng.beta(1, b);
  };
  Chain chain{Vector(options.samples), Matrix(options.samples, options.d), Matrix(options.samples, options.d), true};
  fill("contamination initial", 30, chain.Z0);
  fill("contamination spread", 17.0 / 3, chain.Lambda);
  fill("contamination restoration", 3.0 / 7, chain.Gamma);
  return chain;
}

Chain read(const InstanceFile& file) {
  const int d = file.whole("d", 1, kMaxSize);
  const int T = file.whole("T", 1, kMaxSize);
  const auto Z0 = file.numbers("Z0", T);
  return {Eigen::Map<const Vector>(Z0.data(), T), file.matrix("Lambda", d, T).transpose(),
          file.matrix("Gamma", d, T).transpose(), true};
}

}  // namespace

void ContaminationOptions::describe(OptionTable& table) {
  table.integer("d", d, 1, kMaxSize, "number of stages");
  table.integer("samples", samples, 1, kMaxSize, "number of stored paths, T");
  table.boolean("constant", constant, "subtract 0.05 d, as published values do");
  InstanceOptions::describe(table);
}

Problem make_contamination(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<ContaminationOptions>(spec);
  const auto file = InstanceFile::open(options, spec, {"d", "samples"});
  Chain made = file ? read(*file) : draw(options, instance);
  made.constant = options.constant;
  const auto chain = std::make_shared<const Chain>(std::move(made));
  const int d = chain->stages();
  std::vector<Variable> variables;
  for (int i = 1; i <= d; ++i) variables.push_back(binary("stage" + std::to_string(i)));

  BinaryProblem problem{
      spec.text(), Space(std::move(variables)), Sense::minimize, flip_mask(options.flip, d), {}, {}, {}, {}, {}};
  problem.f = [chain](const Point& z) { return evaluate(*chain, z); };
  problem.instance_json = [chain, d] {
    return nlohmann::json{{"d", d},
                          {"T", chain->paths()},
                          {"Z0", std::vector<double>(chain->Z0.begin(), chain->Z0.end())},
                          {"Lambda", to_json(chain->Lambda.transpose())},
                          {"Gamma", to_json(chain->Gamma.transpose())}}
        .dump();
  };
  if (d <= kOptimumStages) {
    problem.best = [chain, flip = problem.flip](double l1) {
      std::vector<double> costs;  // a penalty on z_i where it is seen as it is, on 1 - z_i where it is flipped
      for (const auto bit : flip) costs.push_back(bit == 0 ? 1 + l1 : 1 - l1);
      return Schedule(*chain, std::move(costs)).best();
    };
  }
  return finish(std::move(problem));
}

}  // namespace bocs

#include "bocs/method/particle.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/core/error.hpp"
#include "bocs/core/feasible.hpp"
#include "bocs/method/logistic_conditionals.hpp"
#include "bocs/method/replay.hpp"

namespace bocs {
namespace {

constexpr int kPopulations = 20;      // over known points only, then any unseen point will do
constexpr int kIdleGenerations = 10;  // a population that met only known points for so long is replaced
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Weights exp(-r (value - smallest)), not normalized.
Vector raw_weights(const Vector& values, double r) {
  const double smallest = values.minCoeff();
  return values.unaryExpr([&](double v) { return v == smallest ? 1 : std::exp(-r * (v - smallest)); });
}

double effective_number(const Vector& values, double r) {
  const Vector w = raw_weights(values, r);
  return w.sum() * w.sum() / w.squaredNorm();
}

/// One population from its random beginning, over the known values.
class Population {
 public:
  Population(const ParticleOptions& options, const Task& task, const KnownValues& known)
      : options_(options), task_(task), known_(known) {}

  /// The first point needed and not known; nothing when the population has died out.
  std::optional<Point> run(int restart) {
    const int n = options_.particles;
    x_.clear();
    values_.resize(n);
    inverse_temperature_ = 0;
    for (int j = 0; j < n; ++j) {
      x_.push_back(random_start(task_, restart * n + j));
      const double* value = known_.find(x_.back());
      if (value == nullptr) return x_.back();
      values_[j] = *value;
    }
    PointSet met(x_.begin(), x_.end());
    const Rng stream(task_.seed, "particle", static_cast<std::uint64_t>(restart));
    for (std::uint64_t generation = 0, idle = 0; idle < kIdleGenerations; ++generation) {
      if (!std::isfinite(values_.minCoeff())) return std::nullopt;  // every evaluation failed, or is still running
      std::size_t before = met.size();
      if (auto x = advance(stream.fork(generation), met)) return x;
      idle = met.size() > before ? 0 : idle + 1;
    }
    return std::nullopt;
  }

 private:
  std::optional<Point> advance(const Rng& stream, PointSet& met) {
    const double step = tempering_step(values_, options_.keep);
    Vector weights = raw_weights(values_, step);
    weights /= weights.sum();
    inverse_temperature_ += step;
    const LogisticConditionals proposal(x_, weights);
    resample(weights, stream.fork(x_.size()));
    for (std::size_t j = 0; j < x_.size(); ++j) {
      Rng rng = stream.fork(j);
      Point y = sample(proposal, rng);
      const double* value = known_.find(y);
      if (value == nullptr) return y;
      met.insert(y);
      double& current = values_[static_cast<Eigen::Index>(j)];
      const double u = rng.uniform();
      if (!std::isfinite(*value)) continue;
      const double gain = *value == current ? 0 : inverse_temperature_ * (current - *value);
      if (std::log(u) < gain + proposal.log_probability(x_[j]) - proposal.log_probability(y)) {
        x_[j] = std::move(y);
        current = *value;
      }
    }
    return std::nullopt;
  }

  /// Rejected until the constraints are satisfied, so that ratios of probabilities stay right; repaired when that takes
  /// too long.
  Point sample(const LogisticConditionals& proposal, Rng& rng) const {
    constexpr int kTries = 50;
    Point y = proposal.sample(rng);
    for (int k = 1; k < kTries && !task_.constraints.satisfied(y); ++k) y = proposal.sample(rng);
    return task_.constraints.satisfied(y) ? y : task_.constraints.feasible().repair(y, rng);
  }

  /// Systematic: particle j is kept floor or ceil of n weight_j times.
  void resample(const Vector& weights, Rng rng) {
    std::vector<Point> x;
    Vector values(values_.size());
    const double n = static_cast<double>(x_.size());
    double u = rng.uniform(), sum = 0;
    for (Eigen::Index j = 0; j < weights.size(); ++j) {
      sum += n * weights[j];
      const bool last = j + 1 == weights.size();
      for (; x.size() < x_.size() && (u < sum || last); u += 1) {
        values[static_cast<Eigen::Index>(x.size())] = values_[j];
        x.push_back(x_[static_cast<std::size_t>(j)]);
      }
    }
    x_ = std::move(x);
    values_ = std::move(values);
  }

  const ParticleOptions& options_;
  const Task& task_;
  const KnownValues& known_;
  std::vector<Point> x_;
  Vector values_;
  double inverse_temperature_ = 0;
};

}  // namespace

double tempering_step(const Vector& values, double keep) {
  const double target = keep * static_cast<double>(values.size());
  const double range =
      values.unaryExpr([](double v) { return std::isfinite(v) ? v : -kInfinity; }).maxCoeff() - values.minCoeff();
  if (!(range > 0)) return 0;
  double low = 0, high = 1 / range;
  for (int k = 0; k < 60 && effective_number(values, high) > target; ++k) high *= 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (effective_number(values, middle) > target ? low : high) = middle;
  }
  return high;
}

void ParticleOptions::describe(OptionTable& table) {
  table.integer("particles", particles, 0, 1'000'000,
                "size of the population; 0: half the initial design of bocs, so 10 for d = 10 to 25");
  table.real("keep", keep, 0.01, 0.99, "effective fraction of the particles that a fall of the temperature leaves");
}

Proposal ParticleSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  const KnownValues known(task, history);
  Population population(options_, task, known);
  return first_unknown_point(task, history, number, "population", history.size() / options_.particles + kPopulations,
                             [&](int restart) { return population.run(restart); });
}

std::unique_ptr<Method> make_particle(const Spec& spec, const Space& space) {
  auto options = parse_options<ParticleOptions>(spec);
  for (const Variable& v : space.variables()) {
    require(v.kind == Kind::binary, [&] {
      return "particle: variable '" + v.name + "' is not binary; its proposals are logistic regressions of bits, use " +
             "annealing, local, ei or smac";
    });
  }
  if (options.particles == 0) options.particles = std::max(2, default_initial(space) / 2);
  return std::make_unique<ParticleSearch>(options);
}

}  // namespace bocs

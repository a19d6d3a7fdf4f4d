#include "bocs/method/baseline/particle.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/base/error.hpp"
#include "bocs/method/baseline/logistic_conditionals.hpp"
#include "bocs/rule/feasible.hpp"

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

/// Rejected until the constraints are satisfied, so that ratios of probabilities stay right; repaired when that takes
/// too long.
Point sample(const Task& task, const LogisticConditionals& proposal, Rng& rng) {
  constexpr int kTries = 50;
  Point y = proposal.sample(rng);
  for (int k = 1; k < kTries && !task.constraints.satisfied(y); ++k) y = proposal.sample(rng);
  return task.constraints.satisfied(y) ? y : task.constraints.feasible().repair(y, rng);
}

}  // namespace

ParticleSearch::Population::Population(const ParticleOptions& options, const Task& task, int restart)
    : options_(options),
      stream_(task.seed, "particle", static_cast<std::uint64_t>(restart)),
      now_{{}, Vector(options.particles), 0} {
  for (int j = 0; j < options.particles; ++j) now_.x.push_back(random_start(task, restart * options.particles + j));
}

/// Goes on with the first particle without a value, then with the generation that was not finished.
std::optional<Point> ParticleSearch::Population::run(const Task& task, const KnownValues& known) {
  for (; valued_ < now_.x.size(); ++valued_) {
    const double* value = known.find(now_.x[valued_]);
    if (value == nullptr) return now_.x[valued_];
    now_.values[static_cast<Eigen::Index>(valued_)] = *value;
    met_.insert(now_.x[valued_]);
    met_before_ = met_.size();
  }
  for (; idle_ < kIdleGenerations; ++generation_) {
    if (!std::isfinite(now_.values.minCoeff())) return std::nullopt;  // every evaluation failed, or is still running
    const Particles before = now_;
    if (auto x = advance(task, known)) {
      now_ = before;
      return x;
    }
    idle_ = met_.size() > met_before_ ? 0 : idle_ + 1;
    met_before_ = met_.size();
  }
  return std::nullopt;
}

std::optional<Point> ParticleSearch::Population::advance(const Task& task, const KnownValues& known) {
  const Rng stream = stream_.fork(generation_);
  const double step = tempering_step(now_.values, options_.keep);
  Vector weights = raw_weights(now_.values, step);
  weights /= weights.sum();
  now_.inverse_temperature += step;
  const LogisticConditionals proposal(now_.x, weights);
  resample(weights, stream.fork(now_.x.size()));
  for (std::size_t j = 0; j < now_.x.size(); ++j) {
    Rng rng = stream.fork(j);
    Point y = sample(task, proposal, rng);
    const double* value = known.find(y);
    if (value == nullptr) return y;
    met_.insert(y);
    double& current = now_.values[static_cast<Eigen::Index>(j)];
    const double u = rng.uniform();
    if (!std::isfinite(*value)) continue;
    const double gain = *value == current ? 0 : now_.inverse_temperature * (current - *value);
    if (std::log(u) < gain + proposal.log_probability(now_.x[j]) - proposal.log_probability(y)) {
      now_.x[j] = std::move(y);
      current = *value;
    }
  }
  return std::nullopt;
}

void ParticleSearch::Population::resample(const Vector& weights, Rng rng) {
  std::vector<Point> x;
  Vector values(now_.values.size());
  const double n = static_cast<double>(now_.x.size());
  double u = rng.uniform(), sum = 0;
  for (Eigen::Index j = 0; j < weights.size(); ++j) {
    sum += n * weights[j];
    const bool last = j + 1 == weights.size();
    for (; x.size() < now_.x.size() && (u < sum || last); u += 1) {
      values[static_cast<Eigen::Index>(x.size())] = now_.values[j];
      x.push_back(now_.x[static_cast<std::size_t>(j)]);
    }
  }
  now_.x = std::move(x);
  now_.values = std::move(values);
}

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
                "size of the population; 0: d for d < 10, 10 for d <= 25, else 2d/5, at most 50");
  table.real("keep", keep, 0.01, 0.99, "effective fraction of the particles that a fall of the temperature leaves");
}

Proposal ParticleSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  return populations_->propose(options_, task, history, number, "population",
                               history.size() / options_.particles + kPopulations);
}

std::unique_ptr<Method> make_particle(const Space& space, const ParticleOptions& given) {
  check_options(given);
  ParticleOptions options = given;
  for (const Coordinate& c : space.coordinates()) {
    require(c.is_bit(), [&] {
      return "particle: variable '" + c.name + "' is not binary; its proposals are logistic regressions of bits, use " +
             "annealing, local, ei or smac";
    });
  }
  const int d = space.dimension();
  if (options.particles == 0) options.particles = std::max(2, std::min(d, std::clamp(2 * d / 5, 10, 50)));
  return std::make_unique<ParticleSearch>(options);
}

}  // namespace bocs

#include "bocs/method/baseline/annealing.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "bocs/acquire/initial.hpp"
#include "bocs/method/baseline/published.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {
namespace {

constexpr int kRestarts = 30;    // beyond one for each trial; then any unseen point will do
constexpr int kIdleMoves = 100;  // per variable: a walk that met only known points for so long is stuck

}  // namespace

AnnealingSearch::Walk::Walk(const AnnealingSearchOptions& options, const Task& task, int restart)
    : options_(options),
      rng_(task.seed, "annealing", static_cast<std::uint64_t>(restart)),
      next_(random_start(task, restart)) {}

std::optional<Point> AnnealingSearch::Walk::run(const Task& task, const KnownValues& known) {
  const int d = task.space.dimension();
  for (; idle_ < kIdleMoves * d; ++idle_) {
    const double* found = known.find(next_);
    if (found == nullptr) return next_;
    if (met_.empty()) {  // the start
      met_.insert(next_);
      x_ = next_;
      value_ = *found;
    } else {
      consider(*found, d);
    }
    next_ = random_neighbour(task.space, task.constraints, x_, rng_);
  }
  return std::nullopt;
}

void AnnealingSearch::Walk::consider(double found, int d) {
  const double increase = value_ < std::numeric_limits<double>::infinity() ? found - value_ : -1;
  if (met_.insert(next_).second) {
    idle_ = 0;
    if (std::isfinite(increase) && moves_ < d) {
      sum_of_sizes_ += std::abs(increase);
      ++moves_;
    }
  }
  const double scale = moves_ > 0 ? sum_of_sizes_ / moves_ : 0;
  const double temperature = scale * options_.start * std::pow(options_.cooling, met_.size());
  if (!accepts(increase, temperature, rng_)) return;
  x_ = std::move(next_);
  value_ = found;
}

void AnnealingSearchOptions::describe(OptionTable& table) {
  table.real("start", start, 0, 1e6, "first temperature, in units of the mean change of the first d moves");
  table.real("cooling", cooling, 0, 1, "factor of the temperature from one evaluation to the next");
  table.choice("published", published,
               "as the paper ran it: one walk that pays for every step, known points too, with the temperatures of the "
               "authors' program, 0.8^t, or of Spears (1993); start and cooling are not used");
}

bool accepts(double increase, double temperature, Rng& rng) {
  const double u = rng.uniform();  // drawn in any case, so that the stream does not depend on the values
  return increase <= 0 || (temperature > 0 && u < std::exp(-increase / temperature));
}

Proposal AnnealingSearch::propose(const Task& task, const History& history, int number) const {
  require_unseen(task, history);
  // Every stuck walk has met a point of its own, or the space is small.
  return walks_->propose(options_, task, history, number, "walk", history.size() + kRestarts);
}

std::unique_ptr<Method> make_annealing(const AnnealingSearchOptions& options) {
  check_options(options);
  if (options.published == AsPublished::no) return std::make_unique<AnnealingSearch>(options);
  return std::make_unique<PublishedAnnealing>(options.published == AsPublished::spears);
}

}  // namespace bocs

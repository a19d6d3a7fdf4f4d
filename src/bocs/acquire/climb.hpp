#pragma once
// The search for the unseen point of largest score, by moves to neighbours.

#include <span>
#include <vector>

#include "bocs/acquire/acquisition.hpp"
#include "bocs/acquire/ascent_data.hpp"
#include "bocs/acquire/score.hpp"
#include "bocs/rule/moves.hpp"

namespace bocs {

class Climb {
 public:
  // From random points ascents are long and expensive, and end where those from the best points do
  // (docs/decisions/0012-ascents.md).
  static constexpr std::size_t kMostStarts = 20;

  Climb(const ProposalContext& now, const Posterior& posterior, Penalty penalty, const Score& score,
        const ScoreContext& context, const OtherNumbers& others);

  /// From these points, best first. Where points have up to 256 neighbours: steepest ascents, each step
  /// after a look at all neighbours. Where they have more, that would cost too much: `by_changes`, from fewer points.
  void from(std::vector<Point> starts, Rng& rng);
  /// All candidates of a table, instead; of equals the lowest row.
  void over_candidates();
  /// From the best point met, ever smaller steps of the numbers without a step.
  void refine();

  [[nodiscard]] const Point& best() const { return best_; }  // empty: every point met had been seen

 private:
  struct Scored {
    Changes changes;
    double value = 0;
  };

  /// Steepest ascent; ends early on a path that was taken before.
  void by_neighbours(Point x, Rng& rng);
  /// A look at all neighbours shows which changes are worth most. These alone are tried, step by step, until none of
  /// them is an improvement; then all neighbours are looked at again.
  void by_changes(Point x, Rng& rng);
  /// The changes that lead from x, of this value, to its best neighbours, best first.
  [[nodiscard]] std::vector<Scored> promising_changes(const Point& x, double value, Rng& rng);
  /// Applies the best of the changes while there is an improvement; what is none any more is dropped.
  void apply_best(std::vector<Changes> changes, Point& x, double& value);

  /// Values above the floor are exact; others are only known to be at most the floor.
  [[nodiscard]] std::vector<double> score(std::span<const Point> points, double floor) const;
  /// Of points beside one of this value.
  std::vector<double> score_and_offer(std::span<const Point> points, double value);
  void offer(const Point& x, double value);
  [[nodiscard]] bool is_allowed(const Point& x) const {
    return task_.constraints.empty() || task_.constraints.feasible().contains(x);
  }

  /// In random order: forests have many ties, and the first of equals wins.
  [[nodiscard]] std::vector<Point> neighbours_of(const Point& x, Rng& rng) const;
  /// The changes that lead to the neighbours of x, or to a random choice of them where there are very many.
  [[nodiscard]] std::vector<Changes> changes_from(const Point& x, Rng& rng) const;
  /// x with one number a part 2^-bits of its range larger or smaller, where the constraints allow that.
  [[nodiscard]] std::vector<Point> near_by(const Point& x, int bits) const;

  const Task& task_;
  const History& history_;
  bool repeats_;
  const Posterior& posterior_;
  Penalty penalty_;
  const Score& score_;
  ScoreContext context_;
  const OtherNumbers& others_;
  PointSet expanded_;
  Point best_;
  double best_value_;
};

}  // namespace bocs

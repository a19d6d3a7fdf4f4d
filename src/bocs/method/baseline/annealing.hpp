#pragma once
// Simulated annealing on the black box itself ([BP18] Sec. 4, SA): a random walk from neighbour to neighbour that
// accepts a worse point with probability exp(-increase / temperature).

#include "bocs/method/options.hpp"
#include "bocs/method/replay.hpp"
#include "bocs/numeric/rng.hpp"

namespace bocs {

/// Walking back to a known point costs no evaluation, and does not cool: the temperature is a function of the number of
/// different points the walk has met, in units of the changes it saw first, so that scaling f changes nothing. A walk
/// that meets nothing new any more starts again elsewhere: with the paper's fast cooling that needs no budget to be
/// known beforehand, and serves better than slow cooling of one walk.
class AnnealingSearch : public Method {
 public:
  explicit AnnealingSearch(const AnnealingSearchOptions& options) : options_(options) {}
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;
  [[nodiscard]] bool has_fronts() const override { return false; }

 private:
  /// One run of the walk, from a random start, over the known values.
  class Walk {
   public:
    Walk(const AnnealingSearchOptions& options, const Task& task, int restart);
    /// See Replay.
    std::optional<Point> run(const Task& task, const KnownValues& known);

   private:
    void consider(double found, int d);

    AnnealingSearchOptions options_;
    Rng rng_;
    Point next_;  // the point to look up
    Point x_;
    double value_ = 0;
    PointSet met_;
    double sum_of_sizes_ = 0;  // of the first moves: what the temperature is measured in
    int moves_ = 0;
    int idle_ = -1;  // moves that met known points only; the start is none
  };

  AnnealingSearchOptions options_;
  std::unique_ptr<Replay<Walk>> walks_ = std::make_unique<Replay<Walk>>();
};

/// The rule of Metropolis. A step that is not an increase is always taken.
bool accepts(double increase, double temperature, Rng& rng);

}  // namespace bocs

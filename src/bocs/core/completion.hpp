#pragma once
// Depth-first search over the points that satisfy linear constraints, with propagation of bounds. For the sources of
// this folder only.

#include <functional>

#include "bocs/core/feasible.hpp"

namespace bocs {

class Completion {
 public:
  explicit Completion(const Feasible& feasible);  // keeps a reference

  enum class End { stopped, exhausted, limit };  // by the visitor; all points visited; too many nodes

  /// How to branch: variables with a preferred level first, then those with the fewest levels left, of equals the one
  /// of highest priority; its preferred level first, else a random one, else the lowest.
  struct Guide {
    Point preferred = {};  // -1: no preference; empty: none anywhere
    Rng* rng = nullptr;    // draws priorities and levels; nullptr: index order, lowest level
    long nodes = 0;        // limit of the decisions
  };

  /// Visits points, each once, until visit returns true.
  End run(const Guide& guide, const std::function<bool(const Point&)>& visit);

 private:
  /// The levels of a variable not yet ruled out.
  struct Domain {
    int low = 0;
    int high = 0;
    int size = 0;
    std::vector<char> out = {};  // by level, where levels in between are ruled out; empty: none

    [[nodiscard]] bool has(int level) const {
      return level >= low && level <= high && (out.empty() || out[static_cast<std::size_t>(level)] == 0);
    }
  };
  struct Range {  // of what a sum can still become
    double low = 0;
    double high = 0;
  };
  struct DomainBefore {
    int variable;
    Domain domain;
  };
  struct RangeBefore {
    int row;
    Range range;
  };

  [[nodiscard]] static Range range(const Contribution& c, const Domain& domain);
  [[nodiscard]] int next_variable(const Guide& guide) const;
  [[nodiscard]] int choose_level(int variable, const Guide& guide) const;
  bool descend(const Guide& guide, const std::function<bool(const Point&)>& visit);  // true: stopped
  void replace(int variable, Domain domain);
  /// Each returns false when a constraint can no longer be satisfied.
  bool fix(int variable, int level);
  bool remove(int variable, int level);
  bool propagate();
  bool tighten(const LinearRow& row, const Contribution& c);
  void undo(std::size_t domains, std::size_t ranges);

  const Feasible* feasible_;
  std::vector<Domain> domains_;
  std::vector<Range> sums_;  // by row
  std::vector<std::uint64_t> priority_;
  std::vector<DomainBefore> domain_trail_;
  std::vector<RangeBefore> range_trail_;
  std::vector<int> queue_;  // rows to look at
  std::vector<char> queued_;
  long nodes_left_ = 0;
};

}  // namespace bocs

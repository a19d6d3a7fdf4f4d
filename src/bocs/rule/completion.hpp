#pragma once
// Depth-first search over the points that satisfy the rows, with propagation of bounds and of what sets allow. For the
// sources of this folder only.

#include <functional>

#include "bocs/rule/feasible.hpp"

namespace bocs {

class Completion {
 public:
  explicit Completion(const Feasible& feasible);  // keeps a reference

  enum class End { stopped, exhausted, limit };  // by the visitor; all points visited; too much work

  /// How to branch: variables with a preferred level first, then those with the fewest levels left, of equals the one
  /// of highest priority; its preferred level first, else a random one, else the lowest.
  struct Guide {
    Point preferred = {};  // -1: no preference; empty: none anywhere
    Rng* rng = nullptr;    // draws priorities and levels; nullptr: index order, lowest level
    long work = 0;         // limit of the steps: a step looks at one level of one variable in one constraint
  };

  /// Visits points, each once, until visit returns true.
  End run(const Guide& guide, const std::function<bool(const Point&)>& visit);

 private:
  /// The levels of a variable not yet ruled out: low to high, without the holes.
  struct Domain {
    int low = 0;
    int high = 0;
    std::vector<int> holes = {};  // ascending, between low and high

    [[nodiscard]] int size() const { return high - low + 1 - static_cast<int>(holes.size()); }
    [[nodiscard]] bool has(int level) const;
    void remove(int level);         // not the last one
    void cut(int first, int last);  // leaves those from first to last, perhaps none
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
  struct Decision {  // to give a variable a level
    int variable;
    int level;
    long number;          // of all decisions of the run, from 1
    std::size_t domains;  // how long the trails were before it
    std::size_t ranges;
  };

  [[nodiscard]] Range range(const Contribution& c, const Domain& domain);
  /// The variable to branch on next, -1: each has one level.
  [[nodiscard]] int next_variable() const { return tournament_[1]; }
  [[nodiscard]] bool sooner(int a, int b) const;
  void begin_tournament();
  void play(std::size_t match);
  void enter(int variable);  // after its domain has changed
  [[nodiscard]] int choose_level(int variable) const;
  bool search(const std::function<bool(const Point&)>& visit);  // true: stopped
  [[nodiscard]] long last_decision() const { return decisions_.empty() ? 0 : decisions_.back().number; }
  void replace(int variable, Domain domain);
  /// Each returns false when a constraint can no longer be satisfied, or the work is at its limit.
  bool fix(int variable, int level);
  bool remove(int variable, int level);
  bool propagate();
  bool tighten(const LinearRow& row, const Contribution& c);
  bool support(const LinearRow& row);
  template <class Visit>
  void for_each_left(const LinearRow& row, std::size_t k, double sum, std::vector<int>& levels, const Visit& visit);
  void undo(std::size_t domains, std::size_t ranges);

  const Feasible* feasible_;
  const Guide* guide_ = nullptr;  // of the run
  std::vector<Domain> domains_;
  std::vector<Range> sums_;     // by row
  std::vector<double> widest_;  // by row: the most that one variable can change its sum by
  std::vector<std::uint64_t> priority_;
  std::vector<int> tournament_;  // a binary tree, its root at 1: the variable to branch on first of each subtree, or -1
  std::vector<Decision> decisions_;
  long decided_ = 0;  // decisions made so far, those taken back included
  // What was there before each decision: the first change after it is kept, later ones are not needed.
  std::vector<DomainBefore> domain_trail_;
  std::vector<RangeBefore> range_trail_;
  std::vector<long> domain_kept_;  // by variable: the decision after which it was last kept; -1: never
  std::vector<long> range_kept_;   // by row
  std::vector<int> queue_;         // rows to look at
  std::vector<char> queued_;
  long work_left_ = 0;
};

}  // namespace bocs

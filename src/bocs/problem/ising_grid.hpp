#pragma once
// Sums over all spin vectors of a grid of +-1 spins with nearest-neighbour bonds, by transfer matrices: the sum is
// built up bond by bond over the 2^w states of one line of spins, w = min(rows, columns).

#include <span>
#include <string>
#include <vector>

#include "bocs/space/space.hpp"

namespace bocs {

class IsingGrid {
 public:
  /// At least two spins, and w <= 12.
  IsingGrid(int rows, int columns);

  struct Edge {
    int first, second;  // nodes, numbered row by row from 0
  };
  /// The horizontal pairs row by row, then the vertical pairs row by row.
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] int size() const { return static_cast<int>(edges_.size()); }

  /// log of the factor an edge contributes when its spins are equal, and when they are not.
  struct Bond {
    double equal, unequal;
  };
  /// log of the sum over all spin vectors of the product of the bonds' factors. In the log domain throughout: no
  /// coupling is too large. Factors of 0 (log = -infinity) are allowed.
  [[nodiscard]] double log_sum(std::span<const Bond> bonds) const;

  /// For every number n of ones in x xor flip, the x whose log_sum with bonds kept[e] where x_e = 1 and cut[e] where
  /// x_e = 0 is smallest, over all 2^edges x at once: they share the sums over their common lines. Every factor must
  /// lie in (0, 1], and their product must not underflow.
  struct Choice {
    Bond kept, cut;
  };
  static constexpr int kMaxChoices = 26;  // edges
  [[nodiscard]] std::vector<Point> smallest_sums(std::span<const Choice> choices, const Point& flip) const;

  /// The kept edges drawn between the nodes o: + or - in the middle of an edge is sign[e]; cut edges are dotted.
  [[nodiscard]] std::string draw(const Point& kept, std::span<const double> sign) const;

 private:
  struct Step {  // one bond enters the sum
    int edge;
    int bit;         // of its spin in the line's state; within a line, of the lower of the two neighbouring bits
    bool next_line;  // the spin `bit` of the line is replaced by that of the next line
  };
  template <int>
  friend class SmallestSums;

  int rows_, columns_, width_;
  std::vector<Edge> edges_;
  std::vector<Step> steps_;
};

}  // namespace bocs

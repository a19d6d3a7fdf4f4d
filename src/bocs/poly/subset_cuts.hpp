#pragma once
// How the products of 0/1 features are spread over tables (subset_tables.hpp). This depends on the basis alone, so a
// basis keeps the cuts for all its designs.

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "bocs/poly/halves.hpp"

namespace bocs {

class Basis;

/// The 0/1 features, counted in their own order, are cut into blocks of `block_bits`. Every choice of `order` blocks
/// has a table, a function of the bits in these blocks. Each regular monomial of 0/1 features alone belongs to one
/// table.
struct SubsetCut {
  struct Table {
    std::vector<int> blocks;          // ascending; block number i has the i-th lowest bits of an index
    std::vector<int> monomials;       // of the basis ...
    std::vector<std::int32_t> masks;  // ... and their features as bits
  };

  SubsetCut(const Basis& basis, int block_bits);

  int block_bits;
  int order;   // at most the number of features
  int blocks;  // of all features
  std::vector<Table> tables;
  [[nodiscard]] int bits() const { return block_bits * order; }  // of an index: a table has 2^bits entries
};

/// Made when first asked for. Any number of threads may ask.
class SubsetCuts {
 public:
  const SubsetCut& get(const Basis& basis, int block_bits);
  const HalfSplit& halves(const Basis& basis);

 private:
  std::mutex mutex_;
  std::optional<HalfSplit> halves_;
  std::map<int, SubsetCut> cuts_;  // by block_bits; they stay where they are
};

}  // namespace bocs

#include "bocs/poly/subset_cuts.hpp"

#include <algorithm>
#include <numeric>

#include "bocs/poly/basis.hpp"

namespace bocs {

SubsetCut::SubsetCut(const Basis& basis, int bits_of_block) : block_bits(bits_of_block) {
  std::vector<int> bit;  // of each feature; -1: not 0/1
  int count = 0;
  for (const Feature& feature : basis.features()) bit.push_back(feature.scale == 0 ? count++ : -1);
  order = std::min(basis.regular_order(), count);
  blocks = std::max((count + block_bits - 1) / block_bits, order);

  // Every choice of `order` blocks, in lexicographic order.
  std::map<std::vector<int>, std::size_t> index;
  std::vector<int> choice(order);
  std::iota(choice.begin(), choice.end(), 0);
  for (bool more = true; more;) {
    index[choice] = tables.size();
    tables.push_back({choice, {}, {}});
    int i = order - 1;
    while (i >= 0 && choice[i] == blocks - order + i) --i;
    more = i >= 0;
    if (more) std::iota(choice.begin() + i, choice.end(), choice[i] + 1);
  }

  // Each monomial goes to the first table that has all its blocks.
  for (int k = 0; k < basis.regular_size(); ++k) {
    const auto monomial = basis.monomial(k);
    if (std::any_of(monomial.begin(), monomial.end(), [&](int f) { return bit[f] < 0; })) continue;
    std::vector<int> chosen;
    for (const int f : monomial) {
      if (chosen.empty() || chosen.back() != bit[f] / block_bits) chosen.push_back(bit[f] / block_bits);
    }
    for (int block = 0; static_cast<int>(chosen.size()) < order; ++block) {
      if (std::find(chosen.begin(), chosen.end(), block) == chosen.end()) chosen.push_back(block);
    }
    std::sort(chosen.begin(), chosen.end());
    std::int32_t mask = 0;
    for (const int f : monomial) {
      const auto place = std::find(chosen.begin(), chosen.end(), bit[f] / block_bits) - chosen.begin();
      mask |= 1 << (place * block_bits + bit[f] % block_bits);
    }
    Table& table = tables[index.at(chosen)];
    table.monomials.push_back(k);
    table.masks.push_back(mask);
  }
}

const SubsetCut& SubsetCuts::get(const Basis& basis, int block_bits) {
  const std::scoped_lock lock(mutex_);
  return cuts_.try_emplace(block_bits, basis, block_bits).first->second;
}

const HalfSplit& SubsetCuts::halves(const Basis& basis) {
  const std::scoped_lock lock(mutex_);
  if (!halves_) halves_.emplace(basis);
  return *halves_;
}

}  // namespace bocs

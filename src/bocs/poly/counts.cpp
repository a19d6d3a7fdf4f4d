#include "bocs/poly/counts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "bocs/numeric/config.hpp"

namespace bocs {
namespace {

/// counts[i] += bits that both have, for the words of i = 0 ... n-1 that follow each other `stride` apart.
BOCS_MULTIVERSION
void count_column(const std::uint64_t* __restrict one, const std::uint64_t* __restrict all, std::ptrdiff_t stride,
                  int words, int n, double* __restrict counts) {
  for (int i = 0; i < n; ++i) {
    const std::uint64_t* other = all + i * stride;
    int sum = 0;
    for (int w = 0; w < words; ++w) sum += std::popcount(one[w] & other[w]);
    counts[i] += sum;
  }
}

}  // namespace

void count_common(const Design& X, Matrix& G) {
  constexpr int kPoints = 4096;                    // at a time, so that their bits stay in the cache
  constexpr std::ptrdiff_t kWords = kPoints / 64;  // of 64 points each
  const Basis& basis = X.basis();
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(X.cols()) * kWords);
  for (int from = 0; from < X.rows(); from += kPoints) {
    const int points = std::min(kPoints, X.rows() - from);
    const int words = (points + 63) / 64;
    std::fill(bits.begin(), bits.end(), 0);
    for (int k = 0; k < X.cols(); ++k) {  // the single features come first
      std::uint64_t* own = bits.data() + k * kWords;
      const auto members = basis.monomial(k);
      if (members.size() == 1) {
        for (int n = 0; n < points; ++n) {
          if (X.features()(from + n, members[0]) != 0) own[n / 64] |= std::uint64_t{1} << (n % 64);
        }
        continue;
      }
      for (int w = 0; w < words; ++w) {
        std::uint64_t all = ~std::uint64_t{0};
        for (const int f : members) all &= bits[static_cast<std::size_t>(f * kWords + w)];
        own[w] = all;
      }
    }
    for (int j = 0; j < X.cols(); ++j) {
      const std::uint64_t* one = bits.data() + j * kWords;
      count_column(one, one, kWords, words, X.cols() - j, &G(j, j));
    }
  }
}

}  // namespace bocs

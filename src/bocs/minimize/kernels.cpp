#include "bocs/minimize/kernels.hpp"

#include <limits>

#include "bocs/numeric/config.hpp"

namespace bocs {
namespace {

using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));
constexpr std::size_t kLanes = 4;
constexpr std::size_t kBlock = 4 * kLanes;  // four independent chains hide the latency of the minimum
constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline double smallest_of(const Lanes* low) {
  double result = kInfinity;
  for (std::size_t k = 0; k < kBlock; ++k) {
    const double value = low[k / kLanes][k % kLanes];
    result = value < result ? value : result;
  }
  return result;
}

}  // namespace

BOCS_MULTIVERSION double smallest(const double* values, std::size_t n) {
  constexpr Lanes kFull = {kInfinity, kInfinity, kInfinity, kInfinity};
  Lanes low[4] = {kFull, kFull, kFull, kFull};
  std::size_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Lanes value = *reinterpret_cast<const Lanes*>(values + i + k * kLanes);
      low[k] = value < low[k] ? value : low[k];
    }
  }
  double result = smallest_of(low);
  for (; i < n; ++i) result = values[i] < result ? values[i] : result;
  return result;
}

BOCS_MULTIVERSION double add_and_find_smallest(double* table, const double* change, double factor, std::size_t n) {
  constexpr Lanes kFull = {kInfinity, kInfinity, kInfinity, kInfinity};
  Lanes low[4] = {kFull, kFull, kFull, kFull};
  std::size_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    for (std::size_t k = 0; k < 4; ++k) {
      auto* entry = reinterpret_cast<Lanes*>(table + i + k * kLanes);
      const Lanes value = *entry + factor * *reinterpret_cast<const Lanes*>(change + i + k * kLanes);
      *entry = value;
      low[k] = value < low[k] ? value : low[k];
    }
  }
  double result = smallest_of(low);
  for (; i < n; ++i) {
    table[i] += factor * change[i];
    result = table[i] < result ? table[i] : result;
  }
  return result;
}

}  // namespace bocs

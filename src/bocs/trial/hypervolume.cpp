#include "bocs/trial/hypervolume.hpp"

#include <algorithm>
#include <functional>

namespace bocs {
namespace {

/// Slices along the last of the first `goals` goals: between two neighbouring points the cut is the volume, in the
/// goals before it, of the points below. The points are inside the reference.
double volume(std::vector<std::vector<double>> points, const std::vector<double>& reference, std::size_t goals) {
  if (points.empty()) return 0;
  const std::size_t last = goals - 1;
  std::sort(points.begin(), points.end(), [last](const auto& a, const auto& b) { return a[last] < b[last]; });
  if (goals == 1) return reference[0] - points.front()[0];
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double end = i + 1 < points.size() ? points[i + 1][last] : reference[last];
    if (end == points[i][last]) continue;
    const auto above = points.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    sum += (end - points[i][last]) * volume({points.begin(), above}, reference, last);
  }
  return sum;
}

}  // namespace

double hypervolume(std::vector<std::vector<double>> points, const std::vector<double>& reference) {
  std::erase_if(points, [&](const std::vector<double>& point) {
    return !std::equal(point.begin(), point.end(), reference.begin(), reference.end(), std::less<>());
  });
  return volume(std::move(points), reference, reference.size());
}

}  // namespace bocs

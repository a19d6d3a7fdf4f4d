#pragma once
// The values of a real variable without a step. Nothing is listed: a value is computed from its level.

#include <cstdint>
#include <string>

namespace bocs {

/// Linear: whole multiples of a power of ten, at most 2^30 of them, so that values are short decimals and their sums
/// are exact. Logarithmic: 2^30 equal factors, each value the shortest decimal within half a level. Fewer where
/// a double tells no more of them apart.
class Scale {
 public:
  static constexpr std::int32_t kMostLevels = 1 << 30;

  /// Throws InvalidArgument where the ends are too close together; `who` begins the message.
  Scale(const std::string& who, double low, double high, bool log);

  [[nodiscard]] std::int32_t levels() const { return levels_; }
  [[nodiscard]] double value(std::int32_t level) const;
  /// The level whose value is nearest.
  [[nodiscard]] std::int32_t nearest(double value) const;
  [[nodiscard]] bool holds(double value) const { return value >= low_ && value <= high_; }

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] bool log() const { return log_; }
  /// Linear: value(level) is (first + level) / 10^digits.
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] int digits() const { return digits_; }
  [[nodiscard]] double step() const;  // linear: from one value to the next

  bool operator==(const Scale&) const = default;

 private:
  double low_, high_;  // as given
  bool log_;
  std::int32_t levels_ = 0;
  std::int64_t first_ = 0;
  int digits_ = 0;
};

}  // namespace bocs

#include "bocs/variable/scale.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/variable/type/grid.hpp"

namespace bocs {
namespace {

constexpr double kRoom = 8 * std::numeric_limits<double>::epsilon();  // between two values, of their size

constexpr double kShare = 0.499;  // of a level: what is told with few digits is shown so

/// number / 10^digits, rounded once.
double decimal(std::int64_t number, int digits) {
  const std::string text = std::to_string(number) + "e" + std::to_string(-digits);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// value * 10^digits, in two steps where the power is beyond a double.
double shifted(double value, int digits) {
  const int half = digits / 2;
  return value * std::pow(10.0, half) * std::pow(10.0, digits - half);
}

}  // namespace

Scale::Scale(const std::string& who, double low, double high, bool log) : low_(low), high_(high), log_(log) {
  const double size = std::max(std::abs(low), std::abs(high));
  const auto close = [&] {
    return who + "found low " + shortest(low) + " and high " + shortest(high) +
           "; allowed: ends that are further apart, or steps";
  };
  if (log) {
    const double factors = (std::log(high) - std::log(low)) / kRoom;
    require(factors >= 2, close);
    levels_ = static_cast<std::int32_t>(std::min<double>(kMostLevels, factors));
    return;
  }
  const double finest = std::max((high - low) / (kMostLevels - 2), kRoom * size);
  require(high - low >= 2 * finest && finest > 1e-300, close);
  digits_ = -static_cast<int>(std::ceil(std::log10(finest)));
  constexpr double kRounding = 1e-6;  // of a step: an end that is a multiple stays one
  first_ = static_cast<std::int64_t>(std::ceil(shifted(low, digits_) - kRounding));
  const auto last = static_cast<std::int64_t>(std::floor(shifted(high, digits_) + kRounding));
  require(last > first_, close);
  levels_ = static_cast<std::int32_t>(last - first_ + 1);
}

double Scale::step() const { return decimal(1, digits_); }

double Scale::value(std::int32_t level) const {
  if (!log_) return std::clamp(decimal(first_ + level, digits_), low_, high_);
  if (level <= 0 || level >= levels_ - 1) return level <= 0 ? low_ : high_;
  const double part = static_cast<double>(level) / (levels_ - 1), range = std::log(high_) - std::log(low_);
  const double exact = std::exp(std::log(low_) + part * range);
  return simplest(exact, kShare * exact * range / (levels_ - 1));
}

std::int32_t Scale::nearest(double value) const {
  const double level = log_ ? (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_)) * (levels_ - 1)
                            : shifted(value, digits_) - static_cast<double>(first_);
  return static_cast<std::int32_t>(std::clamp(std::round(level), 0.0, static_cast<double>(levels_ - 1)));
}

}  // namespace bocs

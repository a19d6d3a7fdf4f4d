#pragma once
// Exact numbers for rules: fractions of whole numbers of 128 bits. What does not fit is refused, never rounded.

#include <optional>
#include <string_view>

namespace bocs {

__extension__ using Whole = __int128;

/// top / bottom, in lowest terms, bottom > 0. Operations throw InvalidArgument where 128 bits are too few.
struct Fraction {
  Whole top = 0;
  Whole bottom = 1;

  Fraction() = default;
  Fraction(Whole whole) : top(whole) {}  // NOLINT(google-explicit-constructor): a whole number is a fraction
  Fraction(Whole over, Whole under);     // under != 0

  /// "12", "-0.5", "1e-3"; nothing for what is no such number. Throws when it is too large or too fine.
  static std::optional<Fraction> parse(std::string_view text);
  /// The decimal number that the double is written as: 0.1 is 1/10.
  static Fraction of(double value);

  [[nodiscard]] bool is_whole() const { return bottom == 1; }
  [[nodiscard]] double to_double() const;

  bool operator==(const Fraction&) const = default;
};

Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator-(const Fraction& a);
Fraction operator-(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator/(const Fraction& a, const Fraction& b);  // b != 0
bool operator<(const Fraction& a, const Fraction& b);
inline bool operator<=(const Fraction& a, const Fraction& b) { return !(b < a); }

/// The remainder of whole numbers, with the sign of b, as in Python: -7 % 3 == 2. b != 0.
Fraction remainder(const Fraction& a, const Fraction& b);
/// base to a whole exponent; base != 0 where the exponent is negative.
Fraction power(const Fraction& base, const Fraction& exponent);

}  // namespace bocs

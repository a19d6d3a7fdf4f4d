#include "bocs/rule/fraction.hpp"

#include <string>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

[[noreturn]] void overflow() {
  throw InvalidArgument("numbers beyond 128 bits come up, about 1.7e38; allowed: smaller numbers, or fewer digits");
}

Whole product(Whole a, Whole b) {
  Whole result = 0;
  if (__builtin_mul_overflow(a, b, &result)) overflow();
  return result;
}

Whole total(Whole a, Whole b) {
  Whole result = 0;
  if (__builtin_add_overflow(a, b, &result)) overflow();
  return result;
}

Whole negative(Whole a) {
  Whole result = 0;
  if (__builtin_sub_overflow(Whole{0}, a, &result)) overflow();
  return result;
}

Whole common_divisor(Whole a, Whole b) {  // b > 0
  if (a < 0) a = negative(a);
  while (b != 0) {
    const Whole rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Whole power_of_ten(int exponent) {
  Whole result = 1;
  for (int k = 0; k < exponent; ++k) result = product(result, 10);
  return result;
}

}  // namespace

Fraction::Fraction(Whole over, Whole under) : top(over), bottom(under) {
  if (bottom < 0) {
    top = negative(top);
    bottom = negative(bottom);
  }
  if (bottom == 1) return;
  const Whole divisor = common_divisor(top, bottom);
  top /= divisor;
  bottom /= divisor;
}

std::optional<Fraction> Fraction::parse(std::string_view text) {
  std::size_t at = 0;
  const auto take = [&](char c) { return at < text.size() && text[at] == c ? (++at, true) : false; };
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const bool below_zero = take('-');
  if (!below_zero) (void)take('+');
  Whole digits = 0;
  int count = 0, scale = 0;
  const auto read_digits = [&](int step) {
    // Zeros are kept back until another digit follows: "1.500000000000000000000000000000000000000" is 1.5.
    int zeros = 0;
    for (; digit(); ++at, ++count) {
      ++zeros;
      if (text[at] == '0' && step > 0) continue;
      for (; zeros > 0; --zeros, scale += step) digits = product(digits, 10);
      digits = total(digits, text[at] - '0');
    }
  };
  read_digits(0);
  if (take('.')) read_digits(1);
  if (count == 0) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool negative_exponent = take('-');
    if (!negative_exponent) (void)take('+');
    if (!digit()) return std::nullopt;
    int exponent = 0;
    for (; digit(); ++at) exponent = exponent > 1000 ? exponent : 10 * exponent + (text[at] - '0');
    scale += negative_exponent ? exponent : -exponent;
  }
  if (at != text.size()) return std::nullopt;
  if (below_zero) digits = -digits;
  if (digits == 0) return Fraction(0);
  return scale > 0 ? Fraction(digits, power_of_ten(scale)) : Fraction(product(digits, power_of_ten(-scale)));
}

Fraction Fraction::of(double value) {
  const auto read = parse(shortest(value));
  if (!read) overflow();  // not finite
  return *read;
}

double Fraction::to_double() const {
  constexpr Whole kExact = Whole{1} << 53;
  if (-kExact <= top && top <= kExact && bottom <= kExact) {
    return static_cast<double>(top) / static_cast<double>(bottom);  // rounded once
  }
  return static_cast<double>(static_cast<long double>(top) / static_cast<long double>(bottom));
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.is_whole() && b.is_whole()) return total(a.top, b.top);
  return {total(product(a.top, b.bottom), product(b.top, a.bottom)), product(a.bottom, b.bottom)};
}

Fraction operator-(const Fraction& a) {
  Fraction result = a;
  result.top = negative(a.top);
  return result;
}

Fraction operator-(const Fraction& a, const Fraction& b) { return a + -b; }

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_whole() && b.is_whole()) return product(a.top, b.top);
  const Fraction left(a.top, b.bottom), right(b.top, a.bottom);  // smaller numbers before they are multiplied
  return {product(left.top, right.top), product(left.bottom, right.bottom)};
}

Fraction operator/(const Fraction& a, const Fraction& b) { return a * Fraction(b.bottom, b.top); }

bool operator<(const Fraction& a, const Fraction& b) { return product(a.top, b.bottom) < product(b.top, a.bottom); }

Fraction remainder(const Fraction& a, const Fraction& b) {
  require(a.is_whole() && b.is_whole(), "% needs whole numbers on both sides");
  if (b.top == -1) return 0;  // the smallest number divided by -1 is too large
  const Whole rest = a.top % b.top;
  return rest != 0 && (rest < 0) != (b.top < 0) ? rest + b.top : rest;
}

Fraction power(const Fraction& base, const Fraction& exponent) {
  require(exponent.is_whole(), "** needs a whole number on its right");
  const bool small = base.top == 0 || (base.is_whole() && (base.top == 1 || base.top == -1));
  if (small) return exponent.top == 0 ? 1 : exponent.top % 2 == 0 ? base * base : base;
  if (exponent.top > 128 || exponent.top < -128) overflow();
  Fraction result = 1;
  for (Whole k = exponent.top < 0 ? -exponent.top : exponent.top; k > 0; --k) result = result * base;
  return exponent.top < 0 ? Fraction(result.bottom, result.top) : result;
}

}  // namespace bocs

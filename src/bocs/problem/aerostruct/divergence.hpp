#pragma once
#include "bocs/problem/aerostruct/linearisation.hpp"

namespace bocs::aerostruct {

/// Kullback-Leibler divergence of N(m, H H') from N(m, Hx Hx'), where H = reference and Hx = cut map independent
/// standard normal inputs to the outputs; scaling the rows of both alike changes nothing. Exactly 0 for equal
/// arguments, never negative, never NaN for finite arguments. +infinity if Hx Hx' is not positive definite or has a
/// Cholesky pivot below 1e-14 times its largest diagonal entry, or is so near that that rounding leaves no meaningful
/// value.
double divergence(const Jacobian& reference, const Jacobian& cut);

}  // namespace bocs::aerostruct

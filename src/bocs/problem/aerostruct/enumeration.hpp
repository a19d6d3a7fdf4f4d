#pragma once
#include <vector>

#include "bocs/problem/aerostruct/linearisation.hpp"

namespace bocs::aerostruct {

/// The divergence of every cut model from the full one, entry sum_i x_i 2^i of 2^21, for standardised partials.
/// Independent of the number of threads.
std::vector<double> all_divergences(const Partials&, int threads);

}  // namespace bocs::aerostruct

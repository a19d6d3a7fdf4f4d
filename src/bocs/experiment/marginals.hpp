#pragma once
// The figure of [BP18] Sec. 4.4: what the outputs of a model are distributed like, before and after it was simplified.

#include "bocs/experiment/plot.hpp"
#include "bocs/problem/problem.hpp"

namespace bocs {

/// The matrix of marginals: on its diagonal the density of each output, below it the ellipse of each pair that holds
/// 95 % of the probability; both models in every panel. The CSV has a row per point drawn: panel, model, x, y.
Figure marginals_figure(const std::string& name, const OutputComparison& outputs);

}  // namespace bocs

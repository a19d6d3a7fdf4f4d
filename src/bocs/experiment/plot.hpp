#pragma once
// Figures of experiments as SVG, and their data as CSV.

#include "bocs/experiment/chart.hpp"
#include "bocs/experiment/statistics.hpp"

namespace bocs {

struct Figure {
  std::string name;  // of its files, without an ending
  std::string csv;   // curve, x, mean, low, high: what is drawn
  std::string svg;
  Chart chart = {};  // of the SVG; empty where it has several panels
};

struct PlotOptions {
  std::string metric = "auto";  // regret | value, see TableOptions
  bool log = false;             // logarithmic y axis
};

/// Optimization: the mean with its 95 % band against the evaluations, from the initial points on; one figure per
/// problem, budget and lambda. Validation: the test error against the number of training points, one figure per
/// problem; with a single number of training points instead the predictions beside the truth, for the first instance.
/// Coefficients are counts and have none.
std::vector<Figure> make_figures(std::span<const CellResult> results, const PlotOptions& options);

}  // namespace bocs

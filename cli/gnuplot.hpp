#pragma once

#include <filesystem>

#include "bocs/experiment/plot.hpp"

namespace bocs::cli {

/// Writes data and script of each figure into the folder, lets gnuplot draw them as SVG and PDF, and prints where they
/// are. Throws Error if gnuplot is not installed or fails; what was written stays.
void write_figures(const std::filesystem::path& folder, const std::vector<Figure>& figures);

}  // namespace bocs::cli

#pragma once

#include <filesystem>

#include "bocs/experiment/plot.hpp"

namespace bocs::cli {

/// Writes each figure and its data into the folder, and prints where the figures are. Throws Error if that fails.
void write_figures(const std::filesystem::path& folder, const std::vector<Figure>& figures);

/// Throws Error that names the file.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace bocs::cli

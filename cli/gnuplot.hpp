#pragma once

#include <filesystem>

namespace bocs::cli {

/// Runs `gnuplot script` in a folder. Throws Error if it is not installed or fails.
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace bocs::cli

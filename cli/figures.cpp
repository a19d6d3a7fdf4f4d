#include "figures.hpp"

#include <fmt/core.h>

#include <fstream>

#include "bocs/base/error.hpp"

namespace bocs::cli {

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw Error(file.string() + " cannot be written");
}

void write_figures(const std::filesystem::path& folder, const std::vector<Figure>& figures) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + " cannot be made: " + error.message());
  for (const auto& figure : figures) {
    write_file(folder / (figure.name + ".csv"), figure.csv);
    write_file(folder / (figure.name + ".svg"), figure.svg);
    fmt::print("{}\n", (folder / (figure.name + ".svg")).string());
  }
}

}  // namespace bocs::cli

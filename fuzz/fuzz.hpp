#pragma once
// What the fuzz targets share. A target is one function that is given any bytes; it may throw bocs::Error, and nothing
// else: crashes, other exceptions, what takes over a second of the processor or a gigabyte are findings.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "bocs/base/error.hpp"

namespace bocs::fuzz {

/// The bytes as a file, for readers of files; one per process, in the folder that scripts/fuzz made.
inline std::string as_file(const std::string& bytes) {
  static const char* folder = std::getenv("BOCS_FUZZ_FOLDER");
  static const std::string path = std::string(folder != nullptr ? folder : ".") + "/input-" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// What must hold; with the sanitizers' report of where.
inline void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace bocs::fuzz

/// FUZZ(text) { ... }: the body of a target.
#define FUZZ(text)                                                                    \
  static void fuzz_one(const std::string& text);                                      \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    const std::clock_t begin = std::clock();                                          \
    try {                                                                             \
      fuzz_one(std::string(reinterpret_cast<const char*>(data), size));               \
    } catch (const bocs::Error&) {                                                    \
    }                                                                                 \
    bocs::fuzz::must(std::clock() - begin < CLOCKS_PER_SEC);                          \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_one(const std::string& text)

#pragma once
// Which study a command is about, and the study opened.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "bocs/store/csv.hpp"
#include "bocs/store/store.hpp"
#include "bocs/store/study_file.hpp"

namespace bocs::cli {

/// A study FILE, or --store with --study (which may be left out when the store holds only one).
struct StudyArguments {
  std::string file;
  std::string store;
  std::string study;

  void add_to(CLI::App& command);
  /// The file, if one is given. Throws BadData for mistakes in it.
  [[nodiscard]] std::optional<StudyFile> load() const;
  /// URL of the store and name of the study. Throws InvalidArgument if they are not given.
  struct Place {
    std::string url;
    std::string name;
  };
  [[nodiscard]] Place place() const;
  /// Opens an existing study.
  [[nodiscard]] Study open() const;
};

StudyFile load_checked(const std::string& file);

/// What of the studies' description differs, in words: "variables, seed"; empty: nothing that matters. The command, the
/// budget and the parallelism may change while a study lives.
std::string differences(const StudySpec& a, const StudySpec& b);

/// The study of the file, made if it is not there yet: its past data imported, what may change of it as the file says
/// now. Throws BadData when the store holds another study of that name.
Study open_or_create(Store& store, const StudyFile& file);

/// True for what was told without asking: past data.
bool is_imported(const Trial& trial);

}  // namespace bocs::cli

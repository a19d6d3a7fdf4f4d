#pragma once
// Which study a command is about, and the study opened.

#include <optional>
#include <string>

#include "bocs/study/store.hpp"
#include "bocs/study/study_file.hpp"
#include "command.hpp"

namespace bocs::cli {

/// A study FILE, or --store with --study (which may be left out when the store holds only one). FILE may also be a
/// SQLite file: the same as --store sqlite:FILE.
struct StudyArguments {
  std::string file;
  std::string store;
  std::string study;

  void add_to(CLI::App& command);
  /// With a SQLite FILE as a store.
  [[nodiscard]] StudyArguments resolved() const;
  /// URL of the store and name of the study. Throws InvalidArgument if they are not given.
  struct Place {
    std::string url;
    std::string name;
  };
  [[nodiscard]] Place place() const;
  /// "bocs run study.toml", or, without a FILE, "bocs worker --store URL --study NAME".
  [[nodiscard]] std::string command_line(const char* verb) const;
  /// Opens an existing study.
  [[nodiscard]] Study open() const;
  /// The same; but the study of a FILE is made if it is not there yet.
  [[nodiscard]] Study open_or_create() const;
};

/// The study of that name; nothing if it, or its whole store, is not there yet.
std::optional<Study> find_study(const std::string& url, const std::string& name);

/// The URL of the store that a study FILE or a SQLite file means.
std::string store_of(const std::string& file);

/// load_study_file, whose mistakes are BadData.
StudyFile load_file(const std::string& file);

/// What most commands about a study take.
struct StudyCommand {
  StudyArguments study;
  bool json = false;
};

template <class Arguments>
struct AddedCommand {
  CLI::App* command;
  std::shared_ptr<Arguments> arguments;
};

/// Adds a command about one study, which runs run(arguments). Arguments: a StudyCommand and what else there is.
template <class Arguments, class Run>
AddedCommand<Arguments> add_study_command(CLI::App& app, const char* name, const char* summary, const char* about,
                                          const char* json_help, Run run) {
  CLI::App* command = add_command(app, name, summary, about);
  const auto arguments = std::make_shared<Arguments>();
  arguments->study.add_to(*command);
  command->add_flag("--json", arguments->json, json_help);
  command->callback([arguments, run] { run(*arguments); });
  return {command, arguments};
}

}  // namespace bocs::cli

#pragma once
// What the program tells about itself, all made from the commands as they are declared: `bocs --help`, shell
// completion, the man page.

#include "command.hpp"

namespace bocs::cli {

/// Adds a group of commands; `bocs --help` lists the groups in the order in which they were added, but for one without
/// a name.
void add_group(CLI::App& app, const std::string& group, const std::vector<std::function<void(CLI::App&)>>& commands);

/// `bocs --help`: one line for each command.
std::string overview(const CLI::App& app);

/// Scripts that bash or zsh read.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
/// The manual page, in the language of man(7).
std::string man_page(const CLI::App& app);

}  // namespace bocs::cli

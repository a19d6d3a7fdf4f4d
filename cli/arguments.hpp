#pragma once
// Arguments that commands share, and how wrong ones are explained.

#include <optional>

#include "command.hpp"

namespace bocs::cli {

/// Accept whole numbers from low to high, and finite numbers from low; refuse in the form "'-1' is not allowed; it
/// takes ...".
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high = std::numeric_limits<int>::max());
CLI::Validator number(double low);

inline constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

/// One line that names what is wrong and what is allowed.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// --seconds, --target, -q
struct LimitArguments {
  double seconds = 0;
  std::optional<double> target;
  bool quiet = false;

  void add_to(CLI::App& command);
};

/// --problem, or whatever it is called, and --instance
struct InstanceArguments {
  std::string problem;
  std::uint64_t instance = 1;

  void add_to(CLI::App& command, const char* name = "--problem");
};

/// The same, and --rule, --lambda, --penalty
struct ProblemArguments : InstanceArguments {
  std::vector<std::string> rules;
  double lambda = 0;
  std::string penalty = "l1";

  void add_to(CLI::App& command, const char* name = "--problem");
  [[nodiscard]] Task task(const Problem& made, std::uint64_t seed) const;
};

/// The first Ctrl-C asks for an end, which interrupted() then tells; a second one gets it at once. With `gently`, the
/// second, or a SIGTERM, is told by interrupted_twice(), and only a third one kills us; a terminal is told so.
void listen_for_interrupt(bool gently = false);
bool interrupted();
bool interrupted_twice();

}  // namespace bocs::cli

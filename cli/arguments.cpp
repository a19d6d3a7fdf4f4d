#include "arguments.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <string_view>

#include "bocs/base/text.hpp"

namespace bocs::cli {
namespace {

template <class Number>
bool parses(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Written by the handler, in whatever thread it runs, and read by all workers.
std::atomic<int> interrupts_seen = 0;
std::atomic<int> interrupts_told = 1;
std::atomic<bool> answers = false;  // the first Ctrl-C gets one
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);  // safe in a handler

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    if (parses(text, value) && value >= low && value <= high) return "";
    return fmt::format("'{}' is not allowed; it takes a whole number from {} to {}", text, low, high);
  };
  return {check, ""};
}

CLI::Validator number(double low) {
  const auto check = [low](const std::string& text) -> std::string {
    double value = 0;
    if (parses(text, value) && std::isfinite(value) && value >= low) return "";
    const std::string bound = std::isfinite(low) ? fmt::format(", at least {}", low) : "";
    return fmt::format("'{}' is not allowed; it takes a finite number{}", text, bound);
  };
  return {check, ""};
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* deepest = &app;  // "bocs experiment run" -> run
  std::string path = "bocs";
  while (!deepest->get_subcommands().empty()) {
    deepest = deepest->get_subcommands().front();
    path += " " + deepest->get_name();
  }
  const CLI::App& command = *deepest;
  const auto unknown = app.remaining(true);
  std::string text = error.what();
  const bool incomplete = !command.get_subcommands({}).empty();
  if (incomplete || !unknown.empty()) {
    std::vector<std::string> known;
    for (const CLI::App* sub : command.get_subcommands({})) known.push_back(sub->get_name());
    for (const CLI::Option* option : command.get_options()) {
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
      for (const auto& name : option->get_snames()) known.push_back("-" + name);
      if (option->get_positional()) known.push_back(option->get_name());
    }
    text = unknown.empty() ? "a command is missing" : fmt::format("unknown argument '{}'", unknown.front());
    text += fmt::format("; `{}` accepts {}{}", path, joined(known, " "),
                        unknown.empty() ? "" : did_you_mean(unknown.front(), known));
  }
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

void LimitArguments::add_to(CLI::App& command) {
  command.add_option("--seconds", seconds, "begin no evaluation after so many seconds; 0: no limit")
      ->check(number(0))
      ->type_name("S")
      ->capture_default_str();
  command.add_option("--target", target, "stop at a value as good as this, penalty included")
      ->check(number(-std::numeric_limits<double>::infinity()))
      ->type_name("V");
  command.add_flag("-q,--quiet", quiet, "print nothing but errors");
}

void InstanceArguments::add_to(CLI::App& command, const char* name) {
  command.add_option(name, problem, "what to optimize: NAME or NAME:key=value,... (see bocs problems)")
      ->required()
      ->type_name("SPEC");
  command.add_option("--instance", instance, "which random instance of the problem")
      ->check(whole_number(0, kAnySeed))
      ->type_name("N")
      ->capture_default_str();
}

void ProblemArguments::add_to(CLI::App& command, const char* name) {
  InstanceArguments::add_to(command, name);
  command.add_option("--rule", rules, "what points must satisfy, such as \"x0 + x1 <= 1\"; may be given several times")
      ->type_name("TEXT");
  command.add_option("--lambda", lambda, "weight of the penalty: f + lambda |x| when minimizing, f - lambda |x| else")
      ->check(number(0))
      ->type_name("L")
      ->capture_default_str();
  command.add_option("--penalty", penalty, "l1: |x|_1, l2: |x|_2^2; the same on binary variables")
      ->check(CLI::IsMember({"l1", "l2"}))
      ->type_name("KIND")
      ->capture_default_str();
}

Task ProblemArguments::task(const Problem& made, std::uint64_t seed) const {
  Task task{made.space, 0, 0, seed, made.constraints};
  std::vector<Constraint> list = made.constraints.list();
  for (const auto& text : rules) list.push_back(constraint::rule(text));
  if (!rules.empty()) task.constraints = Constraints(made.space, std::move(list));
  (penalty == "l1" ? task.l1 : task.l2) = lambda;
  return task;
}

void listen_for_interrupt(bool gently) {
  interrupts_told = gently ? 2 : 1;
  answers = gently && isatty(STDERR_FILENO) == 1;
  struct sigaction action {};
  action.sa_handler = [](int number) {
    if (number == SIGTERM) {  // some send it twice, as timeout does: the second says nothing new
      interrupts_seen = 2;
      return;
    }
    const int seen = ++interrupts_seen;
    if (seen >= interrupts_told) signal(number, SIG_DFL);  // the next one is not ours
    constexpr std::string_view kAnswer = " finishing the running evaluations; Ctrl-C again ends them at once\n";
    if (seen == 1 && answers) (void)!write(STDERR_FILENO, kAnswer.data(), kAnswer.size());
  };
  sigaction(SIGINT, &action, nullptr);
  if (gently) sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupts_seen > 0; }
bool interrupted_twice() { return interrupts_seen > 1; }

}  // namespace bocs::cli

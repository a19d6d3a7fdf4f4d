#include "bocs/run/command.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"
#include "bocs/run/command_process.hpp"
#include "bocs/run/point_json.hpp"

namespace bocs {
namespace {

constexpr std::size_t kShownLine = 200;  // bytes of a wrong last line in a failure

/// True for what looks like the name of a variable: a placeholder, right or misspelt. Other braces belong to shells,
/// awk, JSON and the like.
bool looks_like_a_name(const std::string& text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto bracket = text.find('[');
  const std::string name = text.substr(0, bracket);
  const std::string index = bracket == std::string::npos ? "" : text.substr(bracket);
  return !name.empty() && std::all_of(name.begin(), name.end(), fits) &&
         (index.empty() || index.find_first_not_of("[]0123456789") == std::string::npos);
}

/// An argument cut at its placeholders: text, variable, text, variable, ..., text. "{{" stands for "{", and "${" is
/// left to the shell.
struct Template {
  std::vector<std::string> texts{""};
  std::vector<int> variables;

  Template(const std::string& argument, const std::map<std::string, int>& names) {
    for (std::size_t at = 0; at < argument.size(); ++at) {
      const bool dollar = at > 0 && argument[at - 1] == '$';
      const std::size_t end = argument[at] == '{' && !dollar ? argument.find('}', at) : std::string::npos;
      const std::string name = end == std::string::npos ? "" : argument.substr(at + 1, end - at - 1);
      const auto found = names.find(name);
      if (argument.compare(at, 2, "{{") == 0) {
        texts.back() += argument[at++];
      } else if (found != names.end()) {
        variables.push_back(found->second);
        texts.emplace_back();
        at = end;
      } else {
        require(!looks_like_a_name(name), [&] {
          return "the argument '" + argument + "' names {" + name + "}, which is no variable; write {{ for a plain {";
        });
        texts.back() += argument[at];
      }
    }
  }

  [[nodiscard]] std::string fill(const std::vector<std::string>& values) const {
    std::string text = texts.front();
    for (std::size_t i = 0; i < variables.size(); ++i) {
      text += values[static_cast<std::size_t>(variables[i])] + texts[i + 1];
    }
    return text;
  }
};

std::string describe_end(const ProcessResult& result, const CommandOptions& options) {
  switch (result.end) {
    case ProcessResult::End::not_started:
      return "'" + options.arguments.front() + "' could not be started: " + std::strerror(result.code);
    case ProcessResult::End::signalled:
      return "ended by signal " + std::to_string(result.code) + " (" + strsignal(result.code) + ")";
    case ProcessResult::End::timed_out:
      return "no answer within " + shortest(options.timeout_seconds) + " s, ended";
    case ProcessResult::End::exited:
      return "exit code " + std::to_string(result.code);
    case ProcessResult::End::cancelled:
      return "cancelled";
  }
  return {};
}

Outcome outcome_of(const ProcessResult& result, const CommandOptions& options) {
  Outcome outcome = result.end == ProcessResult::End::exited && result.code == 0
                        ? parse_output(result.output_tail)
                        : Outcome::failure(describe_end(result, options));
  if (outcome.state == State::failed) {
    std::string said = readable(result.error_tail, kErrorTail);
    while (!said.empty() && std::isspace(static_cast<unsigned char>(said.back())) != 0) said.pop_back();
    if (!said.empty()) outcome.error += "; stderr: " + said;
  }
  return outcome;
}

Outcome from_number(const std::string& line) {
  double value = 0;
  const char* begin = line.data() + (line.starts_with('+') && !line.starts_with("+-") ? 1 : 0);
  const char* end = line.data() + line.size();
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range && stopped == end) {
    std::istringstream stream(line);  // it tells numbers that are too large from those too small, which are 0
    stream.imbue(std::locale::classic());
    stream >> value;
    if (std::abs(value) < 1) return Outcome::value(0);
    return Outcome::failure("the last line of stdout, '" + readable(line, kShownLine) + "', is too large a number");
  }
  if (error != std::errc() || stopped != end) {
    return Outcome::failure("the last line of stdout, '" + readable(line, kShownLine) +
                            "', is neither a number nor a JSON object with a \"value\"");
  }
  return Outcome::value(value);
}

/// The line with null for the numbers that JSON has not, but programs write: NaN, Infinity, 1e309.
std::string with_null_for_odd_numbers(const std::string& line) {
  std::string result;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    const bool begins_number = !quoted && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-');
    if (!begins_number) {
      if (c == '"') quoted = !quoted;
      const std::size_t length = quoted && c == '\\' ? 2 : 1;  // \" does not end a text
      result += line.substr(at, length);
      at += length;
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(",}] \t", at), line.size());
    const std::string token = line.substr(at, end - at);
    char* stopped = nullptr;
    const bool odd = !std::isfinite(std::strtod(token.c_str(), &stopped)) && *stopped == '\0';
    result += odd ? "null" : token;
    at = end;
  }
  return result;
}

Outcome from_json(const std::string& line) {
  const auto object = nlohmann::json::parse(with_null_for_odd_numbers(line), nullptr, false);
  const auto found = object.is_object() ? object.find("value") : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number()) {
    return Outcome::failure("the last line of stdout, '" + readable(line, kShownLine) +
                            "', is not a JSON object with a number as \"value\"");
  }
  Outcome outcome = Outcome::value(found->get<double>());
  for (const auto& [name, metric] : object.items()) {
    if (name != "value" && metric.is_number()) outcome.metrics[readable(name, kShownLine)] = metric.get<double>();
  }
  return outcome;
}

}  // namespace

std::string environment_name(const std::string& variable) {
  std::string text = "BOCS_";
  for (const char c : variable) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 128 && std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  while (text.ends_with('_') && text.size() > 5) text.pop_back();
  return text;
}

std::string readable(const std::string& bytes, std::size_t limit) {
  std::size_t at = bytes.size() > limit ? bytes.size() - limit : 0;
  const auto continues = [&] { return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80; };
  for (int i = 0; i < 3 && at > 0 && continues(); ++i) ++at;  // not in the middle of a character
  return clean_utf8(std::string_view(bytes).substr(at));
}

Outcome parse_output(const std::string& output) {
  constexpr const char* kSpace = " \t\r\n\f\v";
  const std::size_t end = output.find_last_not_of(kSpace);
  if (end == std::string::npos) return Outcome::failure("nothing on stdout; the value belongs on its last line");
  const std::size_t newline = output.find_last_of('\n', end);
  if (newline == std::string::npos && output.size() >= kOutputTail) {
    return Outcome::failure("the last line of stdout is longer than " + std::to_string(kOutputTail) + " bytes");
  }
  const std::size_t begin = output.find_first_not_of(kSpace, newline == std::string::npos ? 0 : newline);
  const std::string line = output.substr(begin, end + 1 - begin);
  return line.starts_with('{') ? from_json(line) : from_number(line);
}

Objective command(CommandOptions options, const Space& space) {
  require(!options.arguments.empty() && !options.arguments.front().empty(), "the command names no program");
  std::map<std::string, int> names;
  std::map<std::string, std::string> taken{{"BOCS_TRIAL", "the number of the trial"}};
  std::vector<std::string> environment;
  for (int i = 0; i < space.dimension(); ++i) {
    names[space[i].name] = i;
    environment.push_back(environment_name(space[i].name));
    const auto [other, fresh] = taken.emplace(environment.back(), "'" + space[i].name + "'");
    require(fresh, [&] {
      return "'" + space[i].name + "' and " + other->second + " would both be " + other->first +
             " in the program's environment; rename one";
    });
  }
  std::vector<Template> arguments;
  for (const auto& argument : options.arguments) arguments.emplace_back(argument, names);

  return [options = std::move(options), arguments = std::move(arguments), environment = std::move(environment)](
             const Space& trial_space, const Trial& trial) {
    std::vector<std::string> values;
    ProcessRequest request;
    for (int i = 0; i < trial_space.dimension(); ++i) {
      values.push_back(format_level(trial_space[i], trial.x[static_cast<std::size_t>(i)]));
      request.environment.emplace_back(environment[static_cast<std::size_t>(i)], values.back());
    }
    request.environment.emplace_back("BOCS_TRIAL", std::to_string(trial.number));
    for (const auto& argument : arguments) request.arguments.push_back(argument.fill(values));
    request.input = named_point_json(trial_space, trial.x) + "\n";
    request.directory = options.directory;
    request.timeout_seconds = options.timeout_seconds;
    request.cancelled = options.cancelled;

    Outcome outcome;
    for (int attempt = 0; attempt <= options.retries; ++attempt) {
      const ProcessResult result = run_process(request);
      if (result.end == ProcessResult::End::cancelled) throw Cancelled("the evaluation was cancelled");
      outcome = outcome_of(result, options);
      if (outcome.state == State::complete) return outcome;
    }
    if (options.retries > 0) outcome.error += " (" + std::to_string(options.retries + 1) + " attempts)";
    return outcome;
  };
}

}  // namespace bocs

#include "bocs/study/command.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/study/command_process.hpp"
#include "bocs/study/point_json.hpp"

namespace bocs {
namespace {

constexpr std::string_view kPrefix = "BOCS_";  // of environment variables; nothing else: a name without ASCII letters
constexpr std::size_t kMaxEnvironment = 256 * 1024;  // bytes of a point; Linux starts no program with more than 2 MB
constexpr std::size_t kShownLine = 200;              // bytes of a wrong last line in a failure

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
      return "'" + options.arguments.front() + "' could not be started: " +
             (result.code == EAGAIN ? "too many processes (ulimit -u)" : std::strerror(result.code));
    case ProcessResult::End::signalled:
      return "ended by signal " + std::to_string(result.code) + " (" + strsignal(result.code) + ")";
    case ProcessResult::End::timed_out:
      return "no answer within " + shortest(options.timeout_seconds) + " s, ended";
    case ProcessResult::End::exited:
      return "exit code " + std::to_string(result.code) + (options.keep_alive ? " instead of an answer" : "");
    case ProcessResult::End::cancelled:
      return "cancelled";
    case ProcessResult::End::answered:
    case ProcessResult::End::out_of_step:
      break;
  }
  return {};
}

constexpr const char* kSpace = " \t\r\n\f\v";

/// "exit code 1: " and the last line of stderr; what stands before that line follows on lines of its own.
std::string with_stderr(std::string reason, const std::string& error_tail) {
  std::string said = readable(error_tail, kErrorTail);
  said.erase(said.find_last_not_of(kSpace) + 1);
  said.erase(0, said.find_first_not_of("\r\n"));
  if (said.empty()) return reason;
  const std::size_t newline = said.find_last_of('\n');
  const std::size_t last = said.find_first_not_of(kSpace, newline == std::string::npos ? 0 : newline);
  reason += ": " + clean_utf8(said.substr(last, kShownLine));
  return newline == std::string::npos ? reason : reason + "\n" + said;
}

Outcome outcome_of(const ProcessResult& result, const CommandOptions& options) {
  const bool answered = options.keep_alive ? result.end == ProcessResult::End::answered
                                           : result.end == ProcessResult::End::exited && result.code == 0;
  if (answered && result.output_shared) {
    return Outcome::failure(
        "a process that the program left behind still has its stdout: nobody can tell whose the last line is; start it "
        "with its output elsewhere (>/dev/null 2>&1)");
  }
  Outcome outcome = answered ? parse_output(result.output_tail, options.metrics_alone)
                             : Outcome::failure(describe_end(result, options));
  if (outcome.state == State::failed) outcome.error = with_stderr(std::move(outcome.error), result.error_tail);
  return outcome;
}

/// A structure is its JSON; what is absent is empty.
std::string argument_text(const Space& space, const Point& x, int variable) {
  if (space.is_absent(x, variable)) return "";
  return space.is_plain(variable) ? space.text(x, variable) : value_json(space, x, variable);
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

/// The object of a line; discarded if it is none. `twice` is a key that it has twice.
nlohmann::json object_of(const std::string& line, std::string& twice) {
  const std::string text = with_null_for_odd_numbers(line);
  if (is_nested_deeply(text)) return nlohmann::json::value_t::discarded;
  std::set<std::string> keys;
  const auto look = [&](int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    if (event == nlohmann::json::parse_event_t::key && depth == 1 && !keys.insert(parsed).second) twice = parsed;
    return true;
  };
  return nlohmann::json::parse(text, look, false);
}

Outcome from_json(const std::string& line, bool metrics_alone) {
  std::string twice;
  const auto object = object_of(line, twice);
  if (!twice.empty()) {
    return Outcome::failure("the last line of stdout, '" + readable(line, kShownLine) + "', has the key \"" +
                            readable(twice, kShownLine) + "\" twice");
  }
  const auto found = object.is_object() ? object.find("value") : object.end();
  const bool has_value = object.is_object() && found != object.end();
  if (object.is_object() && !has_value && object.contains("error") && !(metrics_alone && object["error"].is_number())) {
    const auto& error = object["error"];
    return Outcome::failure(readable(error.is_string() ? error.get<std::string>() : error.dump(), kErrorTail));
  }
  const std::string no_value =
      "the last line of stdout, '" + readable(line, kShownLine) + "', is not a JSON object with a number as \"value\"";
  if (!object.is_object() || (has_value ? !found->is_number() : !metrics_alone)) return Outcome::failure(no_value);
  Outcome outcome = has_value ? Outcome::value(found->get<double>()) : Outcome::metrics_alone(no_value);
  for (const auto& [name, metric] : object.items()) {
    if (name != "value" && metric.is_number()) outcome.metrics[readable(name, kShownLine)] = metric.get<double>();
  }
  return outcome;
}

}  // namespace

std::string environment_name(const std::string& variable) {
  std::string text(kPrefix);
  for (const char c : variable) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte >= 128 ? c : std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  while (text.ends_with('_') && text.size() > kPrefix.size()) text.pop_back();
  return text;
}

std::string readable(const std::string& bytes, std::size_t limit) {
  std::size_t at = bytes.size() > limit ? bytes.size() - limit : 0;
  const auto continues = [&] { return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80; };
  for (int i = 0; i < 3 && at > 0 && continues(); ++i) ++at;  // not in the middle of a character
  return clean_utf8(std::string_view(bytes).substr(at));
}

Outcome parse_output(const std::string& output, bool metrics_alone) {
  const std::size_t end = output.find_last_not_of(kSpace);
  if (end == std::string::npos) return Outcome::failure("nothing on stdout; the value belongs on its last line");
  const std::size_t newline = output.find_last_of('\n', end);
  if (newline == std::string::npos && output.size() >= kOutputTail) {
    return Outcome::failure("the last line of stdout is longer than " + std::to_string(kOutputTail) + " bytes");
  }
  const std::size_t begin = output.find_first_not_of(kSpace, newline == std::string::npos ? 0 : newline);
  const std::string line = output.substr(begin, end + 1 - begin);
  return line.starts_with('{') ? from_json(line, metrics_alone) : from_number(line);
}

namespace {

constexpr std::string_view kOpening = "{\"trial\":";  // of every question to a program that is kept alive

/// A program that is kept alive may repeat the number of the trial it answers.
Conversation::Names named_trial(const std::string& line, int number) {
  std::string twice;
  const auto object = object_of(line, twice);
  const auto said = object.find("trial");
  if (!object.is_object() || said == object.end()) return Conversation::Names::nothing;
  return *said == number && twice != "trial" ? Conversation::Names::right : Conversation::Names::wrong;
}

std::string describe_out_of_step(const ProcessResult& result, int number) {
  std::string lines = readable(result.output_tail, kShownLine);
  lines.erase(lines.find_last_not_of(kSpace) + 1);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos;) lines.replace(at, 1, " | ");
  return "the program does not answer one line per point: around trial " + std::to_string(number) + " it printed '" +
         lines + "', after a new start, too. Nothing was stored for it. Print one line per point to stdout and all " +
         "else to stderr";
}

/// The command of a space: it knows what a program is given for a trial.
class Command {
 public:
  Command(CommandOptions options, const Space& space) : options_(std::move(options)) {
    require(!options_.arguments.empty() && !options_.arguments.front().empty(), "the command names no program");
    std::map<std::string, int> names;
    std::map<std::string, std::string> taken{{"BOCS_TRIAL", "the number of the trial"}};
    for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
      const std::string& name = space.variables()[static_cast<std::size_t>(v)].name;
      names[name] = v;
      environment_.push_back(environment_name(name));
      if (environment_.back() == kPrefix) continue;
      const auto other = taken.emplace(environment_.back(), "'" + name + "'");
      require(other.second, [&] {
        return "'" + name + "' and " + other.first->second + " would both be " + other.first->first +
               " in the program's environment; rename one";
      });
    }
    for (const auto& argument : options_.arguments) {
      arguments_.emplace_back(argument, names);
      require(!options_.keep_alive || arguments_.back().variables.empty(), [&] {
        return "the argument '" + argument + "' names a variable, but the program is started once for all points: it " +
               "gets them on stdin; leave the argument or keep_alive out";
      });
    }
  }

  [[nodiscard]] ProcessRequest request(const Space& space, const Trial& trial) const {
    ProcessRequest request;
    std::vector<std::string> values;
    std::size_t bytes = 0;
    for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
      values.push_back(argument_text(space, trial.x, v));
      bytes += environment_[static_cast<std::size_t>(v)].size() + values.back().size() + 2;
    }
    for (std::size_t i = 0; i < values.size() && bytes <= kMaxEnvironment && !options_.keep_alive; ++i) {
      if (environment_[i] != kPrefix) request.environment.emplace_back(environment_[i], values[i]);
    }
    if (!options_.keep_alive) request.environment.emplace_back("BOCS_TRIAL", std::to_string(trial.number));
    for (const auto& argument : arguments_) request.arguments.push_back(argument.fill(values));
    const std::string point = named_point_json(space, trial.x);
    const std::string number = std::to_string(trial.number);
    request.input = options_.keep_alive ? std::string(kOpening) + number + ",\"point\":" + point + "}\n" : point + "\n";
    request.directory = options_.directory;
    request.timeout_seconds = options_.timeout_seconds;
    request.cancelled = options_.cancelled;
    return request;
  }

  /// Runs the program, or asks the one that stays up, until it has a value or the retries are used up.
  template <class Run>
  Outcome evaluate(const Space& space, const Trial& trial, const Run& run) const {
    const ProcessRequest asked = request(space, trial);
    Outcome outcome;
    bool was_out_of_step = false;
    for (int attempt = 0; attempt <= options_.retries; ++attempt) {
      const ProcessResult result = run(asked);
      if (options_.on_run) options_.on_run(asked, result);
      if (result.end == ProcessResult::End::cancelled) throw Cancelled("the evaluation was cancelled");
      if (result.end == ProcessResult::End::not_started && arguments_.front().variables.empty()) {
        throw MachineTrouble(describe_end(result, options_));
      }
      if (result.end == ProcessResult::End::out_of_step) {  // it has been ended, and the point is innocent
        if (std::exchange(was_out_of_step, true)) throw NoOutcome(describe_out_of_step(result, trial.number));
        --attempt;
        continue;
      }
      outcome = outcome_of(result, options_);
      if (options_.keep_alive) outcome.metrics.erase("trial");
      if (outcome.state == State::complete) return outcome;
    }
    if (options_.retries > 0) {  // at the end of the first line
      const std::size_t end = std::min(outcome.error.find('\n'), outcome.error.size());
      outcome.error.insert(end, " (" + std::to_string(options_.retries + 1) + " attempts)");
    }
    return outcome;
  }

 private:
  CommandOptions options_;
  std::vector<Template> arguments_;
  std::vector<std::string> environment_;
};

/// The programs that stay up: as many as there were evaluations at once.
class KeptPrograms {
 public:
  ProcessResult ask(const ProcessRequest& request, int number) {
    auto program = take();
    ProcessResult result =
        program->ask(request, [number](const std::string& line) { return named_trial(line, number); });
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(program));
    return result;
  }

 private:
  std::unique_ptr<Conversation> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Conversation>(std::string(kOpening));
    auto program = std::move(idle_.back());
    idle_.pop_back();
    return program;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Conversation>> idle_;
};

}  // namespace

Objective command(CommandOptions options, const Space& space) {
  const auto kept = options.keep_alive ? std::make_shared<KeptPrograms>() : nullptr;
  const auto made = std::make_shared<const Command>(std::move(options), space);
  return [made, kept](const Space& trial_space, const Trial& trial) {
    return made->evaluate(trial_space, trial, [&](const ProcessRequest& request) {
      return kept ? kept->ask(request, trial.number) : run_process(request);
    });
  };
}

}  // namespace bocs

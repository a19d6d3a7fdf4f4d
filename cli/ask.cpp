#include <fmt/core.h>

#include <charconv>
#include <fstream>

#include "arguments.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/run/plate.hpp"
#include "bocs/study/plate_sheet.hpp"
#include "bocs/study/point_json.hpp"
#include "bocs/study/worker.hpp"
#include "study_arguments.hpp"
#include "study_output.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutAsk =
    R"(Prints the next points to evaluate, one JSON object per line, for people and programs that evaluate themselves:

  bocs ask study.toml                              {"number": 7, "point": {"station[0]": 1, "depot": "river"}}
  bocs tell study.toml --trial 7 --value 12.5

With a study FILE the study is made if it is not there yet. A trial whose line was printed stays running until it is told
or released; one that could not be printed is given back. When no line could be printed, the exit code says why: 1, nothing
is left (the budget is used up, or every point has been tried); 75, nothing for now (all that is left runs elsewhere, or
the study is paused). So this ends:

  while line=$(bocs ask study.toml); do ... ; done

A batch that is run together may have rules, and be written as a sheet, to be filled in and given back by bocs tell --csv:

  bocs ask study.toml --count 24 --csv plate.csv --same temperature --block 8 --at-most solvent=2 --distance 2)";

void print_trial(const Task& task, const Trial& trial) {
  Json line = {{"number", trial.number}, {"point", Json::parse(named_point_json(task.space, trial.x))}};
  for (const auto& [name, text] : carried_of(task.constraints.candidates(), trial.x)) line["carried"][name] = text;
  print_json(line);
}

struct AskArguments : StudyCommand {
  int count = 1;
  int threads = 1;
  std::string csv;
  Plate plate;
  std::vector<std::string> at_most;
};

/// Of {"solvent=2", ...}.
std::map<std::string, int> limits_of(const std::vector<std::string>& texts) {
  std::map<std::string, int> limits;
  for (const std::string& text : texts) {
    const std::size_t at = std::min(text.rfind('='), text.size());
    const char* const begin = text.data() + std::min(at + 1, text.size());
    int most = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), most);
    require(at > 0 && begin < text.data() + text.size() && error == std::errc() && end == text.data() + text.size(),
            [&text] { return fmt::format("found --at-most '{}'; allowed: NAME=NUMBER", text); });
    limits[text.substr(0, at)] = most;
  }
  return limits;
}

/// The whole batch first, then its sheet: a sheet that cannot be written hands out no trial.
void ask_batch(Worker& worker, const AskArguments& arguments, const Plate& plate) {
  std::string why;
  const std::vector<Trial> trials = ask_plate(worker, arguments.count, plate, &why);
  if (!arguments.csv.empty()) {
    std::ofstream stream(arguments.csv, std::ios::binary);
    stream << plate_sheet(worker.task(), trials);
    stream.close();
    if (!stream) throw OutputError(fmt::format("{} cannot be written", arguments.csv));
  }
  for (const Trial& trial : trials) {
    if (arguments.csv.empty()) print_trial(worker.task(), trial);
    worker.hand_over(trial.number);
  }
  if (!arguments.csv.empty()) {
    fmt::print("{} in {}; fill in what was measured, then give it back with bocs tell --csv\n",
               counted(trials.size(), "trial"), arguments.csv);
  }
  if (!why.empty()) warn(fmt::format("bocs: {} of {} trials: {}", trials.size(), arguments.count, why));
}

/// Nothing was asked: why, and the exit code.
int refused(const Error& error, int code) {
  warn(fmt::format("bocs: {}", error.what()));
  return code;
}

int ask(const AskArguments& arguments) {
  Study study = arguments.study.open_or_create();
  Worker worker(study, {.patience_seconds = 0});  // until a point is handed over, it is held by this process
  const UseThreads threads(arguments.threads);
  Plate plate = arguments.plate;
  plate.at_most = limits_of(arguments.at_most);
  const bool has_rules = !plate.same.empty() || plate.block > 0 || !plate.at_most.empty() || plate.distance > 0;
  if (has_rules || !arguments.csv.empty()) {
    try {
      ask_batch(worker, arguments, plate);
      return kOk;
    } catch (const AllRunning& error) {
      return refused(error, kLater);
    } catch (const BudgetReached& error) {
      return refused(error, kNothingLeft);
    } catch (const SpaceExhausted& error) {
      return refused(error, kNothingLeft);
    }
  }
  for (int i = 0; i < arguments.count; ++i) {
    Trial trial;
    try {
      trial = worker.ask();
    } catch (const StoreError&) {
      throw;
    } catch (const InvalidArgument&) {
      throw;
    } catch (const AllRunning& error) {
      warn(fmt::format("bocs: {}", error.what()));
      return i > 0 ? kOk : kLater;
    } catch (const Error& error) {  // BudgetReached, SpaceExhausted
      warn(fmt::format("bocs: {}", error.what()));
      return i > 0 ? kOk : kNothingLeft;
    }
    print_trial(worker.task(), trial);
    worker.hand_over(trial.number);
  }
  return kOk;
}

}  // namespace

void add_ask(CLI::App& app, int& exit_code) {
  const auto [command, arguments] = add_study_command<AskArguments>(
      app, "ask", "the next points to evaluate by hand", kAboutAsk, "the same as without it: one JSON object per line",
      [&exit_code](const AskArguments& given) { exit_code = ask(given); });
  command->add_option("--count", arguments->count, "how many")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--csv", arguments->csv, "write them as a sheet into this file instead")->type_name("FILE");
  command->add_option("--same", arguments->plate.same, "a variable that is the same in the batch, or in each block")
      ->type_name("NAME");
  command->add_option("--block", arguments->plate.block, "trials of a block, after each other; default: all")
      ->check(whole_number(1))
      ->type_name("N");
  command->add_option("--at-most", arguments->at_most, "different values of a variable in the batch")
      ->type_name("NAME=N");
  command->add_option("--distance", arguments->plate.distance, "any two trials differ in so many variables")
      ->check(whole_number(0))
      ->type_name("N");
  command->add_option("--threads", arguments->threads, "compute points of large spaces; they do not depend on it")
      ->check(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace bocs::cli

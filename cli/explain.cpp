#include "bocs/method/explain.hpp"

#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/core/parallel.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutExplain =
    R"(Prints what the evaluations say: the strongest effects of single choices and of combinations on the value.

Each is a term of the sparse polynomial model of the study's method, with its order, extra, exclude and integers; methods
that have none are explained by one of order 2. Printed are its posterior mean, the interval that holds 95 % of the
posterior, and the probability that it has the sign of its mean. A binary variable counts from 0 to 1, an integer one
from its lowest to its highest value and its square from the middle of that range to an end, a level against the first
level of its variable, under integers=levels also those of integers; a product counts when all its parts are present.)";

struct ExplainArguments : StudyCommand {
  ExplainOptions options;
  int top = 20;
};

void print_explanation(const ExplainArguments& arguments) {
  const Study study = arguments.study.open();
  ExplainOptions options = arguments.options;
  options.threads = hardware_threads();
  auto effects = bocs::explain(study.method(), study.task(), study.history(), study.sense(), options);
  if (arguments.top > 0 && effects.size() > static_cast<std::size_t>(arguments.top)) {
    effects.resize(arguments.top);
  }
  if (arguments.json) {
    for (const auto& effect : effects) {
      print_json({{"names", effect.names},
                  {"mean", effect.mean},
                  {"low", effect.low},
                  {"high", effect.high},
                  {"probability", effect.probability}});
    }
    return;
  }
  std::vector<Line> rows;
  for (const auto& effect : effects) {
    std::string name;
    for (const auto& part : effect.names) name += (name.empty() ? "" : " * ") + part;
    rows.push_back({name, fmt::format("{:.4g}", effect.mean), fmt::format("{:.4g}", effect.low),
                    fmt::format("{:.4g}", effect.high), fmt::format("{:.3f}", effect.probability)});
  }
  print_table({"effect on the value", "mean", "from", "to", "probability of the sign"}, rows);
}

}  // namespace

void add_explain(CLI::App& app) {
  const auto [command, arguments] = add_study_command<ExplainArguments>(
      app, "explain", "what the model has learnt", kAboutExplain, "one JSON object per line", print_explanation);
  const auto option = [&command = *command](const char* name, int& field, const char* help) {
    return command.add_option(name, field, help)->type_name("N")->capture_default_str();
  };
  option("--order", arguments->options.order, "at most so many choices in one effect; 0: as the method has it")
      ->check(whole_number(0, 8));
  option("--top", arguments->top, "how many effects; 0: all")->check(whole_number(0));
  option("--draws", arguments->options.draws, "draws from the posterior")->check(whole_number(4, 1000000));
}

}  // namespace bocs::cli

#include "bocs/method/explain.hpp"

#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/numeric/parallel.hpp"
#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutExplain =
    R"(Prints what the evaluations say: how much each variable matters, then the strongest effects of single choices and of
combinations on the value, as far as they matter.

The share of a variable is the part of the model's variation over all points that is due to it; what several do
together is divided equally among them. An effect is a term of the sparse polynomial model of the study's method, with
its order, extra, exclude and integers; methods that have none are explained by one of order 2. Printed are its
posterior mean, the interval that holds 95 % of the posterior, and the probability that it has the sign of its mean. A
binary variable counts from 0 to 1, an integer one from its lowest to its highest value and its square from the middle
of that range to an end, a level against the first level of its variable, under integers=levels also those of integers;
a product counts when all its parts are present.

With --outcome NAME the same for a metric that the evaluations report, such as one with a limit or a further goal.)";

struct ExplainArguments : StudyCommand {
  ExplainOptions options;
  int top = -1;
};

void print_as_json(const Space& space, const Explanation& explanation, int shown) {
  for (const auto& share : explanation.shares) {
    print_json(
        {{"variable", space[share.variable].name}, {"share", share.mean}, {"low", share.low}, {"high", share.high}});
  }
  for (int k = 0; k < shown; ++k) {
    const Effect& effect = explanation.effects[static_cast<std::size_t>(k)];
    print_json({{"names", effect.names},
                {"mean", effect.mean},
                {"low", effect.low},
                {"high", effect.high},
                {"probability", effect.probability}});
  }
}

std::string share_text(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// Variables below one percent get one line together.
void print_shares(const Space& space, const Explanation& explanation) {
  std::vector<Line> rows;
  double rest = 0;
  int others = 0;
  for (const auto& share : explanation.shares) {
    if (share.mean >= 0.01) {
      rows.push_back({harmless(space[share.variable].name), share_text(share.mean), share_text(share.low),
                      share_text(share.high)});
    } else {
      rest += share.mean;
      ++others;
    }
  }
  if (others > 0) rows.push_back({fmt::format("{} others", others), share_text(rest), "", ""});
  print_table({"variable", "share of the variation", "from", "to"}, rows);
}

void print_effects(const Explanation& explanation, int shown, const std::string& outcome) {
  std::vector<Line> rows;
  for (int k = 0; k < shown; ++k) {
    const Effect& effect = explanation.effects[static_cast<std::size_t>(k)];
    std::string name;
    for (const auto& part : effect.names) name += (name.empty() ? "" : " * ") + harmless(part);
    rows.push_back({name, fmt::format("{:.4g}", effect.mean), fmt::format("{:.4g}", effect.low),
                    fmt::format("{:.4g}", effect.high), fmt::format("{:.3f}", effect.probability),
                    effect.is_sure() ? "yes" : "no"});
  }
  print_table({"effect on " + (outcome.empty() ? "the value" : harmless(outcome)), "mean", "from", "to",
               "probability of the sign", "sure"},
              rows);
}

void print_explanation(const ExplainArguments& arguments) {
  const Study study = arguments.study.open();
  const Space& space = study.task().space;
  ExplainOptions options = arguments.options;
  options.threads = hardware_threads();
  const auto explanation = bocs::explain(study.method(), study.task(), study.history(), study.sense(), options);
  const auto terms = static_cast<int>(explanation.effects.size());
  const int shown = arguments.top == 0  ? terms
                    : arguments.top > 0 ? std::min(terms, arguments.top)
                    : arguments.json    ? std::min(terms, 20)
                                        : std::min(explanation.matter(), 20);
  if (arguments.json) {
    print_as_json(space, explanation, shown);
    return;
  }
  print_shares(space, explanation);
  fmt::print("\n");
  if (explanation.sure() == 0) {
    fmt::print("No effect is sure yet: zero is within the 95 % interval of each of the {} terms.\n\n", terms);
  }
  if (shown > 0) print_effects(explanation, shown, options.outcome);
  if (shown < terms) {
    int sure = explanation.sure();
    for (int k = 0; k < shown; ++k) sure -= explanation.effects[static_cast<std::size_t>(k)].is_sure() ? 1 : 0;
    fmt::print("{} other terms, {} of them sure; --top 0 shows all\n", terms - shown,
               sure == 0 ? "none" : std::to_string(sure));
  }
  fmt::print("{} polynomial of order {}, {} trials, {} draws of its posterior\n",
             explanation.own ? "the method's" : "a", explanation.order, explanation.trials, explanation.draws);
}

}  // namespace

void add_explain(CLI::App& app) {
  const auto [command, arguments] = add_study_command<ExplainArguments>(
      app, "explain", "what the model has learnt", kAboutExplain,
      "one JSON object per line: first the variables with their shares, then the effects", print_explanation);
  command
      ->add_option("--order", arguments->options.order,
                   "at most so many choices in one effect; 0: as the method has it")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number(0, 8));
  command->add_option("--top", arguments->top, "how many effects; 0: all; otherwise those that matter, 20 at most")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_option("--outcome", arguments->options.outcome, "a metric to explain instead of the value")
      ->type_name("NAME");
  command->add_option("--draws", arguments->options.draws, "draws from the posterior; otherwise up to 400")
      ->type_name("N")
      ->check(whole_number(4, 1000000));
}

}  // namespace bocs::cli

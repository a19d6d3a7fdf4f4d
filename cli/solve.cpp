#include <fmt/core.h>

#include "arguments.hpp"
#include "bocs/experiment/measure.hpp"
#include "study_output.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

/// "0110" or "1,red,7"; with structures by name.
std::string shown_point(const Space& space, const Point& x) {
  return space.all_free() ? space.format(x) : describe_point(space, x);
}

constexpr const char* kAboutSolve =
    R"(Optimizes a benchmark problem and shows what was found beside the true optimum:

  bocs solve ising --trials 170 --initial 20 --lambda 0.0001
  bocs solve bqp:d=10,lc=10 --method bocs-sdp --trials 120 --seed 7 --json
  bocs solve ising --method bocs:order=2,minimizer=annealing,model.sweeps=50

The same arguments give the same trials, whatever --threads is. Ctrl-C ends after the current trial and still prints
the result. With --json the last line of stdout is one JSON object.)";

struct SolveArguments {
  ProblemArguments problem;
  std::string method = "bocs";
  int trials = 100;
  int initial = 0;
  std::uint64_t seed = 1;
  int batch = 1;
  int threads = 1;
  LimitArguments limits;
  bool json = false;
};

/// The true optimum, if the problem knows it and the rules allow it. On binary variables both penalties are the same.
std::optional<Optimum> known_optimum(const Problem& problem, const Task& task) {
  if (!problem.optimum || (task.l2 > 0 && !problem.space.all_binary())) return std::nullopt;
  auto optimum = problem.optimum(task.l1 + task.l2);
  return optimum && task.constraints.satisfied(optimum->x) ? optimum : std::nullopt;
}

struct Result {
  const Problem& problem;
  const Optimizer& optimizer;
  std::string method;
  WorkResult work;
  std::optional<Optimum> optimum;
  std::optional<Recommendation> recommended;  // nothing if no trial is complete

  [[nodiscard]] double true_value(const Point& x) const { return penalized(problem, optimizer.task(), x); }
  [[nodiscard]] double suggest_seconds_mean() const { return work.suggest_seconds / std::max(1, work.trials); }
};

void print_result_json(const Result& result, const SolveArguments& arguments) {
  const Optimizer& optimizer = result.optimizer;
  const Space& space = result.problem.space;
  Json out = {{"problem", arguments.problem.problem},
              {"instance", arguments.problem.instance},
              {"lambda", arguments.problem.lambda},
              {"penalty", arguments.problem.penalty},
              {"method", result.method},
              {"seed", arguments.seed}};
  out["sense"] = word_of(optimizer.sense());
  out["best"] = nullptr;
  if (const Trial* best = optimizer.best()) {
    out["best"] = {{"x", shown_point(space, best->x)}, {"value", optimizer.value(*best)}, {"trial", best->number}};
  }
  out["recommended"] = nullptr;
  if (result.recommended) {
    const Point& x = result.recommended->x;
    out["recommended"] = {{"x", shown_point(space, x)},
                          {"value", result.true_value(x)},
                          {"predicted", optimizer.shown(result.recommended->value)}};
  }
  out["optimum"] = nullptr;
  if (result.optimum) out["optimum"] = {{"x", shown_point(space, result.optimum->x)}, {"value", result.optimum->value}};
  out["trials"] = optimizer.history().size();
  out["failures"] = result.work.failures;
  out["seconds"] = result.work.seconds;
  out["suggest_seconds_mean"] = result.suggest_seconds_mean();
  out["stopped_because"] = to_string(result.work.reason);
  out["history"] = Json::array();
  for (const auto& trial : optimizer.history().trials()) {
    out["history"].push_back(
        {{"x", shown_point(space, trial.x)}, {"value", optimizer.value(trial)}, {"member", trial.info.member}});
  }
  print_json(out);
}

/// What to try next, given what was reached.
std::string advice(const Result& result, const SolveArguments& arguments, double regret) {
  if (result.work.reason == Reason::exhausted) return "nothing is left to try: this is the optimum";
  if (result.optimum && regret < 1e-9) {
    return fmt::format("the optimum is found; another instance: --instance {}", arguments.problem.instance + 1);
  }
  if (method_spec(arguments.method).name == "random") return "--method bocs learns from the evaluations";
  return fmt::format("more evaluations: --trials {}, or another start: --seed {}", 2 * arguments.trials,
                     arguments.seed + 1);
}

void print_report(const Result& result, const SolveArguments& arguments) {
  const Optimizer& optimizer = result.optimizer;
  const Space& space = result.problem.space;
  const Trial* best = optimizer.best();
  double regret = std::numeric_limits<double>::infinity();
  if (best != nullptr) {
    const double value = optimizer.value(*best);
    fmt::print("best         {}\n", shown_point(space, best->x));
    if (result.problem.picture) fmt::print("\n{}\n", result.problem.picture(best->x));
    fmt::print("value        {:.6g}  {}at trial {}\n", value, result.problem.noisy ? "measured " : "", best->number);
    if (result.optimum) {  // under noise the best single measurement says nothing: the true value counts
      const double reached = result.problem.noisy ? result.true_value(result.recommended->x) : value;
      regret = std::abs(reached - result.optimum->value);
      fmt::print("optimum      {:.6g}  {}  regret {:.3g}\n", result.optimum->value,
                 shown_point(space, result.optimum->x), regret);
    }
    const Point& x = result.recommended->x;
    fmt::print("recommended  {}  predicted {:.6g}, true value {:.6g}\n", shown_point(space, x),
               optimizer.shown(result.recommended->value), result.true_value(x));
  }
  fmt::print("evaluations  {}, {} failed, in {:.3g} s; {:.3g} s per suggestion\n", optimizer.history().size(),
             result.work.failures, result.work.seconds, result.suggest_seconds_mean());
  fmt::print("stopped      {}\n", to_string(result.work.reason));
  fmt::print("next         {}\n", advice(result, arguments, regret));
}

/// For the progress line: the best value so far, and how far from the true optimum it is.
std::string progress_text(const Optimizer& optimizer, const std::optional<Optimum>& optimum) {
  const Trial* best = optimizer.best();
  if (best == nullptr) return "";
  const double value = optimizer.value(*best);
  return fmt::format("best {:.6g}", value) +
         (optimum ? fmt::format("  regret {:.3g}", std::abs(value - optimum->value)) : "");
}

int solve(const SolveArguments& arguments) {
  const Problem problem = make_problem(arguments.problem.problem, arguments.problem.instance);
  const Task task = arguments.problem.task(problem, arguments.seed);
  const std::string method = method_spec_with_initial(arguments.method, arguments.initial).text();
  Optimizer optimizer(task, method, problem.sense);
  const auto optimum = known_optimum(problem, task);

  listen_for_interrupt();
  Limits limits;
  limits.trials = arguments.trials;
  limits.seconds = arguments.limits.seconds;
  limits.target = arguments.limits.target;
  limits.stop = interrupted;
  limits.batch = arguments.batch;
  limits.threads = arguments.threads;
  const TrialProgress progress(arguments.trials, 0, arguments.limits.quiet);
  const WorkResult worked = work(optimizer, measurement(problem, arguments.seed), limits, [&](const Trial&) {
    progress.show(optimizer.history().size(), progress_text(optimizer, optimum));
  });
  progress.clear();

  Result result{problem, optimizer, method, worked, optimum, {}};
  if (optimizer.best() != nullptr) result.recommended = optimizer.recommend();
  arguments.json ? print_result_json(result, arguments) : print_report(result, arguments);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SolveArguments>();
  CLI::App* command = add_command(app, "solve", "optimize a benchmark problem", kAboutSolve);
  const auto option = [&](const char* name, const char* type, auto& field, const char* help) {
    return command->add_option(name, field, help)->type_name(type)->capture_default_str();
  };
  arguments->problem.add_to(*command, "PROBLEM");
  option("--method", "SPEC", arguments->method,
         "bocs, bocs-sdp, bocs-sa, ... or NAME:key=value,... (see bocs methods)");
  option("--trials", "N", arguments->trials, "evaluations in all, initial ones included")->check(whole_number(1));
  option("--initial", "N", arguments->initial,
         "random points before the model takes over; 0: the method's choice; methods without a model have none")
      ->check(whole_number(0));
  option("--seed", "N", arguments->seed, "seed of all random choices of the method")->check(whole_number(0, kAnySeed));
  option("--batch", "N", arguments->batch, "points suggested before any is evaluated")->check(whole_number(1));
  option("--threads", "N", arguments->threads, "compute proposals, evaluate a batch; the trials do not depend on it")
      ->check(whole_number(1));
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  arguments->limits.add_to(*command);
  command->callback([arguments, &exit_code] { exit_code = solve(*arguments); });
}

}  // namespace bocs::cli

// The module: exceptions, spaces, constraints, tasks.

#include "bindings.hpp"

#include "bocs/base/text.hpp"
#include "bocs/study/candidate_table.hpp"
#include "bocs/study/column_names.hpp"
#include "bocs/study/csv.hpp"
#include "bocs/version.hpp"
#include "own_method.hpp"

namespace bocs::python {
namespace {

/// Python's exceptions mirror ours; a mistake of the caller is a ValueError, too.
void bind_exceptions(nb::module_& module) {
  const auto error = nb::exception<Error>(module, "Error");
  const auto mistake = nb::make_tuple(error, nb::handle(PyExc_ValueError));
  nb::exception<InvalidArgument>(module, "InvalidArgument", mistake);
  nb::exception<SpaceExhausted>(module, "SpaceExhausted", error);
  nb::exception<AllRunning>(module, "AllRunning", error);
  nb::exception<BudgetReached>(module, "BudgetReached", error);
  const auto store = nb::exception<StoreError>(module, "StoreError", error);
  nb::exception<StoreUnavailable>(module, "StoreUnavailable", store);
}

void bind_candidates(nb::module_& module) {
  nb::class_<Candidates>(module, "Candidates")
      .def_prop_ro("size", &Candidates::size)
      .def_prop_ro("hash", &Candidates::hash)
      .def_prop_ro("text", &candidates_to_text)
      .def_prop_ro("names", [](const Candidates& candidates) { return carried_names(&candidates); })
      .def(
          "carried", [](const Candidates& candidates, const Point& x) { return carried_of(&candidates, x); },
          nb::arg("levels"));
  const auto made = [](CandidateTable table) { return std::pair(std::move(table.space), std::move(table.rows)); };
  module.def(
      "candidates_of_file",
      [made](const std::string& file, std::optional<Space> space, std::vector<std::string> carried) {
        return made(candidate_table(read_csv_table(file), {std::move(space), std::move(carried), file}));
      },
      nb::arg("file"), nb::arg("space").none(), nb::arg("carried"), ReleaseGil());
  module.def(
      "candidates_of_table",
      [made](std::vector<std::string> columns, std::vector<std::vector<std::string>> rows, std::optional<Space> space,
             std::vector<std::string> carried) {
        return made(candidate_table({std::move(columns), std::move(rows)}, {std::move(space), std::move(carried)}));
      },
      nb::arg("columns"), nb::arg("rows"), nb::arg("space").none(), nb::arg("carried"), ReleaseGil());
  module.def("candidates_of_text", &candidates_from_text, nb::arg("space"), nb::arg("text"));
}

}  // namespace

void bind_space(nb::module_& module) {
  nb::class_<Unstorable>(module, "Unstorable")
      .def(
          "__init__", [](Unstorable* object, std::string text) { new (object) Unstorable{std::move(text)}; },
          nb::arg("text"))
      .def_ro("text", &Unstorable::text);
  nb::class_<Variable>(module, "Variable")
      .def_ro("name", &Variable::name)
      .def_ro("when", &Variable::when)
      .def_prop_ro("kind", &kind_of)
      .def_prop_ro("coordinate", &coordinate_of)
      .def_prop_ro("definition", &definition_of);
  nb::class_<Scale>(module, "Scale")
      .def_prop_ro("low", &Scale::low)
      .def_prop_ro("high", &Scale::high)
      .def_prop_ro("log", &Scale::log)
      .def_prop_ro("levels", &Scale::levels)
      .def("holds", &Scale::holds, nb::arg("value"))
      .def("nearest", &Scale::nearest, nb::arg("value"))
      .def("value", &Scale::value, nb::arg("level"));
  nb::class_<Coordinate>(module, "Coordinate")
      .def_ro("name", &Coordinate::name)
      .def_ro("levels", &Coordinate::levels)
      .def_ro("low", &Coordinate::low)
      .def_ro("labels", &Coordinate::labels)
      .def_ro("typed", &Coordinate::typed)
      .def_ro("values", &Coordinate::values)
      .def_prop_ro("described", [](const Coordinate& c) { return std::pair(c.described.names, c.described.rows); })
      .def_ro("scale", &Coordinate::scale);
  module.def("variable", &variable_from, nb::arg("name"), nb::arg("definition"));
  module.def("when", &when, nb::arg("condition"), nb::arg("variable"));
  module.def("binary", &bocs::binary, nb::arg("name"));
  module.def(
      "integer",
      [](std::string name, int low, int high, int steps, double step, bool log) {
        return bocs::integer(std::move(name), low, high, {steps, step, log});
      },
      nb::arg("name"), nb::arg("low"), nb::arg("high"), nb::arg("steps") = 0, nb::arg("step") = 0.0,
      nb::arg("log") = false);
  module.def(
      "real",
      [](std::string name, double low, double high, int steps, double step, bool log) {
        return bocs::real(std::move(name), low, high, {steps, step, log});
      },
      nb::arg("name"), nb::arg("low"), nb::arg("high"), nb::arg("steps") = 0, nb::arg("step") = 0.0,
      nb::arg("log") = false);
  module.def("ordinal", &bocs::ordinal, nb::arg("name"), nb::arg("values"));
  module.def(
      "choice",
      [](std::string name, std::vector<LevelValue> levels) { return choice(std::move(name), std::move(levels)); },
      nb::arg("name"), nb::arg("levels"));
  module.def(
      "described_choice",
      [](std::string name, std::vector<LevelValue> levels, std::vector<std::string> names,
         std::vector<std::vector<double>> rows) {
        return choice(std::move(name), std::move(levels), Descriptions{std::move(names), std::move(rows)});
      },
      nb::arg("name"), nb::arg("levels"), nb::arg("names"), nb::arg("rows"));

  nb::class_<Space>(module, "Space")
      .def(nb::init<std::vector<Variable>>(), nb::arg("variables"))
      .def_prop_ro("dimension", &Space::dimension)
      .def_prop_ro("variables", &Space::variables)
      .def_prop_ro("names",
                   [](const Space& space) {
                     std::vector<std::string> names;
                     for (const Coordinate& c : space.coordinates()) names.push_back(c.name);
                     return names;
                   })
      .def("first", &Space::first, nb::arg("variable"))
      .def(
          "coordinate", [](const Space& space, int i) { return space[i]; }, nb::arg("index"))
      .def("is_absent", &Space::is_absent, nb::arg("levels"), nb::arg("variable"))
      .def("value", &Space::value, nb::arg("levels"), nb::arg("variable"))
      .def(
          "set",
          [](const Space& space, Point x, int variable, const Value& value) {
            space.set(x, variable, value);
            return x;
          },
          nb::arg("levels"), nb::arg("variable"), nb::arg("value"))
      .def_prop_ro("log2_size", &Space::log2_size)
      .def("check", &Space::check, nb::arg("levels"))
      .def("format", &Space::format, nb::arg("levels"))
      .def(
          "parse_level", [](const Space& space, int i, const std::string& text) { return parse_level(space[i], text); },
          nb::arg("variable"), nb::arg("text"));

  nb::class_<Term>(module, "Term")
      .def(
          "__init__",
          [](Term* term, std::string variable, std::optional<std::string> is, double weight) {
            new (term) Term{std::move(variable), std::move(is), weight};
          },
          nb::arg("variable"), nb::arg("value") = nb::none(), nb::arg("weight") = 1.0);
  nb::class_<Constraint>(module, "Constraint").def_ro("text", &Constraint::text);
  module.def("linear", &constraint::linear, nb::arg("terms"), nb::arg("relation"), nb::arg("bound"));
  module.def(
      "rule",
      [](std::string text, std::string said) {
        Constraint made = constraint::rule(std::move(text));
        made.text = std::move(said);
        return made;
      },
      nb::arg("text"), nb::arg("said"));
  using Rows = std::vector<std::vector<std::string>>;
  module.def(
      "allowed",
      [](const std::vector<std::string>& variables, const Rows& rows) { return constraint::allowed(variables, rows); },
      nb::arg("variables"), nb::arg("rows"));
  module.def(
      "forbidden",
      [](const std::vector<std::string>& variables, const Rows& rows) {
        return constraint::forbidden(variables, rows);
      },
      nb::arg("variables"), nb::arg("rows"));
  module.def(
      "read_csv_table",
      [](const std::string& file) {
        CsvTable table = read_csv_table(file);
        return std::pair(std::move(table.columns), std::move(table.rows));
      },
      nb::arg("file"));
  nb::class_<ColumnNames>(module, "ColumnNames")
      .def(nb::init<const std::vector<std::string>&>(), nb::arg("taken"))
      .def("add", &ColumnNames::add, nb::arg("name"));
  module.def("column_names", &column_names, nb::arg("space"), nb::arg("metrics"),
             nb::arg("carried") = std::vector<std::string>());
  bind_candidates(module);
  module.def("did_you_mean", &did_you_mean, nb::arg("word"), nb::arg("known"));
  module.def("check_method", &check_method, nb::arg("method"));
  nb::class_<Task>(module, "Task")
      .def(
          "__init__",
          [](Task* task, const Space& space, std::vector<Constraint> constraints, double l1, double l2,
             std::uint64_t seed, int trials, std::vector<Goal> goals, std::vector<OutcomeLimit> outcomes, Point present,
             std::shared_ptr<const Candidates> candidates) {
            Task made{space,
                      l1,
                      l2,
                      seed,
                      Constraints(space, std::move(constraints), std::move(candidates)),
                      trials,
                      std::move(goals),
                      std::move(outcomes),
                      std::move(present)};
            made.check();
            new (task) Task(std::move(made));
          },
          nb::arg("space"), nb::arg("constraints"), nb::arg("l1"), nb::arg("l2"), nb::arg("seed"),
          nb::arg("trials") = 0, nb::arg("goals") = std::vector<Goal>(),
          nb::arg("outcomes") = std::vector<OutcomeLimit>(), nb::arg("present") = Point(),
          nb::arg("candidates").none() = nb::none(), ReleaseGil())
      .def_prop_ro("space", [](const Task& task) { return task.space; })
      .def_prop_ro("goals", [](const Task& task) { return task.goals; })
      .def_prop_ro("constraints",
                   [](const Task& task) {
                     std::vector<std::string> texts;
                     for (const auto& constraint : task.constraints.list()) texts.push_back(constraint.text);
                     return texts;
                   })
      .def(
          "check",
          [](const Task& task, const Point& x) {
            task.space.check(x);
            task.constraints.check(x);
          },
          nb::arg("levels"));
}

}  // namespace bocs::python

NB_MODULE(_core, module) {
  using namespace bocs::python;
  module.attr("version") = std::string(bocs::version());
  module.attr("commit") = std::string(bocs::commit());
  bind_exceptions(module);
  bind_space(module);
  bind_trial(module);
  bind_method(module);
  bind_session(module);
  bind_optimizer(module);
  bind_study(module);
  bind_problem(module);
}

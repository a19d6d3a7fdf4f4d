// Benchmark problems: functions whose optimum is known, the same as those of `bocs solve`.

#include "bindings.hpp"

#include "bocs/problem/problem.hpp"

namespace bocs::python {

void bind_problem(nb::module_& module) {
  nb::class_<Problem>(module, "Problem")
      .def(
          "__init__",
          [](Problem* problem, const std::string& spec, std::uint64_t instance) {
            new (problem) Problem(make_problem(spec, instance));
          },
          nb::arg("spec"), nb::arg("instance"), ReleaseGil())
      .def_prop_ro("variables", [](const Problem& problem) { return problem.space.variables(); })
      .def_prop_ro("maximize", [](const Problem& problem) { return problem.sense == Sense::maximize; })
      .def_prop_ro("constraints", [](const Problem& problem) { return problem.constraints.list(); })
      .def(
          "value",
          [](const Problem& problem, const Point& x) {
            problem.space.check(x);
            return problem.f(x);
          },
          nb::arg("levels"), ReleaseGil())
      .def(
          "optimum",
          [](const Problem& problem, double l1) -> std::optional<double> {
            const auto optimum = problem.optimum ? problem.optimum(l1) : std::nullopt;
            return optimum ? std::optional(optimum->value) : std::nullopt;
          },
          nb::arg("l1"), ReleaseGil());
}

}  // namespace bocs::python

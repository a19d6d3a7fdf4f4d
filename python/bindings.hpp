#pragma once
// The Python module bocs._core: the library as it is, thinly. What Python people expect of an API is in bocs/*.py.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bocs/studies.hpp"

namespace bocs::python {

namespace nb = nanobind;

/// For functions that think or wait: other Python threads run meanwhile.
using ReleaseGil = nb::call_guard<nb::gil_scoped_release>;

/// A trial as people see it: values in the user's sense.
struct TrialView {
  int number = 0;
  State state = State::running;
  Point levels;
  double value = kUnknown;  // f, without the penalty
  double total = kUnknown;  // with it
  std::string error = {};
  double seconds = 0;
  std::map<std::string, double> metrics = {};
  std::string how = {};
  double predicted = kUnknown;  // with the penalty
  double bound = kUnknown;
};

TrialView view(const Task& task, Sense sense, const Trial& trial);
std::vector<TrialView> view(const Task& task, Sense sense, const History& history);

void bind_space(nb::module_& module);
void bind_trial(nb::module_& module);
void bind_session(nb::module_& module);  // before what derives from it
void bind_optimizer(nb::module_& module);
void bind_study(nb::module_& module);
void bind_problem(nb::module_& module);

}  // namespace bocs::python

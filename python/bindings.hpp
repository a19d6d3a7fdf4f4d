#pragma once
// The Python module bocs._core: the library as it is, thinly. What Python people expect of an API is in bocs/*.py.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bocs/studies.hpp"

namespace bocs::python {

namespace nb = nanobind;

/// For functions that think or wait: other Python threads run meanwhile.
using ReleaseGil = nb::call_guard<nb::gil_scoped_release>;

/// A trial as people see it: values in the user's sense.
/// A point, its value and its metrics.
using PastRow = std::tuple<Point, double, std::map<std::string, double>>;

struct TrialView {
  int number = 0;
  State state = State::running;
  Point levels;
  double value = kUnknown;  // f, without the penalty
  double total = kUnknown;  // with it
  std::string error = {};
  double seconds = 0;
  std::map<std::string, double> metrics = {};
  std::string remark = {};
  bool allowed = false;                                    // complete, and within all limits
  std::vector<std::pair<std::string, double>> goals = {};  // as reported or known, without the penalty
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

namespace nanobind::detail {

/// None, bool, int, float, str, _core.Unstorable, and lists and dicts of them.
template <>
struct type_caster<bocs::Value> {
  NB_TYPE_CASTER(bocs::Value, const_name("object"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
    const auto nested = [&](handle object, bocs::Value& result) {
      type_caster own;
      if (!own.from_python(object, flags, cleanup)) return false;
      result = std::move(own.value);
      return true;
    };
    if (isinstance<nanobind::list>(source) || isinstance<nanobind::tuple>(source)) {
      bocs::Value::List entries;
      for (handle entry : borrow<nanobind::sequence>(source)) {
        if (!nested(entry, entries.emplace_back())) return false;
      }
      value = std::move(entries);
      return true;
    }
    if (isinstance<nanobind::dict>(source)) {
      bocs::Value::Map entries;
      for (auto [key, entry] : borrow<nanobind::dict>(source)) {
        if (!isinstance<nanobind::str>(key)) return false;
        if (!nested(entry, entries.emplace_back(borrow<nanobind::str>(key).c_str(), bocs::Value()).second))
          return false;
      }
      value = std::move(entries);
      return true;
    }
    make_caster<bocs::LevelValue> scalar;
    if (!scalar.from_python(source, static_cast<std::uint8_t>(flags & ~cast_flags::convert), cleanup)) return false;
    value = scalar.operator cast_t<bocs::LevelValue>();
    return true;
  }

  static handle from_cpp(const bocs::Value& source, rv_policy policy, cleanup_list* cleanup) noexcept {
    if (source.scalar() != nullptr) {
      return make_caster<bocs::LevelValue>::from_cpp(*source.scalar(), policy, cleanup);
    }
    if (source.list() != nullptr) {
      nanobind::list entries;
      for (const bocs::Value& entry : *source.list()) {
        const object made = steal(from_cpp(entry, policy, cleanup));
        if (!made.is_valid()) return {};
        entries.append(made);
      }
      return entries.release();
    }
    nanobind::dict entries;
    for (const auto& [key, entry] : *source.map()) {
      const object made = steal(from_cpp(entry, policy, cleanup));
      if (!made.is_valid()) return {};
      entries[key.c_str()] = made;
    }
    return entries.release();
  }
};

}  // namespace nanobind::detail

#include "bocs/store/study_spec.hpp"

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"

namespace bocs {
namespace {

void check_text(const char* what, const std::string& text) {
  require(clean_utf8(text) == text,
          [&] { return std::string(what) + " '" + clean_utf8(text) + "' is not text: allowed is UTF-8 without NUL"; });
}

void check_at_least(const char* what, double value, double low) {
  require(std::isfinite(value) && value >= low, [&] {
    return std::string(what) + "=" + std::to_string(value) + ": allowed is a finite number, at least " +
           std::to_string(static_cast<int>(low));
  });
}

/// Whatever they are called.
bool same(const std::vector<Constraint>& a, const std::vector<Constraint>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Constraint& c, const Constraint& d) {
    return c.terms == d.terms && c.low == d.low && c.high == d.high;
  });
}

/// Levels by their texts where one side is a study of 0.2, which did not keep their types.
bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Variable v, Variable w) {
    if (v.typed.empty() || w.typed.empty()) v.typed.clear(), w.typed.clear();
    return v == w;
  });
}

}  // namespace

void StudySpec::check() const {
  require(!name.empty(), "a study needs a name");
  check_text("the study's name", name);
  for (const auto& variable : task.space.variables()) {
    check_text("the variable", variable.name);
    for (const auto& label : variable.labels) check_text("the level", label);
  }
  for (const auto& constraint : task.constraints.list()) check_text("the constraint", constraint.text);
  for (const auto& [key, text] : labels) {
    check_text("the label", key);
    check_text("the label", text);
  }
  for (const auto& argument : objective.command) check_text("the command's argument", argument);
  check_at_least("trials", trials, 0);
  check_at_least("parallel", parallel, 0);
  check_at_least("attempts", attempts, 1);
  check_at_least("timeout_seconds", objective.timeout_seconds, 0);
  check_at_least("retries", objective.retries, 0);
  task.check();
  check_text("the method", method);
}

std::shared_ptr<const Method> make_method(const StudySpec& spec) {
  return make_method(spec.method, spec.task.space, spec.task.constraints);
}

std::string differences(const StudySpec& a, const StudySpec& b) {
  std::string text;
  const auto compare = [&](bool equal, const char* what) {
    if (!equal) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  compare(same(a.task.space.variables(), b.task.space.variables()), "variables");
  compare(same(a.task.constraints.list(), b.task.constraints.list()), "constraints");
  compare(a.sense == b.sense, "direction");
  compare(a.task.l1 == b.task.l1 && a.task.l2 == b.task.l2, "penalty");
  compare(a.task.seed == b.task.seed, "seed");
  compare(a.method == b.method, "method");
  return text;
}

}  // namespace bocs

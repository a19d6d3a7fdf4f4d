#include "bocs/study/study_spec.hpp"

#include <algorithm>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/rule/feasible.hpp"
#include "bocs/study/point_text.hpp"
#include "bocs/variable/type.hpp"

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

/// Levels by their texts where one side is a study of 0.2, which did not keep their types.
bool same(const Variable& v, const Variable& w) {
  if (v == w) return true;
  if (v.name != w.name || v.when != w.when || v.type->word() != "categorical" || w.type->word() != "categorical") {
    return false;
  }
  const Coordinate a = coordinate_of(v), b = coordinate_of(w);
  return (a.typed.empty() || b.typed.empty()) && a.labels == b.labels;
}

bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Variable& v, const Variable& w) { return same(v, w); });
}

constexpr std::size_t kShownChanges = 3;

/// The first few of the lists' entries, and how many others there are.
std::string first_few(const std::vector<std::string>& parts) {
  const std::size_t shown = std::min(parts.size(), kShownChanges);
  return joined({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown)}, "; ") +
         (shown < parts.size() ? "; and " + std::to_string(parts.size() - shown) + " others" : "");
}

std::string changed_variables(const Space& before, const Space& now) {
  std::vector<std::string> parts;
  const auto find = [](const Space& space, const std::string& name) {
    return std::find_if(space.variables().begin(), space.variables().end(),
                        [&](const Variable& v) { return v.name == name; });
  };
  for (const auto& v : before.variables()) {
    const auto other = find(now, v.name);
    if (other == now.variables().end()) {
      parts.push_back(v.name + " is gone");
    } else if (!same(*other, v)) {
      const bool alike = described(v) == described(*other);
      const char* unlike = v.type->word() == "categorical" ? " has other levels" : " is made of other values";
      parts.push_back(v.name + (alike ? unlike : " was " + described(v) + ", is " + described(*other)));
    }
  }
  for (const auto& v : now.variables()) {
    if (find(before, v.name) == before.variables().end()) parts.push_back(v.name + " is new");
  }
  return parts.empty() ? "in another order" : first_few(parts);
}

std::string goals_of(const Task& task) {
  const std::vector<std::string> parts = goal_texts(task);
  return parts.empty() ? "none" : joined(parts);
}

std::string outcomes_of(const Task& task) {
  std::vector<std::string> parts;
  for (const OutcomeLimit& limit : task.outcomes) parts.push_back(to_string(limit));
  return parts.empty() ? "none" : joined(parts);
}

/// The rows of each constraint.
std::vector<std::vector<LinearRow>> rows_of(const Constraints& constraints) {
  std::vector<std::vector<LinearRow>> rows(constraints.list().size());
  for (int r = 0; !rows.empty() && r < constraints.feasible().given(); ++r) {
    const auto constraint = static_cast<std::size_t>(constraints.feasible().constraint_of(r));
    rows[constraint].push_back(constraints.feasible().rows()[static_cast<std::size_t>(r)]);
  }
  return rows;
}

/// Whatever they are called, and however they are written.
std::string changed_constraints(const Constraints& before, const Constraints& now) {
  std::vector<std::string> parts;
  const auto alike = [](const LinearRow& a, const LinearRow& b) { return a.same(b); };
  const auto add = [&](const Constraints& from, const Constraints& other, const char* what) {
    const auto rows = rows_of(from), others = rows_of(other);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool there = std::any_of(others.begin(), others.end(), [&](const auto& o) {
        return std::equal(rows[i].begin(), rows[i].end(), o.begin(), o.end(), alike);
      });
      if (!there) parts.push_back("'" + from.list()[i].text + "'" + what);
    }
  };
  add(before, now, " is gone");
  add(now, before, " is new");
  return parts.empty() ? "in another order" : first_few(parts);
}

}  // namespace

std::vector<std::string> goal_texts(const Task& task) {
  std::vector<std::string> parts;
  for (const Goal& goal : task.goals) {
    std::string& text = parts.emplace_back(std::string(word_of(goal.sense)) + " " + goal.name);
    if (goal.known != nullptr) text += " = " + goal.text;
    if (std::isfinite(goal.reference)) text += " (reference " + shortest(goal.reference) + ")";
  }
  return parts;
}

void StudySpec::check() const {
  require(!name.empty(), "a study needs a name");
  check_text("the study's name", name);
  for (const auto& variable : task.space.variables()) check_text("the variable", variable.name + variable.when);
  for (const auto& c : task.space.coordinates()) {
    check_text("the variable", c.name);
    for (const auto& label : c.labels) check_text("the level", label);
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
  for (const auto& goal : task.goals) check_text("the goal", goal.name + goal.text);
  for (const auto& limit : task.outcomes) check_text("the outcome", limit.metric);
  task.check();
  check_text("the method", method);
  require(task.goals.empty() || task.goals.front().sense == sense,
          "the direction of the study is not that of its first goal");
}

std::shared_ptr<const Method> make_method(const StudySpec& spec) {
  std::shared_ptr<const Method> method = make_method(spec.method, spec.task.space, spec.task.constraints);
  check_fronts(*method, spec.task);
  return method;
}

std::string differences(const StudySpec& a, const StudySpec& b) {
  std::string text;
  const auto compare = [&](bool equal, const std::string& what, const std::string& how) {
    if (!equal) text += (text.empty() ? "" : ", ") + what + " (" + how + ")";
  };
  const auto was = [](const std::string& before, const std::string& now) { return "was " + before + ", is " + now; };
  const auto direction = [](const StudySpec& spec) { return std::string(word_of(spec.sense)); };
  const auto penalty = [](const Task& task) {
    return task.l2 > 0 ? shortest(task.l2) + " |x|^2" : shortest(task.l1) + " |x|";
  };
  compare(same(a.task.space.variables(), b.task.space.variables()), "variables",
          changed_variables(a.task.space, b.task.space));
  compare(a.task.constraints.same(b.task.constraints), "constraints",
          changed_constraints(a.task.constraints, b.task.constraints));
  const auto rows_of = [](const StudySpec& spec) {
    const Candidates* candidates = spec.task.constraints.candidates();
    return candidates == nullptr ? "none"
                                 : std::to_string(candidates->size()) + " rows, " + candidates->hash().substr(0, 8);
  };
  compare(rows_of(a) == rows_of(b), "candidates", was(rows_of(a), rows_of(b)));
  compare(a.sense == b.sense, "direction", was(direction(a), direction(b)));
  compare(a.task.l1 == b.task.l1 && a.task.l2 == b.task.l2, "penalty", was(penalty(a.task), penalty(b.task)));
  compare(goals_of(a.task) == goals_of(b.task), "goals", was(goals_of(a.task), goals_of(b.task)));
  compare(outcomes_of(a.task) == outcomes_of(b.task), "outcomes", was(outcomes_of(a.task), outcomes_of(b.task)));
  const auto present = [](const Task& task) {
    return task.present.empty() ? std::string("none") : point_text(task.space, task.present);
  };
  compare(a.task.present == b.task.present, "default", was(present(a.task), present(b.task)));
  compare(a.task.seed == b.task.seed, "seed", was(std::to_string(a.task.seed), std::to_string(b.task.seed)));
  compare(a.method == b.method, "method", was(a.method, b.method));
  return text;
}

}  // namespace bocs

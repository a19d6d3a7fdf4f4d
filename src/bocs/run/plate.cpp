#include "bocs/run/plate.hpp"

#include <algorithm>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

bool has_steps(const Space& space, int variable) {
  return space.is_plain(variable) && !space[space.first(variable)].scale;
}

void check_variable(const Space& space, const char* rule, const std::string& name) {
  const int v = space.variable_index(name);
  std::vector<std::string> names;
  for (const Variable& variable : space.variables()) names.push_back(variable.name);
  require(v >= 0,
          [&] { return std::string(rule) + ": there is no variable " + quoted(name) + did_you_mean(name, names); });
  require(has_steps(space, v), [&] {
    return std::string(rule) + ": " + name + " is " + described(space.variables()[static_cast<std::size_t>(v)]) +
           "; allowed: variables of one value, numbers with a step";
  });
}

void check_at_least_1(const std::string& rule, int number) {
  require(number >= 1, [&] { return rule + ": found " + std::to_string(number) + "; allowed: 1 or more"; });
}

Term is_level(const Space& space, int coordinate, std::int32_t level) {
  return {space[coordinate].name, format_level(space[coordinate], level)};
}

/// The variable has one of the levels.
Constraint one_of(const Space& space, int coordinate, const std::set<std::int32_t>& levels, std::string text) {
  Constraint rule{{}, 1, 1, std::move(text)};
  for (const std::int32_t level : levels) rule.terms.push_back(is_level(space, coordinate, level));
  return rule;
}

}  // namespace

void Plate::check(const Space& space) const {
  for (const std::string& name : same) check_variable(space, "same", name);
  for (const auto& [name, most] : at_most) {
    check_variable(space, "at_most", name);
    check_at_least_1("at_most: " + name, most);
  }
  require(block >= 0,
          [&] { return "block: found " + std::to_string(block) + "; allowed: the trials of a block, or 0"; });
  require(block == 0 || !same.empty(), "block: allowed only with variables that are the same in it");
  int varying = 0;
  for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) varying += has_steps(space, v) ? 1 : 0;
  require(distance >= 0 && distance <= varying, [&] {
    return "distance: found " + std::to_string(distance) + "; allowed: 0 to " + std::to_string(varying) +
           ", the number of variables of one value with steps";
  });
}

std::vector<Constraint> next_rules(const Space& space, const Plate& plate, const std::vector<Point>& batch) {
  std::vector<Constraint> rules;
  const auto coordinate_of = [&](const std::string& name) { return space.first(space.variable_index(name)); };
  const std::size_t block = plate.block == 0 ? batch.size() + 1 : static_cast<std::size_t>(plate.block);
  const std::size_t begin = batch.size() - batch.size() % block;  // of the block of the next trial
  for (const std::string& name : plate.same) {
    if (begin == batch.size()) break;
    const int i = coordinate_of(name);
    rules.push_back(one_of(space, i, {batch[begin][static_cast<std::size_t>(i)]}, "the same " + name));
  }
  for (const auto& [name, most] : plate.at_most) {
    const int i = coordinate_of(name);
    std::set<std::int32_t> used;
    for (const Point& x : batch) used.insert(x[static_cast<std::size_t>(i)]);
    if (static_cast<int>(used.size()) < most) continue;
    rules.push_back(one_of(space, i, used, "at most " + std::to_string(most) + " values of " + name));
  }
  for (std::size_t k = 0; plate.distance > 0 && k < batch.size(); ++k) {
    Constraint rule{{}, 0, 0, "differs in " + std::to_string(plate.distance) + " variables"};
    for (int v = 0; v < static_cast<int>(space.variables().size()); ++v) {
      const int i = space.first(v);
      if (has_steps(space, v)) rule.terms.push_back(is_level(space, i, batch[k][static_cast<std::size_t>(i)]));
    }
    rule.high = static_cast<double>(rule.terms.size()) - plate.distance;
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<Trial> ask_plate(Session& session, int count, const Plate& plate, std::string* why) {
  const Task& task = session.task();
  plate.check(task.space);
  check_at_least_1("a batch", count);
  std::vector<Trial> trials;
  std::vector<Point> points;
  const auto end = [&](const Error& error) {
    if (trials.empty()) throw;
    if (why != nullptr) *why = error.what();
  };
  while (static_cast<int>(trials.size()) < count) {
    const std::vector<Constraint> rules = next_rules(task.space, plate, points);
    Trial trial;
    try {
      trial = session.ask(rules);
    } catch (const SpaceExhausted& error) {
      end(error);
      break;
    } catch (const AllRunning& error) {
      end(error);
      break;
    } catch (const BudgetReached& error) {
      end(error);
      break;
    }
    const bool fits = Constraints(task.space, rules).satisfied(trial.x);
    trials.push_back(trial);
    points.push_back(trial.x);
    if (fits) continue;
    for (const Trial& asked : trials) session.release(asked.number);
    throw InvalidArgument("trial " + std::to_string(trial.number) +
                          " was waiting, and breaks the rules of this batch; ask for it first, without rules");
  }
  return trials;
}

}  // namespace bocs

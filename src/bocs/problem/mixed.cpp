#include "bocs/problem/mixed.hpp"

#include <array>
#include <cmath>
#include <memory>

#include "bocs/numeric/linalg.hpp"

namespace bocs {
namespace {

constexpr int kSettings = 10;
constexpr int kKinds = 4;
constexpr int kLargestSolved = 8;  // blocks: 2^10 switches, each with a table of 8 x 33 x 40 entries

/// The order of the variables is switches, settings, kinds.
struct Instance {
  struct Block {
    double steepness = 0;                 // a
    std::array<int, kKinds> best{};       // t
    std::array<double, kKinds> offset{};  // u
  };
  std::vector<Block> blocks;
  Matrix switches;  // w on the diagonal, s above

  Instance(int count, std::uint64_t seed) : blocks(static_cast<std::size_t>(count)) {
    Rng rng(seed, "mixed");
    for (Block& block : blocks) {
      block.steepness = rng.uniform();
      for (auto& t : block.best) t = 2 + static_cast<int>(rng.below(7));
      for (auto& u : block.offset) u = rng.uniform();
    }
    switches = Matrix::Zero(count + 2, count + 2);
    for (Eigen::Index j = 0; j < switches.rows(); ++j) {
      for (Eigen::Index k = j; k < switches.rows(); ++k) switches(j, k) = 0.5 * rng.normal();
    }
  }

  [[nodiscard]] int count() const { return static_cast<int>(blocks.size()); }
  [[nodiscard]] int budget() const { return 4 * count(); }
  [[nodiscard]] bool excludes_kind_d(int block) const { return block < count() / 2; }

  [[nodiscard]] double block_value(int i, int on, int setting, int kind) const {
    const Block& block = blocks[static_cast<std::size_t>(i)];
    const auto c = static_cast<std::size_t>(kind);
    const double miss = (setting - block.best[c] - 2 * on) / 3.0;
    return block.steepness * miss * miss + block.offset[c];
  }
  [[nodiscard]] double switch_value(const Point& x) const {
    double sum = 0;
    for (Eigen::Index j = 0; j < switches.rows(); ++j) {
      if (x[static_cast<std::size_t>(j)] == 0) continue;
      for (Eigen::Index k = j; k < switches.rows(); ++k) sum += x[static_cast<std::size_t>(k)] * switches(j, k);
    }
    return sum;
  }
  [[nodiscard]] double value(const Point& x) const {
    double sum = switch_value(x);
    for (int i = 0; i < count(); ++i) {
      const auto n = static_cast<std::size_t>(count() + 2 + i);
      sum += block_value(i, x[static_cast<std::size_t>(i)], x[n], x[n + static_cast<std::size_t>(count())]);
    }
    return sum;
  }
};

/// The best settings and kinds for given switches, written into x: given these, blocks share nothing but the budget.
/// best[b] is the least value of the blocks so far with settings that add up to b.
double solve_blocks(const Instance& instance, double l1, Point& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Choice {
    int setting = 0;
    int kind = 0;
  };
  const int budget = instance.budget();
  const auto size = static_cast<std::size_t>(budget) + 1;
  std::vector<double> best(size, kInfinity);
  best[0] = 0;
  std::vector<std::vector<Choice>> choices;
  for (int i = 0; i < instance.count(); ++i) {
    std::vector<double> next(size, kInfinity);
    auto& choice = choices.emplace_back(size);
    const int on = x[static_cast<std::size_t>(i)];
    for (int setting = 0; setting < kSettings; ++setting) {
      for (int kind = 0; kind < kKinds; ++kind) {
        if (on == 1 && kind == kKinds - 1 && instance.excludes_kind_d(i)) continue;
        const double value = instance.block_value(i, on, setting, kind) + l1 * setting;
        for (int used = 0; used + setting <= budget; ++used) {
          const auto b = static_cast<std::size_t>(used + setting);
          if (best[static_cast<std::size_t>(used)] + value < next[b]) {
            next[b] = best[static_cast<std::size_t>(used)] + value;
            choice[b] = {setting, kind};
          }
        }
      }
    }
    best = std::move(next);
  }
  std::size_t b = 0;
  for (std::size_t other = 1; other < size; ++other) b = best[other] < best[b] ? other : b;
  const double value = best[b];
  for (int i = instance.count(); i-- > 0;) {
    const Choice& choice = choices[static_cast<std::size_t>(i)][b];
    const auto n = static_cast<std::size_t>(instance.count() + 2 + i);
    x[n] = choice.setting;
    x[n + static_cast<std::size_t>(instance.count())] = choice.kind;
    b -= static_cast<std::size_t>(choice.setting);
  }
  return value;
}

std::optional<Optimum> solve(const Instance& instance, double l1) {
  const int count = instance.count();
  if (count > kLargestSolved) return std::nullopt;
  Point best;
  double best_value = std::numeric_limits<double>::infinity();
  for (int code = 0; code < 1 << (count + 2); ++code) {
    Point x(static_cast<std::size_t>(3 * count + 2));
    int on = 0;
    for (int j = 0; j < count + 2; ++j) on += x[static_cast<std::size_t>(j)] = code >> j & 1;
    if (on != count / 2) continue;
    const double value = instance.switch_value(x) + solve_blocks(instance, l1, x);
    if (value < best_value) {
      best_value = value;
      best = std::move(x);
    }
  }
  double size = 0;
  for (int j = 0; j < 2 * count + 2; ++j) size += best[static_cast<std::size_t>(j)];
  return Optimum{best, instance.value(best) + l1 * size};
}

}  // namespace

void MixedOptions::describe(OptionTable& table) {
  table.integer("blocks", blocks, 1, 300,
                "each an integer, a categorical and a binary variable; two binary ones beside");
}

Problem make_mixed(const Spec& spec, std::uint64_t seed) {
  const auto options = parse_options<MixedOptions>(spec);
  const auto instance = std::make_shared<const Instance>(options.blocks, seed);
  std::vector<Variable> variables;
  const auto name = [](const char* letter, int i) { return letter + std::to_string(i + 1); };
  for (int j = 0; j < options.blocks + 2; ++j) variables.push_back(binary(name("b", j)));
  for (int i = 0; i < options.blocks; ++i) variables.push_back(integer(name("n", i), 0, kSettings - 1));
  for (int i = 0; i < options.blocks; ++i) variables.push_back(categorical(name("c", i), {"a", "b", "c", "d"}));
  const Space space(std::move(variables));

  std::vector<Term> settings;
  for (int i = 0; i < options.blocks; ++i) settings.push_back({name("n", i)});
  std::vector<Constraint> list{constraint::exactly(options.blocks / 2, constraint::switched_on(space)),
                               constraint::linear(std::move(settings), "<=", instance->budget())};
  for (int i = 0; i < options.blocks; ++i) {
    if (instance->excludes_kind_d(i)) list.push_back(constraint::forbidden({{name("b", i)}, {name("c", i), "d"}}));
  }
  Problem problem{.name = spec.text(), .space = space};
  problem.constraints = Constraints(space, std::move(list));
  problem.f = [instance, space, constraints = problem.constraints](const Point& x) {
    space.check(x);
    constraints.check(x);
    return instance->value(x);
  };
  problem.optimum = [instance](double l1) { return solve(*instance, l1); };
  return problem;
}

}  // namespace bocs

#include "bocs/core/sum_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace bocs {
namespace {

constexpr double kDecided = std::numeric_limits<double>::infinity();  // a row that every completion satisfies

/// All variables, those connected by constraints next to each other.
std::vector<int> by_component(const Feasible& feasible) {
  const auto d = static_cast<std::size_t>(feasible.space().dimension());
  std::vector<int> component(d);
  std::iota(component.begin(), component.end(), 0);
  const auto root = [&](int i) {
    while (component[static_cast<std::size_t>(i)] != i) i = component[static_cast<std::size_t>(i)];
    return i;
  };
  for (const LinearRow& row : feasible.rows()) {
    for (const Contribution& c : row.terms) {
      const int a = root(row.terms.front().variable), b = root(c.variable);
      component[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<int> roots, order(d);
  for (std::size_t i = 0; i < d; ++i) roots.push_back(root(static_cast<int>(i)));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return roots[static_cast<std::size_t>(a)] < roots[static_cast<std::size_t>(b)];
  });
  return order;
}

struct Rest {  // what the variables still to come can add to a row
  double low = 0;
  double high = 0;
};

}  // namespace

std::unique_ptr<const SumTable> SumTable::make(const Feasible& feasible, std::size_t transitions) {
  const auto& rows = feasible.rows();
  std::vector<Rest> rest(rows.size());
  const auto add_to_rest = [&](const Contribution& c, int levels, double sign) {
    double low = c(0), high = c(0);
    for (int level = 1; level < levels; ++level) {
      low = std::min(low, c(level));
      high = std::max(high, c(level));
    }
    rest[static_cast<std::size_t>(c.row)].low += sign * low;
    rest[static_cast<std::size_t>(c.row)].high += sign * high;
  };
  for (const LinearRow& row : rows) {
    for (const Contribution& c : row.terms) add_to_rest(c, feasible.space()[c.variable].levels, 1);
  }
  std::vector<std::size_t> to_come(rows.size());  // variables of the row
  for (std::size_t r = 0; r < rows.size(); ++r) to_come[r] = rows[r].terms.size();

  auto table = std::make_unique<SumTable>();
  std::vector<std::vector<double>> states{std::vector<double>(rows.size(), 0.0)};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (to_come[r] == 0 && !rows[r].allows(0)) states.clear();
  }
  std::size_t entries = 0;
  for (const int variable : by_component(feasible)) {
    const int levels = feasible.space()[variable].levels;
    const auto& contributions = feasible.contributions(variable);
    entries += states.size() * static_cast<std::size_t>(levels);
    if (entries > transitions) return nullptr;
    for (const Contribution& c : contributions) {
      if (--to_come[static_cast<std::size_t>(c.row)] == 0) {
        rest[static_cast<std::size_t>(c.row)] = {};  // exactly, whatever rounding has done
      } else {
        add_to_rest(c, levels, -1);
      }
    }
    Layer& layer = table->layers_.emplace_back(Layer{variable, levels});
    std::map<std::vector<double>, int> next_states;
    std::vector<double> next;
    for (const auto& state : states) {
      for (int level = 0; level < levels; ++level) {
        next = state;
        bool possible = true;
        for (const Contribution& c : contributions) {
          const auto r = static_cast<std::size_t>(c.row);
          if (next[r] == kDecided) continue;
          next[r] += c(level);
          const double low = next[r] + rest[r].low, high = next[r] + rest[r].high;
          possible = possible && low <= rows[r].high && high >= rows[r].low;
          if (low >= rows[r].low && high <= rows[r].high) next[r] = kDecided;
        }
        int index = -1;
        if (possible) index = next_states.try_emplace(next, static_cast<int>(next_states.size())).first->second;
        layer.next.push_back(index);
      }
    }
    states.resize(next_states.size());
    for (const auto& [state, index] : next_states) states[static_cast<std::size_t>(index)] = state;
  }
  table->layers_.push_back({-1, 0, {}, std::vector<long double>(states.size(), 1)});
  for (std::size_t k = table->layers_.size() - 1; k-- > 0;) {
    Layer& layer = table->layers_[k];
    const auto& after = table->layers_[k + 1].counts;
    layer.counts.assign(std::max<std::size_t>(1, layer.next.size() / static_cast<std::size_t>(layer.levels)), 0);
    for (std::size_t t = 0; t < layer.next.size(); ++t) {
      if (layer.next[t] >= 0) {
        layer.counts[t / static_cast<std::size_t>(layer.levels)] += after[static_cast<std::size_t>(layer.next[t])];
      }
    }
  }
  if (!std::isfinite(table->layers_.front().counts.front())) return nullptr;  // more than a long double holds
  return table;
}

Point SumTable::random(Rng& rng) const {
  Point x(layers_.size() - 1);
  std::size_t state = 0;
  for (std::size_t k = 0; k + 1 < layers_.size(); ++k) {
    const Layer& layer = layers_[k];
    const auto& after = layers_[k + 1].counts;
    long double u = static_cast<long double>(rng.uniform()) * layer.counts[state];
    int chosen = -1;
    for (int level = 0; level < layer.levels; ++level) {
      const int next = layer.next[state * static_cast<std::size_t>(layer.levels) + static_cast<std::size_t>(level)];
      if (next < 0 || after[static_cast<std::size_t>(next)] == 0) continue;
      chosen = level;  // the last possible one, should rounding leave u above all
      u -= after[static_cast<std::size_t>(next)];
      if (u < 0) break;
    }
    x[static_cast<std::size_t>(layer.variable)] = chosen;
    state = static_cast<std::size_t>(
        layer.next[state * static_cast<std::size_t>(layer.levels) + static_cast<std::size_t>(chosen)]);
  }
  return x;
}

}  // namespace bocs

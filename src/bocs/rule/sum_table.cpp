#include "bocs/rule/sum_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace bocs {
namespace {

constexpr double kDecided = std::numeric_limits<double>::infinity();  // a row that every completion satisfies

/// All variables, those connected by constraints next to each other.
std::vector<int> by_component(const Feasible& feasible) {
  const auto d = static_cast<std::size_t>(feasible.space().dimension());
  std::vector<int> component(d);
  std::iota(component.begin(), component.end(), 0);
  const auto root = [&](int i) {
    while (component[i] != i) i = component[i] = component[component[i]];
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

struct Span {  // of what a sum, or a part of it, can be
  double low = 0;
  double high = 0;
};

Span span_of(const Contribution& c, int levels) {
  Span result{c(0), c(0)};
  for (int level = c.by_level.empty() ? levels - 1 : 1; level < levels; ++level) {  // else monotone: the ends
    result.low = std::min(result.low, c(level));
    result.high = std::max(result.high, c(level));
  }
  return result;
}

/// Goes through the variables and keeps, for every row, what is still to come.
class Progress {
 public:
  explicit Progress(const Feasible& feasible) : feasible_(&feasible), rest_(feasible.rows().size()) {
    for (const LinearRow& row : feasible.rows()) {
      to_come_.push_back(row.terms.size());
      for (const Contribution& c : row.terms) add(c, 1);
    }
  }

  void pass(int variable) {
    for (const Contribution& c : feasible_->contributions(variable)) {
      const auto r = static_cast<std::size_t>(c.row);
      if (to_come_[r] == feasible_->rows()[r].terms.size()) open_.push_back(c.row);
      add(c, -1);
      if (--to_come_[r] == 0) std::erase(open_, c.row);
    }
  }

  /// The rows begun and not finished, in the order they were begun in.
  [[nodiscard]] const std::vector<int>& open() const { return open_; }
  /// What the row can become when it is `sum` so far.
  [[nodiscard]] Span range(int row, double sum) const {
    const Span& rest = rest_[static_cast<std::size_t>(row)];
    return {sum + rest.low, sum + rest.high};
  }

 private:
  void add(const Contribution& c, double sign) {
    const Span own = span_of(c, feasible_->space()[c.variable].levels);
    rest_[static_cast<std::size_t>(c.row)].low += sign * own.low;
    rest_[static_cast<std::size_t>(c.row)].high += sign * own.high;
  }

  const Feasible* feasible_;
  std::vector<Span> rest_;            // by row: what the variables still to come can add
  std::vector<std::size_t> to_come_;  // their number
  std::vector<int> open_;
};

/// Of rows with a set: partial sums that can be completed in the same ways are one.
class Completions {
 public:
  /// What stands for the partial sum after a variable: kDecided if every completion is allowed, nothing if none is.
  std::optional<double> representative(const LinearRow& row, const Contribution& c, double sum) {
    // The variables still to come are the last digits: they add less than one unit of this one.
    const auto first = std::lower_bound(row.set.begin(), row.set.end(), sum);
    const auto last = std::lower_bound(first, row.set.end(), sum + c.slope);
    if (first == last) return std::nullopt;
    if (static_cast<double>(last - first) == c.slope) return kDecided;
    std::vector<double> added(first, last);
    for (double& value : added) value -= sum;
    return known_[{c.row, c.variable}].try_emplace(std::move(added), sum).first->second;
  }

 private:
  std::map<std::pair<int, int>, std::map<std::vector<double>, double>> known_;  // by row and variable
};

}  // namespace

std::unique_ptr<const SumTable> SumTable::make(const Feasible& feasible, std::size_t limit) {
  const auto& rows = feasible.rows();
  Progress progress(feasible);
  auto table = std::make_unique<SumTable>();
  using State = std::vector<double>;  // the sum of each open row
  std::vector<State> states{{}};
  if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.terms.empty() && !row.allows(0); })) {
    states.clear();
  }
  State sums(rows.size(), 0.0), key;
  Completions completions;
  std::size_t numbers = 0;
  for (const int variable : by_component(feasible)) {
    const int levels = feasible.space()[variable].levels;
    const std::vector<int> open_before = progress.open();
    progress.pass(variable);
    numbers += states.size() * static_cast<std::size_t>(levels) * (1 + progress.open().size() / 4);
    if (numbers > limit) return nullptr;
    Layer& layer = table->layers_.emplace_back(Layer{variable, levels, feasible.space()[variable].optional});
    std::map<State, int> next;
    for (const State& state : states) {
      for (int level = 0; level < levels; ++level) {
        for (const Contribution& c : feasible.contributions(variable)) sums[static_cast<std::size_t>(c.row)] = 0;
        for (std::size_t k = 0; k < state.size(); ++k) sums[static_cast<std::size_t>(open_before[k])] = state[k];
        bool possible = true;
        for (const Contribution& c : feasible.contributions(variable)) {
          const LinearRow& row = rows[static_cast<std::size_t>(c.row)];
          double& sum = sums[static_cast<std::size_t>(c.row)];
          if (sum == kDecided) continue;
          sum += c(level);
          if (!row.set.empty()) {
            const auto same = completions.representative(row, c, sum);
            possible = possible && same.has_value();
            sum = same.value_or(sum);
            continue;
          }
          const Span range = progress.range(c.row, sum);
          possible = possible && range.low <= row.high && range.high >= row.low;
          if (range.low >= row.low && range.high <= row.high) sum = kDecided;
        }
        key.clear();
        for (const int r : progress.open()) key.push_back(sums[static_cast<std::size_t>(r)]);
        layer.next.push_back(possible ? next.try_emplace(key, static_cast<int>(next.size())).first->second : -1);
      }
    }
    states.resize(next.size());
    for (const auto& [state, index] : next) states[static_cast<std::size_t>(index)] = state;
  }
  table->layers_.push_back({-1, 0, false, {}, std::vector<long double>(states.size(), 1)});
  table->count_completions();
  if (!std::isfinite(table->layers_.front().counts.front())) return nullptr;  // more than a long double holds
  return table;
}

/// From the last layer to the first.
void SumTable::count_completions() {
  bool optional = false;
  for (std::size_t k = layers_.size() - 1; k-- > 0;) {
    Layer& layer = layers_[k];
    optional = optional || layer.optional;
    const auto levels = static_cast<std::size_t>(layer.levels);
    layer.counts.assign(std::max<std::size_t>(1, layer.next.size() / levels), 0);
    for (std::size_t t = 0; t < layer.next.size(); ++t) {
      if (layer.next[t] >= 0)
        layer.counts[t / levels] += layers_[k + 1].counts[static_cast<std::size_t>(layer.next[t])];
    }
    if (!optional) continue;
    layer.weights.assign(layer.counts.size(), 0);
    for (std::size_t t = 0; t < layer.next.size(); ++t) {
      if (layer.next[t] < 0) continue;
      layer.weights[t / levels] +=
          layer.share(static_cast<int>(t % levels)) * layers_[k + 1].drawn()[static_cast<std::size_t>(layer.next[t])];
    }
  }
}

Point SumTable::random(Rng& rng) const {
  Point x(layers_.size() - 1);
  std::size_t state = 0;
  for (std::size_t k = 0; k + 1 < layers_.size(); ++k) {
    const Layer& layer = layers_[k];
    const auto& after = layers_[k + 1].drawn();
    long double u = static_cast<long double>(rng.uniform()) * layer.drawn()[state];
    int chosen = -1;
    for (int level = 0; level < layer.levels; ++level) {
      const int next = layer.next[state * static_cast<std::size_t>(layer.levels) + static_cast<std::size_t>(level)];
      if (next < 0 || after[static_cast<std::size_t>(next)] == 0) continue;
      chosen = level;  // the last possible one, should rounding leave u above all
      u -= layer.share(level) * after[static_cast<std::size_t>(next)];
      if (u < 0) break;
    }
    x[static_cast<std::size_t>(layer.variable)] = chosen;
    state = static_cast<std::size_t>(
        layer.next[state * static_cast<std::size_t>(layer.levels) + static_cast<std::size_t>(chosen)]);
  }
  return x;
}

}  // namespace bocs

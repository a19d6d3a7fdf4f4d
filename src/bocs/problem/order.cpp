#include "bocs/problem/order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "bocs/base/error.hpp"
#include "bocs/numeric/linalg.hpp"

namespace bocs {
namespace {

constexpr int kLargestProgram = 17;  // items, of dynamic programming: a second
constexpr int kLargestSearch = 10;   // items, of the search

using Order = std::vector<int>;

/// An instance. The cost of an order is a sum over its items.
class Instance {
 public:
  virtual ~Instance() = default;
  [[nodiscard]] virtual double cost(const Order& order) const = 0;
  [[nodiscard]] virtual std::optional<Order> best(int n) const = 0;
};

/// An item's cost depends on the set of items before it and on the last of them alone.
class Steps : public Instance {
 public:
  /// The cost of item `a` after those of `placed`, a bit each, of which `last` is the last one; n: none yet.
  [[nodiscard]] virtual double step(unsigned placed, int last, int a) const = 0;
  [[nodiscard]] virtual double end(int /*last*/) const { return 0; }

  [[nodiscard]] double cost(const Order& order) const override {
    double sum = 0;
    unsigned placed = 0;
    int last = static_cast<int>(order.size());
    for (const int a : order) {
      sum += step(placed, last, a);
      placed |= 1U << a;
      last = a;
    }
    return sum + end(last);
  }

  /// value(placed, last): the least cost of an order of those placed that ends with `last`.
  [[nodiscard]] std::optional<Order> best(int n) const override {
    if (n > kLargestProgram) return std::nullopt;
    const auto size = static_cast<std::size_t>(n);
    const auto at = [size](unsigned placed, int last) { return placed * size + static_cast<std::size_t>(last); };
    std::vector<double> value((std::size_t{1} << n) * size, std::numeric_limits<double>::infinity());
    std::vector<std::int8_t> before(value.size(), -1);
    for (int a = 0; a < n; ++a) value[at(1U << a, a)] = step(0, n, a);
    for (unsigned placed = 1; placed < 1U << n; ++placed) {
      for (int last = 0; last < n; ++last) {
        if ((placed >> last & 1U) == 0) continue;
        for (int a = 0; a < n; ++a) {
          if ((placed >> a & 1U) != 0) continue;
          const double sum = value[at(placed, last)] + step(placed, last, a);
          if (sum < value[at(placed | 1U << a, a)]) {
            value[at(placed | 1U << a, a)] = sum;
            before[at(placed | 1U << a, a)] = static_cast<std::int8_t>(last);
          }
        }
      }
    }
    unsigned placed = (1U << n) - 1;
    int last = 0;
    for (int a = 1; a < n; ++a) {
      if (value[at(placed, a)] + end(a) < value[at(placed, last)] + end(last)) last = a;
    }
    Order order;
    while (last >= 0) {
      order.push_back(last);
      const int next = before[at(placed, last)];
      placed ^= 1U << last;
      last = next;
    }
    std::reverse(order.begin(), order.end());
    return order;
  }
};

/// Costs only grow as items are placed: what is no better than the best so far is cut off.
class Growing : public Instance {
 public:
  [[nodiscard]] std::optional<Order> best(int n) const override {
    if (n > kLargestSearch) return std::nullopt;
    Order order(static_cast<std::size_t>(n)), best;
    std::iota(order.begin(), order.end(), 0);
    double least = std::numeric_limits<double>::infinity();
    search(order, 0, best, least);
    return best;
  }

 protected:
  /// Of the first items of an order alone: never more than that of the whole.
  [[nodiscard]] virtual double cost_of_first(const Order& order, std::size_t count) const = 0;
  [[nodiscard]] double cost(const Order& order) const override { return cost_of_first(order, order.size()); }

 private:
  void search(Order& order, std::size_t placed, Order& best, double& least) const {
    if (!(cost_of_first(order, placed) < least)) return;
    if (placed == order.size()) {
      best = order;
      least = cost(order);
      return;
    }
    for (std::size_t k = placed; k < order.size(); ++k) {
      std::swap(order[placed], order[k]);
      search(order, placed + 1, best, least);
      std::swap(order[placed], order[k]);
    }
  }
};

/// A whole number from low to high.
double whole(Rng& rng, int low, int high) {
  return low + static_cast<double>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

Matrix wholes(Rng& rng, int rows, int columns, int low, int high) {
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) m(i, j) = whole(rng, low, high);
  }
  return m;
}

Matrix points(Rng& rng, int n) {
  Matrix xy(n, 2);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 2; ++j) xy(i, j) = 100 * rng.uniform();
  }
  return xy;
}

class Linear final : public Steps {
 public:
  Linear(Rng& rng, int n) : c_(wholes(rng, n, n, 0, 99)) {}
  [[nodiscard]] double step(unsigned placed, int /*last*/, int a) const override {
    double sum = 0;
    for (int b = 0; b < c_.cols(); ++b) sum -= b != a && (placed >> b & 1U) == 0 ? c_(a, b) : 0;
    return sum;
  }

 private:
  Matrix c_;
};

class Tardiness final : public Steps {
 public:
  Tardiness(Rng& rng, int n) : time_(wholes(rng, n, 1, 1, 100)), weight_(wholes(rng, n, 1, 1, 10)), due_(n) {
    for (int a = 0; a < n; ++a) due_[a] = std::round((0.2 + 0.4 * rng.uniform()) * time_.sum());
  }
  [[nodiscard]] double step(unsigned placed, int /*last*/, int a) const override {
    double time = time_[a];
    for (int b = 0; b < time_.size(); ++b) time += (placed >> b & 1U) != 0 ? time_[b] : 0;
    return weight_[a] * std::max(0.0, time - due_[a]);
  }

 private:
  Vector time_, weight_, due_;
};

class Tour final : public Steps {
 public:
  Tour(Rng& rng, int n) : xy_(points(rng, n + 1)) {}
  [[nodiscard]] double step(unsigned /*placed*/, int last, int a) const override { return distance(last, a); }
  [[nodiscard]] double end(int last) const override { return distance(last, static_cast<int>(xy_.rows()) - 1); }

 private:
  [[nodiscard]] double distance(int a, int b) const { return (xy_.row(a) - xy_.row(b)).norm(); }  // the depot is n
  Matrix xy_;
};

class Setup final : public Steps {
 public:
  Setup(Rng& rng, int n)
      : time_(wholes(rng, n, 1, 1, 30)), weight_(wholes(rng, n, 1, 1, 10)), setup_(wholes(rng, n + 1, n, 1, 60)) {}
  /// What passes now delays all that are not placed yet.
  [[nodiscard]] double step(unsigned placed, int last, int a) const override {
    double waiting = 0;
    for (int b = 0; b < weight_.size(); ++b) waiting += (placed >> b & 1U) == 0 ? weight_[b] : 0;
    return (setup_(last, a) + time_[a]) * waiting;
  }

 private:
  Vector time_, weight_;
  Matrix setup_;
};

class QuadraticAssignment final : public Growing {
 public:
  QuadraticAssignment(Rng& rng, int n) : flow_(Matrix::Zero(n, n)), distance_(n, n) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) {
        const double flow = whole(rng, 0, 9);  // drawn in any case
        flow_(i, j) = flow_(j, i) = rng.uniform() < 0.6 ? flow : 0;
      }
    }
    const Matrix xy = points(rng, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) distance_(i, j) = std::round((xy.row(i) - xy.row(j)).cwiseAbs().sum());
    }
  }

 protected:
  [[nodiscard]] double cost_of_first(const Order& order, std::size_t count) const override {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) sum += flow_(order[i], order[j]) * distance_(i, j);
    }
    return sum;
  }

 private:
  Matrix flow_, distance_;
};

class FlowShop final : public Growing {
 public:
  static constexpr int kMachines = 5;
  FlowShop(Rng& rng, int n) : time_(wholes(rng, n, kMachines, 1, 99)) {}

 protected:
  [[nodiscard]] double cost_of_first(const Order& order, std::size_t count) const override {
    std::array<double, kMachines> free{};
    for (std::size_t i = 0; i < count; ++i) {
      double ready = 0;
      for (std::size_t m = 0; m < kMachines; ++m) ready = free[m] = std::max(ready, free[m]) + time_(order[i], m);
    }
    return free.back();
  }

 private:
  Matrix time_;
};

std::shared_ptr<const Instance> draw(const OrderOptions& options, std::uint64_t instance) {
  Rng rng(instance, "order " + options.kind);
  const int n = options.n;
  if (options.kind == "linear") return std::make_shared<Linear>(rng, n);
  if (options.kind == "assignment") return std::make_shared<QuadraticAssignment>(rng, n);
  if (options.kind == "flow") return std::make_shared<FlowShop>(rng, n);
  if (options.kind == "tardiness") return std::make_shared<Tardiness>(rng, n);
  if (options.kind == "tour") return std::make_shared<Tour>(rng, n);
  return std::make_shared<Setup>(rng, n);
}

/// The items by position; a point has the position of each item.
Order order_of(const Point& x) {
  Order order(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) order[static_cast<std::size_t>(x[i])] = static_cast<int>(i);
  return order;
}

}  // namespace

void OrderOptions::describe(OptionTable& table) {
  table.choice("kind", kind, {"linear", "assignment", "flow", "tardiness", "tour", "setup"},
               "which of the six problems");
  table.integer("n", n, 2, 30, "number of items");
}

Problem make_order(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<OrderOptions>(spec);
  std::vector<std::string> items;
  for (int i = 0; i < options.n; ++i) items.push_back(std::to_string(i));
  const Space space({permutation("order", std::move(items))});
  Problem problem{.name = spec.text(), .space = space};
  problem.constraints = Constraints(space, {});
  const auto drawn = draw(options, instance);
  const Constraints constraints = problem.constraints;
  problem.f = [drawn, space, constraints](const Point& x) {
    space.check(x);
    constraints.check(x);
    return drawn->cost(order_of(x));
  };
  problem.optimum = [drawn, n = options.n](double) -> std::optional<Optimum> {
    const auto best = drawn->best(n);
    if (!best) return std::nullopt;
    Point x(best->size());
    for (std::size_t p = 0; p < best->size(); ++p) x[static_cast<std::size_t>((*best)[p])] = static_cast<int>(p);
    return Optimum{x, drawn->cost(*best)};
  };
  return problem;
}

}  // namespace bocs

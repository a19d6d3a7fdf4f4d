#include "bocs/problem/maxsat.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>

#include "bocs/base/error.hpp"
#include "bocs/problem/binary.hpp"

namespace bocs {
namespace {

constexpr int kMaxVariables = 100000;
constexpr int kOptimumVariables = 24;

bool holds(int literal, const Point& z) { return (z[std::abs(literal) - 1] == 1) == (literal > 0); }

double satisfied_weight(const Wcnf& formula, const Point& z) {
  double sum = 0;
  for (const auto& clause : formula.clauses) {
    const auto& literals = clause.literals;
    if (std::any_of(literals.begin(), literals.end(), [&](int l) { return holds(l, z); })) sum += clause.weight;
  }
  return sum;
}

/// A point and how many literals of each clause hold; value() is minus the satisfied weight.
class Assignment {
 public:
  Assignment(const Wcnf& formula, Point z) : formula_(formula), z_(std::move(z)), held_(formula.clauses.size(), 0) {
    uses_.resize(z_.size());
    for (std::size_t c = 0; c < held_.size(); ++c) {
      for (const int literal : formula.clauses[c].literals) {
        uses_[std::abs(literal) - 1].push_back({static_cast<int>(c), literal});
        held_[c] += holds(literal, z_) ? 1 : 0;
      }
    }
    value_ = -satisfied_weight(formula, z_);
  }
  [[nodiscard]] double value() const { return value_; }
  void flip(int i) {
    z_[i] ^= 1;
    for (const auto& [clause, literal] : uses_[i]) {
      const bool now = holds(literal, z_);
      if (now && held_[clause]++ == 0) value_ -= formula_.clauses[clause].weight;
      if (!now && --held_[clause] == 0) value_ += formula_.clauses[clause].weight;
    }
  }

 private:
  struct Use {
    int clause, literal;
  };
  const Wcnf& formula_;
  Point z_;
  std::vector<int> held_;
  std::vector<std::vector<Use>> uses_;  // by variable
  double value_ = 0;
};

/// The weight that clauses of one or two literals leave unsatisfied, without its constant, as z'Qz.
Matrix unsatisfied_quadratic(const Wcnf& formula) {
  Matrix Q = Matrix::Zero(formula.variables, formula.variables);
  for (const auto& [weight, literals] : formula.clauses) {
    // A literal fails with the indicator a + b z_i: v fails as 1 - z, -v as z. A clause fails as the product.
    const auto term = [](int literal) { return literal > 0 ? std::pair{1.0, -1.0} : std::pair{0.0, 1.0}; };
    const int i = std::abs(literals.front()) - 1;
    const int j = std::abs(literals.back()) - 1;
    const auto [a, b] = term(literals.front());
    const auto [c, d] = literals.size() == 2 ? term(literals.back()) : std::pair{1.0, 0.0};
    Q(i, i) += weight * b * c;
    Q(j, j) += weight * a * d;
    Q(i, j) += weight * b * d;  // i == j: z^2 = z
  }
  return Q;
}

void standardise(Wcnf& formula, const std::string& name) {
  const double n = static_cast<double>(formula.clauses.size());
  double mean = 0;
  for (const auto& clause : formula.clauses) mean += clause.weight / n;
  double variance = 0;
  for (const auto& clause : formula.clauses) variance += (clause.weight - mean) * (clause.weight - mean) / n;
  require(variance > 0, [&] { return name + ": normalise=true needs weights that differ; use normalise=false"; });
  for (auto& clause : formula.clauses) clause.weight = (clause.weight - mean) / std::sqrt(variance);
}

constexpr double kHard = std::numeric_limits<double>::infinity();  // until the other weights are known

Clause parse_clause(const std::string& line, int variables, const std::string& where) {
  std::istringstream words(line);
  Clause clause{kHard, {}};
  std::string first;
  words >> first;
  if (first != "h") {
    const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), clause.weight);
    require(error == std::errc() && *end == '\0' && std::isfinite(clause.weight) && clause.weight >= 0, [&] {
      return where + ": a clause starts with h or its weight, a number that is not negative, not '" + line + "'";
    });
  }
  int literal = 0;
  while (words >> literal && literal != 0) {
    require(std::abs(static_cast<long>(literal)) <= variables, [&] {
      return where + ": literal " + std::to_string(literal) + " is outside the allowed " + std::to_string(variables) +
             " variables";
    });
    clause.literals.push_back(literal);
  }
  std::string rest;
  require(!words.fail() && literal == 0 && !(words >> rest),
          [&] { return where + ": a clause is a list of whole numbers that ends with 0, not '" + line + "'"; });
  require(!clause.literals.empty(), [&] { return where + ": the clause has no literals"; });
  return clause;
}

void weigh_hard_clauses(Wcnf& formula) {
  double top = 1;
  for (const auto& clause : formula.clauses) top += clause.weight == kHard ? 0 : clause.weight;
  for (auto& clause : formula.clauses) clause.weight = clause.weight == kHard ? top : clause.weight;
}

int largest_variable(const Wcnf& formula) {
  int largest = 0;
  for (const auto& clause : formula.clauses) {
    for (const int literal : clause.literals) largest = std::max(largest, std::abs(literal));
  }
  return largest;
}

Wcnf read_file(const std::string& file) {
  std::ifstream stream(file);
  require(stream.good(), [&] { return "file=" + file + ": the file cannot be read"; });
  return read_wcnf(stream, file);
}

/// Clauses of `length` different variables, each negated or not; weights uniform on (0, 1).
Wcnf draw(const MaxsatOptions& options, std::uint64_t instance) {
  require(options.length <= options.n, [&] {
    return "maxsat: length=" + std::to_string(options.length) + " with n=" + std::to_string(options.n) +
           ": allowed is at most n";
  });
  Rng rng(instance, "maxsat");
  Wcnf formula{options.n, {}};
  const auto clauses = static_cast<std::size_t>(std::max(1.0, std::round(options.density * options.n)));
  while (formula.clauses.size() < clauses) {
    Clause clause{rng.uniform(), {}};
    while (static_cast<int>(clause.literals.size()) < options.length) {
      const int variable = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(options.n)));
      const bool negated = rng.below(2) == 1;
      const auto& literals = clause.literals;
      if (std::any_of(literals.begin(), literals.end(), [&](int l) { return std::abs(l) == variable; })) continue;
      clause.literals.push_back(negated ? -variable : variable);
    }
    formula.clauses.push_back(std::move(clause));
  }
  return formula;
}

}  // namespace

Wcnf read_wcnf(std::istream& stream, const std::string& name) {
  Wcnf formula;
  long announced = 0;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::string where = name + ", line " + std::to_string(number);
    const auto start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos || line[start] == 'c') continue;
    if (line[start] != 'p') {
      formula.clauses.push_back(parse_clause(line, announced > 0 ? formula.variables : kMaxVariables, where));
      continue;
    }
    std::istringstream words(line);
    std::string p, kind;
    words >> p >> kind >> formula.variables >> announced;
    require(!words.fail() && p == "p" && kind == "wcnf" && formula.variables >= 1 &&
                formula.variables <= kMaxVariables && announced >= 1,
            [&] { return where + ": the header must be 'p wcnf VARIABLES CLAUSES [TOP]', not '" + line + "'"; });
    require(formula.clauses.empty(), [&] { return where + ": the header must come before the clauses"; });
  }
  require(!formula.clauses.empty(), [&] { return name + ": there are no clauses"; });
  if (announced == 0) formula.variables = largest_variable(formula);
  require(announced == 0 || static_cast<long>(formula.clauses.size()) == announced, [&] {
    return name + ": the header announces " + std::to_string(announced) + " clauses, there are " +
           std::to_string(formula.clauses.size());
  });
  weigh_hard_clauses(formula);
  return formula;
}

void MaxsatOptions::describe(OptionTable& table) {
  table.text("file", file, "the WCNF file; without it n, density and length draw a random formula");
  table.integer("n", n, 0, 2000, "number of variables of a random formula");
  table.real("density", density, 0, 1000, "clauses for each variable of a random formula");
  table.integer("length", length, 1, 10, "literals in a clause of a random formula");
  table.boolean("normalise", normalise, "standardise the weights over all clauses, as COMBO does");
  FlipOptions::describe(table);
}

Problem make_maxsat(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<MaxsatOptions>(spec);
  require(options.file.empty() != (options.n == 0), "maxsat needs file=FILE.wcnf or n=N, and not both");
  Wcnf drawn = options.n > 0 ? draw(options, instance) : read_file(options.file);
  if (options.normalise) standardise(drawn, spec.text());
  const auto formula = std::make_shared<const Wcnf>(std::move(drawn));
  const int n = formula->variables;
  std::vector<Variable> variables;
  for (int v = 1; v <= n; ++v) variables.push_back(binary("x" + std::to_string(v)));  // as DIMACS counts them

  BinaryProblem problem{
      spec.text(), Space(std::move(variables)), Sense::minimize, flip_mask(options.flip, n), {}, {}, {}, {}, {}};
  problem.f = [formula](const Point& z) { return -satisfied_weight(*formula, z); };
  const auto& clauses = formula->clauses;
  const auto is_short = [](const Clause& c) { return c.literals.size() <= 2; };
  if (n <= kQuadraticLimit && std::all_of(clauses.begin(), clauses.end(), is_short)) {
    problem.best_by_ones = quadratic_by_ones(unsatisfied_quadratic(*formula), problem.flip);
  } else if (n <= kOptimumVariables) {
    problem.best_by_ones = [formula, flip = problem.flip] {
      return enumerate_by_ones(flip, [&](Point z) { return Assignment(*formula, std::move(z)); });
    };
  }
  return finish(std::move(problem));
}

}  // namespace bocs

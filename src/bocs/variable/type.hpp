#pragma once
// What a type of variable is to the rest of the code. One file per type in variable/type/; a row in variable.cpp makes
// it known to study files, stores and Python.

#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "bocs/numeric/rng.hpp"
#include "bocs/variable/variable.hpp"

namespace bocs {

using Levels = std::span<const std::int32_t>;  // of the coordinates of one variable

/// A new level for one coordinate: of a variable, or, in a space, of a point.
struct Change {
  int coordinate;
  std::int32_t level;
};
using Changes = std::vector<Change>;

/// low <= sum of the parts <= high: what the coordinates of a structure satisfy in every point.
struct OwnRule {
  struct Part {
    int coordinate;
    std::optional<std::int32_t> level = {};  // weight * [coordinate has this level]; none: weight * its level
    double weight = 1;
  };
  std::string text;  // for messages: "each position is taken once"
  std::vector<Part> parts;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

class Structure;

/// Immutable, shared by variables alike, and a bijection: each value is one vector of levels that satisfies the rules,
/// so that points are compared and hashed as they stand.
class VariableType {
 public:
  virtual ~VariableType() = default;

  [[nodiscard]] virtual std::string_view word() const = 0;  // "permutation": in files, stores, on the page
  [[nodiscard]] virtual std::string described() const = 0;  // in words
  [[nodiscard]] virtual Value::Map definition() const = 0;  // all but the kind
  [[nodiscard]] virtual std::vector<Coordinate> coordinates(const std::string& name) const = 0;
  [[nodiscard]] virtual const Structure* structure() const { return nullptr; }  // itself, if it is one

  /// The value that people and programs see.
  [[nodiscard]] virtual Value decode(Levels x) const = 0;
  /// The inverse. Throws InvalidArgument: what was found and what is allowed. `who` begins the message.
  [[nodiscard]] virtual Point encode(const std::string& who, const Value& value) const = 0;
};

/// A variable that takes several coordinates, which satisfy rules of their own.
class Structure : public VariableType {
 public:
  [[nodiscard]] const Structure* structure() const final { return this; }
  [[nodiscard]] virtual std::vector<OwnRule> rules() const = 0;
  [[nodiscard]] virtual std::string text(Levels x) const = 0;  // as people read a value: "c > a > b"

  /// The steps of a local search that begin with coordinate i, in a fixed order. Each keeps the rules.
  virtual void for_each_move(Levels x, int i, const std::function<void(const Changes&)>& visit) const = 0;
  /// One of them, drawn at random; empty: there is none.
  virtual void random_move(Levels x, int i, Rng& rng, Changes& move) const = 0;

  /// An order has distances of its own (model/); those of all others are sums over coordinates.
  [[nodiscard]] virtual bool is_order() const { return false; }
};

/// A variable of one value: one coordinate, and no rules.
class PlainType final : public VariableType {
 public:
  PlainType(std::string_view word, Coordinate coordinate) : word_(word), coordinate_(std::move(coordinate)) {}

  [[nodiscard]] std::string_view word() const override { return word_; }
  [[nodiscard]] std::string described() const override;
  [[nodiscard]] Value::Map definition() const override;
  [[nodiscard]] std::vector<Coordinate> coordinates(const std::string& name) const override;
  [[nodiscard]] Value decode(Levels x) const override;
  [[nodiscard]] Point encode(const std::string& who, const Value& value) const override;

 private:
  std::string_view word_;
  Coordinate coordinate_;  // its name is empty
};

/// Reads the keys of a definition; each type names those it has.
class Definition {
 public:
  Definition(std::string name, const Value& value);

  [[nodiscard]] bool has(std::string_view key) const { return value_->find(key) != nullptr; }
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double otherwise) const;
  [[nodiscard]] int whole(std::string_view key) const;
  [[nodiscard]] int whole(std::string_view key, int otherwise) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] const Value::List& list(std::string_view key) const;
  [[nodiscard]] Items items(std::string_view key) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] const Value& at(std::string_view key) const;
  /// Throws for keys that are not among these.
  void allow(std::initializer_list<std::string_view> keys) const;
  [[noreturn]] void refuse(std::string_view key, const Value& found, const std::string& allowed) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  const Value* value_;
};

/// Reads {"kind": word, ...}.
using ReadVariable = Variable (*)(const Definition& definition);
Variable read_binary(const Definition& definition);
Variable read_integer(const Definition& definition);
Variable read_real(const Definition& definition);
Variable read_categorical(const Definition& definition);
Variable read_subset(const Definition& definition);
Variable read_permutation(const Definition& definition);
Variable read_multiset(const Definition& definition);
Variable read_assignment(const Definition& definition);
Variable read_mixture(const Definition& definition);

/// For the structures: items have distinct names, at least one. Throws InvalidArgument.
void check_items(const std::string& who, const char* what, const Items& items);
/// "route[a]"
std::string element(const std::string& name, const std::string& item);
/// Where the item stands in the list. Throws InvalidArgument that names it, with what it may have meant.
int find_item(const std::string& who, const Items& items, const std::string& item);
/// The texts of a list of items. Throws InvalidArgument for anything else.
std::vector<std::string> items_of(const std::string& who, const Value& value);

}  // namespace bocs

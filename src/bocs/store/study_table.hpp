#pragma once
// The studies of a database as rows. What the text of a spec says, study/ knows.

#include <optional>

#include "bocs/store/connection.hpp"
#include "bocs/trial/trial.hpp"

namespace bocs {

struct StudyRow {
  std::int64_t id = 0;
  std::string name;
  std::string spec;
  int trials = 0;      // the budget, without the extra ones
  int parallel = 0;    // the cap on running trials; -1: paused
  int extra = 0;       // trials on top of the budget
  double created = 0;  // seconds since 1970, by the database's clock
};

struct StateCount {
  State state = State::waiting;
  int count = 0;
  double lowest = kUnknown;  // value
};

class StudyTable {
 public:
  explicit StudyTable(Connection& connection) : connection_(connection) {}

  /// A new study with this name, spec, budget and cap; its id. Nothing: the name is taken.
  std::optional<std::int64_t> insert(const StudyRow& row);
  std::optional<StudyRow> find(const std::string& name);
  std::vector<StudyRow> list();  // by name
  std::vector<StateCount> counts(std::int64_t id);
  bool remove(const std::string& name);  // with all its trials; false: there is none
  /// A table of candidates is kept once, however many studies have it. What the text says, study/ knows.
  void keep_candidates(const std::string& hash, const std::string& text);
  std::string candidates(const std::string& hash);  // throws StoreError: there are none

 private:
  Connection& connection_;
};

}  // namespace bocs

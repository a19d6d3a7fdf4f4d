#include "bocs/store/study_table.hpp"

#include "bocs/store/json.hpp"
#include "bocs/store/process.hpp"

namespace bocs {
namespace {

const std::string kSelect = "SELECT id, name, spec, trials, parallel, extra, created FROM bocs_study";

StudyRow to_study(const Row& row) {
  return {row.integer(0),
          row.text(1),
          row.text(2),
          static_cast<int>(row.integer(3)),
          static_cast<int>(row.integer(4)),
          static_cast<int>(row.integer(5)),
          row.real(6)};
}

/// Random, so that a worker of a removed study never meets another study under the same number.
std::int64_t new_id() { return static_cast<std::int64_t>(random_bits() >> 1); }

}  // namespace

std::optional<std::int64_t> StudyTable::insert(const StudyRow& row) {
  const Rows rows = connection_.execute(
      "INSERT INTO bocs_study (id, name, spec, trials, parallel, created) VALUES ($1, $2, $3, $4, $5, " +
          std::string(connection_.now()) + ") ON CONFLICT (name) DO NOTHING RETURNING id",
      {new_id(), row.name, row.spec, std::int64_t{row.trials}, std::int64_t{row.parallel}});
  if (rows.empty()) return std::nullopt;
  return rows.front().integer(0);
}

std::optional<StudyRow> StudyTable::find(const std::string& name) {
  const Rows rows = connection_.execute(kSelect + " WHERE name = $1", {name});
  if (rows.empty()) return std::nullopt;
  return to_study(rows.front());
}

std::vector<StudyRow> StudyTable::list() {
  std::vector<StudyRow> studies;
  for (const Row& row : connection_.execute(kSelect + " ORDER BY name")) studies.push_back(to_study(row));
  return studies;
}

std::vector<StateCount> StudyTable::counts(std::int64_t id) {
  std::vector<StateCount> counts;
  for (const Row& row : connection_.execute("SELECT CASE WHEN struck > 0 THEN 'struck' ELSE state END, COUNT(*), "
                                            "MIN(value) FROM bocs_trial WHERE study = $1 GROUP BY 1",
                                            {id})) {
    counts.push_back(
        {value_from_store<State>(row.text(0)), static_cast<int>(row.integer(1)), row.null(2) ? kUnknown : row.real(2)});
  }
  return counts;
}

bool StudyTable::remove(const std::string& name) {
  bool found = false;
  connection_.transaction([&] {
    const Rows rows =
        connection_.execute("UPDATE bocs_study SET revision = revision + 1 WHERE name = $1 RETURNING id", {name});
    found = !rows.empty();
    if (!found) return;
    for (const char* table : {"bocs_late WHERE study", "bocs_trial WHERE study", "bocs_study WHERE id"}) {
      connection_.execute("DELETE FROM " + std::string(table) + " = $1", {rows.front().integer(0)});
    }
    connection_.execute(
        "DELETE FROM bocs_candidates WHERE NOT EXISTS (SELECT 1 FROM bocs_study WHERE spec LIKE '%' || hash || '%')");
  });
  return found;
}

void StudyTable::keep_candidates(const std::string& hash, const std::string& text) {
  connection_.execute("INSERT INTO bocs_candidates (hash, content) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
                      {hash, text});
}

std::string StudyTable::candidates(const std::string& hash) {
  const Rows rows = connection_.execute("SELECT content FROM bocs_candidates WHERE hash = $1", {hash});
  if (rows.empty())
    throw StoreError("the store holds no candidates " + hash + ", which a study needs; go on with a backup");
  return rows.front().text(0);
}

}  // namespace bocs

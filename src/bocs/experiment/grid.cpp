#include "bocs/experiment/grid.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "bocs/base/error.hpp"
#include "bocs/study/toml_reader.hpp"

namespace bocs {
namespace {

constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

void read_table_options(const TomlReader& reader, const toml::table& values, TableOptions& table) {
  reader.read(values, {
                          {"metric",
                           [&](const toml::node& n) {
                             table.metric = reader.choice("metric", n, {"regret", "value", "gain", "recommended"});
                           }},
                          {"until", [&](const toml::node& n) { table.until = reader.number("until", n); }},
                          {"scale_by", [&](const toml::node& n) { table.scale_by = reader.number("scale_by", n, 0); }},
                          {"against", [&](const toml::node& n) { table.against = reader.text("against", n); }},
                      });
}

/// [paper]: `columns` says which column of the paper a method of ours stands beside, and each of `rows` holds the
/// numbers of the columns, [mean, twice the standard error], and whichever of problem, lambda and trials they are for.
void read_paper(const TomlReader& reader, const toml::table& values, TableOptions& table) {
  std::vector<std::pair<std::string, std::string>> columns;  // method, name in the paper
  const auto read_columns = [&](const toml::node& node) {
    for (const auto& [method, name] : reader.table("columns", node)) {
      columns.emplace_back(std::string(method.str()), reader.text("columns", name));
    }
  };
  read_columns(reader.required(values, "columns"));
  const auto read_row = [&](const toml::node& node) {
    PaperValue place;
    std::vector<std::pair<std::string, std::vector<double>>> numbers;
    for (const auto& [key, value] : reader.table("rows", node)) {
      const std::string name(key.str());
      if (name == "problem") {
        place.problem = reader.text(name, value);
      } else if (name == "lambda") {
        place.lambda = reader.number(name, value, 0);
      } else if (name == "trials") {
        place.trials = static_cast<int>(reader.whole(name, value, 1));
      } else {
        numbers.emplace_back(name, reader.list(value, [&](const toml::node& n) { return reader.number(name, n); }));
        const bool known = std::any_of(columns.begin(), columns.end(), [&](auto& c) { return c.second == name; });
        if (!known || numbers.back().second.size() != 2) {
          reader.refuse(name, value, "the name of a column, and [mean, twice the standard error]");
        }
      }
    }
    for (const auto& [name, pair] : numbers) {
      for (const auto& [method, column] : columns) {
        if (column != name) continue;
        PaperValue& entry = table.paper.emplace_back(place);
        entry.method = method;
        entry.mean = pair[0];
        entry.error = pair[1];
      }
    }
    return 0;
  };
  reader.read(values, {{"columns", [](const toml::node&) {}},
                       {"rows", [&](const toml::node& node) { reader.list(node, read_row); }}});
}

TomlReader::Keys grid_keys(const TomlReader& reader, Grid& grid) {
  const auto integer = [&reader](const char* key, int& field, int low) {
    return TomlReader::Key(key, [&reader, key, &field, low](const toml::node& node) {
      field = static_cast<int>(reader.whole(key, node, low));
    });
  };
  const auto unsigned_integer = [&reader](const char* key, std::uint64_t& field) {
    return TomlReader::Key(key, [&reader, key, &field](const toml::node& node) {
      field = static_cast<std::uint64_t>(reader.whole(key, node, 0, kMaxInteger));
    });
  };
  const auto specs = [&reader](const char* key, std::vector<std::string>& field) {
    return TomlReader::Key(key, [&reader, key, &field](const toml::node& node) {
      field = reader.list(node, [&](const toml::node& entry) { return reader.text(key, entry); });
    });
  };
  return {
      {"kind",
       [&](const toml::node& node) {
         const std::string kind = reader.text("kind", node);
         grid.kind = reader.at(node, [&] { return parse_cell_kind(kind); });
       }},
      {"results", [&](const toml::node& node) { grid.results = reader.text("results", node); }},
      specs("problems", grid.problems),
      specs("methods", grid.methods),
      {"lambdas",
       [&](const toml::node& node) {
         grid.lambdas = reader.list(node, [&](const toml::node& entry) { return reader.number("lambdas", entry, 0); });
       }},
      {"trials",
       [&](const toml::node& node) {
         grid.trials = reader.list(
             node, [&](const toml::node& entry) { return static_cast<int>(reader.whole("trials", entry, 1)); });
       }},
      {"penalty",
       [&](const toml::node& node) {
         grid.penalty = reader.choice("penalty", node, {"l1", "l2"});
       }},
      integer("initial", grid.initial, 0),
      integer("in_flight", grid.in_flight, 1),
      integer("instances", grid.instances, 1),
      unsigned_integer("first_instance", grid.first_instance),
      integer("repeats", grid.repeats, 1),
      unsigned_integer("seed", grid.seed),
      integer("test_points", grid.test_points, 1),
      integer("draws", grid.draws, 2),
      {"table", [&](const toml::node& node) { read_table_options(reader, reader.table("table", node), grid.table); }},
      {"paper", [&](const toml::node& node) { read_paper(reader, reader.table("paper", node), grid.table); }},
  };
}

}  // namespace

Grid load_grid(const std::filesystem::path& file, GridScale scale) {
  const TomlReader reader(file);
  const toml::table& root = reader.root();
  Grid grid;
  grid.results = file.stem().string();
  Grid quick;  // read at any scale, so that a mistake in it is never hidden
  TomlReader::Keys keys = grid_keys(reader, grid);
  const TomlReader::Keys quick_keys = grid_keys(reader, scale == GridScale::quick ? grid : quick);
  keys.emplace_back("quick", [](const toml::node&) {});
  reader.read(root, keys);
  if (const auto* node = root.get("quick")) reader.read(reader.table("quick", *node), quick_keys);
  require(scale == GridScale::full || root.contains("quick"),
          [&] { return file.string() + ": there is no table [quick] for the quick scale"; });
  for (PaperValue& value : grid.table.paper) {  // the paper's numbers are printed as the table is
    value.mean /= grid.table.scale_by;
    value.error /= grid.table.scale_by;
  }
  for (const char* key : {"problems", "methods", "trials"}) (void)reader.required(root, key);
  return grid;
}

std::vector<Cell> cells(const Grid& grid, int replications) {
  const auto not_empty = [](const char* name, const auto& list) {
    require(!list.empty(), [&] { return std::string("an experiment needs at least one of: ") + name; });
  };
  not_empty("problems", grid.problems);
  not_empty("methods", grid.methods);
  not_empty("lambdas", grid.lambdas);
  not_empty("trials", grid.trials);
  std::vector<Cell> list;
  std::set<std::string> keys;
  const auto add = [&](const Cell& cell) {
    if (keys.insert(cell.key()).second) list.push_back(cell);
  };
  Cell cell;
  cell.kind = grid.kind;
  cell.seed = grid.seed;
  cell.penalty = grid.penalty;
  if (grid.kind == CellKind::optimization) {
    cell.initial = grid.initial;
    cell.in_flight = grid.in_flight;
  }
  if (grid.kind == CellKind::validation) cell.test_points = grid.test_points;
  if (grid.kind != CellKind::optimization) cell.draws = grid.draws;
  for (cell.repeat = 0; cell.repeat < grid.repeats; ++cell.repeat) {
    for (int i = 0; i < grid.instances; ++i) {
      if (replications > 0 && cell.repeat * grid.instances + i >= replications) return list;
      cell.instance = grid.first_instance + static_cast<std::uint64_t>(i);
      for (const auto& problem : grid.problems) {
        for (const int trials : grid.trials) {
          for (const double lambda : grid.lambdas) {
            for (const auto& method : grid.methods) {
              cell.problem = problem;
              cell.trials = trials;
              cell.lambda = lambda;
              cell.method = method;
              add(cell);
            }
          }
        }
      }
    }
  }
  return list;
}

std::vector<std::string> split_specs(std::string_view list) {
  std::vector<std::string> specs;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string piece(list.substr(start, end - start));
    const bool starts_spec = piece.find('=') == std::string::npos || piece.find(':') < piece.find('=');
    require(!piece.empty() && (starts_spec || !specs.empty()),
            [&] { return "'" + std::string(list) + "': allowed are names or NAME:key=value,... separated by commas"; });
    if (starts_spec) {
      specs.push_back(piece);
    } else {
      specs.back() += (specs.back().find(':') == std::string::npos ? ":" : ",") + piece;
    }
    start = end + 1;
  }
  return specs;
}

}  // namespace bocs

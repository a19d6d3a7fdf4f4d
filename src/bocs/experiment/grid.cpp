#include "bocs/experiment/grid.hpp"

#include <toml++/toml.h>
#include <functional>
#include <limits>
#include <set>

#include "bocs/core/error.hpp"

namespace bocs {
namespace {

constexpr int kMaxInt = std::numeric_limits<int>::max();
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

/// Reads the values of one file, and refuses with file and line.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void refuse(const toml::node& node, const std::string& message) const {
    throw InvalidArgument(file_ + ":" + std::to_string(node.source().begin.line) + ": " + message);
  }

  std::int64_t whole(const std::string& key, const toml::node& node, std::int64_t low, std::int64_t high) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < low || *value > high) {
      refuse(node, key + ": allowed is a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return *value;
  }

  double number(const std::string& key, const toml::node& node, double low) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < low) {
      refuse(node, key + ": allowed is a finite number" + (std::isfinite(low) ? ", not negative" : ""));
    }
    return *value;
  }

  std::string text(const std::string& key, const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty()) refuse(node, key + ": allowed is a text in quotes");
    return *value;
  }

  /// A list; one value alone is a list of one.
  template <class Read>
  auto list(const toml::node& node, Read read) const {
    std::vector<decltype(read(node))> values;
    if (const auto* entries = node.as_array()) {
      for (const auto& entry : *entries) values.push_back(read(entry));
    } else {
      values.push_back(read(node));
    }
    return values;
  }

  using Key = std::pair<std::string, std::function<void(const toml::node&)>>;
  using Keys = std::vector<Key>;

  void table(const toml::table& values, const Keys& keys) const {
    for (const auto& [name, node] : values) {
      const auto key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == name.str(); });
      if (key == keys.end()) {
        std::string known;
        for (const auto& k : keys) known += (known.empty() ? "" : ", ") + k.first;
        refuse(node, "'" + std::string(name.str()) + "' is not known here; there are " + known);
      }
      key->second(node);
    }
  }

 private:
  std::string file_;
};

const toml::table& as_table(const Reader& reader, const std::string& key, const toml::node& node) {
  if (!node.is_table()) reader.refuse(node, "[" + key + "] must be a table");
  return *node.as_table();
}

void read_table_options(const Reader& reader, const toml::table& values, TableOptions& table) {
  const double any = -std::numeric_limits<double>::infinity();
  reader.table(values, {
                           {"until", [&](const toml::node& n) { table.until = reader.number("until", n, any); }},
                           {"scale_by", [&](const toml::node& n) { table.scale_by = reader.number("scale_by", n, 0); }},
                           {"against", [&](const toml::node& n) { table.against = reader.text("against", n); }},
                       });
}

Reader::Keys grid_keys(const Reader& reader, Grid& grid) {
  const auto integer = [&reader](const char* key, int& field, int low) {
    return Reader::Key(key, [&reader, key, &field, low](const toml::node& node) {
      field = static_cast<int>(reader.whole(key, node, low, kMaxInt));
    });
  };
  const auto unsigned_integer = [&reader](const char* key, std::uint64_t& field) {
    return Reader::Key(key, [&reader, key, &field](const toml::node& node) {
      field = static_cast<std::uint64_t>(reader.whole(key, node, 0, kMaxInteger));
    });
  };
  const auto specs = [&reader](const char* key, std::vector<std::string>& field) {
    return Reader::Key(key, [&reader, key, &field](const toml::node& node) {
      field = reader.list(node, [&](const toml::node& entry) { return reader.text(key, entry); });
    });
  };
  return {
      {"kind",
       [&](const toml::node& node) {
         try {
           grid.kind = parse_cell_kind(reader.text("kind", node));
         } catch (const InvalidArgument& error) {
           reader.refuse(node, error.what());
         }
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
         grid.trials = reader.list(node, [&](const toml::node& entry) {
           return static_cast<int>(reader.whole("trials", entry, 1, kMaxInt));
         });
       }},
      integer("initial", grid.initial, 0),
      integer("instances", grid.instances, 1),
      unsigned_integer("first_instance", grid.first_instance),
      integer("repeats", grid.repeats, 1),
      unsigned_integer("seed", grid.seed),
      integer("test_points", grid.test_points, 1),
      integer("draws", grid.draws, 2),
      {"table",
       [&](const toml::node& node) { read_table_options(reader, as_table(reader, "table", node), grid.table); }},
  };
}

}  // namespace

Grid load_grid(const std::filesystem::path& file, Scale scale) {
  require(std::filesystem::is_regular_file(file), [&] { return file.string() + ": there is no such file"; });
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw InvalidArgument(file.string() + ":" + std::to_string(error.source().begin.line) + ": " +
                          std::string(error.description()));
  }
  const Reader reader(file.string());
  Grid grid;
  grid.results = file.stem().string();
  Grid quick;  // read at any scale, so that a mistake in it is never hidden
  Reader::Keys keys = grid_keys(reader, grid);
  const Reader::Keys quick_keys = grid_keys(reader, scale == Scale::quick ? grid : quick);
  keys.emplace_back("quick", [](const toml::node&) {});
  reader.table(root, keys);
  if (const auto* node = root.get("quick")) reader.table(as_table(reader, "quick", *node), quick_keys);
  require(scale == Scale::full || root.contains("quick"),
          [&] { return file.string() + ": there is no table [quick] for the quick scale"; });
  for (const char* key : {"problems", "methods", "trials"}) {
    require(root.contains(key), [&] { return file.string() + ": '" + key + "' is missing"; });
  }
  return grid;
}

std::vector<Cell> cells(const Grid& grid) {
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
  if (grid.kind == CellKind::optimization) cell.initial = grid.initial;
  if (grid.kind == CellKind::validation) cell.test_points = grid.test_points;
  if (grid.kind != CellKind::optimization) cell.draws = grid.draws;
  for (cell.repeat = 0; cell.repeat < grid.repeats; ++cell.repeat) {
    for (int i = 0; i < grid.instances; ++i) {
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

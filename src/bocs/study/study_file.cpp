#include "bocs/study/study_file.hpp"

#include <algorithm>
#include <set>

#include "bocs/base/text.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/study/command.hpp"
#include "bocs/study/study_file_constraints.hpp"
#include "bocs/study/study_file_goals.hpp"
#include "bocs/study/study_file_variables.hpp"
#include "bocs/study/toml_reader.hpp"

namespace bocs {
namespace {

/// What people write elsewhere, or otherwise.
const std::map<std::string, std::string> kHints{{"choices", "did you mean 'levels'?"},
                                                {"categories", "did you mean 'levels'?"},
                                                {"options", "did you mean 'levels'?"},
                                                {"min", "did you mean 'low'?"},
                                                {"max", "did you mean 'high'?"},
                                                {"size", "did you mean 'count'?"},
                                                {"timeout", "it belongs under [objective]"},
                                                {"command", "it belongs under [objective]"},
                                                {"retries", "it belongs under [objective]"},
                                                {"keep_alive", "it belongs under [objective]"},
                                                {"keep_going", "it belongs under [objective]"},
                                                {"attempts", "it belongs under [objective]"},
                                                {"parallel", "it belongs under [objective]"},
                                                {"trials", "it belongs under [study]"},
                                                {"initial", "it belongs under [study]"},
                                                {"seed", "it belongs under [study]"},
                                                {"lambda", "it belongs under [study]"},
                                                {"outcomes", "it belongs under [study]"},
                                                {"direction", "it belongs under [study]"},
                                                {"data", "it belongs under [study]"},
                                                {"spec", "it belongs under [method]"},
                                                {"url", "it belongs under [store]"}};

/// A key whose value goes into a field.
TomlReader::Key integer_key(const TomlReader& reader, const char* key, int& field, int low) {
  return {key, [&reader, key, &field, low](const toml::node& node) {
            field = static_cast<int>(reader.whole(key, node, low));
          }};
}

TomlReader::Key text_key(const TomlReader& reader, const char* key, std::string& field) {
  return {key, [&reader, key, &field](const toml::node& node) { field = reader.text(key, node); }};
}

TomlReader::Key flag_key(const TomlReader& reader, const char* key, bool& field) {
  return {key, [&reader, key, &field](const toml::node& node) { field = reader.flag(key, node); }};
}

double read_duration(const TomlReader& reader, const char* key, const toml::node& node) {
  if (node.is_number()) return reader.number(key, node, 0);
  const std::string written = reader.text(key, node);
  return reader.at(node, [&] {
    try {
      return parse_duration(written);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(std::string(key) + ": " + error.what());
    }
  });
}

/// The keys of [study] that are not in the spec as they stand.
struct StudyTable {
  int initial = 0;
  double lambda = 0;
  std::string penalty = "l1";
};

void read_study(const TomlReader& reader, const toml::table& table, StudyFile& file, StudyTable& study) {
  StudySpec& spec = file.spec;
  reader.read(table, {text_key(reader, "name", spec.name),
                      {"direction",
                       [&](const toml::node& node) {
                         const auto direction = reader.choice("direction", node, words_of<Sense>());
                         spec.sense = value_of<Sense>(direction).value();
                       }},
                      integer_key(reader, "trials", spec.trials, 1),
                      integer_key(reader, "initial", study.initial, 0),
                      {"seed",
                       [&](const toml::node& node) {
                         constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
                         spec.task.seed = static_cast<std::uint64_t>(reader.whole("seed", node, 0, kMax));
                       }},
                      {"outcomes", [&](const toml::node& node) { spec.task.outcomes = read_outcomes(reader, node); }},
                      {"until",
                       [&](const toml::node& node) {
                         const std::string text = reader.text("until", node);
                         spec.until = reader.at(node, [&] { return StopRule::parse(text); });
                       }},
                      {"lambda", [&](const toml::node& node) { study.lambda = reader.number("lambda", node, 0); }},
                      {"penalty",
                       [&](const toml::node& node) {
                         study.penalty = reader.choice("penalty", node, {"l1", "l2"});
                       }},
                      {"data",
                       [&](const toml::node& node) {
                         file.data = file.folder / reader.text("data", node);
                         if (!std::filesystem::is_regular_file(file.data)) {
                           reader.refuse(node, "data: there is no such file: " + node.value_or(std::string()) +
                                                   " (looked for in the study file's folder)");
                         }
                       }},
                      flag_key(reader, "nearest", file.nearest),
                      {"candidates", [](const toml::node&) {}},
                      {"carry", [](const toml::node&) {}}});
  (study.penalty == "l1" ? spec.task.l1 : spec.task.l2) = study.lambda;
}

void read_objective(const TomlReader& reader, const toml::table& table, StudyFile& file) {
  StudySpec& spec = file.spec;
  if (const toml::node* keep_alive = table.get("keep_alive")) {  // the command is judged by it
    spec.objective.keep_alive = reader.flag("keep_alive", *keep_alive);
  }
  reader.read(
      table,
      {{"command",
        [&](const toml::node& node) {
          if (!node.is_array() || node.as_array()->empty()) {
            reader.refuse("command", node, "a list of texts, the program first: [\"python3\", \"simulate.py\"]");
          }
          for (const auto& entry : *node.as_array()) {
            const auto value = entry.value_exact<std::string>();
            if (!value) reader.refuse("command", entry, "texts in quotes");
            spec.objective.command.push_back(*value);
          }
          CommandOptions options{.arguments = spec.objective.command};
          options.keep_alive = spec.objective.keep_alive;
          reader.at(node, [&] { (void)command(options, spec.task.space); });
        }},
       {"timeout",
        [&](const toml::node& node) { spec.objective.timeout_seconds = read_duration(reader, "timeout", node); }},
       integer_key(reader, "retries", spec.objective.retries, 0),
       {"keep_alive", [](const toml::node&) {}},
       flag_key(reader, "keep_going", spec.objective.keep_going),
       integer_key(reader, "attempts", spec.attempts, 1),
       integer_key(reader, "parallel", spec.parallel, 1)});
}

/// SQLite files are meant from the folder of the study file; shown as the person named that one.
std::string store_url(const std::filesystem::path& study_file, const std::string& url) {
  const auto file = sqlite_file(url);
  return file ? sqlite_url((study_file.parent_path() / *file).string()) : url;
}

}  // namespace

StudyFile load_study_file(const std::filesystem::path& path) {
  TomlReader reader(path);
  reader.set_hints(kHints);
  const toml::table& root = reader.root();
  const std::optional<CandidateTable> candidates = read_candidates(reader);
  const Space space = candidates ? candidates->space : read_variables(reader, reader.required(root, "variables"));
  const std::shared_ptr<const Candidates> rows = candidates ? candidates->rows : nullptr;
  StudyFile file{
      {.name = path.stem().string(), .task = {.space = space, .seed = 1}, .trials = 100}, {}, {}, {}, {}, {}};
  file.folder = std::filesystem::absolute(path).parent_path();
  std::string url = sqlite_url(path.stem().string() + ".db");
  StudyTable study;

  const auto table = [&](const char* name, const std::function<void(const toml::table&)>& read) {
    return TomlReader::Key(name, [&reader, name, read](const toml::node& node) { read(reader.table(name, node)); });
  };
  Constraints& constraints = file.spec.task.constraints;
  reader.read(
      root,
      {table("study", [&](const toml::table& t) { read_study(reader, t, file, study); }),
       {"variables", [](const toml::node&) {}},
       {"candidates", [](const toml::node&) {}},
       {"carry", [](const toml::node&) {}},
       {"constraints",
        [&](const toml::node& node) { constraints = read_constraints(reader, node, space, file.folder, rows); }},
       {"goals",
        [&](const toml::node& node) {
          file.spec.task.goals = read_goals(reader, node, space);
          file.spec.sense = file.spec.task.goals.front().sense;
        }},
       table("default", [&](const toml::table& t) { file.spec.task.present = read_default(reader, t, space); }),
       table("objective", [&](const toml::table& t) { read_objective(reader, t, file); }),
       table("method", [&](const toml::table& t) { reader.read(t, {text_key(reader, "spec", file.spec.method)}); }),
       table("store", [&](const toml::table& t) {
         reader.read(t, {{"url", [&](const toml::node& node) {
                            url = reader.text("url", node);
                            reader.at(node, [&] { check_url(url); });
                          }}});
       })});
  const toml::node* direction = root.at_path("study.direction").node();
  if (direction != nullptr && !file.spec.task.goals.empty()) {
    reader.refuse(*direction, "direction: with [[goals]], each goal has its own; leave this one out");
  }
  if (root.get("constraints") == nullptr) {
    reader.at(place_of_space(reader), [&] { file.spec.task.constraints = Constraints(space, {}, rows); });
  }
  file.store = store_url(path, url);

  // The method must fit the space; say so at its line, or at the first variable's when it was not chosen.
  const toml::node* method = root.at_path("method.spec").node();
  const toml::node& place = method != nullptr ? *method : place_of_space(reader);
  reader.at(place, [&] {
    file.spec.method = method_spec_with_initial(file.spec.method, study.initial).text();
    file.spec.task.trials = file.spec.trials;
    file.spec.check();
    file.method = make_method(file.spec);
  });
  return file;
}

}  // namespace bocs

#include "study_arguments.hpp"

#include <fmt/core.h>

#include "bocs/run/command.hpp"
#include "command.hpp"

namespace bocs::cli {
namespace {

bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& v, const Variable& w) {
    return v.name == w.name && v.kind == w.kind && v.levels == w.levels && v.low == w.low && v.labels == w.labels;
  });
}

int imported(const Study& study) {
  const auto trials = study.history().trials();
  return static_cast<int>(std::count_if(trials.begin(), trials.end(), [](const Trial& t) { return is_imported(t); }));
}

}  // namespace

bool is_imported(const Trial& trial) { return trial.info.how == "told without asking"; }

void StudyArguments::add_to(CLI::App& command) {
  command.add_option("FILE", file, "the study file; or else --store and --study")->type_name("");
  command.add_option("--store", store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")->type_name("URL");
  command.add_option("--study", study, "its name; not needed when the store holds only one")->type_name("NAME");
}

StudyFile load_checked(const std::string& file) {
  std::string place;
  try {
    StudyFile loaded = load_study_file(file);
    const auto& arguments = loaded.spec.objective.command;
    place = loaded.command_place + ": ";
    if (!arguments.empty()) (void)command({.arguments = arguments}, loaded.spec.task.space);  // refuses placeholders
    return loaded;
  } catch (const InvalidArgument& error) {
    throw BadData(place + error.what());
  }
}

std::optional<StudyFile> StudyArguments::load() const {
  if (file.empty()) return std::nullopt;
  return load_checked(file);
}

StudyArguments::Place StudyArguments::place() const {
  require(file.empty() != store.empty(), "name the study by its FILE, or by --store URL and --study NAME");
  if (const auto loaded = load()) {
    require(study.empty(), "--study goes with --store; the FILE names its study itself");
    return {loaded->store, loaded->spec.name};
  }
  if (!study.empty()) return {store, study};
  const auto studies = Store(store).list();
  require(studies.size() == 1, [&] {
    std::string names;
    for (const auto& summary : studies) names += " " + summary.spec.name;
    return "--study is missing; the store holds" + (names.empty() ? " none" : names);
  });
  return {store, studies.front().spec.name};
}

Study StudyArguments::open() const {
  const Place where = place();
  Store opened(where.url);
  return opened.open(where.name);
}

std::string differences(const StudySpec& a, const StudySpec& b) {
  std::string text;
  const auto compare = [&](bool equal, const char* what) {
    if (!equal) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  compare(same(a.task.space.variables(), b.task.space.variables()), "variables");
  compare(a.task.constraints.list() == b.task.constraints.list(), "constraints");
  compare(a.sense == b.sense, "direction");
  compare(a.task.l1 == b.task.l1 && a.task.l2 == b.task.l2, "penalty");
  compare(a.task.seed == b.task.seed, "seed");
  compare(a.method == b.method, "method");
  return text;
}

Study open_or_create(Store& store, const StudyFile& file) {
  std::vector<Evaluation> past;
  try {
    if (!file.data.empty()) past = read_csv(file.data, file.spec.task.space).evaluations;
  } catch (const InvalidArgument& error) {
    throw BadData(error.what());
  }
  const auto open = [&]() -> Study {
    if (store.contains(file.spec.name)) return store.open(file.spec.name);
    try {
      return store.create(file.spec);
    } catch (const InvalidArgument&) {  // unless another process was faster
      if (!store.contains(file.spec.name)) throw;
      return store.open(file.spec.name);
    }
  };
  Study study = open();
  const std::string different = differences(study.spec(), file.spec);
  if (!different.empty()) {
    throw BadData(
        fmt::format("{} already holds a study '{}' with other {}; give the study another name or store, or "
                    "remove the old one: bocs delete",
                    store.shown_url(), file.spec.name, different));
  }
  // The rows stand in the study in their order: those that the file has grown by follow.
  const auto done = std::min(imported(study), static_cast<int>(past.size()));
  if (done < static_cast<int>(past.size())) study.add_past({past.begin() + done, past.end()});
  StudySpec wanted = file.spec;
  wanted.trials += imported(study);
  const StudySpec& spec = study.spec();
  if (spec.trials != wanted.trials || spec.parallel != wanted.parallel || spec.objective != wanted.objective ||
      spec.attempts != wanted.attempts) {
    study.amend(wanted);
  }
  return study;
}

}  // namespace bocs::cli

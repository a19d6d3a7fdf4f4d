#include "study_arguments.hpp"

#include "bocs/study/open_study.hpp"

namespace bocs::cli {

void StudyArguments::add_to(CLI::App& command) {
  command.add_option("FILE", file, "the study file; or else --store and --study")->type_name("");
  command.add_option("--store", store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")->type_name("URL");
  command.add_option("--study", study, "its name; not needed when the store holds only one")->type_name("NAME");
}

StudyFile load_file(const std::string& file) {
  return as_data([&] { return load_study_file(file); });
}

std::optional<Study> find_study(const std::string& url, const std::string& name) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.starts_with(kSqlite) && !std::filesystem::exists(url.substr(kSqlite.size()))) return std::nullopt;
  try {
    Store store(url);
    return store.contains(name) ? std::optional(store.open(name)) : std::nullopt;
  } catch (const NothingStored&) {
    return std::nullopt;
  }
}

StudyArguments::Place StudyArguments::place() const {
  require(file.empty() != store.empty(), "name the study by its FILE, or by --store URL and --study NAME");
  if (!file.empty()) {
    require(study.empty(), "--study goes with --store; the FILE names its study itself");
    const StudyFile loaded = load_file(file);
    return {loaded.store, loaded.spec.name};
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

std::string StudyArguments::command_line(const char* verb) const {
  if (!file.empty()) return std::string("bocs ") + verb + " " + file;
  return "bocs worker --store " + without_password(store) + (study.empty() ? "" : " --study " + study);
}

Study StudyArguments::open() const {
  const Place where = place();
  if (file.empty()) return Store(where.url).open(where.name);
  auto found = find_study(where.url, where.name);
  if (!found) throw Error(file + ": the study has not been run yet; next: bocs run " + file);
  return std::move(*found);
}

Study StudyArguments::open_or_create() const {
  if (file.empty()) return open();
  const StudyFile loaded = load_file(file);
  return as_data([&] { return open_study(loaded); });
}

}  // namespace bocs::cli

#include "study_arguments.hpp"

#include <fstream>

#include "bocs/study/open_study.hpp"

namespace bocs::cli {

void StudyArguments::add_to(CLI::App& command) {
  command.add_option("FILE", file, "the study file, or a SQLite file; or else --store and --study")->type_name("");
  command.add_option("--store", store, "sqlite:FILE or postgresql://USER@HOST/DATABASE")->type_name("URL");
  command.add_option("--study", study, "its name; not needed when the store holds only one")->type_name("NAME");
}

namespace {

bool is_sqlite_file(const std::string& file) {
  constexpr std::string_view kHead = "SQLite format 3";
  std::string head(kHead.size(), ' ');
  std::ifstream stream(file, std::ios::binary);
  return !file.empty() && stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kHead;
}

}  // namespace

std::string store_of(const std::string& file) {
  return is_sqlite_file(file) ? sqlite_url(file) : load_file(file).store;
}

StudyFile load_file(const std::string& file) {
  if (is_sqlite_file(file)) {
    throw BadData(file + " is a database, not a study file; bocs worker --store sqlite:" + file +
                  " goes on with its studies");
  }
  return as_data([&] { return load_study_file(file); });
}

std::optional<Study> find_study(const std::string& url, const std::string& name) {
  if (const auto file = sqlite_file(url); file && !std::filesystem::exists(*file)) return std::nullopt;
  try {
    Store store(url);
    return store.contains(name) ? std::optional(store.open(name)) : std::nullopt;
  } catch (const NothingStored&) {
    return std::nullopt;
  }
}

StudyArguments StudyArguments::resolved() const {
  StudyArguments result = *this;
  if (store.empty() && is_sqlite_file(file)) {
    result.store = sqlite_url(file);
    result.file.clear();
  }
  return result;
}

StudyArguments::Place StudyArguments::place() const {
  if (const StudyArguments given = resolved(); given.file != file) return given.place();
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
    for (const auto& summary : studies) names += (names.empty() ? "" : ", ") + summary.spec.name;
    return without_password(store) +
           (names.empty() ? " holds no study" : " holds several studies: name one by --study; there are " + names);
  });
  return {store, studies.front().spec.name};
}

std::string StudyArguments::command_line(const char* verb) const {
  if (const StudyArguments given = resolved(); given.file != file) return given.command_line(verb);
  if (!file.empty()) return std::string("bocs ") + verb + " " + file;
  return "bocs worker --store " + without_password(store) + (study.empty() ? "" : " --study " + study);
}

Study StudyArguments::open() const {
  if (const StudyArguments given = resolved(); given.file != file) return given.open();
  const Place where = place();
  if (file.empty()) return Store(where.url).open(where.name);
  auto found = find_study(where.url, where.name);
  if (!found) throw Error(file + ": the study has not been run yet; next: bocs run " + file);
  return std::move(*found);
}

Study StudyArguments::open_or_create() const {
  if (resolved().file.empty()) return open();
  const StudyFile loaded = load_file(file);
  return as_data([&] { return open_study(loaded); });
}

}  // namespace bocs::cli

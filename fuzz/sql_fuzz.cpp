// Texts inside SQL: the name of a study, a level, an error. They come back as they went, and nothing else changes.

#include "bocs/base/text.hpp"
#include "bocs/study/store.hpp"
#include "fuzz.hpp"

using namespace bocs;

namespace {

StudySpec named(const std::string& name, const std::string& level) {
  StudySpec spec{name, {Space({categorical("x", {level, "other"})})}};
  spec.trials = 2;
  return spec;
}

Store store_with_a_bystander() {
  Store store("sqlite:" + fuzz::as_file("") + ".db", {.create = true});
  store.create(named("bystander", "level")).tell(Point{0}, 7);
  return store;
}

}  // namespace

FUZZ(text) {
  static Store store = store_with_a_bystander();
  const std::string name = text.substr(0, text.find('\n'));
  const std::string other = name.size() < text.size() ? text.substr(name.size() + 1) : "";
  if (name == "bystander") return;
  Study study = store.create(named(name, other));
  study.enqueue({0});
  const std::string error = "because of " + other;
  study.tell(study.ask().number, Outcome::failure(error));
  const Study read = store.open(name);
  fuzz::must(read.spec().task.space[0].labels[0] == other);
  fuzz::must(read.history().find(0)->error == clean_utf8(error));
  store.remove(name);
  const auto left = store.list();
  fuzz::must(left.size() == 1 && left[0].spec.name == "bystander" && left[0].complete == 1 && left[0].best == 7);
}

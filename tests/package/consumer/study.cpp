// A study in a database, run by two workers through the installed headers alone; the version besides.

#include <bocs/studies.hpp>
#include <bocs/version.hpp>
#include <cstdlib>

int main() {
  bocs::Store store("sqlite:study.db", {.create = true});
  bocs::StudySpec spec{"six", {bocs::Space::binary(6)}};
  spec.trials = 20;
  bocs::Study study = store.open_or_create(spec);
  const auto ones = [](const bocs::Point& x) {
    double sum = 0;
    for (const auto level : x) sum += level;
    return sum;
  };
  bocs::StudyObserver nobody;
  bocs::run_study(study, bocs::callback(ones), {.workers = 2}, nobody);
  const bocs::Study again = store.open("six");
  const bool complete = again.history().size() == 20 && again.best() != nullptr;
  return complete && !bocs::version().empty() && !bocs::commit().empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

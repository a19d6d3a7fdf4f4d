// A study in a database, run by two workers through the installed headers alone; a problem and the version besides.

#include <bocs/problem/problem.hpp>
#include <bocs/studies.hpp>
#include <bocs/version.hpp>
#include <cstdlib>

int main() {
  const bocs::Problem problem = bocs::make_problem("bqp:d=6", 1);
  bocs::Store store("sqlite:study.db", {.create = true});
  bocs::StudySpec spec{"six", {problem.space}};
  spec.sense = problem.sense;
  spec.trials = 20;
  bocs::Study study = store.open_or_create(spec);
  bocs::StudyObserver nobody;
  bocs::run_study(study, bocs::callback(problem.f), {.workers = 2}, nobody);
  const bocs::Study again = store.open("six");
  const bool complete = again.history().size() == 20 && again.best() != nullptr;
  return complete && !bocs::version().empty() && !bocs::commit().empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

// A study in a file, worked on by two workers at once. Start the program several times at the same time, or kill it and
// start it again: they share the study, and it ends with 60 trials.

#include <filesystem>
#include <iostream>
#include <thread>

#include "bocs/run/work.hpp"
#include "bocs/study/worker.hpp"

/// +1 for every chosen point with an even number, -1 for every other one: the best is 101010101010, 6.
double evens(const bocs::Point& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (i % 2 == 0 ? 1 : -1) * x[i];
  return sum;
}

int main(int count, char** arguments) {
  const std::string url = count > 1 ? arguments[1] : "sqlite:shared_study.db";
  bocs::Store store(url, {.create = true});
  bocs::StudySpec spec{"evens", {bocs::Space::binary(12)}};
  spec.sense = bocs::Sense::maximize;
  spec.trials = 60;
  store.open_or_create(spec);
  const auto loop = [&] {
    bocs::Worker worker(url, "evens");  // one per thread, process or machine
    bocs::work(worker, bocs::callback(evens), {.stop = [] { return false; }});
  };
  std::jthread other(loop);
  loop();
  other.join();

  const bocs::Study study = store.open("evens");
  std::cout << study.history().size() << " trials, best " << study.task().space.format(study.best()->x) << " "
            << study.value(*study.best()) << "\n";
}

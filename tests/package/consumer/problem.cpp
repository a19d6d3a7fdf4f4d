// A benchmark problem, from the library that has them.

#include <bocs/bocs.hpp>
#include <bocs/problem/problem.hpp>
#include <cstdlib>

int main() {
  const bocs::Problem problem = bocs::make_problem("bqp:d=6", 1);
  bocs::Optimizer optimizer({problem.space}, "bocs", problem.sense);
  bocs::work(optimizer, bocs::callback(problem.f), {.trials = 20});
  return optimizer.history().size() == 20 ? EXIT_SUCCESS : EXIT_FAILURE;
}

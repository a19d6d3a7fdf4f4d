// Which of 12 sensors to switch on? Each costs 1, neighbours see the same, and no formula is known to the optimizer.
#include <cstdio>

#include "bocs/bocs.hpp"

double uncovered(const bocs::Point& on) {
  double loss = 0;
  for (std::size_t i = 0; i + 1 < on.size(); ++i) loss += on[i] + on[i + 1] == 1 ? 0 : 3;
  return loss;
}

int main() {
  const bocs::Task task{bocs::Space::binary(12), /*l1=*/1};  // minimize uncovered(x) + |x|_1
  bocs::Optimizer optimizer(task, "bocs");
  bocs::work(optimizer, bocs::callback(uncovered), {.trials = 60});
  const bocs::Trial& best = *optimizer.best();
  std::printf("%s %g\n", task.space.format(best.x).c_str(), optimizer.value(best));
}

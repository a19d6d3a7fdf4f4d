// A score of your own: the lower confidence bound of what is minimized. Registered, it has a name and options, as in
// study files; used directly, it is one argument.
#include <bocs/bocs.hpp>
#include <cmath>
#include <cstdio>

struct BoundOptions {
  double width = 2;
  void describe(bocs::OptionTable& table) { table.real("width", width, 0, 100, "standard deviations below the mean"); }
};

bocs::Score bound(double width) {
  const auto value = [width](double mean, double variance, const bocs::ScoreContext&) {
    return width * std::sqrt(variance) - mean;
  };
  return {"upper confidence bound", value, /*optimistic=*/true};
}

double uncovered(const bocs::Point& on) {
  double loss = 0;
  for (std::size_t i = 0; i + 1 < on.size(); ++i) loss += on[i] + on[i + 1] == 1 ? 0 : 3;
  return loss;
}

int main() {
  bocs::register_method<BoundOptions>("ucb", "upper confidence bound",
                                      [](const BoundOptions& options, const bocs::Space& space, const auto&) {
                                        return bocs::make_ei(space, {.score = bound(options.width)});
                                      });
  const bocs::Task task{bocs::Space::binary(12), /*l1=*/1};
  bocs::Optimizer optimizer(task, "ucb:width=1.5");
  bocs::work(optimizer, bocs::callback(uncovered), {.trials = 60});
  std::printf("%s %g, by %s\n", task.space.format(optimizer.best()->x).c_str(), optimizer.value(*optimizer.best()),
              optimizer.history().trials().back().info.how.c_str());
}

// You run the evaluations: on another machine, in a laboratory, several at a time and in any order.
#include <cstdio>

#include "bocs/bocs.hpp"

double taste(const bocs::Point& x) { return (x[0] == 2 ? 3 : 0) - 0.1 * (x[1] - 4) * (x[1] - 4) + x[2]; }

int main() {
  const bocs::Space recipe(
      {bocs::categorical("flour", {"wheat", "rye", "spelt"}), bocs::integer("hours", 1, 8), bocs::binary("salt")});
  bocs::Optimizer optimizer({recipe}, "bocs", bocs::Sense::maximize);
  optimizer.tell(recipe.parse("wheat,2,1"), 0.1);  // known before
  for (int day = 0; day < 12; ++day) {
    const bocs::Trial morning = optimizer.ask(), evening = optimizer.ask();
    optimizer.tell(evening.number, taste(evening.x));
    if (day == 2) {
      optimizer.tell(morning.number, bocs::Outcome::failure("the oven broke"));
    } else {
      optimizer.tell(morning.number, taste(morning.x));
    }
  }
  std::printf("%s %g\n", recipe.format(optimizer.best()->x).c_str(), optimizer.value(*optimizer.best()));
}

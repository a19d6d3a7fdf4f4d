#include "bocs/model/model.hpp"

namespace bocs {

Data complete_data(const History& history) {
  const auto complete = history.complete();
  Data data{{}, Vector(complete.size())};
  for (const Trial* trial : complete) {
    data.y[static_cast<Eigen::Index>(data.x.size())] = trial->y;
    data.x.push_back(trial->x);
  }
  return data;
}

}  // namespace bocs

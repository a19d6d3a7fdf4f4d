// Files of past data.

#include "bocs/study/csv.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  static const Task task{
      Space({binary("a"), integer("crew", -2, 9), categorical("=depot", {"north", "-1+1", "q\"q"})})};
  for (const Evaluation& row : read_csv(fuzz::as_file(text), task).evaluations) task.space.check(row.x);
}

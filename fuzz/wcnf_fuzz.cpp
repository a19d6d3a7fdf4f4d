// Files of weighted clauses.

#include <sstream>

#include "bocs/problem/maxsat.hpp"
#include "fuzz.hpp"

FUZZ(text) {
  std::istringstream stream(text);
  (void)bocs::read_wcnf(stream, "a file");
}

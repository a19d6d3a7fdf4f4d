// Files of instances: the first byte says of which problem.

#include "bocs/problem/bqp.hpp"
#include "bocs/problem/contamination.hpp"
#include "bocs/problem/ising.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  if (text.empty()) return;
  const auto read = [kind = text[0] % 3](const std::string& json) {
    const Spec spec = Spec::parse("problem:instance=" + fuzz::as_file(json));
    return kind == 0 ? make_bqp(spec, 0) : kind == 1 ? make_ising(spec, 0) : make_contamination(spec, 0);
  };
  const Problem problem = read(text.substr(1));
  (void)problem.f(Point(problem.space.dimension(), 1));
  const std::string once = problem.instance_json();
  fuzz::must(read(once).instance_json() == once);
}

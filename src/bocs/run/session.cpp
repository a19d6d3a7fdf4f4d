#include "bocs/run/session.hpp"

#include "bocs/base/error.hpp"

namespace bocs {

Trial Session::ask(const std::vector<Constraint>& rules) {
  require(rules.empty(), "this session asks for single trials, not for those of a batch with rules");
  return ask();
}

}  // namespace bocs

// Study files name a method. Making one needs all of the library, of which fuzz targets compile a part: here the spec
// is read, and the method proposes nothing. tests/conformance makes the methods.

#include "bocs/base/error.hpp"
#include "bocs/method/method.hpp"

namespace bocs {
namespace {

struct NoMethod : Method {
  [[nodiscard]] Proposal propose(const Task& /*task*/, const History& /*history*/, int /*number*/) const override {
    throw SpaceExhausted("a fuzz target proposes nothing");
  }
};

}  // namespace

std::unique_ptr<Method> make_method(std::string_view spec, const Space& /*space*/, const Constraints& /*constraints*/) {
  (void)Spec::parse(spec);
  return std::make_unique<NoMethod>();
}

Spec method_spec_with_initial(std::string_view method, int /*initial*/) { return Spec::parse(method); }

}  // namespace bocs

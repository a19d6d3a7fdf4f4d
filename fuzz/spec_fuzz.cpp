// Spec strings, durations, and the names of monomials.

#include "bocs/base/options.hpp"
#include "bocs/poly/basis.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  try {
    const Spec spec = Spec::parse(text);
    fuzz::must(Spec::parse(spec.text()).text() == spec.text());
  } catch (const InvalidArgument&) {
  }
  static const Space space(
      {binary("a"), binary("b"), integer("crew", -2, 9), categorical("depot", {"north", "river"})});
  static const Basis basis(space, 2);
  if (const auto found = basis.find(text)) fuzz::must(basis.find(basis.name(*found)) == found);
}

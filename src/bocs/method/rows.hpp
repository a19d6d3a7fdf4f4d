#pragma once
// What the table of methods needs of `bocs`: the one method whose parts have options of their own.

#include "bocs/method/method.hpp"

namespace bocs {

/// Who proposes, with the settings of `bocs` alone.
std::vector<MemberEntry> list_bocs_members();

/// Its own options and, as model.KEY and minimizer.KEY, those of every part it can be made of.
std::vector<Option> list_bocs_options();

/// "bocs:order=2,model.sweeps=50"
std::unique_ptr<Method> make_bocs(const Spec& spec, const Space& space, const Constraints& constraints);

}  // namespace bocs

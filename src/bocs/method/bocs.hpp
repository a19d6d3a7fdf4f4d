#pragma once
// BOCS, [BP18], and what grew around it: a portfolio of polynomial models and a Gaussian process.

#include "bocs/method/method.hpp"

namespace bocs {

/// Who proposes, with the settings of `bocs` alone.
std::vector<MemberEntry> list_bocs_members();

/// Its own options and, as model.KEY and minimizer.KEY, those of every part it can be made of.
std::vector<Option> list_bocs_options();

/// Throws InvalidArgument for unknown settings, of the parts too, and for spaces the minimizer cannot treat.
std::unique_ptr<Method> make_bocs(const Spec& spec, const Space& space, const Constraints& constraints = {});

}  // namespace bocs

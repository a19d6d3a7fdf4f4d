#pragma once
// Points and trials as people read them, in the user's sense.

#include "bocs/store/study.hpp"
#include "bocs/study/trial_json.hpp"
#include "terminal.hpp"

namespace bocs::cli {

/// "depot=river crew=3 station=0110...": arrays in one piece.
std::string describe_point(const Space& space, const Point& x);

/// What was measured at a complete trial, and what is optimized: the same where nothing has a price.
bool is_penalized(const Study& study);
void print_value(const Study& study, const Trial& trial);

}  // namespace bocs::cli

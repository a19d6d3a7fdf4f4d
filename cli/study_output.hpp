#pragma once
// Points and trials as people read them, in the user's sense.

#include "bocs/method/simplify.hpp"
#include "bocs/study/progress.hpp"
#include "bocs/study/trial_json.hpp"
#include "terminal.hpp"

namespace bocs::cli {

/// "station: 2 4 8; depot: river": what is switched on, in one line.
std::string describe_point(const Space& space, const Point& x);

/// "value 12.5", "failed: exit code 1: no licence"
std::string describe_outcome(const Study& study, const Outcome& outcome);
std::string describe_outcome(const Study& study, const Trial& trial);

/// True where what is measured is not what is optimized.
bool is_penalized(const Study& study);

/// The answer of a study: the point, its value, and where measurements are random their error, number and the best
/// single one; with several goals the front; while no trial is allowed, the nearest. all: with a line for every
/// variable.
void print_answer(const Study& study, const Progress& progress, bool all = false);
/// null where measurements are exact.
Json recommendation_json(const Study& study, const Progress& progress);

/// "changes      1 from the default: ivopts 0 instead of 1"; nothing without a present setting.
void print_changes(const Task& task, const Progress& progress);
/// What the answer has otherwise than the present setting, [{"name", "from", "to"}]; null without one.
Json changes_json(const Task& task, const Progress& progress);
/// "0.02 may be left (90 %: 0 to 0.11); 37 % that nothing is better", or why that is not known.
std::string describe_remaining(const Remaining& remaining);
/// null where it is not known.
Json remaining_json(const Remaining& remaining);

/// "14 of 20", "14 of 20 + 10 past": finished trials of the budget, and those that came on top of it.
std::string describe_progress(int finished, const Study& study);

/// "Still improving: ..." or "last improvement 70 trials ago"; empty: nothing can be said.
std::string describe_trend(const Progress& progress);
/// A line for each reason, the most frequent first.
void print_failures(const History& history);

}  // namespace bocs::cli

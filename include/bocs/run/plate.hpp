#pragma once
// A batch of trials that are run together: the wells of a plate, the tubes of one oven, what a robot does in one night.

#include <map>
#include <string>
#include <vector>

#include "bocs/run/session.hpp"

namespace bocs {

/// What the trials of a batch have in common. The variables have one value each, and steps.
struct Plate {
  std::vector<std::string> same = {};       // variables with one value in a whole block: the temperature of an oven
  int block = 0;                            // so many trials after each other are a block; 0: the batch is one
  std::map<std::string, int> at_most = {};  // so many different values of a variable in the batch
  int distance = 0;                         // any two trials differ in at least so many variables

  /// Throws InvalidArgument: unknown variables, structures, numbers without a step, numbers below 1.
  void check(const Space& space) const;
};

/// What the next trial of a batch must satisfy, on top of the task's constraints, so that the batch keeps the rules.
std::vector<Constraint> next_rules(const Space& space, const Plate& plate, const std::vector<Point>& batch);

/// Asks for `count` trials that keep the rules: each is proposed knowing those before it as running. Fewer when nothing
/// else satisfies the rules, or no more trials are to be had; then `*why` says so. The first trial of a block decides
/// what is the same in it. Trials that were waiting come first, and belong to the batch. Throws what ask() throws
/// before there is one trial, and InvalidArgument, all trials given back, if one that was waiting breaks the rules.
std::vector<Trial> ask_plate(Session& session, int count, const Plate& plate, std::string* why = nullptr);

}  // namespace bocs

#pragma once
// Which order should the next model have? Instead of asking which model forecasts better, ask whose proposals turned
// out better: a low and a high order compete, and the winner gets most of the next trials.

#include "bocs/core/trial.hpp"

namespace bocs {

/// The two orders of a competition, low < high.
struct Orders {
  int low = 2;
  int high = 4;
};

/// The probability that the low order makes the next proposal: 1/5 when the recent proposals of both are equally good,
/// up to 0.95 the more often a proposal of the low order beats one of the high order, down to 0.05 the less often.
/// Failed trials are beaten by all that succeeded; running ones do not count.
double share_of_low(const Task& task, const History& history, Orders orders);

/// The order of trial `number`: a coin of the trial's own stream with that probability.
int next_order(const Task& task, const History& history, Orders orders, int number);

}  // namespace bocs

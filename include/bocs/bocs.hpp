#pragma once
// The public C++ API of library bocs::bocs. Of bocs::bocs_study: bocs/studies.hpp; of bocs::bocs_bench:
// bocs/problem/problem.hpp.
//
//   bocs::Optimizer optimizer({bocs::Space::binary(24)}, "bocs");
//   bocs::work(optimizer, bocs::callback(f), {.trials = 150});
//   optimizer.best()->x

#include "bocs/base/error.hpp"
#include "bocs/method/explain.hpp"
#include "bocs/method/method.hpp"
#include "bocs/method/options.hpp"
#include "bocs/method/remaining.hpp"
#include "bocs/method/simplify.hpp"
#include "bocs/rule/constraint.hpp"
#include "bocs/run/objective.hpp"
#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "bocs/space/space.hpp"
#include "bocs/trial/trial.hpp"

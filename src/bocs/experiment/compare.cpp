#include "bocs/experiment/compare.hpp"

#include "bocs/base/error.hpp"
#include "bocs/version.hpp"

namespace bocs {

StudyFile comparison_study(const StudyFile& file, const std::string& store, const std::string& method, int repeat) {
  require(!file.spec.task.has_front(), "a comparison needs one goal; this study has several");
  StudyFile study = file;
  study.spec.method = method_spec(method).text();
  study.spec.name = file.spec.name + ", " + method + ", " + std::to_string(repeat + 1);
  study.spec.task.seed = file.spec.task.seed + static_cast<std::uint64_t>(repeat);
  study.spec.check();
  study.method = make_method(study.spec);
  study.store = store;
  return study;
}

CellResult comparison_result(const StudyFile& file, const Study& study, const std::string& method, int repeat) {
  CellResult result;
  result.cell.problem = file.spec.name;
  result.cell.method = method;
  result.cell.instance = 1;
  result.cell.repeat = repeat;
  result.cell.seed = study.task().seed;
  result.cell.trials = study.mirror().budget();
  result.cell.penalty = study.task().l2 > 0 ? "l2" : "l1";
  result.cell.lambda = study.task().l2 > 0 ? study.task().l2 : study.task().l1;
  result.cell.initial = study.method().initial_points(study.task());
  result.sense = study.sense();
  result.version = signature();
  double least = std::numeric_limits<double>::infinity();
  for (const Trial& trial : study.history().trials()) {
    result.failures += trial.state == State::failed ? 1 : 0;
    result.suggest_seconds_mean += trial.info.regress_seconds + trial.info.minimize_seconds;
    if (trial.state != State::complete && trial.state != State::failed) continue;
    if (is_allowed(study.task(), trial) && total(study.task(), trial) < least) {
      least = total(study.task(), trial);
      result.best.push_back({result.evaluations, study.value(trial), result.suggest_seconds_mean});
    }
    ++result.evaluations;
  }
  result.suggest_seconds_mean /= std::max(1, result.evaluations);
  return result;
}

}  // namespace bocs

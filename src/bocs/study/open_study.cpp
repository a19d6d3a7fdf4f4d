#include "bocs/study/open_study.hpp"

#include "bocs/study/csv.hpp"

namespace bocs {
namespace {

bool same_to_amend(const StudySpec& a, const StudySpec& b) {
  return a.trials == b.trials && a.parallel == b.parallel && a.objective == b.objective && a.attempts == b.attempts &&
         a.until == b.until;
}

}  // namespace

Study open_study(const StudyFile& file, const Patience& patience) {
  std::vector<Evaluation> past;
  if (!file.data.empty()) past = read_csv(file.data, file.spec.task, file.nearest).evaluations;
  return retry_while_unavailable(patience, [&] {
    Store store(file.store, {.create = true});
    Study study = store.open_or_create(file.spec, file.method);
    if (!past.empty()) study.add_past(past);
    if (!same_to_amend(study.spec(), file.spec)) study.amend(file.spec, BudgetBelowStarted::end_study);
    return study;
  });
}

}  // namespace bocs

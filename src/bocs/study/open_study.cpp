#include "bocs/study/open_study.hpp"

#include "bocs/study/csv.hpp"

namespace bocs {
namespace {

bool same(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& v, const Variable& w) {
    return v.name == w.name && v.kind == w.kind && v.levels == w.levels && v.low == w.low && v.labels == w.labels;
  });
}

bool same_to_amend(const StudySpec& a, const StudySpec& b) {
  return a.trials == b.trials && a.parallel == b.parallel && a.objective == b.objective && a.attempts == b.attempts;
}

}  // namespace

std::string differences(const StudySpec& a, const StudySpec& b) {
  std::string text;
  const auto compare = [&](bool equal, const char* what) {
    if (!equal) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  compare(same(a.task.space.variables(), b.task.space.variables()), "variables");
  compare(a.task.constraints.list() == b.task.constraints.list(), "constraints");
  compare(a.sense == b.sense, "direction");
  compare(a.task.l1 == b.task.l1 && a.task.l2 == b.task.l2, "penalty");
  compare(a.task.seed == b.task.seed, "seed");
  compare(a.method == b.method, "method");
  return text;
}

Study open_study(const StudyFile& file, const Patience& patience) {
  std::vector<Evaluation> past;
  if (!file.data.empty()) past = read_csv(file.data, file.spec.task.space).evaluations;
  return patiently(patience, [&] {
    Store store(file.store, {.create = true});
    Study study = store.open_or_create(file.spec, file.method);
    const std::string different = differences(study.spec(), file.spec);
    require(different.empty(), [&] {
      return store.shown_url() + " already holds a study '" + file.spec.name + "' with other " + different +
             "; give the study another name or store, or remove the old one: bocs delete";
    });
    if (!past.empty()) study.add_data(past);
    if (!same_to_amend(study.spec(), file.spec)) study.amend(file.spec);
    return study;
  });
}

}  // namespace bocs

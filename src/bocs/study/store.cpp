#include "bocs/study/store.hpp"

#include "bocs/base/text.hpp"
#include "bocs/store/study_table.hpp"
#include "bocs/study/candidate_table.hpp"
#include "bocs/study/spec_json.hpp"

namespace bocs {
namespace {

/// The spec as it is now: the budget and the cap may have been amended; that of a paused study is in its text.
StudySpec to_spec(const StudyRow& row, const LoadCandidates& load = nullptr) {
  StudySpec spec = spec_from_json(row.spec, load);
  spec.trials = row.trials;
  if (row.parallel >= 0) spec.parallel = row.parallel;
  return spec;
}

}  // namespace

Store::Store(const std::string& url, const StoreOptions& options)
    : shown_url_(without_password(url)), connection_(connect_to_tables(url, options)) {}

Study Store::create(const StudySpec& wanted, std::shared_ptr<const Method> method) {
  wanted.check();
  StudySpec spec = wanted;
  if (spec.task.trials == 0)
    spec.task.trials = spec.trials;  // fixed from now on: the budget may change, proposals may not
  if (!method) method = make_method(spec);
  if (const Candidates* candidates = spec.task.constraints.candidates()) {
    StudyTable(*connection_).keep_candidates(candidates->hash(), candidates_to_text(*candidates));
  }
  const auto id = StudyTable(*connection_).insert({0, spec.name, spec_to_json(spec), spec.trials, spec.parallel});
  require(id.has_value(), [&] { return "there is a study '" + spec.name + "' already in " + shown_url_; });
  return {connection_, *id, spec, std::move(method)};
}

std::optional<Study> Store::find(const std::string& name, std::shared_ptr<const Method> method) {
  const auto row = StudyTable(*connection_).find(name);
  if (!row) return std::nullopt;
  const auto load = [this](const Space& space, const std::string& hash) {
    return candidates_from_text(space, StudyTable(*connection_).candidates(hash));
  };
  Study study(connection_, row->id, to_spec(*row, load), std::move(method));
  study.refresh();
  return study;
}

Study Store::open(const std::string& name) {
  auto found = find(name, nullptr);
  require(found.has_value(), [&] {
    constexpr std::size_t kMost = 20;
    std::vector<std::string> names;
    for (const StudyRow& row : StudyTable(*connection_).list()) {
      if (names.size() < kMost) names.push_back(row.name);
    }
    return "there is no study '" + name + "' in " + shown_url_ +
           (names.empty() ? "; there is none at all" : "; there are " + joined(names));
  });
  return std::move(*found);
}

Study Store::save(const StudySpec& spec, const History& history) {
  Study study = create(spec);
  study.adopt(history);
  return study;
}

Study Store::open_or_create(const StudySpec& spec, std::shared_ptr<const Method> method) {
  auto study = find(spec.name, method);
  if (!study) {
    try {
      return create(spec, method);
    } catch (const InvalidArgument&) {  // unless another process was faster
      study = find(spec.name, method);
      if (!study) throw;
    }
  }
  const std::string different = differences(study->spec(), spec);
  require(different.empty(), [&] {
    return shown_url_ + " already holds a study '" + spec.name + "' with other " + different +
           ". To keep its results, export them (bocs export -o past.csv), then give this study another name and data = "
           "\"past.csv\"; to lose them: bocs delete";
  });
  return std::move(*study);
}

bool Store::contains(const std::string& name) { return StudyTable(*connection_).find(name).has_value(); }

std::vector<StudySummary> Store::list() {
  StudyTable table(*connection_);
  std::vector<StudySummary> studies;
  for (const StudyRow& row : table.list()) {
    StudySummary study{to_spec(row)};
    study.past = row.extra;
    study.budget = study.spec.trials == 0 ? 0 : study.spec.trials + study.past;
    study.paused = row.parallel < 0;
    study.created = row.created;
    for (const auto& [state, count, lowest] : table.counts(row.id)) {
      switch (state) {
        case State::waiting:
          study.waiting = count;
          break;
        case State::running:
          study.running = count;
          break;
        case State::complete:
          study.complete = count;
          if (study.spec.task.outcomes.empty()) study.best = oriented(study.spec.sense, lowest);
          break;
        case State::failed:
          study.failed = count;
          break;
        case State::struck:
          study.struck = count;
          break;
      }
    }
    studies.push_back(std::move(study));
  }
  return studies;
}

bool Store::is_writable() {
  try {
    connection_->transaction([&] { connection_->execute("UPDATE bocs_schema SET version = version"); });
    return true;
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const StoreError&) {
    return false;
  }
}

void Store::remove(const std::string& name) {
  require(StudyTable(*connection_).remove(name), [&] { return "there is no study '" + name + "' in " + shown_url_; });
}

}  // namespace bocs

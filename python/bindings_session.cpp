// What the sessions have in common, and the loop that runs them.

#include "bocs/numeric/parallel.hpp"
#include "bocs/run/loop.hpp"
#include "bocs/run/plate.hpp"
#include "bocs/study/plate_sheet.hpp"
#include "shared_session.hpp"

namespace bocs::python {
namespace {

using S = SharedSession;

TrialView find(const Session& session, int number) {
  const Trial* found = session.history().find(number);
  require(found != nullptr, [&] { return "there is no trial " + std::to_string(number); });
  return seen(session, *found);
}

std::vector<Effect> explained(const Session& session, int order, int draws) {
  ExplainOptions options;
  options.order = order;
  options.draws = draws;
  options.threads = hardware_threads();
  return bocs::explain(session.method(), session.task(), session.history(), session.sense(), options).effects;
}

/// The word of Python's Result.reason.
const char* word(Reason reason) {
  switch (reason) {
    case Reason::trials:
      return "trials";
    case Reason::seconds:
      return "timeout";
    case Reason::target:
      return "target";
    case Reason::failures:
      return "failing";
    case Reason::stopped:
      return "stopped";
    case Reason::exhausted:
      return "exhausted";
    case Reason::gave_up:
      return "gave up";
    case Reason::converged:
      return "converged";
  }
  return "";
}

struct NextView {
  std::vector<TrialView> begin;
  double wait_seconds = 0;
  bool ended = false;
};

NextView next(Loop& loop, S& shared, int slots) {
  return shared.with([&](Session& session) {
    const Loop::Next next = loop.next(session, slots);
    NextView result{{}, next.wait_seconds, next.ended.has_value()};
    for (const Trial& trial : next.begin) result.begin.push_back(seen(session, trial));
    return result;
  });
}

/// The trial as it stands, and whether another worker told it first.
std::pair<TrialView, bool> finished(Loop& loop, S& shared, int number, const Outcome& outcome) {
  return shared.with([&](Session& session) {
    Told told{};
    const Trial trial = loop.finished(session, number, outcome, &told);
    return std::pair(seen(session, trial), told == Told::late);
  });
}

std::optional<TrialView> died(Loop& loop, S& shared, int number, const std::string& how) {
  return shared.with([&](Session& session) -> std::optional<TrialView> {
    const auto failed = loop.evaluator_died(session, number, how);
    if (!failed) return std::nullopt;
    return seen(session, *failed);
  });
}

void bind_loop(nb::module_& module) {
  nb::class_<NextView>(module, "Next")
      .def_ro("begin", &NextView::begin)
      .def_ro("wait_seconds", &NextView::wait_seconds)
      .def_ro("ended", &NextView::ended);
  nb::class_<Loop>(module, "Loop")
      .def(
          "__init__",
          [](Loop* loop, std::optional<int> trials, std::optional<double> seconds, std::optional<double> target,
             bool keep_going, const std::optional<std::string>& until) {
            Limits limits;
            limits.trials = trials.value_or(0);
            limits.seconds = seconds.value_or(0);
            limits.target = target;
            limits.keep_going = keep_going;
            if (until) limits.until = StopRule::parse(*until);
            limits.stop = [] { return false; };  // the budget of a study is a limit, too
            new (loop) Loop(limits);
          },
          nb::arg("trials") = nb::none(), nb::arg("seconds") = nb::none(), nb::arg("target") = nb::none(),
          nb::arg("keep_going") = false, nb::arg("until") = nb::none())
      .def("next", &next, nb::arg("session"), nb::arg("slots"), ReleaseGil())
      .def("finished", &finished, nb::arg("session"), nb::arg("number"), nb::arg("outcome"), ReleaseGil())
      .def(
          "no_outcome",
          [](Loop& loop, S& shared, int number) {
            shared.with([&](Session& session) { loop.no_outcome(session, number); });
          },
          nb::arg("session"), nb::arg("number"), ReleaseGil())
      .def("evaluator_died", &died, nb::arg("session"), nb::arg("number"), nb::arg("how"), ReleaseGil())
      .def(
          "abandon", [](Loop& loop, S& shared) { shared.with([&](Session& session) { loop.abandon(session); }); },
          nb::arg("session"), ReleaseGil())
      .def(
          "open",
          [](const Loop& loop, S& shared) { return shared.with([&](Session& session) { return loop.open(session); }); },
          nb::arg("session"), ReleaseGil())
      .def(
          "stop", [](Loop& loop) { loop.stop(Reason::stopped); }, ReleaseGil())
      .def_prop_ro("reason", [](const Loop& loop) { return word(loop.result().reason); })
      .def_prop_ro("failing", [](const Loop& loop) { return loop.result().failing; });
}

}  // namespace

void bind_session(nb::module_& module) {
  nb::class_<Remaining>(module, "Remaining")
      .def_ro("mean", &Remaining::mean)
      .def_ro("low", &Remaining::low)
      .def_ro("high", &Remaining::high)
      .def_ro("chance_optimal", &Remaining::chance_optimal)
      .def_ro("why_not", &Remaining::why_not);
  nb::class_<ChangeFromPresent>(module, "Change")
      .def_ro("name", &ChangeFromPresent::name)
      .def_ro("before", &ChangeFromPresent::from)
      .def_ro("after", &ChangeFromPresent::to)
      .def_ro("kept", &ChangeFromPresent::kept)
      .def_ro("cost", &ChangeFromPresent::cost)
      .def_ro("low", &ChangeFromPresent::low)
      .def_ro("high", &ChangeFromPresent::high)
      .def_ro("chance", &ChangeFromPresent::chance)
      .def_ro("measured", &ChangeFromPresent::measured);
  nb::class_<Simplification>(module, "Simplification")
      .def_ro("levels", &Simplification::x)
      .def_ro("loss", &Simplification::loss)
      .def_ro("low", &Simplification::low)
      .def_ro("high", &Simplification::high)
      .def_ro("measured", &Simplification::measured)
      .def_ro("changes", &Simplification::changes)
      .def_ro("next", &Simplification::next);
  module.def(
      "check_stop", [](const std::string& text) { StopRule::parse(text); }, nb::arg("text"));
  nb::class_<S>(module, "Session")
      .def(
          "ask", [](S& shared) { return shared.with([](Session& session) { return seen(session, session.ask()); }); },
          ReleaseGil())
      .def(
          "ask_plate",
          [](S& shared, int count, std::vector<std::string> same, int block, std::map<std::string, int> at_most,
             int distance) {
            return shared.with([&](Session& session) {
              std::vector<TrialView> trials;
              const Plate plate{std::move(same), block, std::move(at_most), distance};
              for (const Trial& trial : ask_plate(session, count, plate)) trials.push_back(seen(session, trial));
              return trials;
            });
          },
          nb::arg("count"), nb::arg("same"), nb::arg("block"), nb::arg("at_most"), nb::arg("distance"), ReleaseGil())
      .def(
          "sheet",
          [](S& shared, const std::vector<int>& numbers) {
            return shared.with([&](Session& session) {
              std::vector<Trial> trials;
              for (const int number : numbers) {
                const Trial* trial = session.history().find(number);
                require(trial != nullptr, [&] { return "there is no trial " + std::to_string(number); });
                trials.push_back(*trial);
              }
              return plate_sheet(session.task(), trials);
            });
          },
          nb::arg("numbers"), ReleaseGil())
      .def(
          "tell_sheet",
          [](S& shared, const std::string& file) {
            return shared.with([&](Session& session) {
              const SheetResult result = tell_sheet(session, file);
              return std::map<std::string, int>{{"told", static_cast<int>(result.told.size())},
                                                {"failed", result.failed},
                                                {"known", result.known},
                                                {"open", result.open},
                                                {"added", result.added}};
            });
          },
          nb::arg("file"), ReleaseGil())
      .def(
          "tell",
          [](S& shared, int number, const Outcome& outcome) {
            return shared.with([&](Session& session) {
              session.tell(number, outcome);
              return find(session, number);
            });
          },
          nb::arg("number"), nb::arg("outcome"), ReleaseGil())
      .def(
          "release",
          [](S& shared, int number) { return shared.with([&](Session& session) { return session.release(number); }); },
          nb::arg("number"), ReleaseGil())
      .def(
          "enqueue",
          [](S& shared, const Point& x) { return shared.with([&](Session& session) { return session.enqueue(x); }); },
          nb::arg("levels"), ReleaseGil())
      .def(
          "strike",
          [](S& shared, int number, const std::string& why) {
            shared.with([&](Session& session) { session.strike(number, why); });
          },
          nb::arg("number"), nb::arg("why"), ReleaseGil())
      .def(
          "trial",
          [](S& shared, int number) {
            return shared.with([&](Session& session) {
              session.refresh();
              return find(session, number);
            });
          },
          nb::arg("number"), ReleaseGil())
      .def(
          "trials",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              return view(session.task(), session.sense(), session.history());
            });
          },
          ReleaseGil())
      .def(
          "size",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              return session.history().size();
            });
          },
          ReleaseGil())
      .def(
          "best",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              const Trial* best = session.best();
              return best == nullptr ? std::nullopt : std::optional(seen(session, *best));
            });
          },
          ReleaseGil())
      .def(
          "front",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              std::vector<TrialView> front;
              for (const Trial* trial : session.front()) front.push_back(seen(session, *trial));
              return front;
            });
          },
          ReleaseGil())
      .def(
          "goals",
          [](S& shared) {
            return shared.with([](Session& session) {
              std::vector<std::pair<std::string, Sense>> goals;
              for (const Goal& goal : session.task().goals) goals.emplace_back(goal.name, goal.sense);
              return goals;
            });
          },
          ReleaseGil())
      .def(
          "named_metrics",
          [](S& shared) { return shared.with([](Session& session) { return named_metrics(session.task()); }); },
          ReleaseGil())
      .def(
          "check_told",
          [](S& shared, double value, const std::map<std::string, double>& metrics) {
            shared.with([&](Session& session) { past_outcome(session.task(), value, metrics); });
          },
          nb::arg("value"), nb::arg("metrics"), ReleaseGil())
      .def(
          "outcomes",
          [](S& shared) {
            return shared.with([](Session& session) {
              std::vector<std::string> texts;
              for (const OutcomeLimit& limit : session.task().outcomes) texts.push_back(to_string(limit));
              return texts;
            });
          },
          ReleaseGil())
      .def(
          "recommend",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              return session.recommend().x;
            });
          },
          ReleaseGil())
      .def(
          "remaining",
          [](S& shared) {
            return shared.with([](Session& session) {
              session.refresh();
              return remaining_gain(session.method(), session.task(), session.history());
            });
          },
          ReleaseGil())
      .def(
          "simplified",
          [](S& shared, const std::string& loss) {
            return shared.with([&](Session& session) {
              session.refresh();
              const Trial* best = session.best();
              const double value = best == nullptr ? 0 : best->y;
              return bocs::simplify(session.method(), session.task(), session.history(), parse_loss(loss, value),
                                    hardware_threads());
            });
          },
          nb::arg("loss"), ReleaseGil())
      .def(
          "initial_points",
          [](S& shared) {
            return shared.with([](Session& session) { return session.method().initial_points(session.task()); });
          },
          ReleaseGil())
      .def(
          "explain",
          [](S& shared, int order, int draws) {
            return shared.with([&](Session& session) {
              session.refresh();
              return explained(session, order, draws);
            });
          },
          nb::arg("order"), nb::arg("draws"), ReleaseGil());
  bind_loop(module);
}

}  // namespace bocs::python

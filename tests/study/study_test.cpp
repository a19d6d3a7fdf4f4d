#include "bocs/study/study.hpp"

#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "bocs/store/json.hpp"
#include "store/store_fixture.hpp"

namespace bocs {
namespace {

using StudyTest = StoreTest;
INSTANTIATE_TEST_SUITE_P(Store, StudyTest, testing::Values("sqlite", "postgresql"), store_name);

double bumpy(const Point& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += (i % 3 == 0 ? -1.0 : 0.7) * x[i] + 0.3 * x[i] * x[(i + 1) % x.size()];
  return sum;
}

TEST_P(StudyTest, AskTellAskTellUntilTheBudgetIsReached) {
  Store database = store();
  Study study = database.create(small_study(3));
  EXPECT_EQ(study.best(), nullptr);
  for (int number = 0; number < 3; ++number) {
    EXPECT_FALSE(study.mirror().finished());
    const Trial trial = study.ask();
    EXPECT_EQ(trial.number, number);
    EXPECT_EQ(trial.state, State::running);
    EXPECT_TRUE(study.task().space.contains(trial.x));
    study.tell(number, number == 1 ? 0.25 : 2.0);
    EXPECT_EQ(study.history().find(number)->state, State::complete);
  }
  EXPECT_THROW(study.ask(), BudgetReached);
  EXPECT_TRUE(study.mirror().finished());
  EXPECT_EQ(study.best()->number, 1);
  EXPECT_EQ(study.recommend().x, study.best()->x);

  Study again = database.open("small");  // what another process would see
  EXPECT_EQ(again.history().size(), 3);
  EXPECT_EQ(trial_to_json(*again.best()), trial_to_json(*study.best()));
  EXPECT_THROW(again.ask(), BudgetReached);
}

TEST_P(StudyTest, AFinishedTrialNeverChanges) {
  Store database = store();
  Study study = database.create(small_study(5));
  study.ask();
  study.ask();
  study.tell(0, 1);
  study.tell(1, Outcome::failure("no"));
  const auto before = trial_to_json(*study.history().find(0)) + trial_to_json(*study.history().find(1));
  Study other = database.open("small");
  for (Study* session : {&study, &other}) {
    EXPECT_THROW(session->tell(0, 2), InvalidArgument);
    EXPECT_THROW(session->tell(1, 2), InvalidArgument);
    EXPECT_THROW(session->tell(0, Outcome::failure("late")), InvalidArgument);
    EXPECT_THROW(session->tell(7, 2), InvalidArgument);
    session->release(0);
    session->table().reclaim(-1, session->spec().attempts);
    session->refresh();
    EXPECT_EQ(trial_to_json(*session->history().find(0)) + trial_to_json(*session->history().find(1)), before);
  }
}

TEST_P(StudyTest, AFailedTrialMayBeRetriedAndEveryProposalIsStillFoundAgain) {
  Store database = store();
  StudySpec spec = small_study(18);
  spec.method = "bocs:initial=4,order=2";  // it learns from values and from failures
  Study study = database.create(spec);
  Study other = database.open("small");  // has seen the failure when the trial is retried
  const auto value = [](const Trial& trial) { return trial.x[0] - 2.0 * trial.x[1]; };
  for (int i = 0; i < 10; ++i) {
    const Trial trial = study.ask();
    study.tell(trial.number, trial.number % 3 == 1 ? Outcome::failure("no licence") : Outcome::value(value(trial)));
  }
  other.refresh();
  const Trial open = study.ask();  // proposed before, told after the retry
  EXPECT_FALSE(study.retry(0));
  EXPECT_FALSE(study.retry(99));
  EXPECT_TRUE(study.retry(4));
  EXPECT_TRUE(study.retry(7));
  EXPECT_FALSE(study.retry(7));
  EXPECT_EQ(study.history().find(4)->state, State::waiting);
  EXPECT_EQ(study.history().find(4)->error, "");
  const Trial again = other.ask();
  EXPECT_EQ(again.number, 4);
  EXPECT_EQ(again.x, study.history().find(4)->x);
  other.tell(4, value(again));
  study.tell(open.number, value(open));
  other.tell(other.ask().number, Outcome::failure("no licence"));  // trial 7 again
  EXPECT_TRUE(other.retry(7));
  for (int i = 0; i < 8; ++i) {
    const Trial trial = study.ask();
    EXPECT_EQ(trial.number, i == 0 ? 7 : 10 + i);
    study.tell(trial.number, value(trial));
  }
  EXPECT_THROW(study.ask(), BudgetReached);
  Study reader = database.open("small");
  for (const Study* session : {&study, &reader}) {
    for (const auto& trial : session->history().trials()) {
      EXPECT_EQ(trial.state, trial.number == 1 ? State::failed : State::complete);
      EXPECT_EQ(session->replay(trial).x, trial.x) << trial.number;
    }
  }
}

TEST_P(StudyTest, OutcomesArriveAsInMemory) {
  StudySpec spec = small_study(0);
  spec.sense = Sense::maximize;
  spec.task.l1 = 0.5;
  Store database = store();
  Study study = database.create(spec);
  Optimizer twin(spec.task, spec.method, spec.sense);
  Outcome rich = Outcome::value(0.1 + 0.2, 3.25);
  rich.metrics = {{"mass", 1.0 / 3}, {"'; --", 2}};
  const Outcome outcomes[] = {rich,
                              Outcome::failure("exit code 3", 1.5),
                              Outcome::value(kUnknown),
                              Outcome::value(-4),
                              {State::complete, -std::numeric_limits<double>::infinity(), "", 2, {}}};
  for (const auto& outcome : outcomes) {
    const int number = study.ask().number;
    EXPECT_EQ(twin.ask().number, number);
    study.tell(number, outcome);
    twin.tell(number, outcome);
  }
  EXPECT_THROW(study.tell(study.ask().number, kUnknown), InvalidArgument);  // by hand: refused, still running
  EXPECT_THROW(study.tell(5, Outcome{State::running, 1, "", 0, {}}), InvalidArgument);
  EXPECT_EQ(study.history().find(5)->state, State::running);
  Study reader = database.open("small");
  for (const auto& trial : twin.history().trials()) {
    EXPECT_EQ(trial_to_json(*study.history().find(trial.number)), trial_to_json(trial));
    EXPECT_EQ(trial_to_json(*reader.history().find(trial.number)), trial_to_json(trial));
  }
  EXPECT_EQ(reader.value(*reader.best()), twin.value(*twin.best()));
}

// The sequence of points and everything recorded with them equals the in-memory one, for every method.
TEST_P(StudyTest, ReplaysAnOptimizerPointByPoint) {
  Store database = store();
  for (const char* method : {"bocs:initial=6", "random", "local", "annealing", "particle", "smac:initial=5"}) {
    StudySpec spec = small_study(14, method);
    spec.method = method;
    Study study = database.create(spec);
    Optimizer twin(spec.task, method);
    for (int i = 0; i < spec.trials; ++i) {
      Trial ours = study.ask(), theirs = twin.ask();
      ours.info.regress_seconds = theirs.info.regress_seconds;
      ours.info.minimize_seconds = theirs.info.minimize_seconds;
      ASSERT_EQ(trial_to_json(ours), trial_to_json(theirs)) << method;
      if (i % 4 == 3) study = database.open(spec.name);  // somebody else goes on
      study.tell(i, bumpy(ours.x));
      twin.tell(i, bumpy(theirs.x));
    }
    for (const auto& trial : study.history().trials()) EXPECT_EQ(study.replay(trial).x, trial.x) << method;
  }
}

TEST_P(StudyTest, BatchesReplayAnOptimizerToo) {
  StudySpec spec = small_study(12);
  spec.method = "bocs:initial=4";
  Study study = store().create(spec);
  Optimizer twin(spec.task, spec.method);
  work(study, callback(bumpy), {.trials = 12, .batch = 3});
  work(twin, callback(bumpy), {.trials = 12, .batch = 3});
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(study.history().find(i)->x, twin.history().find(i)->x);
    EXPECT_EQ(study.history().find(i)->info.pending, twin.history().find(i)->info.pending);
  }
}

TEST_P(StudyTest, WorkEndsWithTheBudgetOfTheStudy) {
  Study study = store().create(small_study(6));
  const auto result = work(study, callback(count_ones), {.stop = [] { return false; }});
  EXPECT_EQ(result.reason, Reason::trials);
  EXPECT_EQ(result.trials, 6);
}

TEST_P(StudyTest, ParallelCapsTheRunningTrials) {
  Store database = store();
  StudySpec spec = small_study(10);
  spec.parallel = 2;
  Study study = database.create(spec), other = database.open("small");
  study.ask();
  other.ask();
  EXPECT_THROW(study.ask(), AllRunning);
  EXPECT_THROW(other.ask(), AllRunning);
  study.tell(1, 1);  // from any session
  EXPECT_EQ(other.ask().number, 2);
  spec.parallel = 3;
  study.amend(spec);
  EXPECT_EQ(other.ask().number, 3);
  EXPECT_EQ(other.spec().parallel, 3);
}

TEST_P(StudyTest, APausedStudyGivesNothingOutAndGoesOnAsItWas) {
  Store database = store();
  StudySpec spec = small_study(10);
  spec.parallel = 2;
  Study study = database.create(spec), other = database.open("small");
  study.ask();
  other.pause(true);
  EXPECT_TRUE(other.mirror().paused());
  EXPECT_THROW(study.ask(), AllRunning);
  EXPECT_TRUE(study.mirror().paused());
  study.tell(0, 1);  // what ran is finished
  EXPECT_THROW(study.ask(), AllRunning);
  EXPECT_TRUE(database.list().front().paused);
  EXPECT_EQ(database.open("small").spec().parallel, 2);  // the cap is not forgotten
  spec.parallel = 1;
  spec.trials = 11;
  study.amend(spec);  // a file that is run again ends no pause
  EXPECT_THROW(study.ask(), AllRunning);
  other.pause(false);
  EXPECT_EQ(study.ask().number, 1);
  EXPECT_FALSE(study.mirror().paused());
  EXPECT_EQ(study.spec().trials, 11);
  EXPECT_THROW(study.ask(), AllRunning);  // one at once
  EXPECT_FALSE(database.list().front().paused);
}

TEST_P(StudyTest, RecordsTellWhoWorkedAndWhen) {
  Store database = store();
  Study study = database.create(small_study(3));
  study.ask();
  study.ledger().sign("somebody");
  study.ask();
  study.tell(1, 2);
  const auto records = study.table().records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].worker, "somebody");
  EXPECT_TRUE(std::isnan(records[0].finished));
  EXPECT_GE(records[1].finished, records[1].claimed);
  EXPECT_NEAR(records[1].claimed, records[0].claimed, 600);
}

TEST_P(StudyTest, TheBudgetIsNeverExceededAndCanBeAmended) {
  Store database = store();
  Study study = database.create(small_study(2));
  const Point x(12, 1);
  study.ask();
  EXPECT_EQ(study.enqueue(x), 1);
  EXPECT_THROW(study.enqueue(x), InvalidArgument);
  study.tell(1, 4);
  EXPECT_THROW(study.ask(), BudgetReached);
  EXPECT_THROW(study.amend(small_study(1)), InvalidArgument);
  EXPECT_THROW(study.amend(small_study(-1)), InvalidArgument);
  Study other = database.open("small");
  study.amend(small_study(3));
  EXPECT_EQ(other.ask().number, 2);
  EXPECT_EQ(other.spec().trials, 3);
  study.amend(small_study(1), BudgetBelowStarted::end_study);  // a file that asks for fewer than have begun
  EXPECT_EQ(study.spec().trials, 3);
  EXPECT_EQ(database.open("small").spec().trials, 3);
}

TEST_P(StudyTest, WhoOpensTheStudyLaterFindsTheAmendedObjectiveAndNothingElseChanged) {
  Store database = store();
  Study study = database.create(small_study(2));
  StudySpec wanted = small_study(2);
  wanted.objective = {{"mended", "{x}"}, 5, 1};
  wanted.attempts = 3;
  wanted.task.seed = 99;
  study.amend(wanted);
  const StudySpec spec = database.open("small").spec();
  EXPECT_EQ(spec.objective, wanted.objective);
  EXPECT_EQ(spec.attempts, 3);
  EXPECT_EQ(spec.task.seed, small_study(2).task.seed);
  EXPECT_EQ(study.spec().objective, wanted.objective);
}

TEST_P(StudyTest, EnqueuedPointsComeFirst) {
  Study study = store().create(small_study(5));
  Point x(12, 0);
  x[3] = 1;
  const Trial first = study.ask();
  EXPECT_EQ(study.enqueue(x), 1);
  EXPECT_THROW(study.enqueue(Point(12, 2)), InvalidArgument);
  EXPECT_THROW(study.enqueue(Point(11, 0)), InvalidArgument);
  EXPECT_EQ(study.history().find(1)->state, State::waiting);
  const Trial second = study.ask();
  EXPECT_EQ(second.number, 1);
  EXPECT_EQ(second.x, x);
  const Trial third = study.ask();
  EXPECT_EQ(third.number, 2);
  EXPECT_EQ(third.info.pending, (std::vector<int>{0, 1}));
  EXPECT_NE(third.x, first.x);
}

TEST_P(StudyTest, AReleasedTrialKeepsNumberAndPoint) {
  Store database = store();
  Study study = database.create(small_study(5)), other = database.open("small");
  const Trial trial = study.ask();
  study.release(0);
  EXPECT_TRUE(study.table().claims().empty());
  const Trial again = other.ask();
  EXPECT_EQ(again.number, 0);
  EXPECT_EQ(again.x, trial.x);
  EXPECT_EQ(other.table().claims().front().attempts, 1);  // giving back is no death
  study.release_all();                                    // holds nothing any more
  other.tell(0, 1);
}

TEST_P(StudyTest, TrialsOfSilentWorkersAreReclaimedOthersNot) {
  Store database = store();
  Study person = database.create(small_study(5)), silent = database.open("small"), lively = database.open("small");
  silent.ledger().sign("another machine/1/2/3/a");
  lively.ledger().sign("another machine/1/2/3/b");
  person.ask();
  const Trial trial = silent.ask();
  lively.ask();
  EXPECT_EQ(person.table().reclaim(3600, person.spec().attempts), 0);
  connection()->execute("UPDATE bocs_trial SET beat = beat - 7200");  // as if two hours had passed
  lively.table().beat(lively.ledger().worker());
  const auto claims = person.table().claims();
  EXPECT_GT(claims[1].silent_seconds, 3600);
  EXPECT_LT(claims[2].silent_seconds, 3600);
  EXPECT_EQ(person.table().reclaim(3600, person.spec().attempts), 1);
  const Trial again = lively.ask();
  EXPECT_EQ(again.number, 1);
  EXPECT_EQ(again.x, trial.x);
  EXPECT_EQ(lively.table().claims()[1].attempts, 2);

  // The silent one was not dead after all: whoever tells first decides.
  silent.tell(1, 0.5);
  EXPECT_THROW(lively.tell(1, 0.75), Overtaken);
  ASSERT_EQ(lively.table().late().size(), 1U);  // kept where it can be found
  EXPECT_EQ(lively.table().late()[0].number, 1);
  EXPECT_EQ(lively.table().late()[0].outcome.y, 0.75);
  EXPECT_THROW(lively.tell(1, 0.75), InvalidArgument);  // its claim is used up
  lively.refresh();
  EXPECT_EQ(lively.history().find(1)->y, 0.5);
}

TEST_P(StudyTest, ATrialThatEndsItsWorkersFailsInTheEnd) {
  StudySpec spec = small_study(2);
  spec.attempts = 3;
  Study study = store().create(spec);
  study.ledger().sign("another machine/1/2/3/a");
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(study.ask().number, 0);
    EXPECT_TRUE(eventually([&] { return study.table().claims()[0].silent_seconds > 0; }));
    EXPECT_EQ(study.table().reclaim(0, study.spec().attempts), 1);
  }
  study.refresh();
  EXPECT_EQ(study.history().find(0)->state, State::failed);
  EXPECT_NE(study.history().find(0)->error.find("3 workers"), std::string::npos);
  EXPECT_EQ(study.ask().number, 1);
}

TEST_P(StudyTest, AnAskThatDiedWhileThinkingIsProposedFromTheSameHistory) {
  Store database = store();
  StudySpec spec = small_study(10);
  spec.method = "bocs:initial=3";
  Study study = database.create(spec);
  Optimizer twin(spec.task, spec.method);
  for (int i = 0; i < 5; ++i) {
    study.tell(i, bumpy(study.ask().x));
    twin.tell(i, bumpy(twin.ask().x));
  }
  TrialTable table(connection(), study.table().study());
  EXPECT_EQ(table.take("a claim", {"another machine/1/2/3/a", ""}, 0).trial->number, 5);  // and then it dies
  // Others go on: 6 is proposed, and finished, while 5 has no point.
  const Trial sixth = study.ask();
  EXPECT_EQ(sixth.number, 6);
  EXPECT_EQ(sixth.info.pending, std::vector<int>{~5});  // without a point
  study.tell(6, bumpy(sixth.x));
  EXPECT_EQ(study.history().size(), 6);  // 5 has no point yet
  EXPECT_TRUE(eventually([&] { return study.table().claims()[0].silent_seconds > 0; }));
  EXPECT_EQ(study.table().reclaim(0, study.spec().attempts), 1);
  const Trial fifth = study.ask();
  EXPECT_EQ(fifth.number, 5);
  EXPECT_EQ(fifth.info.pending, std::vector<int>{6});
  const Trial expected = twin.ask();
  if (expected.x != sixth.x) {
    EXPECT_EQ(fifth.x, expected.x);
  }
  EXPECT_NE(fifth.x, sixth.x);
  EXPECT_EQ(study.replay(fifth).x, fifth.x);
  EXPECT_EQ(study.replay(sixth).x, sixth.x);
}

TEST_P(StudyTest, AReplayKnowsNoPointThatWasNotThereThen) {
  Store database = store();
  StudySpec spec = small_study(10);
  spec.method = "bocs:initial=2";  // two points show both levels of every variable only if they are opposite
  Study study = database.create(spec);
  TrialTable table(connection(), study.table().study());
  EXPECT_EQ(table.take("a claim", {"another machine/1/2/3/a", ""}, 0).trial->number, 0);  // and then it dies
  const Trial second = study.ask();
  EXPECT_EQ(second.info.pending, std::vector<int>{~0});
  study.tell(1, 1);
  EXPECT_TRUE(eventually([&] { return study.table().claims()[0].silent_seconds > 0; }));
  EXPECT_EQ(study.table().reclaim(0, study.spec().attempts), 1);
  const Trial first = study.ask();
  EXPECT_EQ(first.number, 0);
  EXPECT_EQ(study.replay(first).x, first.x);
  EXPECT_EQ(study.replay(second).x, second.x);
}

TEST_P(StudyTest, TwoNeverGetTheSamePoint) {
  Store database = store();
  StudySpec spec{"tiny", {Space::binary(3), 0, 0, 1}};
  spec.method = "random";
  Study study = database.create(spec);
  // Both think about the same history; the point of the first is written before that of the second.
  TrialTable table(connection(), study.table().study());
  Trial first = *table.take("first", {}, 0).trial, second = *table.take("second", {}, 0).trial;
  const auto revision = table.since(0).revision;
  first.x = second.x = {0, 1, 0};
  EXPECT_TRUE(table.write(first, "first", "", revision));
  EXPECT_FALSE(table.write(first, "first", "", revision));                  // it has a point
  EXPECT_FALSE(table.write(second, "second", "", revision));                // the first has this one
  EXPECT_FALSE(table.write(second, "first", "", table.since(0).revision));  // not its own
  EXPECT_TRUE(table.write(second, "second", "", table.since(0).revision));  // repeats are the method's
}

// Many workers read each other's trials all the time: not their Info, which is long, until somebody wants to look.
TEST_P(StudyTest, ARefreshReadsHowTrialsOfOthersCameAbout) {
  Store database = store();
  StudySpec spec = small_study(10);
  spec.method = "bocs:initial=2";
  Study study = database.create(spec);
  Study other = database.open("small");
  for (int i = 0; i < 3; ++i) other.tell(other.ask().number, i);
  study.tell(study.ask().number, 1);
  const auto seen = [&](int number) { return study.history().find(number)->info; };
  EXPECT_EQ(seen(0).origin, Origin::initial);
  EXPECT_EQ(seen(2).member, other.history().find(2)->info.member);
  EXPECT_EQ(seen(2).how, "");
  EXPECT_FALSE(seen(3).how.empty());  // its own
  study.refresh();
  for (const int number : {0, 1, 2}) {
    EXPECT_EQ(seen(number).how, other.history().find(number)->info.how);
    EXPECT_EQ(seen(number).program, other.history().find(number)->info.program);
    EXPECT_EQ(study.history().find(number)->y, number);
  }
  EXPECT_FALSE(seen(3).how.empty());
}

TEST_P(StudyTest, WhatASessionToldIsWhatTheOthersRead) {
  Store database = store();
  Study study = database.create(small_study(10));
  Study other = database.open("small");
  Outcome outcome = Outcome::value(-0.0);
  outcome.seconds = kUnknown;
  outcome.metrics = {{"loss\xff", 2}, {"nan", kUnknown}};
  study.tell(study.ask().number, outcome);
  study.tell(study.ask().number, Outcome::failure("no \xff text"));
  other.refresh();
  for (const int number : {0, 1}) {
    const Trial &told = *study.history().find(number), &read = *other.history().find(number);
    EXPECT_EQ(told.state, read.state);
    EXPECT_EQ(std::signbit(told.y), std::signbit(read.y));
    EXPECT_EQ(told.error, read.error);
    EXPECT_EQ(told.seconds, read.seconds);
    EXPECT_EQ(metrics_to_json(told.metrics), metrics_to_json(read.metrics));
  }
  EXPECT_FALSE(std::signbit(study.history().find(0)->y));
  EXPECT_EQ(study.history().find(1)->error, "no \xEF\xBF\xBD text");
}

TEST_P(StudyTest, PastEvaluationsWithAMistakeAreRefusedAsAWhole) {
  StudySpec spec = small_study(2);
  spec.sense = Sense::maximize;
  Study study = store().create(spec);
  EXPECT_THROW(study.add_past({{Point(12, 1), 1}, {Point(12, 2), 1}}), InvalidArgument);
  EXPECT_THROW(study.add_past({{Point(12, 1), 1}, {Point(12, 0), NAN}}), InvalidArgument);
  study.refresh();
  EXPECT_EQ(study.history().size(), 0);
  study.add_past({{Point(12, 1), 1}, {Point(12, 0), 3}});
  EXPECT_EQ(study.value(*study.best()), 3);
  EXPECT_EQ(study.spec().trials, 2);
  EXPECT_EQ(study.mirror().budget(), 4);
  study.add_past({});
  EXPECT_EQ(study.history().size(), 2);
}

TEST_P(StudyTest, WhatIsToldUnaskedComesOnTopOfTheBudgetWithAllItSays) {
  StudySpec spec = small_study(1);
  spec.sense = Sense::maximize;
  Store database = store();
  Study study = database.create(spec);
  study.tell(study.ask().number, 1);
  EXPECT_TRUE(study.mirror().finished());
  Outcome measured = Outcome::value(5, 2.5);
  measured.metrics = {{"mass", 7}};
  EXPECT_EQ(study.tell(Point(12, 1), measured), 1);  // never refused for the budget
  EXPECT_EQ(study.tell(Point(12, 0), Outcome::failure("no licence")), 2);
  EXPECT_EQ(study.tell(Point(12, 0), 6), 3);
  EXPECT_EQ(study.tell(Point(12, 0), 6), 4);  // told twice is measured twice
  EXPECT_THROW(study.tell(Point(12, 0), NAN), InvalidArgument);
  EXPECT_THROW(study.tell(Point(12, 2), 1), InvalidArgument);
  EXPECT_TRUE(study.mirror().finished());
  const Study read = database.open("small");
  EXPECT_EQ(read.mirror().past(), 4);
  EXPECT_EQ(read.mirror().budget(), 5);
  EXPECT_EQ(read.spec().trials, 1);
  const Trial& told = *read.history().find(1);
  EXPECT_EQ(told.info.origin, Origin::told);
  EXPECT_EQ(told.y, -5);
  EXPECT_EQ(told.seconds, 2.5);
  EXPECT_EQ(told.metrics, measured.metrics);
  EXPECT_EQ(read.history().find(2)->state, State::failed);
  EXPECT_EQ(read.history().find(2)->error, "no licence");
}

TEST_P(StudyTest, SessionsInThreadsShareOneMethodAndItsProposalsAreFoundAgain) {
  StudySpec spec = small_study(60);
  spec.method = "bocs:initial=8,order=2";
  Store database = store();
  Study study = database.create(spec);
  const auto opener = study.session_opener();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        Study session = opener();
        EXPECT_EQ(&session.method(), &study.method());
        for (bool ended = false; !ended;) {
          try {
            const Trial trial = session.ask();
            session.tell(trial.number, count_ones(trial.x) * trial.x[3] - trial.x[5] * trial.x[7]);
          } catch (const AllRunning&) {  // the others have the last ones
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          } catch (const BudgetReached&) {
            ended = true;
          }
        }
      });
    }
  }
  study = database.open("small");  // with a method of its own
  ASSERT_EQ(study.history().size(), 60);
  for (const auto& trial : study.history().trials()) EXPECT_EQ(study.replay(trial).x, trial.x) << trial.number;
}

TEST_P(StudyTest, RowsThatAreThereAreNotAddedUnlessAskedTo) {
  Study study = store().create(small_study(1));
  const Point a(12, 0), b(12, 1);
  EXPECT_EQ(study.add_past({{a, 1}, {a, 1}, {b, 2}}), 3);  // a row may be there twice
  EXPECT_EQ(study.add_past({{a, 1}, {b, 2}, {a, 1}}), 0);
  EXPECT_EQ(study.add_past({{b, 2}, {b, 3}, {a, 1}, {a, 1}, {a, 1}}), 2);
  EXPECT_EQ(study.add_past({{b, 2}, {b, 3}}, true), 2);
  EXPECT_EQ(study.mirror().past(), 7);
}

/// A session that tells and looks does not copy what it knows: of the fastest of many, in the same run.
TEST_P(StudyTest, ARefreshDoesNotCostInProportionToTheTrials) {
  Store database = store();
  const auto fastest = [](Study& study) {
    double seconds = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 100; ++i) {
      study.tell(study.ask().number, 1);
      const auto start = std::chrono::steady_clock::now();
      study.refresh();
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return seconds;
  };
  StudySpec spec = small_study(0);
  spec.task.space = Space::binary(24);
  Study study = database.create(spec);
  std::vector<Evaluation> past;
  Rng rng(1, "past");
  for (int i = 0; i < 10000; ++i) past.push_back({spec.task.space.random(rng), rng.normal()});
  study.add_past(past);
  spec.name = "empty";
  Study empty = database.create(spec);
  const double of_empty = fastest(empty), of_many = fastest(study);
  EXPECT_LT(of_many, 10 * of_empty);
  std::printf("%.3f ms, %.3f without trials\n", 1e3 * of_many, 1e3 * of_empty);
}

TEST_P(StudyTest, DataIsAddedOnceHoweverManyProcessesDoIt) {
  Store database = store();
  Study study = database.create(small_study(5));
  std::vector<Evaluation> rows;
  for (int i = 0; i < 30; ++i) rows.push_back({Point(12, i % 2), 1.0 * i});
  for (const std::size_t size : {20, 30}) {
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) {
      children.push_back(spawn([&] {
        Study session = Store(url()).open("small");
        session.add_past({rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size)});
      }));
    }
    for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
    study.refresh();
    ASSERT_EQ(study.history().size(), static_cast<int>(size) + (size == 30 ? 1 : 0));
    EXPECT_EQ(study.mirror().budget(), 5 + study.history().size());
    if (size == 20) study.tell(Point(12, 0), 0);  // though it is like a row of the data, it was told
  }
  EXPECT_EQ(study.add_past(rows), 0);
  EXPECT_EQ(study.add_past({}), 0);  // a file that has shrunk
  int row = 0;
  for (const auto& trial : study.history().trials()) {
    if (trial.info.origin != Origin::imported) continue;
    EXPECT_EQ(trial.y, row++);
  }
  EXPECT_EQ(row, 30);
  study.amend(small_study(7));
  EXPECT_EQ(study.mirror().budget(), 38);
}

TEST_P(StudyTest, AnAskOfAProcessThatEndsWhileItThinksIsReclaimedAtOnce) {
  Store database = store();
  Study study = database.create(small_study(3));
  const pid_t child = spawn([&] {
    TrialTable table(connection(), study.table().study());
    table.take("a person's claim", {name_worker(), ""}, 0);
    _exit(0);  // without a word
  });
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(study.table().reclaim(3600, study.spec().attempts), 1);
  EXPECT_EQ(study.ask().number, 0);
  EXPECT_EQ(study.table().reclaim(3600, study.spec().attempts), 0);  // now that it has a point, it is a person's
  EXPECT_EQ(study.table().claims()[0].worker, "");
}

TEST_P(StudyTest, WhatIsHandedOverStays) {
  Store database = store();
  Study study = database.create(small_study(4));
  study.ledger().sign("another machine/1/2/3/a");
  const Trial given = study.ask(), kept = study.ask();
  study.ledger().hand_over(given.number, study.table());
  EXPECT_THROW(study.ledger().hand_over(given.number, study.table()), InvalidArgument);
  study.release_all();
  EXPECT_EQ(study.history().find(given.number)->state, State::running);
  EXPECT_EQ(study.history().find(kept.number)->state, State::waiting);
  connection()->execute("UPDATE bocs_trial SET beat = beat - 7200");
  EXPECT_EQ(study.table().reclaim(3600, study.spec().attempts), 0);
  EXPECT_TRUE(study.release(given.number));
  EXPECT_FALSE(study.release(given.number));
  database.open("small").tell(given.number, 3);  // who has the value may tell it, though nobody holds the trial
  study.refresh();
  EXPECT_EQ(study.history().find(given.number)->y, 3);
}

TEST_P(StudyTest, NothingOfADatabaseIsBelievedUnseen) {
  Store database = store();
  Study study = database.create(small_study(4));
  study.tell(study.ask().number, 1);
  for (const char* point : {"[2,0,0,0,0,0,0,0,0,0,0,0]", "[-1,0,0,0,0,0,0,0,0,0,0,0]", "[0,0]", "[]",
                            "[0.5,0,0,0,0,0,0,0,0,0,0,0]", "[4294967296,0,0,0,0,0,0,0,0,0,0,0]", "[2e20]", "null"}) {
    connection()->execute("UPDATE bocs_trial SET point = $1", {std::string(point)});
    EXPECT_THROW(database.open("small"), StoreError) << point;
  }
  connection()->execute("UPDATE bocs_trial SET point = $1", {point_to_json(Point(12, 1))});
  connection()->execute("UPDATE bocs_trial SET value = NULL");
  EXPECT_THROW(database.open("small"), StoreError);
  connection()->execute("UPDATE bocs_trial SET value = 4, origin = 'nowhere'");
  EXPECT_THROW(database.open("small"), StoreError);
  connection()->execute("UPDATE bocs_trial SET origin = 'told'");
  EXPECT_EQ(database.open("small").best()->y, 4);
}

TEST_P(StudyTest, AnExhaustedSpaceGivesItsNumberBack) {
  StudySpec spec{"tiny", {Space::binary(2), 0, 0, 1}};
  spec.method = "random";
  spec.trials = 10;
  Study study = store().create(spec);
  for (int i = 0; i < 4; ++i) study.ask();
  EXPECT_THROW(study.ask(), SpaceExhausted);
  EXPECT_THROW(study.ask(), SpaceExhausted);
  EXPECT_EQ(study.table().claims().size(), 4U);
  EXPECT_EQ(study.history().size(), 4);
}

TEST_P(StudyTest, AStruckTrialIsKeptButNotUsedAndWhatWasProposedBeforeIsFoundAgain) {
  Store database = store();
  StudySpec spec = small_study(0);
  spec.method = "ei:initial=4";
  Study study = database.create(spec);
  Study other = database.open("small");
  const auto f = [](int number, const Point& x) { return number == 2 ? -50 : count_ones(x); };
  for (int i = 0; i < 7; ++i) {
    const Trial trial = study.ask();
    study.tell(trial.number, f(trial.number, trial.x));
  }
  EXPECT_EQ(study.best()->number, 2);
  study.strike(2, "the scale was broken");
  EXPECT_NE(study.best()->number, 2);
  other.refresh();
  EXPECT_EQ(other.history().find(2)->state, State::struck);
  EXPECT_EQ(other.history().find(2)->error, "the scale was broken");
  EXPECT_EQ(other.history().find(2)->y, -50);
  study.strike(2, "the scale was broken");  // repeated after a call that was cut off
  EXPECT_THROW(study.strike(2, "other"), InvalidArgument);
  EXPECT_THROW(study.strike(99, "other"), InvalidArgument);
  EXPECT_THROW(study.tell(2, 1), InvalidArgument);
  for (int i = 0; i < 3; ++i) {
    const Trial trial = other.ask();
    other.tell(trial.number, f(trial.number, trial.x));
  }
  const int running = other.ask().number;
  EXPECT_THROW(other.strike(running, "not complete"), InvalidArgument);
  Study again = database.open("small");
  again.refresh();
  for (const Trial& trial : again.history().trials()) {
    if (trial.info.origin != Origin::proposed) continue;
    EXPECT_EQ(again.replay(trial).x, trial.x) << trial.number;
  }
  EXPECT_EQ(database.list().front().struck, 1);
  EXPECT_EQ(database.list().front().complete, 9);
}

TEST_P(StudyTest, AStudyMadeInMemoryCanBeSaved) {
  Optimizer optimizer(small_study(0).task, "random");
  for (int i = 0; i < 5; ++i)
    optimizer.tell(optimizer.ask().number, i == 1 ? Outcome::failure("no") : Outcome::value(i));
  optimizer.strike(3, "wrong");
  const int running = optimizer.ask().number;
  Study study = store().save(small_study(10), optimizer.history());
  for (const Trial& trial : optimizer.history().trials()) {
    const Trial& saved = *study.history().find(trial.number);
    EXPECT_EQ(saved.state, trial.number == running ? State::waiting : trial.state);
    EXPECT_EQ(saved.x, trial.x);
    EXPECT_EQ(saved.error, trial.error);
  }
  EXPECT_EQ(study.ask().number, running);
}

}  // namespace
}  // namespace bocs

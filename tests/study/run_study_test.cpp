#include "bocs/study/run_study.hpp"

#include "store/store_fixture.hpp"

namespace bocs {
namespace {

class Counter : public StudyObserver {
 public:
  void on_trial(const Study& study, const Trial& trial) override {
    EXPECT_EQ(inside_++, 0) << "two workers at once";
    if (trial.state == State::complete) {
      EXPECT_EQ(study.history().find(trial.number)->y, trial.y);
    }
    numbers.insert(trial.number);
    --inside_;
    if (action) action();
  }
  void on_late(const Study& /*study*/, const Trial& trial) override { late.push_back(trial.y); }
  void on_trouble(const std::string& what) override { trouble = what; }

  std::set<int> numbers;
  std::vector<double> late;
  std::string trouble;
  std::function<void()> action;

 private:
  std::atomic<int> inside_ = 0;
};

class RunStudyTest : public StoreTest {
 protected:
  Study make(int trials) { return store().create(small_study(trials)); }
  Counter observer_;
};
INSTANTIATE_TEST_SUITE_P(Store, RunStudyTest, testing::Values("sqlite", "postgresql"), store_name);

TEST_P(RunStudyTest, WorkersInThreadsShareTheBudgetAndEveryTrialIsObserved) {
  Study study = make(30);
  const WorkResult result = run_study(study, callback(count_ones), {.workers = 3}, observer_);
  EXPECT_EQ(observer_.numbers.size(), 30U);
  EXPECT_EQ(result.trials, 30);
  EXPECT_EQ(result.reason, Reason::trials);
  study.refresh();
  EXPECT_TRUE(study.mirror().finished());
  EXPECT_TRUE(observer_.late.empty());
}

TEST_P(RunStudyTest, StopEndsAllAfterWhatRuns) {
  Study study = make(1000);
  const auto enough = [&] { return observer_.numbers.size() >= 5; };
  std::atomic<bool> stop = false;
  observer_.action = [&] { stop = enough(); };
  const WorkResult result =
      run_study(study, callback(count_ones), {.workers = 2, .stop = [&] { return stop.load(); }}, observer_);
  EXPECT_EQ(result.reason, Reason::stopped);
  EXPECT_EQ(result.trials, static_cast<int>(observer_.numbers.size()));
  EXPECT_LT(result.trials, 10);
  study.refresh();
  EXPECT_EQ(study.history().size(), result.trials);  // nothing is left running
}

TEST_P(RunStudyTest, OneThatCannotGoOnEndsTheOthersAndGivesBackWhatTheyHold) {
  Study study = make(1000);
  observer_.action = [&] {
    if (observer_.numbers.size() == 3) throw Error("the paper is out");
  };
  EXPECT_THROW(run_study(study, callback(count_ones), {.workers = 3}, observer_), Error);
  EXPECT_LT(observer_.numbers.size(), 10U);
  study.refresh();
  for (const auto& trial : study.history().trials()) EXPECT_NE(trial.state, State::running);
}

TEST_P(RunStudyTest, WhatIsCancelledIsGivenBack) {
  Study study = make(10);
  const Objective objective = [](const Space&, const Trial& trial) {
    if (trial.number == 2) throw Cancelled("enough");
    return Outcome::value(1);
  };
  const WorkResult result = run_study(study, objective, {}, observer_);
  EXPECT_EQ(result.reason, Reason::stopped);
  EXPECT_EQ(result.trials, 2);
  study.refresh();
  EXPECT_EQ(study.history().find(2)->state, State::waiting);
}

TEST_P(RunStudyTest, TroubleOfTheMachineCostsNoTrial) {
  Study study = make(6);
  int calls = 0;
  const Objective objective = [&](const Space&, const Trial&) {
    if (++calls == 3) throw MachineTrouble("no program");
    return Outcome::value(1);
  };
  const WorkResult result = run_study(study, objective, {}, observer_);
  EXPECT_EQ(result.trials, 6);
  EXPECT_EQ(result.failures, 0);
  EXPECT_EQ(calls, 7);
  EXPECT_NE(observer_.trouble.find("no program"), std::string::npos);
}

TEST_P(RunStudyTest, PatienceWithTheMachineHasAnEnd) {
  Study study = make(6);
  const Objective objective = [](const Space&, const Trial&) -> Outcome { throw MachineTrouble("no program"); };
  EXPECT_THROW(run_study(study, objective, {.patience_seconds = 0.5}, observer_), MachineTrouble);
  study.refresh();
  ASSERT_EQ(study.history().size(), 1);
  EXPECT_EQ(study.history().find(0)->state, State::waiting);  // for whoever comes next
}

TEST_P(RunStudyTest, NothingButFailuresEndTheRun) {
  Study study = make(30);
  const Objective objective = [](const Space&, const Trial&) { return Outcome::failure("exit code 2: no such file"); };
  for (int run = 1; run <= 2; ++run) {  // the second tries again: the program may be mended
    const WorkResult result = run_study(study, objective, {}, observer_);
    EXPECT_EQ(result.reason, Reason::failures);
    EXPECT_EQ(result.trials, 5);
    EXPECT_EQ(result.failing, "the first 5 evaluations failed: exit code 2: no such file");
    study.refresh();
    EXPECT_EQ(study.history().size(), 5 * run);
  }
  StudySpec spec = study.spec();
  spec.objective.keep_going = true;
  study.amend(spec);
  const WorkResult result = run_study(study, objective, {}, observer_);
  EXPECT_EQ(result.reason, Reason::trials);
  EXPECT_EQ(result.trials, 20);
}

TEST_P(RunStudyTest, ATargetEndsTheRun) {
  Study study = make(30);
  const Objective objective = [](const Space&, const Trial& trial) { return Outcome::value(10 - trial.number); };
  const WorkResult result = run_study(study, objective, {.target = 6}, observer_);
  EXPECT_EQ(result.reason, Reason::target);
  EXPECT_EQ(result.trials, 5);
}

TEST_P(RunStudyTest, ALateResultIsNotCountedAsTold) {
  Study study = make(3);
  Study other = store().open("small");
  const Objective objective = [&](const Space&, const Trial& trial) {
    if (trial.number == 1) other.tell(1, 40);  // another was faster
    return Outcome::value(2);
  };
  const WorkResult result = run_study(study, objective, {}, observer_);
  EXPECT_EQ(observer_.numbers, (std::set<int>{0, 2}));
  EXPECT_EQ(observer_.late, std::vector<double>{40});
  EXPECT_EQ(result.trials, 2);
  EXPECT_NE(observer_.trouble.find("trial 1"), std::string::npos);
  ASSERT_EQ(study.table().late().size(), 1U);
  EXPECT_EQ(study.table().late()[0].outcome.y, 2);
}

TEST(CommandOf, RefusesWhatCannotBeRunHere) {
  StudySpec spec = small_study(3);
  EXPECT_THROW(command_of(spec, "", {}), InvalidArgument);
  spec.objective.command = {"no-such-program-here"};
  EXPECT_THROW(command_of(spec, "", {}), InvalidArgument);
  spec.objective.command = {"echo", "{y}"};
  EXPECT_THROW(command_of(spec, "", {}), InvalidArgument);
  spec.objective.command = {"echo", "{x3}"};
  Trial trial;
  trial.x = Point(12, 1);
  EXPECT_EQ(command_of(spec, "", {})(spec.task.space, trial).y, 1);
}

}  // namespace
}  // namespace bocs

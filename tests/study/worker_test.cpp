#include "bocs/study/worker.hpp"

#include <signal.h>

#include <random>

#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "store/store_fixture.hpp"

namespace bocs {
namespace {

using WorkerTest = StoreTest;
INSTANTIATE_TEST_SUITE_P(Store, WorkerTest, testing::Values("sqlite", "postgresql"), store_name);

const Limits kUntilTheEnd = {.stop = [] { return false; }};

/// A black box that takes a while.
Objective slow(int milliseconds) {
  return callback([milliseconds](const Point& x) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return count_ones(x);
  });
}

/// What must hold of a study that ended, whatever happened on the way.
void expect_whole(const Study& study, int trials) {
  EXPECT_TRUE(study.mirror().finished());
  EXPECT_EQ(study.history().size(), trials);
  PointSet points;
  for (int number = 0; number < trials; ++number) {
    const Trial* trial = study.history().find(number);
    ASSERT_NE(trial, nullptr) << number;
    EXPECT_EQ(trial->state, State::complete) << number << ": " << trial->error;
    EXPECT_EQ(trial->y, count_ones(trial->x));
    EXPECT_TRUE(points.insert(trial->x).second) << number << " has the point of another";
  }
}

/// Every proposal can be made again from what is written.
void expect_replayable(const Study& study) {
  for (const auto& trial : study.history().trials()) {
    EXPECT_EQ(study.replay(trial).x, trial.x) << trial.number;
  }
}

TEST_P(WorkerTest, ThreadsShareAStudy) {
  store().create(small_study(60));
  std::atomic<int> evaluations = 0;
  const Objective objective = callback([&](const Point& x) {
    ++evaluations;
    return count_ones(x);
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Worker worker(url(), "small");
      EXPECT_EQ(work(worker, objective, kUntilTheEnd).reason, Reason::trials);
    });
  }
  for (auto& thread : threads) thread.join();
  const Study study = store().open("small");
  expect_whole(study, 60);
  expect_replayable(study);
  EXPECT_EQ(evaluations, 60);
}

TEST_P(WorkerTest, ProcessesShareAStudyOfThompsonDraws) {
  StudySpec spec = small_study(40);
  spec.method = "bocs:initial=10,model.sweeps=20";
  store().create(spec);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(spawn([&] {
      Worker worker(url(), "small");
      work(worker, slow(1), kUntilTheEnd);
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  const Study study = store().open("small");
  expect_whole(study, 40);
  expect_replayable(study);
}

TEST_P(WorkerTest, AKilledWorkerIsNoticedAtOnceAndItsTrialGoesToAnother) {
  store().create(small_study(3));
  const pid_t child = spawn([&] {
    Worker worker(url(), "small");
    worker.ask();
    for (;;) pause();
  });
  Store database = store();
  Study watcher = database.open("small");
  EXPECT_TRUE(eventually([&] {
    watcher.refresh();
    return watcher.history().size() == 1;
  }));
  EXPECT_EQ(watcher.table().reclaim(3600, watcher.spec().attempts), 0);
  kill(child, SIGKILL);
  EXPECT_EQ(wait_for(child), -1);

  Worker worker(url(), "small", {.silent_seconds = 3600});
  const Trial trial = worker.ask();
  EXPECT_EQ(trial.number, 0);
  EXPECT_EQ(trial.x, watcher.history().find(0)->x);
  EXPECT_EQ(watcher.table().claims().front().attempts, 2);
}

// One worker, killed at any moment and started again: the study it leaves is that of a worker that never was.
TEST_P(WorkerTest, KilledAtAnyMomentAndResumedEqualsUninterrupted) {
  StudySpec spec = small_study(16);
  spec.method = "bocs:initial=6,model.sweeps=20";
  spec.attempts = 1000;
  store().create(spec);
  Rng rng(std::random_device{}());  // any moment, truly
  for (int kills = 0;; ++kills) {
    const pid_t child = spawn([&] {
      Worker worker(url(), "small");
      work(worker, slow(3), kUntilTheEnd);
    });
    if (kills == 25) {
      EXPECT_EQ(wait_for(child), 0);  // the last one may finish
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(60000)));
    kill(child, SIGKILL);
    if (wait_for(child) == 0) break;
    wait_for_the_server();
  }
  Store database = store();
  const Study study = database.open("small");
  expect_whole(study, 16);
  Optimizer twin(spec.task, spec.method);
  work(twin, callback(count_ones), {.trials = 16});
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(study.history().find(i)->x, twin.history().find(i)->x) << i;
    EXPECT_TRUE(study.history().find(i)->info.pending.empty());
  }
}

TEST_P(WorkerTest, WorkersKilledAtRandomLeaveAWholeStudy) {
  StudySpec spec = small_study(60);
  spec.attempts = 1000;
  store().create(spec);
  const auto start = [&] {
    return spawn([&] {
      Worker worker(url(), "small");
      work(worker, slow(5), kUntilTheEnd);
    });
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(start());
  Rng rng(std::random_device{}());
  for (int kills = 0; kills < 12; ++kills) {
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(40000)));
    pid_t& victim = children[rng.below(4)];
    kill(victim, SIGKILL);
    wait_for(victim);
    victim = start();
  }
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  const Study study = store().open("small");
  expect_whole(study, 60);
  expect_replayable(study);
}

TEST_P(WorkerTest, TheHeartBeatsInAThreadOfItsOwn) {
  store().create(small_study(3));
  Worker worker(url(), "small", {.beat_seconds = 0.05});
  worker.ask();
  Store database = store();
  Study watcher = database.open("small");
  EXPECT_TRUE(eventually([&] {  // a beat later than the claim
    const Claim claim = watcher.table().claims().front();
    return claim.seconds > claim.silent_seconds + 0.2;
  }));
  EXPECT_EQ(watcher.table().claims().front().worker, worker.name());
}

TEST_P(WorkerTest, ASilentWorkerOfAnotherMachineIsReplacedWhileAThreadWaits) {
  Store database = store();
  Study dead = database.create(small_study(1));
  dead.ledger().sign("another machine/1/2/3/a");
  const Trial trial = dead.ask();
  Worker worker(url(), "small", {.beat_seconds = 0.1, .silent_seconds = 0.5});
  const auto result = work(worker, callback(count_ones), kUntilTheEnd);  // waits, since the only trial is running
  EXPECT_EQ(result.reason, Reason::trials);
  EXPECT_EQ(result.trials, 1);
  EXPECT_EQ(worker.history().find(0)->x, trial.x);
}

// Nobody could beat while the store was away: nobody counts as silent until there was time to.
TEST_P(WorkerTest, AfterAnOutageTheOthersGetTimeToBeat) {
  if (is_postgres()) GTEST_SKIP() << "the outage is a file that is locked";
  Store database = store();
  Study other = database.create(small_study(20));
  other.ledger().sign("another machine/1/2/3/a");
  EXPECT_EQ(other.ask().number, 0);
  constexpr double kSilent = 4;
  Worker worker(url(), "small", {.beat_seconds = 0.1, .silent_seconds = kSilent});
  EXPECT_TRUE(eventually([&] { return other.table().claims()[0].silent_seconds > 1; }));
  const auto holder = connection();
  holder->transaction([&] { std::this_thread::sleep_for(std::chrono::seconds(5)); });  // its heart waits for two
  EXPECT_GT(other.table().claims()[0].silent_seconds, kSilent);
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
  for (int number = 1; std::chrono::steady_clock::now() < until; ++number) {
    const Trial trial = worker.ask();
    EXPECT_EQ(trial.number, number);  // not the other's
    worker.tell(trial.number, Outcome::value(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  EXPECT_TRUE(eventually([&] {  // but then it does
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const Trial trial = worker.ask();
    worker.tell(trial.number, Outcome::value(1));
    return trial.number == 0;
  }));
}

TEST_P(WorkerTest, WaitingEndsWhenStopped) {
  Store database = store();
  Study elsewhere = database.create(small_study(1));
  elsewhere.ledger().sign("another machine/1/2/3/a");
  elsewhere.ask();
  Worker worker(url(), "small");
  std::atomic<int> asked = 0;
  const auto result = work(worker, callback(count_ones), {.stop = [&] { return ++asked > 3; }});
  EXPECT_EQ(result.reason, Reason::stopped);
  EXPECT_EQ(result.trials, 0);
}

TEST_P(WorkerTest, NobodyWaitsForAPerson) {
  Store database = store();
  database.create(small_study(1)).ask();
  Worker worker(url(), "small");
  EXPECT_EQ(work(worker, callback(count_ones), kUntilTheEnd).reason, Reason::trials);
}

TEST_P(WorkerTest, WhoLeavesGivesBack) {
  store().create(small_study(3));
  Point x;
  {
    Worker worker(url(), "small");
    x = worker.ask().x;
  }
  Worker next(url(), "small");
  EXPECT_EQ(next.ask().x, x);
  EXPECT_EQ(next.history().size(), 1);
}

TEST_P(WorkerTest, WhoeverIsOvertakenLeavesTheResultAlone) {
  Store database = store();
  Study study = database.create(small_study(3));
  std::string trouble;
  Worker worker(url(), "small", {.on_trouble = [&](const std::string& what) { trouble = what; }});
  const int number = worker.ask().number;
  study.tell(number, 7);
  EXPECT_EQ(worker.tell(number, Outcome::value(8)), Told::late);
  EXPECT_NE(trouble.find("trial 0"), std::string::npos) << trouble;
  EXPECT_EQ(worker.history().find(number)->y, 7);
  ASSERT_EQ(study.table().late().size(), 1U);
  EXPECT_EQ(study.table().late()[0].outcome.y, 8);
  EXPECT_EQ(study.table().late()[0].worker, worker.name());
  EXPECT_THROW(worker.tell(99, Outcome::value(8)), InvalidArgument);
}

TEST_P(WorkerTest, AMissingStudyOrStoreIsSaidAtOnce) {
  store();
  EXPECT_THROW(Worker(url(), "nobody"), InvalidArgument);
  EXPECT_THROW(Worker("sqlite:/nonexistent/folder/x.db", "s"), StoreError);
}

TEST(Worker, StopsWhileThereIsNoServer) {
  std::atomic<int> asked = 0;
  EXPECT_THROW(Worker("postgresql://u:p@127.0.0.1:1/db", "s", {.stop = [&] { return ++asked > 3; }}), StoreUnavailable);
}

TEST(Worker, GivesUpWhenThereIsNoServerForLong) {
  std::atomic<int> troubles = 0;
  EXPECT_THROW(Worker("postgresql://u:p@127.0.0.1:1/db", "s",
                      {.patience_seconds = 2, .on_trouble = [&](const std::string&) { ++troubles; }}),
               StoreUnavailable);
  EXPECT_GT(troubles, 0);
}

// --- a real server, restarted under the workers
// -------------------------------------------------------------------------

class RestartTest : public StoreTest {
 protected:
  static void restart(const std::string& mode) {
    const char* program = std::getenv("BOCS_TEST_POSTGRES_RESTART");
    ASSERT_NE(program, nullptr);
    ASSERT_EQ(std::system(("'" + std::string(program) + "' " + mode).c_str()), 0);
  }
};
INSTANTIATE_TEST_SUITE_P(Store, RestartTest, testing::Values("postgresql"), store_name);

TEST_P(RestartTest, ASessionThatIsCutOffGoesOn) {
  Store database = store();
  Study study = database.create(small_study(4));
  int number = study.ask().number;
  for (const char* mode : {"fast", "immediate"}) {
    restart(mode);
    insist([&] { study.tell(number, 1); });
    number = insist([&] { return study.ask().number; });
  }
  EXPECT_EQ(study.history().size(), 3);
}

// 4 processes of 2 threads each. The server is restarted four times, twice as after a crash, and workers are killed.
TEST_P(RestartTest, WorkersInThreadsAndProcessesOutliveRestartsOfTheServer) {
  constexpr int kTrials = 150;
  StudySpec spec = small_study(kTrials);
  spec.attempts = 1000;
  store().create(spec);
  const auto start = [&] {
    return spawn([&] {
      const auto loop = [&] {
        Worker worker(url(), "small", {.beat_seconds = 0.05, .silent_seconds = 30});
        work(worker, slow(60), kUntilTheEnd);
      };
      std::exception_ptr trouble;
      std::thread other([&] {
        try {
          loop();
        } catch (...) {
          trouble = std::current_exception();
        }
      });
      loop();
      other.join();
      if (trouble) std::rethrow_exception(trouble);
    });
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(start());
  const auto finished_trials = [&] {
    return insist([&] {
      const auto list = Store(url()).list();
      return list.front().complete + list.front().failed;
    });
  };
  const char* modes[] = {"fast", "immediate", "fast", "immediate"};
  for (int round = 0; round < 4; ++round) {
    EXPECT_TRUE(eventually([&] { return finished_trials() >= 20 * (round + 1); }));
    restart(modes[round]);
    pid_t& victim = children[static_cast<std::size_t>(round)];
    kill(victim, SIGKILL);
    wait_for(victim);
    victim = start();
  }
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
  Store database = store();
  const Study study = database.open("small");
  expect_whole(study, kTrials);
  expect_replayable(study);
}

}  // namespace
}  // namespace bocs

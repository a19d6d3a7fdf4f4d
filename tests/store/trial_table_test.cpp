#include "bocs/store/trial_table.hpp"

#include <malloc.h>

#include <csignal>

#include "store/store_fixture.hpp"

namespace bocs {
namespace {

using TrialTableTest = StoreTest;
INSTANTIATE_TEST_SUITE_P(Store, TrialTableTest, testing::Values("sqlite", "postgresql"), store_name);

TEST_P(TrialTableTest, ACutOffCallMayBeRepeated) {
  Store database = store();
  Study study = database.create(small_study(5));
  TrialTable table(connection(), study.table().study());
  const Trial taken = *table.take("claim", {}, 0).trial;
  EXPECT_EQ(table.take("claim", {}, 0).trial->number, taken.number);
  Trial trial = taken;
  trial.x = Point(12, 0);
  table.write(trial, "claim", "", 0);
  EXPECT_EQ(table.take("claim", {}, 0).trial->x, trial.x);
  EXPECT_EQ(table.finish(0, "claim", "", Outcome::value(1)), TrialTable::Finished::yes);
  EXPECT_EQ(table.finish(0, "claim", "", Outcome::value(1)), TrialTable::Finished::yes);
  EXPECT_THROW(table.finish(0, "", "", Outcome::value(1)), InvalidArgument);
  EXPECT_EQ(table.finish(0, "other claim", "", Outcome::value(2)), TrialTable::Finished::late);
  EXPECT_EQ(table.finish(0, "other claim", "", Outcome::value(2)), TrialTable::Finished::late);
  EXPECT_EQ(table.late().size(), 1U);
  trial.state = State::complete;
  EXPECT_EQ(table.insert({trial}, "adding"), 1);
  EXPECT_EQ(table.insert({trial}, "adding"), 1);
  EXPECT_EQ(table.insert({trial}, "adding again"), 2);
  EXPECT_EQ(table.insert({trial, trial}, "adding two", TrialTable::Budget::grows), 3);
  EXPECT_EQ(table.insert({trial, trial}, "adding two", TrialTable::Budget::grows), 3);
  EXPECT_EQ(table.take("next", {}, 0).trial->number, 5);
  EXPECT_EQ(table.since(0).budget, 5);
  EXPECT_EQ(table.since(0).extra, 2);
}

/// Another connection, with something that happens before every statement.
class WatchedConnection : public Connection {
 public:
  WatchedConnection(std::unique_ptr<Connection> inner, std::function<void()> before)
      : Connection(inner->url()), inner_(std::move(inner)), before_(std::move(before)) {}
  Rows execute(std::string_view sql, std::span<const SqlValue> arguments) override {
    before_();
    return inner_->execute(sql, arguments);
  }
  std::vector<Rows> execute_together(Commit commit, std::span<const Statement> statements) override {
    before_();
    return inner_->execute_together(commit, statements);
  }
  void transaction(Commit commit, const std::function<void()>& body) override { inner_->transaction(commit, body); }
  [[nodiscard]] std::string_view now() const override { return inner_->now(); }
  bool has_table(const std::string& name) override { return inner_->has_table(name); }
  void backup(const std::string& file) override { inner_->backup(file); }
  void lock_schema() override { inner_->lock_schema(); }
  [[nodiscard]] std::string_view wait_in_line() const override { return inner_->wait_in_line(); }

 private:
  std::unique_ptr<Connection> inner_;
  std::function<void()> before_;
};

/// Ends its process as kill -9 does, instead of executing one more than `left` statements.
std::shared_ptr<Connection> killed_after(int left, std::unique_ptr<Connection> inner) {
  return std::make_shared<WatchedConnection>(std::move(inner), [left]() mutable {
    if (left-- == 0) (void)raise(SIGKILL);
  });
}

// The race between looking and taking: a worker that was silent for long beats in between.
TEST_P(TrialTableTest, AHeartbeatBetweenLookingAndTakingSavesTheTrial) {
  Store database = store();
  Study study = database.create(small_study(5));
  TrialTable live(connection(), study.table().study());
  live.take("claim", {"another machine/1/2/3/a", "another machine/1/2/3/a"}, 0);
  EXPECT_TRUE(eventually([&] { return live.claims()[0].silent_seconds > 0.01; }));
  int statements = 0;
  const auto beat_before_the_second = [&] {
    if (++statements == 2) live.beat("another machine/1/2/3/a");
  };
  TrialTable table(std::make_shared<WatchedConnection>(connection(), beat_before_the_second), study.table().study());
  EXPECT_EQ(table.reclaim(0.01, 10), 0);
  EXPECT_EQ(statements, 2);
  EXPECT_EQ(live.claims().size(), 1U);
  EXPECT_TRUE(eventually([&] { return live.claims()[0].silent_seconds > 0.01; }));
  EXPECT_EQ(table.reclaim(0.01, 10), 1);
}

// A clock that jumps, or another machine's: the beats are far in the past, but they go on.
TEST_P(TrialTableTest, AWorkerWhoseClockIsWrongLivesAsLongAsItBeats) {
  Store database = store();
  Study study = database.create(small_study(5));
  TrialTable table(connection(), study.table().study());
  table.take("claim", {"another machine/1/2/3/a", "another machine/1/2/3/a"}, 0);
  const auto beat_at = [&](double seconds_ago) {
    connection()->execute("UPDATE bocs_trial SET beat = " + std::string(connection()->now()) + " - $1", {seconds_ago});
  };
  Beats seen;
  for (int look = 0; look < 3; ++look) {
    beat_at(7200 - look);
    EXPECT_EQ(table.reclaim(60, 10, &seen), 0) << look;
  }
  EXPECT_EQ(table.reclaim(60, 10, &seen), 1);  // no beat since the last look
  table.take("claim", {"another machine/1/2/3/a", "another machine/1/2/3/a"}, 0);
  beat_at(-7200);  // in the future
  EXPECT_EQ(table.reclaim(60, 10, &seen), 0);
  EXPECT_EQ(table.reclaim(60, 10, &seen), 0);
}

TEST_P(TrialTableTest, PastEvaluationsAreAddedAllOrNoneWheneverTheProcessIsKilled) {
  Store database = store();
  Study study = database.create(small_study(5));
  std::vector<Trial> trials(4);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i].state = State::complete;
    trials[i].x = Point(12, static_cast<int>(i % 2));
    trials[i].y = static_cast<double>(i);
  }
  int kills = 0;
  for (;; ++kills) {
    const pid_t child = spawn([&] {
      TrialTable table(killed_after(kills, connection()), study.table().study());
      table.insert(trials, "claim " + std::to_string(kills), TrialTable::Budget::grows);
    });
    const int code = wait_for(child);
    study.refresh();
    if (code == 0) break;
    ASSERT_EQ(code, -1);
    ASSERT_EQ(study.history().size(), 0);
    ASSERT_EQ(study.mirror().budget(), 5);
  }
  EXPECT_GE(kills, 4);  // between any two of the rows, too
  EXPECT_EQ(study.history().size(), 4);
  EXPECT_EQ(study.mirror().budget(), 9);
}

/// Seconds of the fastest of many asks, which a busy machine disturbs least.
double fastest_ask(Study& study, int asks) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < asks; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const int number = study.ask().number;
    fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    study.tell(number, 1);
  }
  return fastest;
}

/// An ask does not cost in proportion to the trials: compared with one of a study without any, in the same run. And the
/// bytes that are allocated and not freed.
TEST_P(TrialTableTest, AnAskAfterTenThousandTrialsIsFastAndMemoryStaysFlat) {
  constexpr int kTrials = 10000, kAsks = 200;
  StudySpec spec = small_study(0);
  spec.task.space = Space::binary(24);
  Store database = store();
  {
    std::vector<Evaluation> past;
    Rng rng(1, "past");
    for (int i = 0; i < kTrials; ++i) past.push_back({spec.task.space.random(rng), rng.normal()});
    database.create(spec).add_past(past);
  }
  const auto allocated = [] { return static_cast<double>(mallinfo2().uordblks); };
  const double before = allocated();
  Study study = database.open("small");
  const double fastest = fastest_ask(study, kAsks);
  EXPECT_EQ(study.history().size(), kTrials + kAsks);
  EXPECT_LT((allocated() - before) / kTrials, 1024);  // of which none is another copy of the history
  spec.name = "empty";
  Study empty = database.create(spec);
  const double of_empty = fastest_ask(empty, kAsks);
  EXPECT_LT(fastest, 20 * of_empty);
  std::printf("%.2f ms per ask, %.2f without trials, %.0f bytes per trial\n", 1e3 * fastest, 1e3 * of_empty,
              (allocated() - before) / kTrials);
}

}  // namespace
}  // namespace bocs

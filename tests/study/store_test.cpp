#include "bocs/study/store.hpp"

#include "store/store_fixture.hpp"

namespace bocs {

using namespace constraint;

namespace {

using ManyStudiesTest = StoreTest;
INSTANTIATE_TEST_SUITE_P(Store, ManyStudiesTest, testing::Values("sqlite", "postgresql"), store_name);

TEST_P(ManyStudiesTest, StoresListAndRemoveStudies) {
  Store database = store();
  EXPECT_TRUE(database.list().empty());
  const std::string hostile = "'; DROP TABLE bocs_study; -- \"\xE2\x98\x83{}";
  StudySpec spec = small_study(9, hostile);
  spec.sense = Sense::maximize;
  Study study = database.create(spec);
  database.create(small_study(3, "plain"));
  EXPECT_THROW(database.create(spec), InvalidArgument);
  study.tell(study.ask().number, 5);
  study.tell(study.ask().number, Outcome::failure("x"));
  study.ask();
  study.enqueue(Point(12, 1));
  const auto list = database.list();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].spec.name, hostile);
  EXPECT_EQ(list[0].complete, 1);
  EXPECT_EQ(list[0].failed, 1);
  EXPECT_EQ(list[0].running, 1);
  EXPECT_EQ(list[0].waiting, 1);
  EXPECT_EQ(list[0].best, 5.0);
  EXPECT_GT(list[0].created, 1e9);
  EXPECT_FALSE(list[1].best.has_value());
  EXPECT_THROW(database.open("nobody"), InvalidArgument);
  database.remove(hostile);
  EXPECT_FALSE(database.contains(hostile));
  EXPECT_TRUE(database.contains("plain"));
  EXPECT_THROW(database.remove(hostile), InvalidArgument);
  EXPECT_THROW(study.ask(), StoreError);  // its workers learn of it
  EXPECT_THROW(study.refresh(), StoreError);
}

TEST_P(ManyStudiesTest, HostileTextChangesNothingButTheTextShown) {
  const std::string hostile = "x\"'; DROP TABLE bocs_trial; --\\ {\"a\": null} \xF0\x9F\x92\xA5";
  StudySpec spec{"s", {Space({binary(hostile), categorical("k", {hostile, "b", "\"}"}), integer("n", 0, 5)})}};
  spec.method = "random";
  Store database = store();
  Study study = database.create(spec);
  const Trial trial = study.ask();
  Outcome outcome = Outcome::value(1);
  outcome.metrics = {{hostile, 2}};
  study.tell(0, outcome);
  study.ask();
  study.tell(1, Outcome::failure(std::string("bytes \xFF\xFE and \0 end", 18) + hostile));
  Study reader = database.open("s");
  EXPECT_EQ(reader.task().space[0].name, hostile);
  EXPECT_EQ(reader.task().space[1].labels[0], hostile);
  EXPECT_EQ(reader.history().find(0)->x, trial.x);
  EXPECT_EQ(reader.history().find(0)->metrics.at(hostile), 2);
  EXPECT_NE(reader.history().find(1)->error.find(hostile), std::string::npos);
  StudySpec bad = small_study(1, "a\xFF");
  EXPECT_THROW(database.create(bad), InvalidArgument);
  bad.name = std::string("a\0b", 3);
  EXPECT_THROW(database.create(bad), InvalidArgument);
}

TEST_P(ManyStudiesTest, ConstraintsAreKept) {
  StudySpec spec = small_study(30);
  spec.task.constraints = Constraints(spec.task.space, {exactly(3, switched_on(spec.task.space))});
  Store database = store();
  database.create(spec);
  Study study = database.open("small");
  EXPECT_EQ(study.task().constraints.list(), spec.task.constraints.list());
  EXPECT_THROW(study.enqueue(Point(12, 1)), InvalidArgument);
  EXPECT_THROW(study.tell(Point(12, 1), 1), InvalidArgument);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(count_ones(study.ask().x), 3);
}

TEST_P(ManyStudiesTest, BadSpecsAreRefused) {
  Store database = store();
  const auto refused = [&](auto change) {
    StudySpec spec = small_study(5);
    change(spec);
    EXPECT_THROW(database.create(spec), InvalidArgument);
  };
  refused([](StudySpec& spec) { spec.name = ""; });
  refused([](StudySpec& spec) { spec.trials = -1; });
  refused([](StudySpec& spec) { spec.parallel = -1; });
  refused([](StudySpec& spec) { spec.attempts = 0; });
  refused([](StudySpec& spec) { spec.method = "magic"; });
  refused([](StudySpec& spec) { spec.method = "bocs:order=77"; });
  refused([](StudySpec& spec) { spec.task.l1 = kUnknown; });
  refused([](StudySpec& spec) { spec.objective.timeout_seconds = -1; });
  EXPECT_TRUE(database.list().empty());
}

}  // namespace
}  // namespace bocs

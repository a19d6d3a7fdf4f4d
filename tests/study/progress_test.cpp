#include "bocs/study/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bocs {
namespace {

void add(History& history, double y, Origin origin = Origin::proposed) {
  Trial trial;
  trial.number = history.size();
  trial.state = State::complete;
  trial.x = {history.size() % 2};
  trial.y = y;
  trial.info.origin = origin;
  history.add(trial);
}

void fail(History& history, const std::string& error) {
  Trial trial;
  trial.number = history.size();
  trial.state = State::failed;
  trial.x = {history.size() % 2};
  trial.error = error;
  history.add(trial);
}

TEST(Progress, CountsAndSaysHowLongThereWasNoGain) {
  const Task task{Space::binary(1)};
  History history;
  EXPECT_EQ(progress_of(task, history).best, nullptr);
  EXPECT_FALSE(progress_of(task, history).still_improving());
  for (const double y : {5.0, 3.0, 4.0}) add(history, y);
  fail(history, "no");
  const Progress now = progress_of(task, history);
  EXPECT_EQ(now.complete, 3);
  EXPECT_EQ(now.failed, 1);
  EXPECT_EQ(now.finished(), 4);
  EXPECT_EQ(now.best->number, 1);
  EXPECT_EQ(now.since_best, 2);
  EXPECT_FALSE(now.still_improving());
  for (int i = 0; i < 15; ++i) add(history, 4);
  add(history, 1);
  add(history, 2);
  EXPECT_TRUE(progress_of(task, history).still_improving());  // the best is one of the last two of 21
}

TEST(Failures, AreCountedByReasonWhateverNumbersTheyMention) {
  History history;
  fail(history, "exit code 1: mesh 17 has a hole\nTraceback ...");
  fail(history, "no answer within 30 s, ended");
  fail(history, "exit code 1: mesh 4 has a hole");
  add(history, 1);
  fail(history, "no answer within 30 s, ended");
  fail(history, "no answer within 30 s, ended");
  fail(history, "ended by signal 11 (Segmentation fault)");
  const auto reasons = count_failures(history);
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_EQ(reasons[0].text, "no answer within 30 s, ended");
  EXPECT_EQ(reasons[0].count, 3);
  EXPECT_EQ(reasons[0].last, 5);
  EXPECT_EQ(reasons[1].text, "exit code ...: mesh ... has a hole");
  EXPECT_EQ(reasons[1].count, 2);
  EXPECT_EQ(reasons[2].text, "ended by signal 11 (Segmentation fault)");
  EXPECT_FALSE(same_reason("exit code 1", "exit code 1: no licence"));
}

TEST(FailureWatch, FiveOfAStudyWithoutAValue) {
  History history;
  add(history, 3, Origin::imported);  // says nothing about the program
  const FailureWatch watch(history);
  for (int i = 0; i < 4; ++i) fail(history, "reason " + std::string(static_cast<std::size_t>(i), 'x'));
  EXPECT_FALSE(watch.verdict(history));
  fail(history, "the fifth");
  EXPECT_EQ(watch.verdict(history), "the first 5 evaluations failed: the fifth");
  EXPECT_FALSE(FailureWatch(history).verdict(history));  // begun after them
  add(history, 1);
  EXPECT_FALSE(watch.verdict(history));
}

TEST(FailureWatch, TwentyInARowForTheSameReason) {
  History history;
  add(history, 1);
  const FailureWatch watch(history);
  for (int i = 0; i < 19; ++i) fail(history, "mesh " + std::to_string(i));
  fail(history, "another");
  for (int i = 0; i < 19; ++i) fail(history, "mesh " + std::to_string(i));
  EXPECT_FALSE(watch.verdict(history));
  fail(history, "mesh 20");
  EXPECT_EQ(watch.verdict(history), "the last 20 evaluations failed: mesh 20");
  add(history, 1);
  EXPECT_FALSE(watch.verdict(history));
}

}  // namespace
}  // namespace bocs

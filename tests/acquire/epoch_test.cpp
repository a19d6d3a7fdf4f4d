#include "bocs/acquire/epoch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bocs/method/options.hpp"

namespace bocs {
namespace {

const Task kTask{Space::binary(12), 0, 0, 1};

Trial trial(int number, double y, std::vector<int> pending = {}) {
  Trial made{number, State::complete, Point(12), y, {}, 0, {}, {}};
  for (int i = 0; i < 12; ++i) made.x[static_cast<std::size_t>(i)] = number >> i & 1;
  made.info.pending = std::move(pending);
  return made;
}

/// So many trials, of which the one numbered 19 is the best.
History stagnating(int size) {
  History history;
  for (int n = 0; n < size; ++n) history.add(trial(n, n == 19 ? -5 : n));
  return history;
}

std::vector<int> numbers(const Epoch& epoch) {
  std::vector<int> result;
  for (const Trial& t : epoch.history().trials()) result.push_back(t.number);
  return result;
}

TEST(Epoch, HasTheWholeHistoryWhileTheSearchFindsSomething) {
  History history;
  for (int n = 0; n < 500; ++n) history.add(trial(n, n % 99 == 0 ? -n : n));  // something every 99 trials
  EXPECT_EQ(&Epoch({kTask, history, 500}, 100).history(), &history);
  const History short_history = stagnating(119);
  EXPECT_EQ(&Epoch({kTask, short_history, 119}, 100).history(), &short_history);
}

TEST(Epoch, EndsAfterAHundredTrialsWithoutAnImprovement) {
  for (const int size : {120, 139, 140, 200}) {
    const History history = stagnating(size);
    const Epoch epoch({kTask, history, size}, 100);
    EXPECT_EQ(epoch.begins_at_random(), size < 140) << size;
    if (size < 140) continue;
    EXPECT_EQ(epoch.history().trials().front().number, 120);
    EXPECT_EQ(epoch.history().size(), size - 120);
  }
  EXPECT_EQ(Epoch({kTask, stagnating(300), 300}, 100).history().trials().front().number,
            240);  // the second one ended, too
}

TEST(Epoch, WaitsLongerWhereThereAreMoreVariables) {
  const Task large{Space::binary(150), 0, 0, 1};
  for (const int size : {120, 169, 170}) {
    History history;
    for (int n = 0; n < size; ++n) history.add({n, State::complete, Point(150), n == 19 ? -5.0 : n, {}, 0, {}, {}});
    EXPECT_EQ(Epoch({large, history, size}, 100).begins_at_random(), size == 170) << size;
  }
}

TEST(Epoch, PastDataDoNotEndOne) {
  History history;
  for (int n = 0; n < 300; ++n) {  // sorted, the best one first
    Trial past = trial(n, n);
    past.info.origin = n % 2 == 0 ? Origin::imported : Origin::told;
    history.add(past);
  }
  for (int n = 300; n < 400; ++n) history.add(trial(n, n));
  EXPECT_EQ(&Epoch({kTask, history, 400}, 100).history(), &history);
  for (int n = 400; n < 440; ++n) history.add(trial(n, n));
  EXPECT_EQ(numbers(Epoch({kTask, history, 440}, 100)).front(), 420);  // 20 and 100 trials of its own
}

TEST(Epoch, LeavesOutWhatWasAskedBeforeItBegan) {
  History history = stagnating(120);
  for (int n = 120; n < 160; ++n) {  // five of them knew nothing of the end, one had not even met its trial
    std::vector<int> pending;
    if (n < 124) pending = {118, 119};
    if (n == 124) pending = {~119};
    history.add(trial(n, n, std::move(pending)));
  }
  const Epoch epoch({kTask, history, 160}, 100);
  EXPECT_FALSE(epoch.begins_at_random());
  EXPECT_EQ(numbers(epoch).front(), 125);
  EXPECT_EQ(numbers(epoch).size(), 35u);
}

TEST(Epoch, OfALongOneTheBestAndTheLatestCount) {
  History history;
  for (int n = 0; n < 900; ++n) history.add(trial(n, n % 2 == 0 ? -n : n));
  const Epoch epoch({kTask, history, 900}, 100);
  const std::vector<int> all = numbers(epoch);
  EXPECT_EQ(all.size(), 600u);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (int n = 300; n < 900; n += 2) EXPECT_TRUE(std::ranges::binary_search(all, n)) << n;  // the 300 best
  for (int n = 301; n < 900; n += 2) EXPECT_TRUE(std::ranges::binary_search(all, n)) << n;  // the 300 latest others
}

TEST(Epoch, GoesOnWhereThereIsNoTellingWhatAnImprovementIs) {
  const History history = stagnating(140);
  EXPECT_EQ(&Epoch({kTask, history, 140, false, true}, 100).history(), &history);  // measurements are random
  Task goals = kTask;
  goals.goals = {Goal{"value"}, Goal{"cost"}};
  History measured;
  for (const Trial& t : history.trials()) {
    Trial copy = t;
    copy.metrics["cost"] = t.number;
    measured.add(copy);
  }
  EXPECT_EQ(&Epoch({goals, measured, 140}, 100).history(), &measured);
  Task limited = kTask;
  limited.outcomes = {{"cost", -10, -1}};  // nothing is allowed
  EXPECT_EQ(&Epoch({limited, measured, 140}, 100).history(), &measured);
}

TEST(Epoch, WithoutPatienceThereIsOne) {
  const History history = stagnating(400);
  EXPECT_EQ(&Epoch({kTask, history, 400}).history(), &history);
}

// The whole method: after a hundred proposals that find nothing, a random point, whatever the process says.
TEST(Epoch, TheDefaultBeginsAnewAtRandom) {
  const Task task{Space::binary(40), 0, 0, 1};
  const auto method = make_bocs(task.space);
  History history;
  for (int n = 0; n < 130; ++n) {
    Point x(40);
    for (int i = 0; i < 40; ++i) x[static_cast<std::size_t>(i)] = (n * 7919 >> (i % 20)) % 2;
    history.add({n, State::complete, std::move(x), n == 25 ? -1.0 : 1.0, {}, 0, {}, {}});
    if (n != 124 && n != 125 && n != 129) continue;
    const Proposal proposal = method->propose(task, history, n + 1);
    EXPECT_EQ(proposal.info.member, "ei");
    EXPECT_EQ(proposal.info.how.starts_with("random: nothing better"), n >= 125) << proposal.info.how;
  }
}

// Where it has every fourth trial, a hundred proposals of its own are four hundred trials.
TEST(Epoch, ComesLaterWhereOthersProposeToo) {
  const Task task{Space::binary(12), 0, 0, 1};
  const auto method = make_bocs(task.space);
  for (const int size : {303, 419, 423}) {
    const Proposal proposal = method->propose(task, stagnating(size), size);
    EXPECT_EQ(proposal.info.member, "ei");
    EXPECT_EQ(proposal.info.how.starts_with("random: nothing better"), size > 420) << proposal.info.how;
  }
}

}  // namespace
}  // namespace bocs

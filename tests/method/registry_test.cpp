#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/method/method.hpp"

namespace bocs {
namespace {

std::string refusal(const std::string& spec, const Space& space = Space::binary(5)) {
  try {
    make_method(spec, space);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(MakeMethod, RefusesWhatIsUnknownAndSaysWhatThereIs) {
  EXPECT_NE(refusal("bogus").find("'bogus'; there are bocs, random"), std::string::npos) << refusal("bogus");
  EXPECT_NE(refusal("bocs:colour=red").find("no option 'colour'"), std::string::npos);
  EXPECT_NE(refusal("bocs:order=9").find("order=9"), std::string::npos);
  EXPECT_NE(refusal("random:initial=3").find("no option 'initial'"), std::string::npos);
}

TEST(MakeMethod, RefusesUnknownOptionsOfThePartsAtConstruction) {
  EXPECT_NE(refusal("bocs:model.colour=red").find("no option 'colour'"), std::string::npos);
  EXPECT_NE(refusal("bocs:minimizer=annealing,minimizer.colour=red").find("no option 'colour'"), std::string::npos);
  EXPECT_NE(refusal("bocs:model=mle,model.sweeps=5").find("no option 'sweeps'"), std::string::npos);
}

TEST(MakeMethod, RefusesTheSdpOutsideBinaryQuadratics) {
  const Space mixed({binary("a"), categorical("kind", {"red", "green", "blue"})});
  EXPECT_NE(refusal("bocs-sdp", mixed), "accepted");
  EXPECT_NE(refusal("bocs-sdp:order=3"), "accepted");
  EXPECT_EQ(refusal("bocs-sdp"), "accepted");  // order auto becomes 2
  EXPECT_EQ(refusal("bocs", mixed), "accepted");
}

TEST(MethodSpec, WritesShorthandsOut) {
  EXPECT_EQ(method_spec("bocs-sa:order=3").text(), "bocs:order=3,minimizer=annealing");  // the shorthand has order=2
  EXPECT_EQ(method_spec("mle-sa").text(), "bocs:model=mle,minimizer=annealing");
  EXPECT_EQ(method_spec("rs").text(), "random");
  EXPECT_EQ(method_spec("mle").text(), "bocs:model=mle");
  EXPECT_EQ(method_spec("sa:cooling=0.9").text(), "annealing:cooling=0.9");
  EXPECT_EQ(method_spec("ols").text(), "local");
  EXPECT_EQ(method_spec("ps").text(), "particle");
  EXPECT_EQ(method_spec("bocs").text(), "bocs");
}

TEST(ListMethods, EveryEntryAndEveryShorthandCanBeMade) {
  ASSERT_FALSE(list_methods().empty());
  for (const auto& entry : list_methods()) {
    EXPECT_EQ(refusal(entry.name), "accepted") << entry.name;
    EXPECT_FALSE(entry.help.empty());
    for (const auto& shorthand : entry.shorthands) {
      EXPECT_EQ(refusal(shorthand.substr(0, shorthand.find(' '))), "accepted") << shorthand;
    }
  }
}

TEST(MethodSpecWithInitial, IsSetOnceAndWhereItExists) {
  EXPECT_EQ(method_spec_with_initial("bocs", 20).text(), "bocs:initial=20");
  EXPECT_EQ(method_spec_with_initial("bocs", 0).text(), "bocs");
  EXPECT_EQ(method_spec_with_initial("bocs:initial=5", 20).text(), "bocs:initial=5");
  EXPECT_EQ(method_spec_with_initial("rs", 20).text(), "random");
}

TEST(CheckMethod, RefusesWhatNoSpaceMakesRight) {
  for (const char* wrong : {"tpe", "bocs:colour=red", "bocs:order=9", "bocs:model.sweeps=x"}) {
    EXPECT_THROW(check_method(wrong), InvalidArgument) << wrong;
  }
  for (const char* right : {"bocs", "ei", "bocs-sdp", "bocs:extra=a*b*c,order=2", "ps"}) check_method(right);
}

int initial_points(const std::string& spec, int dimension, int trials) {
  const Task task{.space = Space::binary(dimension), .trials = trials};
  return make_method(spec, task.space)->initial_points(task);
}

TEST(InitialPoints, TakeAtMostAFifthOfThePlannedTrials) {
  EXPECT_EQ(initial_points("bocs", 200, 50), 10);
  EXPECT_EQ(initial_points("bocs:order=2", 200, 300), 20);
  EXPECT_EQ(initial_points("ei", 12, 50), 10);
  EXPECT_EQ(initial_points("bocs", 12, 10), 5);  // never fewer than 5
  EXPECT_EQ(initial_points("bocs", 12, 100), 20);
  EXPECT_EQ(initial_points("bocs:initial=80", 200, 100), 80);  // the user's number
  EXPECT_EQ(initial_points("bocs", 200, 0), 20);               // nothing is planned
  EXPECT_EQ(initial_points("random", 200, 10), 0);
}

TEST(InitialPoints, AreThoseAfterWhichAModelProposes) {
  const Task task{.space = Space::binary(30), .seed = 1, .trials = 40};
  for (const char* spec : {"bocs", "ei", "smac"}) {
    const auto method = make_method(spec, task.space);
    History history;
    for (int number = 0; number < 12; ++number) {
      Proposal proposal = method->propose(task, history, number);
      EXPECT_EQ(proposal.info.origin, number < 8 ? Origin::initial : Origin::proposed) << spec << ", " << number;
      Trial trial;
      trial.number = number;
      trial.x = proposal.x;
      trial.info = proposal.info;
      history.add(trial);
      history.finish(number, Outcome::value(proposal.x[0] - proposal.x[1] + 0.1 * number));
    }
  }
}

}  // namespace
}  // namespace bocs

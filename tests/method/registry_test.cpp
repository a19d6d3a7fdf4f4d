#include <gtest/gtest.h>

#include "bocs/core/error.hpp"
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

TEST(SpecForBudget, CutsTheInitialDesignToAFifthOfTheTrials) {
  const Space large = Space::binary(200), small = Space::binary(12);  // their own designs: 100 and 20 points
  EXPECT_EQ(spec_for_budget("bocs", large, {}, 100), "bocs:initial=20");
  EXPECT_EQ(spec_for_budget("bocs:order=2", large, {}, 300), "bocs:order=2,initial=60");
  EXPECT_EQ(spec_for_budget("ei", small, {}, 50), "ei:initial=10");
  EXPECT_EQ(spec_for_budget("bocs", small, {}, 10), "bocs:initial=5");  // never fewer than 5
  EXPECT_EQ(make_method(spec_for_budget("bocs", large, {}, 100), large)->initial_points(), 20);
}

TEST(SpecForBudget, LeavesTheSpecAsItIsOtherwise) {
  const Space large = Space::binary(200), small = Space::binary(12);
  EXPECT_EQ(spec_for_budget("bocs", small, {}, 100), "bocs");
  EXPECT_EQ(spec_for_budget("mle-sa", small, {}, 100), "mle-sa");
  EXPECT_EQ(spec_for_budget("bocs:initial=80", large, {}, 100), "bocs:initial=80");
  EXPECT_EQ(spec_for_budget("rs", large, {}, 10), "rs");
  EXPECT_EQ(spec_for_budget("bocs", large, {}, 0), "bocs");  // no limit
  EXPECT_THROW(spec_for_budget("bogus", small, {}, 100), InvalidArgument);
}

}  // namespace
}  // namespace bocs

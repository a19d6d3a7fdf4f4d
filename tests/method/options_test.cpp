// Options as types say the same as spec strings.

#include "bocs/method/options.hpp"

#include <gtest/gtest.h>

#include "bocs/base/error.hpp"
#include "bocs/run/optimizer.hpp"

namespace bocs {
namespace {

const Space kSpace({integer("n", -2, 5), categorical("kind", {"red", "green", "blue"}), binary("a"), binary("b")});

/// Eight proposals after six random points, with all that is told of them.
std::string proposals(const Space& space, std::shared_ptr<const Method> method) {
  Optimizer session({space, 0.1, 0, 3}, std::move(method));
  std::string text;
  for (int n = 0; n < 14; ++n) {
    const Trial trial = session.ask();
    text += space.format(trial.x) + " " + trial.info.how + " " + std::to_string(trial.info.predicted) + "\n";
    session.tell(trial.number, std::sin(3.0 * trial.x[0]) + trial.x[1] - trial.x[2] * trial.x[3]);
  }
  return text;
}

std::string proposals(const std::string& spec, const Space& space = kSpace) {
  return proposals(space, make_method(spec, space));
}

TEST(MethodOptions, SayTheSameAsSpecs) {
  const Space bits = Space::binary(6);
  const auto bocs = [&](const Space& space, const BocsOptions& options) {
    return proposals(space, make_bocs(space, options));
  };
  EXPECT_EQ(bocs(kSpace, {.initial = 6}), proposals("bocs:initial=6"));
  EXPECT_EQ(bocs(bits, {.order = 2, .initial = 6, .minimizer = AnnealingOptions{.sweeps = 7}}),
            proposals("bocs:order=2,initial=6,minimizer=annealing,minimizer.sweeps=7", bits));
  EXPECT_EQ(bocs(bits, {.order = 3, .initial = 6, .model = HorseshoeOptions{.intercept = Intercept::flat}}),
            proposals("bocs:order=3,initial=6,model.intercept=flat", bits));
  EXPECT_EQ(bocs(bits, {.initial = 6, .model = BayesOptions{.prior_variance = 3}}),
            proposals("bocs:initial=6,model=bayes,model.prior_variance=3", bits));
  BocsOptions published = published_options();
  published.initial = 6;
  std::get<HorseshoeOptions>(published.model).sweeps = 9;
  EXPECT_EQ(bocs(bits, published), proposals("bocs:published=true,initial=6,model.sweeps=9", bits));
  EXPECT_EQ(proposals(kSpace, make_ei(kSpace, {.initial = 6, .steps = 2})), proposals("ei:initial=6,steps=2"));
  EXPECT_EQ(proposals(kSpace, make_smac(kSpace, {.initial = 6, .trees = 8})), proposals("smac:initial=6,trees=8"));
  EXPECT_EQ(proposals(kSpace, make_random({.repeats = true})), proposals("random:repeats=true"));
  EXPECT_EQ(proposals(kSpace, make_annealing({.cooling = 0.5})), proposals("annealing:cooling=0.5"));
  EXPECT_EQ(proposals(kSpace, make_annealing({.published = AsPublished::spears})),
            proposals("annealing:published=spears"));
  EXPECT_EQ(proposals(kSpace, make_local({.restarts = false})), proposals("local:restarts=false"));
  EXPECT_EQ(proposals(bits, make_particle(bits, {.particles = 4})), proposals("particle:particles=4", bits));
}

TEST(MethodOptions, HaveASpec) {
  EXPECT_EQ(bocs_spec({}).text(), "bocs");
  for (const BocsOptions& options :
       {BocsOptions{.order = 2, .minimizer = TabuOptions{.restarts = 3}},
        BocsOptions{
            .integers = Integers::levels, .polish = 2, .model = HorseshoeOptions{.sampler = Sampler::auxiliary}},
        BocsOptions{.initial = 6, .model = MleOptions{}}}) {
    EXPECT_EQ(proposals(bocs_spec(options).text()), proposals(kSpace, make_bocs(kSpace, options)));
  }
  EXPECT_EQ(bocs_spec({.order = 2, .minimizer = TabuOptions{.restarts = 3}}).text(),
            "bocs:order=2,minimizer=tabu,minimizer.restarts=3");
  BocsOptions published = published_options();
  EXPECT_EQ(bocs_spec(published).text(), "bocs:published=true");
  published.minimizer = AnnealingOptions{.restarts = 2, .schedule = Schedule::authors};
  EXPECT_EQ(bocs_spec(published).text(), "bocs:minimizer=annealing,published=true,minimizer.restarts=2");
}

TEST(MethodOptions, OutOfBoundsAreRefusedByName) {
  const auto refusal = [](const auto& make) {
    try {
      make();
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([] { make_bocs(kSpace, {.order = 9}); }),
            "order=9: allowed is auto, or a whole number from 1 to 8");
  EXPECT_NE(refusal([] { make_bocs(kSpace, {.model = HorseshoeOptions{.thin = 0}}); }).find("thin=0"),
            std::string::npos);
  EXPECT_NE(refusal([] { make_bocs(kSpace, {.minimizer = TabuOptions{.restarts = -1}}); }).find("restarts=-1"),
            std::string::npos);
  EXPECT_NE(refusal([] { make_ei(kSpace, {.steps = -2}); }).find("steps=-2"), std::string::npos);
  EXPECT_NE(refusal([] { make_smac(kSpace, {.trees = 0}); }).find("trees=0"), std::string::npos);
  EXPECT_NE(refusal([] { make_annealing({.cooling = 2}); }).find("cooling=2"), std::string::npos);
  EXPECT_NE(refusal([] { make_particle(Space::binary(3), {.keep = 1}); }).find("keep=1"), std::string::npos);
  EXPECT_NE(refusal([] { make_ei(kSpace, {.score = {}}); }).find("score"), std::string::npos);
}

struct CornerOptions {
  int level = 0;
  void describe(OptionTable& table) { table.integer("level", level, 0, 1, "of every variable"); }
};

struct Corner : Method {
  explicit Corner(int level) : level_(level) {}
  [[nodiscard]] Proposal propose(const Task& task, const History&, int) const override {
    return {Point(static_cast<std::size_t>(task.space.dimension()), level_), {}};
  }
  int level_;
};

TEST(RegisterMethod, MakesASpecOfAMethodOfYourOwn) {
  register_method<CornerOptions>("corner", "a corner of the cube",
                                 [](const CornerOptions& options, const Space&, const Constraints&) {
                                   return std::make_unique<Corner>(options.level);
                                 });
  Optimizer session({Space::binary(3)}, "corner:level=1");
  EXPECT_EQ(session.ask().x, (Point{1, 1, 1}));
  EXPECT_EQ(list_methods().back().name, "corner");
  EXPECT_EQ(list_methods().back().options.front().name, "level");
  EXPECT_THROW(make_method("corner:level=2", Space::binary(3)), InvalidArgument);
  const auto again = [](const std::string& name) {
    register_method({name, "", list_options<CornerOptions>,
                     [](const Spec&, const Space&, const Constraints&) { return std::make_unique<Corner>(0); }});
  };
  for (const char* name : {"corner", "bocs", "bocs-sdp", "", "a:b", "a=b", "a,b"}) {
    EXPECT_THROW(again(name), InvalidArgument) << name;
  }
}

}  // namespace
}  // namespace bocs

#include "bocs/base/options.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

struct Example {
  int order = 2;
  double rate = 0.1;
  bool repeats = false;
  std::string intercept = "flat";
  std::string file;

  void describe(OptionTable& table) {
    table.integer("order", order, 1, 8, "largest order of a monomial");
    table.real("rate", rate, 0, std::numeric_limits<double>::infinity(), "a rate");
    table.boolean("repeats", repeats, "whether points may repeat");
    table.choice("intercept", intercept, {"flat", "mean"}, "the intercept");
    table.text("file", file, "a file name");
  }
};

std::string complaint(const std::string& spec) {
  try {
    parse_options<Example>(Spec::parse(spec));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

TEST(Spec, ParsesNameAndSettings) {
  const Spec spec = Spec::parse("bocs:order=3,model.sweeps=500,file=a=b");
  EXPECT_EQ(spec.name, "bocs");
  ASSERT_EQ(spec.settings.size(), 3u);
  EXPECT_EQ(spec.settings[0], (std::pair<std::string, std::string>{"order", "3"}));
  EXPECT_EQ(spec.settings[1], (std::pair<std::string, std::string>{"model.sweeps", "500"}));
  EXPECT_EQ(spec.settings[2], (std::pair<std::string, std::string>{"file", "a=b"}));  // the first = separates
  EXPECT_TRUE(Spec::parse("random").settings.empty());
}

TEST(Spec, TextIsTheInverse) {
  for (const char* text : {"bocs", "bocs:order=3", "bocs:order=3,model.sweeps=500", "a:k="}) {
    EXPECT_EQ(Spec::parse(text).text(), text);
  }
}

TEST(Spec, RefusesWhatHasNoNameOrNoKey) {
  for (const char* text : {"", ":order=3", "bocs:order", "bocs:=3", "bocs:order=3,,rate=1"}) {
    EXPECT_THROW(Spec::parse(text), InvalidArgument) << text;
  }
}

TEST(Spec, RefusesAKeyGivenTwice) {
  EXPECT_EQ(complaint("e:order=3,rate=1,order=4"), "'order' is given twice in 'e:order=3,rate=1,order=4'");
  EXPECT_EQ(without_repeats("e:order=3,rate=1,order=4"), "e:order=4,rate=1");  // for what 0.1 has stored
  EXPECT_EQ(without_repeats("e"), "e");
}

TEST(Spec, TakeMovesThePrefixedSettings) {
  Spec spec = Spec::parse("bocs:model.sweeps=5,order=3,model.thin=2,models=1");
  const Spec model = spec.take("model", "horseshoe");
  EXPECT_EQ(model.text(), "horseshoe:sweeps=5,thin=2");
  EXPECT_EQ(spec.text(), "bocs:order=3,models=1");
  EXPECT_EQ(spec.take("model", "x").text(), "x");
}

TEST(Options, DefaultsAndAssignments) {
  const auto defaults = parse_options<Example>(Spec::parse("e"));
  EXPECT_EQ(defaults.order, 2);
  const auto set = parse_options<Example>(Spec::parse("e:order=8,rate=1e-3,repeats=true,intercept=mean,file=x.json"));
  EXPECT_EQ(set.order, 8);
  EXPECT_DOUBLE_EQ(set.rate, 1e-3);
  EXPECT_TRUE(set.repeats);
  EXPECT_EQ(set.intercept, "mean");
  EXPECT_EQ(set.file, "x.json");
}

TEST(Options, BoundsAreInclusiveAndNamed) {
  EXPECT_EQ(complaint("e:order=1"), "");
  EXPECT_EQ(complaint("e:order=8"), "");
  EXPECT_EQ(complaint("e:order=9"), "order=9: allowed is a whole number from 1 to 8");
  for (const char* text : {"e:order=0", "e:order=", "e:order=2.5", "e:order=2x", "e:order=99999999999", "e:rate=-0.1",
                           "e:rate=nan", "e:rate=fast", "e:repeats=yes", "e:repeats=1"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
  EXPECT_EQ(complaint("e:intercept=none"), "intercept=none: allowed is flat, mean");
}

TEST(Options, UnknownKeyListsTheKnownOnes) {
  EXPECT_EQ(complaint("e:colour=3"), "e has no option 'colour'; it has order, rate, repeats, intercept, file");
  EXPECT_EQ(complaint("e:ordr=3"),
            "e has no option 'ordr'; it has order, rate, repeats, intercept, file; did you mean 'order'?");
}

enum class Colour { red, green };
}  // namespace
template <>
inline constexpr auto kWords<Colour> = std::to_array<Word<Colour>>({{Colour::red, "red"}, {Colour::green, "green"}});
namespace {

struct Typed {
  std::optional<int> order = {};
  Colour colour = Colour::red;
  std::optional<Colour> other = {};
  std::string word = "one";
  double rate = 0.1;

  void describe(OptionTable& table) {
    table.integer("order", order, 1, 8, "");
    table.choice("colour", colour, "");
    table.choice("other", other, "");
    table.choice("word", word, {"one", "two"}, "");
    table.real("rate", rate, 0, 1, "");
  }
};

TEST(Words, OfAnEnumAreATable) {
  EXPECT_EQ(word_of(Colour::green), "green");
  EXPECT_EQ(value_of<Colour>("green"), Colour::green);
  EXPECT_EQ(value_of<Colour>("blue"), std::nullopt);
  EXPECT_EQ(words_of<Colour>(), (std::vector<std::string>{"red", "green"}));
}

TEST(Options, OfEnumsAndOptionalsAreWords) {
  const auto set = parse_options<Typed>(Spec::parse("t:order=3,colour=green,other=red"));
  EXPECT_EQ(set.order, 3);
  EXPECT_EQ(set.colour, Colour::green);
  EXPECT_EQ(set.other, Colour::red);
  EXPECT_EQ(parse_options<Typed>(Spec::parse("t:order=auto,other=auto"), set).order, std::nullopt);
  EXPECT_EQ(parse_options<Typed>(Spec::parse("t:other=auto"), set).other, std::nullopt);
  for (const char* text : {"t:order=9", "t:order=none", "t:colour=auto", "t:colour=blue", "t:other=blue"}) {
    EXPECT_THROW(parse_options<Typed>(Spec::parse(text)), InvalidArgument) << text;
  }
}

TEST(Options, SpecOfIsTheInverse) {
  for (const char* text : {"t", "t:order=3", "t:order=3,colour=green,other=red,word=two,rate=0.25"}) {
    EXPECT_EQ(spec_of("t", parse_options<Typed>(Spec::parse(text))).text(), text);
  }
}

TEST(Options, ThatAProgramFilledAreChecked) {
  EXPECT_NO_THROW(check_options(Typed{.order = 8, .word = "two"}));
  EXPECT_THROW(check_options(Typed{.order = 9}), InvalidArgument);
  EXPECT_THROW(check_options(Typed{.colour = static_cast<Colour>(7)}), InvalidArgument);
  EXPECT_THROW(check_options(Typed{.word = "three"}), InvalidArgument);
  EXPECT_THROW(check_options(Typed{.rate = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
}

TEST(Options, ListShowsDefaults) {
  const auto rows = list_options<Example>();
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].name, "order");
  EXPECT_EQ(rows[0].value, "2");
  EXPECT_EQ(rows[1].value, "0.1");
  EXPECT_EQ(rows[2].value, "false");
  EXPECT_EQ(rows[3].allowed, "flat, mean");
  for (const auto& row : rows) EXPECT_FALSE(row.assign) << "would write into an object that is gone";
}

}  // namespace
}  // namespace bocs

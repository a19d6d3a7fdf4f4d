#include "bocs/study/study_file.hpp"

#include <fstream>

#include "bocs/rule/feasible.hpp"
#include "bocs/study/spec_json.hpp"
#include "paths.hpp"
#include "store/store_fixture.hpp"

namespace bocs {

using namespace constraint;

namespace {

class StudyFileTest : public testing::Test {
 protected:
  ~StudyFileTest() override { std::filesystem::remove_all(folder_); }

  static std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    EXPECT_TRUE(stream.good()) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  StudyFile load(const std::string& text) {
    std::ofstream(file_) << text;
    return load_study_file(file_);
  }
  void refused(const std::string& text, const std::vector<std::string>& words) {
    try {
      load(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidArgument& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find("stations.toml:"), message.rfind("stations.toml:")) << message;  // the place is named once
      for (const auto& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " is not in: " << error.what();
      }
    }
  }
  /// The constraints of one [[constraints]] table over station[0..3], pump, depot and crew.
  Constraints constraints(const std::string& table) { return load(variables_ + table).spec.task.constraints; }
  void same(const std::string& table, const std::vector<Constraint>& expected) {
    const Constraints read = constraints("[[constraints]]\n" + table);
    const Constraints made(load(variables_).spec.task.space, expected);
    ASSERT_EQ(read.list().size(), made.list().size()) << table;
    for (std::size_t i = 0; i < expected.size(); ++i) {  // whatever they are called
      const Constraint &one = read.list()[i], &other = made.list()[i];
      EXPECT_EQ(one.terms, other.terms) << table;
      EXPECT_EQ(std::pair(one.low, one.high), std::pair(other.low, other.high)) << table;
    }
  }

  std::filesystem::path folder_ = new_folder();
  std::filesystem::path file_ = folder_ / "stations.toml";
  const std::string one_ = "[[variables]]\nname = \"a\"\ntype = \"binary\"\n";  // lines 1 to 3
  const std::string variables_ = read(std::filesystem::path(BOCS_TEST_DATA) / "stations.toml");
};

TEST_F(StudyFileTest, TheDefaultIsAValueForEveryVariable) {
  const std::string two = one_ + "[[variables]]\nname = \"kind\"\ntype = \"categorical\"\nlevels = [\"x\", \"y\"]\n";
  EXPECT_EQ(load(two).spec.task.present, Point());
  const StudySpec spec = load(two + "[default]\na = 1\nkind = \"y\"\n").spec;
  EXPECT_EQ(spec.task.present, (Point{1, 1}));
  EXPECT_EQ(spec_from_json(spec_to_json(spec)).task.present, (Point{1, 1}));
  EXPECT_EQ(differences(load(two).spec, spec), "default (was none, is a: 1; kind: y)");
  refused(two + "[default]\na = 1\n", {"stations.toml:8:", "kind"});
  refused(two + "[default]\na = 2\nkind = \"y\"\n", {"stations.toml:8:", "a"});
}

TEST_F(StudyFileTest, EveryKey) {
  std::ofstream(folder_ / "past.csv") << "a,value\n";
  const StudyFile file = load(variables_ + R"(
[study]
name = "the stations"
direction = "maximize"
trials = 200
initial = 20
seed = 7
lambda = 1e-4
penalty = "l2"
data = "past.csv"
[objective]
command = ["python3", "simulate.py", ""]
timeout = "10min"
retries = 2
attempts = 4
parallel = 3
[method]
spec = "bocs:order=2"
[store]
url = "sqlite:here.db"
)");
  const StudySpec& spec = file.spec;
  EXPECT_EQ(spec.name, "the stations");
  EXPECT_EQ(spec.sense, Sense::maximize);
  EXPECT_EQ(spec.trials, 200);
  EXPECT_EQ(spec.task.seed, 7U);
  EXPECT_EQ(spec.task.l1, 0);
  EXPECT_EQ(spec.task.l2, 1e-4);
  EXPECT_EQ(spec.method, "bocs:order=2,initial=20");
  EXPECT_EQ(spec.objective, (ObjectiveSpec{{"python3", "simulate.py", ""}, 600, 2}));
  EXPECT_EQ(spec.attempts, 4);
  EXPECT_EQ(spec.parallel, 3);
  EXPECT_EQ(file.store, "sqlite:" + (folder_ / "here.db").string());
  EXPECT_EQ(file.data, folder_ / "past.csv");
  EXPECT_NE(file.method, nullptr);
  const auto& variables = spec.task.space.coordinates();
  ASSERT_EQ(variables.size(), 7U);
  EXPECT_EQ(variables[0].name, "station[0]");
  EXPECT_EQ(variables[3].name, "station[3]");
  EXPECT_EQ(variables[5].labels, (std::vector<std::string>{"north", "south", "river"}));
  EXPECT_EQ(variables[6].low, -1);
  EXPECT_EQ(variables[6].levels, 10);
}

TEST_F(StudyFileTest, NumbersAsPeopleHaveThem) {
  const std::string text = R"(
[[variables]]
name = "rate"
type = "real"
low = 1e-4
high = 1
steps = 4
log = true
[[variables]]
name = "share"
type = "real"
low = 0
high = 1
step = 0.25
count = 2
[[variables]]
name = "batch"
type = "ordinal"
values = [16, 32, 64]
[[variables]]
name = "depth"
type = "integer"
low = 0
high = 30
step = 10
[[constraints]]
linear = { share = 1, "batch=64" = 0.5 }
"<=" = 1.5
[[constraints]]
forbidden = ["rate=0.01", "depth=30"]
)";
  const Task& task = load(text).spec.task;
  const auto& variables = task.space.coordinates();
  EXPECT_EQ(variables[0].values, (std::vector<double>{1e-4, 1e-3, 1e-2, 0.1, 1}));
  EXPECT_EQ(variables[1].name, "share[0]");
  EXPECT_EQ(variables[2].values, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(variables[3].values, (std::vector<double>{16, 32, 64}));
  EXPECT_EQ(variables[4].values, (std::vector<double>{0, 10, 20, 30}));
  EXPECT_TRUE(task.constraints.satisfied({2, 2, 2, 2, 2}));   // 0.5 + 0.5 + 0.5
  EXPECT_FALSE(task.constraints.satisfied({2, 2, 3, 2, 2}));  // 0.5 + 0.75 + 0.5
  EXPECT_FALSE(task.constraints.satisfied({2, 0, 0, 0, 3}));
  const auto real_with = [](const std::string& keys) {
    return "[[variables]]\nname = \"r\"\ntype = \"real\"\nlow = 0\n" + keys;
  };
  refused(real_with("steps = 3\n"), {"stations.toml:1:", "'high'", "missing"});
  refused(real_with("high = 1\nstep = 0.3\n"), {"stations.toml:5:", "step 0.3"});
  refused(real_with("high = 1\nstep = 0\n"), {"stations.toml:6:", "step", "above 0"});
  refused(real_with("high = 1\nsteps = 0\n"), {"stations.toml:6:", "steps", "from 1"});
  refused(real_with("high = 1\nlog = true\n"), {"stations.toml:5:", "low 0 with log"});
  refused(real_with("high = 1\nlog = 3\n"), {"stations.toml:6:", "log", "true or false"});
  refused(real_with("high = 1\nvalues = [1]\n"), {"stations.toml:6:", "'values'", "ordinal"});
  refused("[[variables]]\nname = \"r\"\ntype = \"float\"\n", {"stations.toml:3:", "real"});
  refused("[[variables]]\nname = \"o\"\ntype = \"ordinal\"\nvalues = [2, 1]\n", {"stations.toml:4:", "larger"});
}

TEST_F(StudyFileTest, LevelsKeepTheirTypes) {
  const auto file = load("[[variables]]\nname = \"c\"\ntype = \"categorical\"\nlevels = [16, 0.5, true, \"16 MB\"]\n");
  const std::vector<LevelValue> levels{std::int64_t{16}, 0.5, true, std::string("16 MB")};
  EXPECT_EQ(file.spec.task.space[0].typed, levels);
}

TEST_F(StudyFileTest, Defaults) {
  const StudyFile file = load(one_);
  EXPECT_EQ(file.spec.name, "stations");
  EXPECT_EQ(file.spec.sense, Sense::minimize);
  EXPECT_EQ(file.spec.trials, 100);
  EXPECT_EQ(file.spec.method, "bocs");
  EXPECT_EQ(file.spec.attempts, 10);
  EXPECT_EQ(file.spec.parallel, 0);
  EXPECT_TRUE(file.spec.objective.command.empty());
  EXPECT_TRUE(file.spec.task.constraints.empty());
  EXPECT_EQ(file.store, "sqlite:" + (folder_ / "stations.db").string());
  EXPECT_EQ(load(one_ + "[store]\nurl = \"postgresql://u@h/d\"\n").store, "postgresql://u@h/d");
  EXPECT_EQ(load("[study]\nlambda = 0.5\n" + one_).spec.task.l1, 0.5);
}

TEST_F(StudyFileTest, EveryKindOfConstraint) {
  const Choices stations{{"station[0]"}, {"station[1]"}, {"station[2]"}, {"station[3]"}};
  same("at_most = 2\nof = \"station\"\n", {at_most(2, stations)});
  same("at_least = 1\nof = [\"pump\", \"depot=river\", \"crew = -1\"]\n",
       {at_least(1, {{"pump"}, {"depot", "river"}, {"crew", "-1"}})});
  same("exactly = 2\nof = \"station=0\"\n",
       {exactly(2, {{"station[0]", "0"}, {"station[1]", "0"}, {"station[2]", "0"}, {"station[3]", "0"}})});
  same("exclusive = [\"pump\", \"station[2]\"]\n", {mutually_exclusive({{"pump"}, {"station[2]"}})});
  same("forbidden = [\"pump\", \"depot=north\"]\n", {forbidden({{"pump"}, {"depot", "north"}})});
  same("required = \"pump\"\n", {required({}, {{"pump"}})});
  same("if = \"depot=river\"\nthen = [\"pump\", \"crew=3\"]\n",
       {required({{"depot", "river"}}, {{"pump"}, {"crew", "3"}})});
  same("linear = { crew = 2, pump = -1.5, \"depot=river\" = 4 }\n\"<=\" = 9\n",
       {linear({{"crew", {}, 2}, {"depot", "river", 4}, {"pump", {}, -1.5}}, "<=", 9)});
  same("linear = { station = 1, crew = -1 }\n\">=\" = 0\n\"<=\" = 3\n",
       {linear({{"crew", {}, -1}, {"station[0]"}, {"station[1]"}, {"station[2]"}, {"station[3]"}}, "<=", 3),
        linear({{"crew", {}, -1}, {"station[0]"}, {"station[1]"}, {"station[2]"}, {"station[3]"}}, ">=", 0)});
  EXPECT_EQ(constraints("[[constraints]]\nrequired = \"pump\"\n[[constraints]]\nat_most = 1\nof = \"station\"\n")
                .list()
                .size(),
            2U);
}

TEST_F(StudyFileTest, ConstraintsAreNamedAsTheFileNamesThem) {
  const auto text = [&](const std::string& table) {
    return constraints("[[constraints]]\n" + table).list().front().text;
  };
  EXPECT_EQ(text("exactly = 2\nof = \"station\"\n"), "exactly 2 of station");
  EXPECT_EQ(text("at_most = 2\nof = [\"station\", \"depot=river\"]\n"), "at most 2 of station, depot=river");
  EXPECT_EQ(text("if = \"depot=river\"\nthen = [\"pump\", \"crew=3\"]\n"),
            "required: pump and crew=3 where depot=river");
  EXPECT_EQ(text("linear = { pump = -1.5, station = [9, 7, 6, 4], \"depot=river\" = 1 }\n\"<=\" = 9\n"),
            "[9 7 6 4] station - 1.5 pump + [depot=river] <= 9");
}

TEST_F(StudyFileTest, TablesAndRulesSayTheSame) {
  const auto both = [&](const std::string& table, const std::string& rule) {
    const Constraints one = constraints("[[constraints]]\n" + table);
    const Constraints other = constraints("[[constraints]]\nrule = \"" + rule + "\"\n");
    EXPECT_TRUE(one.same(other)) << rule;
    EXPECT_EQ(other.list().front().text, rule);
    ASSERT_EQ(one.feasible().rows().size(), 1U);
    const LinearRow &a = one.feasible().rows()[0], &b = other.feasible().rows()[0];
    EXPECT_EQ(std::pair(a.low, a.high), std::pair(b.low, b.high)) << rule;
    ASSERT_EQ(a.terms.size(), b.terms.size());
    for (std::size_t k = 0; k < a.terms.size(); ++k) {
      EXPECT_EQ(a.terms[k].by_level, b.terms[k].by_level) << rule;
      EXPECT_EQ(a.terms[k].slope, b.terms[k].slope) << rule;
    }
  };
  both("at_most = 2\nof = \"station\"\n", "count(station) <= 2");
  both("at_least = 1\nof = [\"pump\", \"depot=river\", \"crew = -1\"]\n",
       "count(pump, depot == river, crew == -1) >= 1");
  both("exactly = 2\nof = \"station=0\"\n", "count(station == 0) == 2");
  both("exclusive = [\"pump\", \"station[2]\"]\n", "count(pump, station[2]) <= 1");
  both("forbidden = [\"pump\", \"depot=north\"]\n", "not (pump and depot == 'north')");
  both("required = \"pump\"\n", "pump");
  both("if = \"depot=river\"\nthen = [\"pump\", \"crew=3\"]\n", "if depot == river then pump and crew == 3");
  both("linear = { crew = 2, pump = -1.5, \"depot=river\" = 4 }\n\"<=\" = 9\n",
       "2*crew - 1.5*pump + 4*(depot == river) <= 9");
}

TEST_F(StudyFileTest, TablesOfCombinations) {
  std::ofstream(folder_ / "pairs.csv") << "depot;pump\nriver;1\nnorth;0\n";
  std::ofstream(folder_ / "bad.csv") << "depot,pump\nlake,1\n";
  const Constraints allowed = constraints("[[constraints]]\nallowed = \"pairs.csv\"\n");
  const Constraints forbidden = constraints("[[constraints]]\nforbidden = \"pairs.csv\"\n");
  EXPECT_EQ(allowed.list().front().text, "allowed: the 2 rows of pairs.csv");
  const Space& space = allowed.feasible().space();
  Rng rng(1, "tables");
  for (int k = 0; k < 50; ++k) {
    const Point x = space.random(rng);
    const bool river =
        x[static_cast<std::size_t>(space.index("depot"))] == parse_level(space[space.index("depot")], "river");
    const bool north =
        x[static_cast<std::size_t>(space.index("depot"))] == parse_level(space[space.index("depot")], "north");
    const bool pump = x[static_cast<std::size_t>(space.index("pump"))] == 1;
    EXPECT_EQ(allowed.satisfied(x), (river && pump) || (north && !pump));
    EXPECT_NE(allowed.satisfied(x), forbidden.satisfied(x));
  }
  const std::string head = variables_ + "[[constraints]]\n";
  refused(head + "allowed = \"nothere.csv\"\n", {"stations.toml:19:", "no such file"});
  refused(head + "allowed = \"bad.csv\"\n", {"stations.toml:19:", "lake"});
}

TEST_F(StudyFileTest, MistakesInRules) {
  const std::string head = variables_ + "[[constraints]]\n";
  refused(head + "rule = \"statoin <= 2\"\n", {"stations.toml:19:", "column 1", "did you mean 'station'"});
  refused(head + "rule = \"crew +\"\n", {"stations.toml:19:", "column 7"});
  refused(head + "rule = \"crew >= 99\"\n", {"stations.toml:18:", "'crew >= 99'"});
  refused(head + "rule = 3\n", {"stations.toml:19:", "found 3"});
  refused(head + "rule = \"pump\"\nrequired = \"pump\"\n", {"2 kinds"});
}

TEST_F(StudyFileTest, WeightsAsAList) {
  same("linear = { station = [9, 7, 6.5, 4] }\n\"<=\" = 9\n",
       {linear({{"station[0]", {}, 9}, {"station[1]", {}, 7}, {"station[2]", {}, 6.5}, {"station[3]", {}, 4}},
               "<=", 9)});
  refused(variables_ + "[[constraints]]\nlinear = { station = [9, 7] }\n\"<=\" = 9\n",
          {"stations.toml:19:", "station", "4 numbers"});
}

TEST_F(StudyFileTest, ArraysWithNames) {
  const std::string array = "[[variables]]\nname = \"f\"\ntype = \"binary\"\n";
  const Space space = load(array + "names = [\"mean radius\", \"größe\"]\n").spec.task.space;
  ASSERT_EQ(space.dimension(), 2);
  EXPECT_EQ(space[0].name, "f[mean radius]");
  EXPECT_EQ(space[1].name, "f[größe]");
  EXPECT_EQ(load(array + "names = [\"a\"]\ncount = 1\n").spec.task.space.dimension(), 1);
  refused(array + "names = [\"a\", \"b\"]\ncount = 3\n", {"stations.toml:5:", "3", "2"});
  refused(array + "names = [\"a\", \"a\"]\n", {"stations.toml:4:", "once"});
  refused(array + "names = [\"a]\"]\n", {"stations.toml:4:", "a]"});
  refused(array + "names = []\n", {"stations.toml:4:", "a list of texts"});
}

TEST_F(StudyFileTest, AVariableCalledLikeAnArrayIsMeantByItsName) {
  const std::string alone = "[[variables]]\nname = \"x\"\ntype = \"binary\"\n";
  const std::string member = "[[variables]]\nname = \"x[0]\"\ntype = \"binary\"\n";
  for (const std::string& both : {alone + member, member + alone}) {
    const auto list = load(both + "[[constraints]]\nrequired = \"x\"\n").spec.task.constraints.list();
    ASSERT_EQ(list.size(), 1U);
    ASSERT_EQ(list[0].terms.size(), 1U);
    EXPECT_EQ(list[0].terms[0].variable, "x");
  }
}

TEST_F(StudyFileTest, KeepAliveAndKeepGoing) {
  const std::string objective = one_ + "[objective]\ncommand = [\"sh\", \"a.sh\"]\n";
  EXPECT_FALSE(load(objective).spec.objective.keep_alive);
  EXPECT_TRUE(load(objective + "keep_alive = true\n").spec.objective.keep_alive);
  EXPECT_TRUE(load(objective + "keep_going = true\n").spec.objective.keep_going);
  refused(objective + "keep_alive = 1\n", {"stations.toml:6:", "true or false"});
  refused(one_ + "[objective]\ncommand = [\"sh\", \"{a}\"]\nkeep_alive = true\n",
          {"stations.toml:5:", "'{a}'", "keep_alive"});
}

TEST_F(StudyFileTest, MistakesInConstraints) {
  const std::string head = variables_ + "[[constraints]]\n";  // line 18, the next line is 19
  refused(head + "at_most = 2\nof = \"statoin\"\n", {"stations.toml:20:", "'statoin'", "did you mean 'station'"});
  refused(head + "at_most = -2\nof = \"station\"\n", {"stations.toml:19:", "-2", "0 to"});
  refused(head + "at_most = 2\n", {"stations.toml:18:", "'of'", "missing"});
  refused(head + "at_mots = 2\nof = \"station\"\n", {"stations.toml:19:", "'at_mots'", "did you mean 'at_most'"});
  refused(head + "of = \"station\"\n", {"stations.toml:18:", "0 kinds", "exclusive"});
  refused(head + "exclusive = [\"pump\"]\nrequired = \"pump\"\n", {"2 kinds"});
  refused(head + "at_most = 2\nforbidden = [\"pump\"]\n", {"2 kinds"});  // not: 'of' is missing
  refused(head + "forbidden = [\"pump\"]\nof = \"station\"\n", {"'of' without"});
  refused(head + "required = \"pump\"\n\"<=\" = 3\n", {"'<=' without"});
  refused(head + "required = \"depot=lake\"\n", {"stations.toml:19:", "lake", "river"});
  refused(head + "required = \"depot\"\n", {"stations.toml:19:", "depot=north"});
  refused(head + "required = []\n", {"stations.toml:19:", "at least one"});
  refused(head + "required = 3\n", {"stations.toml:19:", "found 3"});
  refused(head + "linear = { crew = 1 }\n", {"stations.toml:19:", "no bound"});
  refused(head + "linear = { depot = 1 }\n\"<=\" = 3\n", {"stations.toml:19:", "depot=north"});
  refused(head + "linear = { crew = \"1\" }\n\"<=\" = 3\n", {"stations.toml:19:", "finite number"});
  refused(head + "if = \"pump\"\n", {"'then'", "missing"});
  refused(head + "linear = { crew = 1 }\n\"<=\" = -5\n", {"stations.toml:18:"});  // no point satisfies it
  refused("constraints = 3\n" + one_, {"stations.toml:1:", "[[constraints]]"});
}

TEST_F(StudyFileTest, MistakesAreNamedWithLineAndWhatIsAllowed) {
  refused("[study]\nname = \"a\"\n", {"stations.toml", "'variables'", "missing"});
  refused("[[variable]]\nname = \"a\"\n", {"stations.toml:1:", "'variable'", "did you mean 'variables'?"});
  refused("[study]\ntrails = 3\n" + one_, {"stations.toml:2:", "'trails'", "seed", "did you mean 'trials'?"});
  refused("[stduy]\ntrials = 3\n" + one_, {"stations.toml:1:", "'stduy'", "did you mean 'study'?"});
  refused("[study]\nname = \"a\\u0000b\"\n" + one_, {"stations.toml:2:", "name", "without NUL"});
  refused("[study]\ntrials = 0\n" + one_, {"stations.toml:2:", "trials", "found 0", "from 1"});
  refused("[study]\ntrials = \"3\"\n" + one_, {"stations.toml:2:", "found '3'", "whole number"});
  refused("[study]\ndirection = \"maximise\"\n" + one_, {"stations.toml:2:", "did you mean 'maximize'?"});
  refused("[study]\nuntil = \"gain > 1\"\n" + one_, {"stations.toml:2:", "gain < 0.01"});
  refused("[study]\nlambda = -1\n" + one_, {"stations.toml:2:", "found -1", "not negative"});
  refused("[study]\nlambda = nan\n" + one_, {"stations.toml:2:", "finite"});
  refused("[study]\ndata = \"none.csv\"\n" + one_, {"stations.toml:2:", "none.csv"});
  refused("study = 3\n" + one_, {"stations.toml:1:", "[study]", "a table"});
  refused(one_ + "count = 0\n", {"stations.toml:4:", "count", "from 1"});
  refused(one_ + "count = 2000000000\n", {"stations.toml:4:", "count", "1000000"});
  refused(one_ + "low = 0\n", {"stations.toml:4:", "'low'", "integer"});
  refused(one_ + one_, {"stations.toml:5:", "two variables", "'a'"});
  refused(one_ + "[[variables]]\nname = \"b\"\n", {"stations.toml:4:", "'type'", "missing"});
  refused("[[variables]]\nname = \"a\"\ntype = \"bool\"\n", {"stations.toml:3:", "'bool'", "binary, integer"});
  refused("[[variables]]\nname = \"a\"\ntype = \"integer\"\nlow = 3\nhigh = 1\n",
          {"stations.toml:5: high: found 1", "from 3"});
  const std::string categorical = "[[variables]]\nname = \"a\"\ntype = \"categorical\"\n";
  refused(categorical + "levels = [\"x\", [3]]\n", {"stations.toml:4:", "levels"});
  refused(categorical + "levels = [\"3\", 3]\n", {"stations.toml:4:", "'3' twice"});
  refused("[[variables]]\nname = \"a=b\"\ntype = \"binary\"\n", {"stations.toml:2:", "a=b"});
  refused("[[variables]]\nname = \"a\\u001b[2J\"\ntype = \"binary\"\n", {"stations.toml:2:", "control"});
  refused(one_ + "[objective]\ncommand = \"python3 simulate.py\"\n", {"stations.toml:5:", "a list of texts"});
  refused(one_ + "[objective]\ncommand = [\"a\", 3]\n", {"stations.toml:5:", "found 3"});
  refused(one_ + "[objective]\ntimeout = \"10 minutes\"\n", {"stations.toml:5:", "timeout", "'10 minutes'", "10min"});
  refused(one_ + "[objective]\ntimeout = -3\n", {"stations.toml:5:", "found -3"});
  refused(one_ + "[objective]\nattempts = 0\n", {"stations.toml:5:", "attempts", "found 0", "from 1"});
  refused(one_ + "[method]\nspec = \"bogus\"\n", {"stations.toml:5:", "'bogus'"});
  refused(one_ + "[method]\nspec = \"bocs:order=99\"\n", {"stations.toml:5:", "order=99"});
  refused(one_ + "[method]\nspec = = 3\n", {"stations.toml:5:"});
  refused(one_ + "[store]\nurl = \"stations.db\"\n", {"stations.toml:5:", "'stations.db'", "sqlite:FILE"});
  refused(one_ + "[store]\nurl = \"sqlite:\"\n", {"stations.toml:5:", "sqlite:FILE"});
  EXPECT_THROW(load_study_file(folder_ / "none.toml"), InvalidArgument);
}

TEST_F(StudyFileTest, NamesMayBeAnyText) {
  const StudyFile file = load(
      "[study]\nname = \"'; DROP TABLE study; --\"\n[[variables]]\nname = \"\\\"q, 'r'\"\n"
      "type = \"categorical\"\nlevels = [\"'); --\", \"ü\"]\n");
  EXPECT_EQ(file.spec.name, "'; DROP TABLE study; --");
  EXPECT_EQ(file.spec.task.space[0].name, "\"q, 'r'");
}

TEST(Duration, Units) {
  EXPECT_EQ(parse_duration("30"), 30);
  EXPECT_EQ(parse_duration("30s"), 30);
  EXPECT_EQ(parse_duration("500 ms"), 0.5);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  EXPECT_EQ(parse_duration("2d"), 172800);
  for (const char* wrong : {"", "s", "-1s", "1 m", "inf", "nan", "3 s s"}) {
    EXPECT_THROW(parse_duration(wrong), InvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace bocs

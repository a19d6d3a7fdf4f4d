// What the page is given, as data: no browser. That the keys are those of web/schema.json is checked by schema_test.py.

#include "bocs/report/study_data.hpp"

#include <gtest/gtest.h>

#include "bocs/run/work.hpp"
#include "bocs/study/store.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

class StudyData : public testing::Test {
 protected:
  Study make(StudySpec spec) {
    Store store("sqlite:" + (folder_.path() / "studies.db").string(), {.create = true});
    return store.create(spec);
  }

 private:
  TemporaryFolder folder_;
};

/// 5 x0 - 3 x1 x2 + 2, which the model can say exactly.
double truth(const Point& x) { return 5 * x[0] - 3 * x[1] * x[2] + 2; }

StudySpec bits(int trials, const std::string& method) {
  StudySpec spec{"bits", {Space::binary(8), 0, 0, 5}};
  spec.method = method;
  spec.trials = trials;
  return spec;
}

/// As the page reads it: six levels per letter of base64, the first in the highest bit.
Point point_of(const std::string& text, std::size_t size) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Point x;
  for (std::size_t i = 0; i < size; ++i) {
    x.push_back(static_cast<std::int32_t>(letters.find(text[i / 6]) >> (5 - i % 6) & 1U));
  }
  return x;
}

TEST_F(StudyData, ColumnsAreTheTrials) {
  Study study = make(bits(12, "random"));
  work(study, callback([](const Point& x) {
         if (x[3] == 1) throw std::runtime_error("no licence");
         return truth(x);
       }),
       {.trials = 12, .keep_going = true});
  const Json trials = study_data(study, {})["trials"];
  ASSERT_EQ(trials["number"].size(), 12U);
  int failed = 0;
  for (const Trial& trial : study.history().trials()) {
    const auto i = static_cast<std::size_t>(trial.number);
    EXPECT_EQ(point_of(trials["point"][i], 8), trial.x);
    const bool is_failed = trial.x[3] == 1;
    EXPECT_EQ(trials["state"].get<std::string>()[i], is_failed ? 'f' : 'c');
    EXPECT_EQ(trials["value"][i].is_null(), is_failed);
    if (!is_failed) {
      EXPECT_EQ(trials["value"][i].get<double>(), truth(trial.x));
    }
    EXPECT_EQ(trials["error"].contains(std::to_string(trial.number)), is_failed);
    failed += is_failed ? 1 : 0;
  }
  EXPECT_GT(failed, 0);
  EXPECT_FALSE(trials.contains("total"));  // the same as the value
}

/// What a page knows after the news is what a page that comes later is told.
TEST_F(StudyData, NewsAddUpToTheWhole) {
  Study study = make(bits(20, "random"));
  for (int i = 0; i < 8; ++i) study.tell(study.ask().number, truth(Point(8, i % 2)));
  Json known = study_data(study, {});
  const int open = study.ask().number;
  study.tell(study.ask().number, Outcome::failure("broken"));
  study.strike(3, "typing error");
  study.refresh();
  study.pause(true);
  const Json news = study_news(study, {3, open, open + 1});
  EXPECT_EQ(news["trials"]["number"], Json({3, open, open + 1}));
  for (const auto& [key, value] : news.items()) {
    if (key != "trials") known[key] = value;
  }
  const Json whole = study_data(study, {});
  for (const auto& [key, value] : whole.items()) {
    if (key == "trials" || key == "made" || key == "claims") continue;
    EXPECT_EQ(known[key], value) << key;
  }
  const Json &columns = news["trials"], &all = whole["trials"];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto place = columns["number"][i].get<std::size_t>();
    for (const char* column : {"point", "value", "seconds", "thinking", "predicted", "bound"}) {
      EXPECT_EQ(columns[column][i], all[column][place]) << column;
    }
    for (const auto& [column, names] : {std::pair("origin", "origins"), {"member", "members"}, {"worker", "workers"}}) {
      EXPECT_EQ(columns[names][columns[column][i].get<std::size_t>()],
                all[names][all[column][place].get<std::size_t>()]);
    }
    EXPECT_EQ(columns["state"].get<std::string>()[i], all["state"].get<std::string>()[place]);
  }
  EXPECT_EQ(all["state"].get<std::string>(),
            "cccscccc"
            "rf");
}

TEST_F(StudyData, RecommendsUnderNoiseAlone) {
  Study exact = make(bits(10, "bocs:order=2,initial=8"));
  work(exact, callback(truth), {.trials = 10});
  EXPECT_TRUE(recommended_data(exact).is_null());
  StudySpec spec = bits(10, "bocs:order=2,initial=8,noise=true");
  spec.name = "noise";
  Study noisy = make(spec);
  work(noisy, callback(truth), {.trials = 10});
  const Json answer = recommended_data(noisy);
  ASSERT_FALSE(answer.is_null());
  const Recommendation recommended = noisy.recommend();
  EXPECT_EQ(point_of(answer["point"], 8), recommended.x);
  EXPECT_EQ(answer["total"].get<double>(), noisy.shown(recommended.value));
}

/// The packed draws of the posterior are a model that knows the function.
TEST_F(StudyData, TheModelOfThePagePredicts) {
  Study study = make(bits(60, "bocs:order=2,initial=40"));
  work(study, callback(truth), {.trials = 60});
  const Json posterior = learnt_data(study, 1)["posterior"];
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string packed = posterior["rows"];
  std::vector<unsigned> bytes;
  for (std::size_t i = 0; i + 4 <= packed.size(); i += 4) {
    unsigned group = 0;
    for (std::size_t k = i; k < i + 4; ++k) {
      const auto digit = letters.find(packed[k]);
      group = group << 6U | (digit == std::string::npos ? 0U : static_cast<unsigned>(digit));
    }
    for (const unsigned shift : {16U, 8U, 0U}) bytes.push_back(group >> shift & 255U);
  }
  const std::size_t terms = posterior["terms"].size();
  ASSERT_GE(bytes.size(), 2 * terms * posterior["units"].size());
  for (const Trial& trial : study.history().trials()) {
    double mean = posterior["intercepts"][0];
    for (std::size_t k = 0; k < terms; ++k) {
      double product = 1;
      for (const std::size_t f : posterior["terms"][k]) {
        const Json& feature = posterior["features"][f];  // [variable, level, scale, square]
        product *= trial.x[feature[0].get<std::size_t>()] == feature[1].get<int>() ? 1 : 0;
      }
      const auto number = static_cast<std::int16_t>(bytes[2 * k] | bytes[2 * k + 1] << 8U);
      mean += posterior["units"][0].get<double>() * number * product;
    }
    EXPECT_NEAR(mean, truth(trial.x), 0.05) << trial.number;
  }
}

}  // namespace
}  // namespace bocs

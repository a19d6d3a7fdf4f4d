// What the model has learnt, small enough for a page.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bocs/base/error.hpp"
#include "bocs/method/explaining_draws.hpp"
#include "bocs/method/remaining.hpp"
#include "bocs/poly/design.hpp"
#include "bocs/report/study_data.hpp"

namespace bocs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kEffects = 120;    // listed with their intervals
constexpr std::size_t kTerms = 1500;     // that the page computes with: the strongest
constexpr std::size_t kNumbers = 30000;  // terms times draws, two bytes each

Json short_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::strtod(text, nullptr);
}

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? bytes[i + k] : 0U);
    for (int k = 3; k >= 0; --k) text += kLetters[group >> (6 * k) & 63U];
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  text.replace(text.size() - missing, missing, missing, '=');
  return text;
}

/// Rows of numbers as 16-bit integers, little-endian, each row in units of its own.
struct Packed {
  Json units = Json::array();
  std::vector<unsigned char> bytes;

  void add(const std::vector<double>& row) {
    double largest = 0;
    for (const double value : row) largest = std::max(largest, std::abs(value));
    const double unit = largest > 0 ? largest / 32767 : 1;
    units.push_back(unit);
    for (const double value : row) {
      const auto whole = static_cast<std::int16_t>(std::lround(value / unit));
      bytes.push_back(static_cast<unsigned char>(whole & 0xff));
      bytes.push_back(static_cast<unsigned char>(whole >> 8 & 0xff));
    }
  }
};

/// The terms with the largest sums of squares over the draws, in their own order.
std::vector<int> strongest(const ExplainingDraws& posterior) {
  std::vector<std::pair<double, int>> sizes;
  for (const int k : posterior.terms) {
    double size = 0;
    for (const Draw& draw : posterior.draws) size += draw.alpha[k] * draw.alpha[k];
    sizes.emplace_back(-size, k);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.resize(std::min(sizes.size(), kTerms));
  std::vector<int> kept;
  for (const auto& [size, k] : sizes) kept.push_back(k);
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// What the terms that are left out add to a draw at the measured points: their mean goes into the intercept.
Vector left_out(const ExplainingDraws& posterior, const Design& X, const std::vector<int>& kept, const Draw& draw) {
  Vector alpha = Vector::Zero(X.cols());
  for (const int k : posterior.terms) alpha[k] = draw.alpha[k];
  for (const int k : kept) alpha[k] = 0;
  return X.times(alpha);
}

Json posterior_data(const Study& study, const ExplainingDraws& posterior) {
  const Basis& basis = *posterior.basis;
  const std::vector<int> kept = strongest(posterior);
  Json out;
  for (const auto& f : basis.features()) out["features"].push_back({f.variable, f.level, f.scale, f.square ? 1 : 0});
  out["terms"] = Json::array();
  for (const int k : kept) {
    const auto factors = basis.monomial(k);
    out["terms"].push_back(std::vector<int>(factors.begin(), factors.end()));
  }
  std::vector<Point> points;
  for (const Trial* trial : study.history().complete()) points.push_back(trial->x);
  const Design X(posterior.basis, points);
  const bool thinned = kept.size() < posterior.terms.size();

  const std::size_t wanted = std::clamp<std::size_t>(kNumbers / std::max<std::size_t>(1, kept.size()), 16, 64);
  const std::size_t step = std::max<std::size_t>(1, posterior.draws.size() / wanted);
  std::vector<double> mean(kept.size(), 0.0);
  double intercept = 0, spread = 0;
  const auto count = static_cast<double>(posterior.draws.size());
  Packed packed;
  Json intercepts = Json::array();
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < posterior.draws.size(); ++i) {
    const Draw& draw = posterior.draws[i];
    double shift = 0;
    if (thinned) {
      const Vector rest = left_out(posterior, X, kept, draw);
      shift = rest.mean();
      spread += (rest.array() - shift).square().mean() / count;
    }
    std::vector<double> row;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      row.push_back(draw.alpha[kept[k]]);
      mean[k] += row.back() / count;
    }
    intercept += (draw.intercept + shift) / count;
    if (i % step != 0) continue;
    rows.push_back(std::move(row));
    intercepts.push_back(short_number(draw.intercept + shift));
  }
  packed.add(mean);  // of all draws; the rows that follow show how far they scatter
  for (const auto& row : rows) packed.add(row);
  intercepts.insert(intercepts.begin(), short_number(intercept));
  out["intercepts"] = std::move(intercepts);
  for (const auto& unit : packed.units) out["units"].push_back(short_number(unit.get<double>()));
  out["rows"] = base64(packed.bytes);
  out["all_terms"] = posterior.terms.size();
  out["left_out_deviation"] = short_number(std::sqrt(spread));
  return out;
}

/// What was left after some of the trials, each as it was known then, and after the last one.
Json remaining_data(const Study& study) {
  constexpr int kRows = 12;
  const auto trials = study.history().trials();
  const int all = study.history().size();
  const auto after = [&](int count) {
    History history;
    for (const Trial& trial : trials.first(static_cast<std::size_t>(count))) history.add(trial);
    return remaining_gain(study.method(), study.task(), history);
  };
  Json rows = Json::array();
  const Remaining now = after(all);
  for (int k = 1; k <= kRows; ++k) {
    const int count = all * k / kRows;
    const Remaining then = k == kRows ? now : after(count);
    if (count == 0 || !then.is_known()) continue;
    rows.push_back({trials[static_cast<std::size_t>(count) - 1].number, short_number(then.mean), short_number(then.low),
                    short_number(then.high), short_number(then.chance_optimal)});
  }
  return {{"why_not", now.why_not}, {"rows", std::move(rows)}};
}

}  // namespace

Json learnt_data(const Study& study, int threads) {
  Json out = {{"explanation", nullptr}, {"posterior", nullptr}, {"remaining", remaining_data(study)}};
  if (study.history().complete().size() < 2) return out;
  const ExplainingDraws posterior = explaining_draws(study.method(), study.task(), study.history(), study.sense(),
                                                     {.order = 0, .draws = 0, .sweeps = 0, .threads = threads});
  if (posterior.terms.empty()) return out;
  const Explanation explanation = explain(posterior);
  Json& shown = out["explanation"];
  shown = {{"order", explanation.order},
           {"own", explanation.own},
           {"trials", explanation.trials},
           {"draws", explanation.draws},
           {"terms", explanation.effects.size()},
           {"sure", explanation.sure()},
           {"matter", explanation.matter()},
           {"shares", Json::array()},
           {"effects", Json::array()}};
  for (const auto& share : explanation.shares) {
    shown["shares"].push_back({share.variable, share.mean, share.low, share.high});
  }
  for (const auto& effect : explanation.effects) {
    if (shown["effects"].size() == kEffects) break;
    shown["effects"].push_back({effect.names, effect.mean, effect.low, effect.high, effect.probability});
  }
  out["posterior"] = posterior_data(study, posterior);
  return out;
}

}  // namespace bocs

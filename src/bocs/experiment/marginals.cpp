#include "bocs/experiment/marginals.hpp"

#include <numbers>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

constexpr int kPoints = 121;           // of a curve
constexpr double kSide = 330;          // of a panel, in pixels
constexpr double kReach = 3.5;         // standard deviations of the reference that are drawn
constexpr double kRadius2 = 5.991465;  // 95 % quantile of chi-square with two degrees of freedom

using Curve = std::vector<ChartPoint>;

ChartPoint place(double x, double y) { return {x, y, y, y}; }

Curve density(const OutputDistribution& outputs, Eigen::Index i, double low, double high) {
  const double variance = outputs.covariance(i, i);
  Curve curve;
  for (int k = 0; k < kPoints; ++k) {
    const double x = low + (high - low) * k / (kPoints - 1);
    const double z2 = (x - outputs.mean[i]) * (x - outputs.mean[i]) / variance;
    curve.push_back(place(x, std::exp(-z2 / 2) / std::sqrt(2 * std::numbers::pi * variance)));
  }
  return curve;
}

/// mean + r L u over the unit circle u, with LL' the covariance of outputs i and j.
Curve ellipse(const OutputDistribution& outputs, Eigen::Index i, Eigen::Index j) {
  const double first = std::sqrt(outputs.covariance(i, i));
  const double along = outputs.covariance(i, j) / first;
  const double across = std::sqrt(std::max(0.0, outputs.covariance(j, j) - along * along));
  const double radius = std::sqrt(kRadius2);
  Curve curve;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2 * std::numbers::pi * k / (kPoints - 1);
    const double u = radius * std::cos(angle);
    const double v = radius * std::sin(angle);
    curve.push_back(place(outputs.mean[i] + first * u, outputs.mean[j] + along * u + across * v));
  }
  return curve;
}

std::string axis(const OutputDistribution& outputs, Eigen::Index i) {
  const auto slot = static_cast<std::size_t>(i);
  const std::string unit = outputs.units[slot] == "1" ? "" : " / " + outputs.units[slot];
  return outputs.names[slot] + unit;
}

struct Panel {
  std::string name;  // "fuel burn" or "lift coefficient, fuel burn"
  PlacedChart place;
};

/// Panels are laid on a grid of squares from the upper left.
std::vector<Panel> panels(const OutputComparison& outputs) {
  const OutputDistribution& reference = outputs.reference;
  const Eigen::Index n = reference.mean.size();
  const auto reach = [&](Eigen::Index i) {
    const double widest = std::sqrt(std::max(reference.covariance(i, i), outputs.simplified.covariance(i, i)));
    return ChartRange{reference.mean[i] - kReach * widest, reference.mean[i] + kReach * widest};
  };
  std::vector<Panel> result;
  for (Eigen::Index row = 0; row < n; ++row) {
    for (Eigen::Index column = 0; column <= row; ++column) {
      Panel panel;
      const std::string& name = reference.names[static_cast<std::size_t>(row)];
      const bool single = row == column;
      panel.name = single ? name : reference.names[static_cast<std::size_t>(column)] + ", " + name;
      const auto curve = [&](const OutputDistribution& of) {
        return single ? density(of, row, reach(row).low, reach(row).high) : ellipse(of, column, row);
      };
      Chart& chart = panel.place.chart;
      chart.x_label = axis(reference, column);
      chart.y_label = single ? "density" : axis(reference, row);
      chart.series = {{"reference", ChartStyle::line, curve(reference)},
                      {"simplified", ChartStyle::dashed, curve(outputs.simplified)}};
      chart.legend = false;
      chart.x_range = reach(column);
      if (!single) chart.y_range = reach(row);
      panel.place.x = kSide * static_cast<double>(column);
      panel.place.y = kSide * static_cast<double>(row);
      panel.place.width = panel.place.height = kSide;
      result.push_back(std::move(panel));
    }
  }
  return result;
}

}  // namespace

Figure marginals_figure(const std::string& name, const OutputComparison& outputs) {
  require(outputs.simplified.covariance.diagonal().minCoeff() > 0,
          [] { return std::string("an output of the simplified model does not vary: it has no density to draw"); });
  Figure figure{name, "panel,model,x,y\n", {}, {}};
  std::vector<PlacedChart> places;
  for (const Panel& panel : panels(outputs)) {
    for (const auto& series : panel.place.chart.series) {
      for (const auto& p : series.points) {
        figure.csv += "\"" + panel.name + "\"," + series.name + "," + shortest(p.x) + "," + shortest(p.y) + "\n";
      }
    }
    places.push_back(panel.place);
  }
  const double side = kSide * static_cast<double>(outputs.reference.mean.size());
  figure.svg = to_svg(places, side, side, "ellipses hold 95 % of a distribution");
  return figure;
}

}  // namespace bocs

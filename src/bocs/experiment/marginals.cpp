#include "bocs/experiment/marginals.hpp"

#include <array>
#include <numbers>

#include "bocs/core/error.hpp"
#include "bocs/core/text.hpp"

namespace bocs {
namespace {

constexpr int kPoints = 121;           // of a curve
constexpr double kReach = 3.5;         // standard deviations of the reference that are drawn
constexpr double kRadius2 = 5.991465;  // 95 % quantile of chi-square with two degrees of freedom

using Curve = std::vector<std::array<double, 2>>;

Curve density(const OutputDistribution& outputs, Eigen::Index i, double low, double high) {
  const double variance = outputs.covariance(i, i);
  Curve curve;
  for (int k = 0; k < kPoints; ++k) {
    const double x = low + (high - low) * k / (kPoints - 1);
    const double z2 = (x - outputs.mean[i]) * (x - outputs.mean[i]) / variance;
    curve.push_back({x, std::exp(-z2 / 2) / std::sqrt(2 * std::numbers::pi * variance)});
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
    curve.push_back({outputs.mean[i] + first * u, outputs.mean[j] + along * u + across * v});
  }
  return curve;
}

std::string axis(const OutputDistribution& outputs, Eigen::Index i) {
  const auto slot = static_cast<std::size_t>(i);
  const std::string unit = outputs.units[slot] == "1" ? "" : " / " + outputs.units[slot];
  return gnuplot_text(outputs.names[slot] + unit);
}

struct Panel {
  std::string name;  // "fuel burn" or "lift coefficient, fuel burn"
  std::string settings;
  std::array<Curve, 2> curves;
};

std::vector<Panel> panels(const OutputComparison& outputs) {
  const OutputDistribution& reference = outputs.reference;
  const Eigen::Index n = reference.mean.size();
  const auto reach = [&](Eigen::Index i) {
    const double widest = std::sqrt(std::max(reference.covariance(i, i), outputs.simplified.covariance(i, i)));
    return std::array{reference.mean[i] - kReach * widest, reference.mean[i] + kReach * widest};
  };
  const auto range = [&](const char* letter, Eigen::Index i) {
    return std::string("set ") + letter + "range [" + shortest(reach(i)[0]) + ":" + shortest(reach(i)[1]) + "]\n";
  };
  std::vector<Panel> result;
  for (Eigen::Index row = 0; row < n; ++row) {
    for (Eigen::Index column = 0; column <= row; ++column) {
      Panel panel;
      // Panels are laid on a grid of squares from the upper left.
      const double side = 1.0 / static_cast<double>(n);
      panel.settings = "set size " + shortest(side) + "," + shortest(side) + "\nset origin " +
                       shortest(side * static_cast<double>(column)) + "," +
                       shortest(1 - side * static_cast<double>(row + 1)) + "\n" + range("x", column) + "set xlabel " +
                       axis(reference, column) + "\n";
      if (row == column) {
        panel.name = reference.names[static_cast<std::size_t>(row)];
        panel.settings += "set yrange [0:*]\nset ylabel 'density'\n";
        panel.curves = {density(reference, row, reach(row)[0], reach(row)[1]),
                        density(outputs.simplified, row, reach(row)[0], reach(row)[1])};
      } else {
        panel.name =
            reference.names[static_cast<std::size_t>(column)] + ", " + reference.names[static_cast<std::size_t>(row)];
        panel.settings += range("y", row) + "set ylabel " + axis(reference, row) + "\n";
        panel.curves = {ellipse(reference, column, row), ellipse(outputs.simplified, column, row)};
      }
      result.push_back(std::move(panel));
    }
  }
  return result;
}

}  // namespace

Figure marginals_figure(const std::string& name, const OutputComparison& outputs) {
  require(outputs.simplified.covariance.diagonal().minCoeff() > 0,
          [] { return std::string("an output of the simplified model does not vary: it has no density to draw"); });
  const std::array<std::string, 2> models = {"reference", "simplified"};
  Figure figure{name, "panel,model,x,y\n", {}};
  std::string drawing;
  int number = 0;
  for (const Panel& panel : panels(outputs)) {
    drawing += panel.settings;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const std::string data = "$curve" + std::to_string(number++);
      figure.script += data + " << END\n";
      for (const auto& [x, y] : panel.curves[m]) {
        figure.script += shortest(x) + " " + shortest(y) + "\n";
        figure.csv += "\"" + panel.name + "\"," + models[m] + "," + shortest(x) + "," + shortest(y) + "\n";
      }
      figure.script += "END\n";
      drawing += (m == 0 ? "plot " : ", ") + data + " using 1:2 with lines lt " + std::to_string(m + 1) + " lw 2 " +
                 (m == 0 ? "" : "dt 2 ") + (number <= 2 ? "title " + gnuplot_text(models[m]) : "notitle");
    }
    drawing += number == 2 ? "\nunset label\n" : "\n";
  }
  figure.script +=
      "set linetype 1 lc rgb '#0072B2'\nset linetype 2 lc rgb '#D55E00'\nset tics nomirror\nset border 3\n"
      "set grid back lc rgb '#dddddd'\nset xtics rotate by -35\nset key at screen 0.4,0.94 left top Left reverse\n"
      "set lmargin 11\nset rmargin 3\nset bmargin 5\n";  // the same for all, so that panels stand below each other
  const auto page = [&](const std::string& terminal, const std::string& ending) {
    figure.script += "set terminal " + terminal + "\nset output " + gnuplot_text(name + ending) + "\nset multiplot\n" +
                     "set label 'ellipses hold 95 % of a distribution' at screen 0.4,0.96\n" + drawing +
                     "unset multiplot\n";
  };
  page("svg size 1080,960 font 'DejaVu Sans,12' background rgb 'white'", ".svg");
  page("pdfcairo size 24cm,21cm font 'DejaVu Sans,9'", ".pdf");
  return figure;
}

}  // namespace bocs

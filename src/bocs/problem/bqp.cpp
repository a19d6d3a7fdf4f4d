#include "bocs/problem/bqp.hpp"

#include <cmath>
#include <memory>

#include "bocs/base/error.hpp"
#include "bocs/problem/binary.hpp"
#include "bocs/problem/instance_file.hpp"

namespace bocs {
namespace {

Matrix draw(const BqpOptions& options, std::uint64_t instance) {
  const double scale = options.decay == "lc" ? options.lc : options.lc * options.lc;
  Rng rng(instance, "bqp");
  Matrix Q(options.d, options.d);
  for (int i = 0; i < options.d; ++i) {
    for (int j = 0; j < options.d; ++j) Q(i, j) = rng.normal() * std::exp(-(i - j) * (i - j) / scale);
  }
  return Q;
}

double evaluate(const Matrix& Q, const Point& x) {
  double sum = 0;
  for (Eigen::Index j = 0; j < Q.cols(); ++j) {
    if (x[j] == 0) continue;
    for (Eigen::Index i = 0; i < Q.rows(); ++i) sum += x[i] * Q(i, j);
  }
  return sum;
}

}  // namespace

void BqpOptions::describe(OptionTable& table) {
  table.integer("d", d, 1, 5000, "number of variables");
  table.real("lc", lc, 1e-6, 1e6, "correlation length: how fast interactions decay with distance");
  table.choice("decay", decay, {"lc", "lc2"}, "exp(-(i-j)^2/lc), as published results have it, or exp(-(i-j)^2/lc^2)");
  table.real("noise", noise, 0, 1e6, "standard deviation of the noise added to every measurement");
  InstanceOptions::describe(table);
}

Problem make_bqp(const Spec& spec, std::uint64_t instance) {
  const auto options = parse_options<BqpOptions>(spec);
  const auto file = InstanceFile::open(options, spec, {"d", "lc", "decay"});
  const auto Q = std::make_shared<const Matrix>(file ? file->matrix("Q") : draw(options, instance));
  const int d = static_cast<int>(Q->rows());
  require(Q->cols() == d, [&] { return options.instance + ": 'Q' must have as many columns as rows"; });

  BinaryProblem problem{spec.text(), Space::binary(d), Sense::maximize, flip_mask(options.flip, d), {}, {}, {}, {}, {}};
  problem.f = [Q](const Point& z) { return evaluate(*Q, z); };
  problem.instance_json = [Q] { return nlohmann::json{{"Q", to_json(*Q)}}.dump(); };
  problem.best_by_ones = quadratic_by_ones(-*Q, problem.flip);
  Problem finished = finish(std::move(problem));
  add_noise(finished, options.noise);
  return finished;
}

}  // namespace bocs

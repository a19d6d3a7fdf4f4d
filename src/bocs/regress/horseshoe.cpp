#include "bocs/regress/horseshoe.hpp"

#include <algorithm>
#include <cmath>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"

namespace bocs {
namespace {

constexpr double kMinBeta2 = 1e-30;
constexpr double kMaxBeta2 = 1e30;
constexpr double kMinTau2 = 1e-20;
constexpr double kMaxTau2 = 1e20;
constexpr double kSigma2Floor = 1e-10;  // in units of the variance of y
constexpr int kColdSweeps = 25;
constexpr int kAnchoredSweeps = 16;
// Where sweeps are expensive: so many nanoseconds of them (GaussianPosterior::work) at an anchor, and from there; but
// so many sweeps at least, which together are as many as those of a cold chain.
constexpr double kAnchorWork = 5e8;
constexpr double kAnchoredWork = 5e8;
constexpr int kFewestAtAnchor = 15;
constexpr int kFewestAnchored = 10;
constexpr int kAuxiliarySweeps = 1000;
constexpr int kEmSteps = 12;
constexpr int kTauProposals = 2;
constexpr double kTauStep = 0.7;  // of log tau

/// The Gibbs chain over (alpha, sigma2, beta2, tau2, nu, xi) for one data set. y is centred and has variance 1.
class Chain {
 public:
  using Factor = GaussianPosterior::Factor;
  using Solution = GaussianPosterior::Solution;

  Chain(const Design& X, const Vector& y, Intercept intercept, GaussianKernel kernel)
      : X_(X),
        y_(y),
        gaussian_(make_gaussian(X, y, intercept, kernel)),
        // A flat intercept is integrated out and takes one degree of freedom with it.
        freedom_(static_cast<double>(y.size()) - (intercept == Intercept::flat ? 1 : 0)),
        floor_(kSigma2Floor * static_cast<double>(y.size())),
        alpha_(Vector::Zero(X.cols())),
        beta2_(Vector::Zero(X.cols())),
        nu_(Vector::Ones(X.cols())) {
    for (int k = 0; k < X.cols(); ++k) {
      if (X.varying()(k) != 0) active_.push_back(k);
    }
  }

  [[nodiscard]] const Vector& alpha() const { return alpha_; }
  [[nodiscard]] double sigma2() const { return sigma2_; }
  [[nodiscard]] double tau2() const { return tau2_; }
  [[nodiscard]] int repairs() const { return repairs_; }
  [[nodiscard]] double work() const { return gaussian_->work(); }

  [[nodiscard]] ChainState state() const { return {beta2_, nu_, tau2_, sigma2_, repairs_}; }
  /// Goes on from where a chain on part of the data stood. Columns that did not vary there have their scales from the
  /// prior, which is what is known about them: beta2 | nu ~ IG(1/2, 1/nu), nu ~ IG(1/2, 1).
  void start_at(const ChainState& state, Rng& rng) {
    for (const int k : active_) {
      const bool known = state.beta2(k) > 0;
      nu_(k) = known ? state.nu(k) : rng.inverse_gamma(0.5, 1);
      beta2_(k) = known ? state.beta2(k) : std::clamp(rng.inverse_gamma(0.5, 1 / nu_(k)), kMinBeta2, kMaxBeta2);
    }
    tau2_ = state.tau2;
    sigma2_ = state.sigma2;
    repairs_ = state.repairs;
  }

  /// Start of the plain sampler: all scales of order one.
  void start_at_one(Rng& rng) {
    for (const int k : active_) beta2_(k) = rng.uniform();
  }

  /// EM-like start: a ridge fit whose tau maximizes the marginal likelihood, then reweighted ridge fits. Finds the
  /// support at once where a cold chain needs hundreds of sweeps.
  void start_by_reweighting(Rng& rng) {
    for (const int k : active_) beta2_(k) = 1;
    gaussian_->set_scales(beta2_);
    tau2_ = 0.01;
    evaluate(tau2_, current_);
    for (const double step : {10.0, 0.1}) {
      while (tau2_ * step > 1e-8 && tau2_ * step < 1e8 && try_tau2(tau2_ * step)) {
      }
    }
    for (int i = 0; i < kEmSteps; ++i) {
      const double h = i < kEmSteps / 2 ? 1.0 : 0.5;
      const double centre = tau2_;
      if (!try_tau2(centre * std::exp(2 * h))) try_tau2(centre * std::exp(-2 * h));
      if (!current_.usable) break;
      const Solution solution = gaussian_->solve(current_, nullptr);
      alpha_ = solution.mean();
      sigma2_ = (solution.quadratic + floor_) / std::max(freedom_, 1.0);
      for (const int k : active_) {
        const double size = alpha_(k) * alpha_(k) / (2 * tau2_ * sigma2_);
        double inverse_nu = 1 / nu_(k);
        double inverse_beta2 = 0;
        for (int round = 0; round < 2; ++round) {  // E(1/beta2) and E(1/nu) of their inverse-gamma conditionals
          inverse_beta2 = 1 / (inverse_nu + size);
          inverse_nu = 1 / (1 + inverse_beta2);
        }
        beta2_(k) = std::clamp(1 / inverse_beta2, kMinBeta2, kMaxBeta2);
        nu_(k) = 1 / inverse_nu;
      }
      gaussian_->set_scales(beta2_);
      evaluate(tau2_, current_);
    }
    for (const int k : active_) nu_(k) = rng.inverse_gamma(1, 1 + 1 / beta2_(k));
  }

  /// One sweep: tau | beta, y; sigma2 | tau, beta, y; alpha | rest; beta | rest; nu | rest.
  void collapsed_sweep(Rng& rng) {
    gaussian_->set_scales(beta2_);
    if (gaussian_->exact_evidence()) {
      move_tau2(rng);
    } else {
      evaluate(tau2_, current_);
    }
    const Solution solution = gaussian_->solve(current_, &rng);
    if (current_.usable && freedom_ > 0) {
      // sigma2 | tau, beta, y with alpha integrated out; the prior sigma^-2 exp(-floor / 2 sigma2) keeps it proper.
      sigma2_ = keep_finite(rng.inverse_gamma(freedom_ / 2, (solution.quadratic + floor_) / 2), sigma2_);
    }
    draw_alpha(solution);
    if (!gaussian_->exact_evidence()) draw_tau2(rng);
    draw_local_scales(rng);
  }

  /// One sweep of [MS16] as printed in [BP18] Eq. (2).
  void auxiliary_sweep(Rng& rng) {
    gaussian_->set_scales(beta2_);
    evaluate(tau2_, current_);
    draw_alpha(gaussian_->solve(current_, &rng));
    const double N = static_cast<double>(y_.size());
    const double p = static_cast<double>(active_.size());
    double prior = 0;  // alpha' Sigma*^-1 alpha
    for (const int k : active_) prior += alpha_(k) * alpha_(k) / (tau2_ * beta2_(k));
    Vector residual = y_ - X_.times(alpha_);
    if (freedom_ < N) residual.array() -= residual.mean();
    // [BP18] Eq. (2): sigma2 | rest
    sigma2_ =
        keep_finite(rng.inverse_gamma((freedom_ + p) / 2, (residual.squaredNorm() + prior + floor_) / 2), sigma2_);
    draw_local_scales(rng);
    draw_tau2(rng);
  }

 private:
  /// log p(tau | beta, y) of log tau, alpha and sigma2 integrated out, up to a constant: marginal likelihood,
  /// half-Cauchy prior 1 / (1 + tau^2), and tau for the change of variables.
  [[nodiscard]] double log_posterior(const Factor& f) const {
    if (!f.usable) return -INFINITY;
    return -0.5 * f.log_determinant - 0.5 * freedom_ * std::log(f.quadratic + floor_) + 0.5 * std::log(f.tau2) -
           std::log1p(f.tau2);
  }

  void evaluate(double tau2, Factor& factor) {
    gaussian_->prepare(tau2, factor);
    count_repairs(factor);
  }
  void count_repairs(const Factor& factor) {
    if (factor.repairs != 0) ++repairs_;
  }

  /// Metropolis steps of log tau. The first proposal is evaluated beside the present value, on two threads if they may
  /// be used.
  void move_tau2(Rng& rng) {
    double step[kTauProposals], threshold[kTauProposals];
    for (int i = 0; i < kTauProposals; ++i) {
      step[i] = std::exp(2 * kTauStep * rng.normal());
      threshold[i] = std::log(rng.uniform());
    }
    const auto possible = [](double tau2) { return tau2 >= kMinTau2 && tau2 <= kMaxTau2; };
    const double N = static_cast<double>(y_.size());
    const bool first = possible(tau2_ * step[0]);
    parallel_for(first ? 2 : 1, threads_for(N * N * N / 90), [&](int i) {
      i == 0 ? gaussian_->prepare(tau2_, current_) : gaussian_->prepare(tau2_ * step[0], other_);
    });
    count_repairs(current_);
    if (first) count_repairs(other_);
    for (int i = 0; i < kTauProposals; ++i) {
      if (!possible(tau2_ * step[i])) continue;
      if (i > 0) evaluate(tau2_ * step[i], other_);
      if (log_posterior(other_) - log_posterior(current_) > threshold[i]) accept_other();
    }
  }

  void accept_other() {
    std::swap(current_, other_);
    tau2_ = current_.tau2;
  }

  /// Moves to tau2 if that is more probable.
  bool try_tau2(double tau2) {
    if (tau2 < kMinTau2 || tau2 > kMaxTau2) return false;
    evaluate(tau2, other_);
    if (!(log_posterior(other_) > log_posterior(current_))) return false;
    accept_other();
    return true;
  }

  double keep_finite(double value, double last) {
    if (std::isfinite(value) && value > 0) return value;
    ++repairs_;
    return last;
  }

  /// [BP18] Eq. (2): alpha | rest ~ N(A^-1 X'y, sigma2 A^-1)
  void draw_alpha(const Solution& solution) {
    if (current_.usable) {
      Vector alpha = solution.draw(std::sqrt(sigma2_));
      if (alpha.allFinite()) {
        alpha_ = std::move(alpha);
        return;
      }
    }
    ++repairs_;  // the last finite state stays
  }

  void draw_local_scales(Rng& rng) {
    const double inverse = 1 / (2 * tau2_ * sigma2_);
    for (const int k : active_) {
      // [BP18] Eq. (2): beta_k^2 | rest ~ IG(1, 1/nu_k + alpha_k^2 / (2 tau2 sigma2))
      const double scale = 1 / nu_(k) + alpha_(k) * alpha_(k) * inverse;
      beta2_(k) = std::clamp(scale / rng.exponential(), kMinBeta2, kMaxBeta2);
      // [BP18] Eq. (2): nu_k | rest ~ IG(1, 1 + 1/beta_k^2)
      nu_(k) = (1 + 1 / beta2_(k)) / rng.exponential();
    }
  }

  void draw_tau2(Rng& rng) {
    double sum = 0;
    for (const int k : active_) sum += alpha_(k) * alpha_(k) / beta2_(k);
    // [BP18] Eq. (2): xi | rest ~ IG(1, 1 + 1/tau2), tau2 | rest ~ IG((p+1)/2, 1/xi + sum_k alpha_k^2/beta_k^2 / (2
    // sigma2))
    const double xi = rng.inverse_gamma(1, 1 + 1 / tau2_);
    const double shape = 0.5 * (static_cast<double>(active_.size()) + 1);
    tau2_ = std::clamp(keep_finite(rng.inverse_gamma(shape, 1 / xi + sum / (2 * sigma2_)), tau2_), kMinTau2, kMaxTau2);
  }

  const Design& X_;
  const Vector& y_;
  std::unique_ptr<GaussianPosterior> gaussian_;
  double freedom_;
  double floor_;
  std::vector<int> active_;  // the columns that vary; the coefficients of the others stay 0
  Vector alpha_;
  Vector beta2_;
  Vector nu_;
  double sigma2_ = 1;
  double tau2_ = 1;
  int repairs_ = 0;
  Factor current_;
  Factor other_;
};

/// The observations from their mean, in units of their standard deviation.
struct Standardized {
  double mean, scale;
  bool constant;  // no scale to learn from: the model is the constant
  Vector y;

  Standardized(const Design& X, const Vector& given)
      : mean(given.mean()), scale(std::sqrt((given.array() - mean).square().mean())) {
    constant = !(scale > 1e-14 * std::abs(mean)) || !std::isfinite(scale) || X.varying().sum() == 0;
    if (!constant) y = (given.array() - mean) / scale;
  }
};

struct Sweeps {
  int fewest, most;
  double work;  // nanoseconds after which no more than the fewest are made
};

void sweep(Chain& chain, const Sweeps& sweeps, Rng& rng) {
  const double end = chain.work() + sweeps.work;
  for (int i = 0; i < sweeps.most && (i < sweeps.fewest || chain.work() < end); ++i) chain.collapsed_sweep(rng);
}

void check_data(const Design& X, const Vector& y) {
  require(y.size() == X.rows(), "one observation for each row of the design");
  require(y.allFinite(), "the observations must be finite");
}

}  // namespace

void HorseshoeOptions::describe(OptionTable& table) {
  table.integer("sweeps", sweeps, 0, 1'000'000,
                "Gibbs sweeps before the first draw; 0: 25 (collapsed), 16, or 10 where they are expensive (from an "
                "anchor), 1000 (auxiliary)");
  table.integer("anchor", anchor, 0, 1'000'000,
                "collapsed: sweeps of a long chain on the first 7/8 or more of the data, from which the chains of "
                "several proposals start, down to 15 where they are expensive; 0: every chain starts cold");
  table.integer("thin", thin, 1, 1'000'000, "sweeps from one draw to the next");
  table.choice("intercept", intercept,
               "flat prior, or fixed at the mean of y (the authors' way); auto: flat up to order 2, mean above");
  table.choice("sampler", sampler, "tau integrated against y, or plain Makalic-Schmidt");
  table.choice("kernel", kernel, "how alpha is drawn; all are exact");
}

Horseshoe::Horseshoe(HorseshoeOptions options) : options_(std::move(options)) {}

std::vector<Draw> Horseshoe::sample(const Design& X, const Vector& y, int draws, Rng& rng) const {
  return trace(X, y, draws, rng).draws;
}

std::vector<Draw> Horseshoe::sample(const Design& X, const Vector& y, const StablePrefix& stable, int draws,
                                    Rng& rng) const {
  return trace(X, y, stable, draws, rng).draws;
}

Horseshoe::Trace Horseshoe::trace(const Design& X, const Vector& y, int draws, Rng& rng) const {
  check_data(X, y);
  return run(X, y, nullptr, draws, rng);
}

Horseshoe::Trace Horseshoe::trace(const Design& X, const Vector& y, const StablePrefix& stable, int draws,
                                  Rng& rng) const {
  check_data(X, y);
  const int rows = anchor_rows(std::min(stable.rows, X.rows()));
  const bool worth = 2 * rows >= X.rows();  // an anchor on little of the data is no better than none
  if (options_.sampler != Sampler::collapsed || options_.anchor == 0 || !worth) return run(X, y, nullptr, draws, rng);
  const auto anchor = anchors_->get(AnchorCache::key(X, y, rows, stable.stream), [&] {
    const Design first = X.first(rows);
    const Vector first_y = y.head(rows);
    const Standardized standard(first, first_y);
    if (standard.constant) return ChainState{};
    Chain chain(first, standard.y, options_.intercept.value_or(Intercept::flat), options_.kernel);
    Rng stream = stable.stream.fork(static_cast<std::uint64_t>(rows));
    chain.start_by_reweighting(stream);
    sweep(chain, {std::min(kFewestAtAnchor, options_.anchor), options_.anchor, kAnchorWork}, stream);
    ChainState state = chain.state();
    state.sigma2 *= standard.scale * standard.scale;
    return state;
  });
  return run(X, y, anchor->beta2.size() == 0 ? nullptr : anchor.get(), draws, rng);
}

Horseshoe::Trace Horseshoe::run(const Design& X, const Vector& y, const ChainState* start, int draws, Rng& rng) const {
  const Standardized standard(X, y);
  if (standard.constant) {
    return {std::vector<Draw>(static_cast<std::size_t>(draws), Draw{standard.mean, Vector::Zero(X.cols()), 0, 0}),
            std::vector<double>(static_cast<std::size_t>(draws), 0.0)};
  }
  const double N = static_cast<double>(y.size());
  const double scale = standard.scale;
  const Intercept intercept = options_.intercept.value_or(Intercept::flat);
  const bool collapsed = options_.sampler == Sampler::collapsed;
  Chain chain(X, standard.y, intercept, options_.kernel);
  int burn_in = collapsed ? kColdSweeps : kAuxiliarySweeps;
  if (start != nullptr) {
    ChainState state = *start;
    state.sigma2 /= scale * scale;
    chain.start_at(state, rng);
    burn_in = kAnchoredSweeps;
  } else if (collapsed) {
    chain.start_by_reweighting(rng);
  } else {
    chain.start_at_one(rng);
  }
  if (options_.sweeps > 0) burn_in = options_.sweeps;
  Trace result;
  for (int i = 0; i < draws; ++i) {
    const int count = i == 0 ? burn_in : options_.thin;
    if (collapsed) {
      const bool bounded = i == 0 && start != nullptr && options_.sweeps == 0;
      sweep(chain, {bounded ? kFewestAnchored : count, count, kAnchoredWork}, rng);
    } else {
      for (int k = 0; k < count; ++k) chain.auxiliary_sweep(rng);
    }
    Draw draw{standard.mean, scale * chain.alpha(), scale * scale * chain.sigma2(), chain.repairs()};
    if (intercept == Intercept::flat) {  // alpha_0 | rest ~ N(mean(y) - m' alpha, sigma2 / N)
      draw.intercept += -X.means().dot(draw.alpha) + std::sqrt(draw.sigma2 / N) * rng.normal();
    }
    result.draws.push_back(std::move(draw));
    result.log_tau2.push_back(std::log(chain.tau2()));
  }
  return result;
}

}  // namespace bocs

// A kernel of your own: Matern 5/2 over the values of numbers, one length scale for each, where the usual kernel falls
// like exp(-|x - x'|). It says what its parameters are and what one column of the correlation matrix is.
#include <bocs/bocs.hpp>
#include <bocs/testing/kernel.hpp>
#include <cmath>
#include <cstdio>

class Matern : public bocs::Kernel {
 public:
  explicit Matern(bocs::Space space) : space_(std::move(space)) {}

  [[nodiscard]] bocs::Vector defaults() const override { return bocs::Vector::Constant(space_.dimension(), 0.5); }

  void column(std::span<const bocs::Point> data, const bocs::Point& x, const bocs::Vector& lengths,
              double* result) const override {
    for (const bocs::Point& z : data) {
      double squares = 0;
      for (int i = 0; i < space_.dimension(); ++i) {
        squares += std::pow((space_[i].place(x[i]) - space_[i].place(z[i])) / lengths[i], 2);
      }
      const double r = std::sqrt(5 * squares);
      *result++ = (1 + r + r * r / 3) * std::exp(-r);
    }
  }

 private:
  bocs::Space space_;
};

int main() {
  const bocs::Space space({bocs::real("heat", 0, 10), bocs::real("time", 0, 10), bocs::integer("crew", 1, 8)});
  const auto kernel = std::make_shared<const Matern>(space);
  for (const auto& broken : bocs::testing::check_kernel(*kernel, space)) std::puts(broken.c_str());
  bocs::Optimizer optimizer({space}, bocs::make_ei(space, {.kernel = kernel}));
  const auto f = [&](const bocs::Point& x) {  // smallest at heat 3, time 7, crew 5
    return std::pow(space[0].value(x[0]) - 3, 2) + std::pow(space[1].value(x[1]) - 7, 2) + std::abs(x[2] - 4);
  };
  bocs::work(optimizer, bocs::callback(f), {.trials = 60});
  std::printf("%s %g\n", space.format(optimizer.best()->x).c_str(), optimizer.best()->y);
}

#pragma once
// Random search: the initial design that never ends.

#include "bocs/method/method.hpp"

namespace bocs {

struct RandomOptions {
  bool repeats = false;
  void describe(OptionTable& table);
};

class RandomSearch : public Method {
 public:
  explicit RandomSearch(const RandomOptions& options) : options_(options) {}
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;

 private:
  RandomOptions options_;
};

}  // namespace bocs

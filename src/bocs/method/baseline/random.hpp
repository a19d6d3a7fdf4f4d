#pragma once
// Random search: the initial design that never ends.

#include "bocs/method/options.hpp"

namespace bocs {

class RandomSearch : public Method {
 public:
  explicit RandomSearch(const RandomOptions& options) : options_(options) {}
  [[nodiscard]] Proposal propose(const Task& task, const History& history, int number) const override;

 private:
  RandomOptions options_;
};

}  // namespace bocs

#pragma once
// How far an experiment is: a bar on a terminal, a line for every tenth elsewhere.

#include <map>
#include <span>

#include "bocs/experiment/cell.hpp"
#include "terminal.hpp"

namespace bocs::cli {

class ExperimentProgress {
 public:
  /// todo: the cells that will run; finished: what is known about the time cells take.
  ExperimentProgress(std::span<const Cell> todo, std::span<const CellResult> finished, int threads, bool quiet);

  void show(const CellResult& result);
  void clear() const { line_.clear(); }

 private:
  /// Cells of one problem, method and budget take about the same time.
  struct Kind {
    int left = 0;
    int timed = 0;
    double seconds = 0;
  };
  [[nodiscard]] static std::string kind_of(const Cell& cell);
  [[nodiscard]] std::string time_left() const;
  void draw_bar() const;

  StatusLine line_;
  std::map<std::string, Kind> kinds_;
  int total_;
  int done_ = 0;
  int threads_;
  bool quiet_;
};

}  // namespace bocs::cli

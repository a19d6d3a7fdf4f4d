#pragma once
// A batch as a sheet: people print it, or open it as a spreadsheet, fill in what they measured, and give it back.

#include <filesystem>
#include <span>
#include <string>

#include "bocs/run/session.hpp"

namespace bocs {

/// One row for each trial: number, the variables, what candidates carry along, and empty columns for what is measured:
/// value, the metrics that the task names, remark. With several goals there is no column value.
std::string plate_sheet(const Task& task, std::span<const Trial> trials);

/// What became of the rows of a sheet.
struct SheetResult {
  std::vector<int> told = {};  // numbers of the trials that this sheet ended
  int failed = 0;              // of these
  int known = 0;               // rows whose trial was told before, with the same result
  int open = 0;                // rows without a result: not measured yet
  int added = 0;               // rows without a number: evaluations that nobody asked for
};

/// Tells what is filled in, all rows or, if one is wrong, none. Rows and columns may stand in any order, rows and
/// columns of people's own may be there. A text where a number belongs is the reason of a failure: "spilled". A row of
/// a trial that ended before changes nothing; with another result it is refused. So is a row whose variables are not
/// those of its trial: what was done instead belongs into a row without a number. Throws InvalidArgument "FILE:LINE:
/// ...", for each of the first wrong rows.
SheetResult tell_sheet(Session& session, const std::filesystem::path& file);

}  // namespace bocs

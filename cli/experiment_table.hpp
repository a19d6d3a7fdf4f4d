#pragma once
// Rows of an experiment, printed.

#include <nlohmann/json.hpp>

#include "bocs/experiment/statistics.hpp"

namespace bocs::cli {

/// One object per row; what is not known is null.
nlohmann::ordered_json to_json(const std::vector<TableRow>& rows);

/// format: terminal, markdown, csv or json.
void print_table(const std::vector<TableRow>& rows, const TableOptions& options, const std::string& format);

/// One line per method, one column for each number of evaluations; terminal or markdown.
void print_anytime(const std::vector<AnytimeColumn>& columns, const TableOptions& options, const std::string& format);

/// One line per problem, and their average.
void print_ranks(const RankTable& table, const std::string& format);

/// One line a problem: on how many instances `options.against` was better and worse than each other method; marked
/// where the mean of the paired differences is clear of its 95 % interval. terminal or markdown.
void print_duels(const std::vector<TableRow>& rows, const TableOptions& options, const std::string& format);

}  // namespace bocs::cli

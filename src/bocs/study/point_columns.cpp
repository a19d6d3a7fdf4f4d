#include "bocs/study/point_columns.hpp"

#include <algorithm>
#include <charconv>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"
#include "bocs/study/point_json.hpp"

namespace bocs {
namespace {

constexpr std::size_t kShownColumns = 12;

/// As parse_level; but a number between two values of the variable, or beyond its ends by less than half a step, means
/// the nearest one, and counts in `moved`.
std::int32_t nearest_level(const Coordinate& v, const std::string& text, int& moved) {
  try {
    return parse_level(v, text);
  } catch (const InvalidArgument&) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || v.levels < 2) throw;
    if (!v.ordered || v.optional) throw;
    const double below = v.value(0) - 0.5 * (v.value(1) - v.value(0));
    const double above = v.value(v.levels - 1) + 0.5 * (v.value(v.levels - 1) - v.value(v.levels - 2));
    if (!(value >= below && value <= above)) throw;
    std::int32_t low = 0, high = v.levels - 1;
    while (high - low > 1) {
      const std::int32_t middle = low + (high - low) / 2;
      (v.value(middle) <= value ? low : high) = middle;
    }
    ++moved;
    return value - v.value(low) <= v.value(high) - value ? low : high;
  }
}

/// "a, b, c, ... (20 columns)"
std::string shown_columns(const std::vector<std::string>& header) {
  const std::size_t shown = std::min(header.size(), kShownColumns);
  const std::string text = joined({header.begin(), header.begin() + static_cast<std::ptrdiff_t>(shown)});
  return shown == header.size() ? text : text + ", ... (" + std::to_string(header.size()) + " columns)";
}

}  // namespace

bool is_missing(const std::string& cell) {
  const std::vector<std::string> words{"", "NaN", "nan", "NA", "<NA>", "None", "null"};  // as pandas and R write them
  return std::find(words.begin(), words.end(), cell) != words.end();
}

TableColumns::TableColumns(const Space& space, const std::vector<std::string>& header, std::string where)
    : space_(space), header_(header), where_(std::move(where)) {
  for (std::size_t i = 0; i < header.size(); ++i) places_[header[i]].push_back(i);
}

std::optional<std::size_t> TableColumns::find(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return std::nullopt;
  return found->second.size() == 1 ? found->second.front() : at(name);
}

std::size_t TableColumns::at(const std::string& name) const {
  const auto found = places_.find(name);
  const bool is_there = found != places_.end();
  require(is_there && found->second.size() == 1, [&] {
    const std::string value_name = value_column(space_);
    return where_ + "the column '" + name + "' is " + (is_there ? "there twice" : "missing") +
           "; allowed: one for every variable, and '" + value_name + "'" +
           (value_name == "value" ? "" : ", since a variable is called 'value'") + "; the file has " +
           shown_columns(header_);
  });
  return found->second.front();
}

PointColumns::PointColumns(const Space& space, const std::vector<std::string>& header, char separator,
                           const std::string& where)
    : space_(space), separator_(separator), columns_(columns_of(space)) {
  const TableColumns table(space, header, where);
  for (const Column& column : columns_) places_.push_back(table.at(column.name));
}

std::string PointColumns::with_point(std::string cell) const {
  if (separator_ == ';') std::replace(cell.begin(), cell.end(), ',', '.');
  return cell;
}

Point PointColumns::read(const std::vector<std::string>& cells, int* moved) const {
  Point x(static_cast<std::size_t>(space_.dimension()));
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string& cell = cells[places_[k]];
    if (columns_[k].coordinate < 0) {
      set_from_json(space_, x, columns_[k].variable, cell);
      continue;
    }
    const Coordinate& c = space_[columns_[k].coordinate];
    const std::string written = c.has_value() ? with_point(cell) : cell;
    if (c.optional && is_missing(written)) continue;  // absent
    auto& level = x[static_cast<std::size_t>(columns_[k].coordinate)];
    level = moved != nullptr ? nearest_level(c, written, *moved) : parse_level(c, written);
  }
  return x;
}

}  // namespace bocs

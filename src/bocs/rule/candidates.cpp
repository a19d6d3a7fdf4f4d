#include "bocs/rule/candidates.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "bocs/base/error.hpp"
#include "bocs/base/text.hpp"

namespace bocs {
namespace {

/// One step of a mixing function on 64 bits (the finalizer of splitmix64).
std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

/// Two chains of 64 bits with different beginnings: enough to tell apart the tables of a store, none of which is
/// hostile to its owner.
class Digest {
 public:
  void add(std::uint64_t word) {
    a_ = mixed(a_ + word + 0x9e3779b97f4a7c15ULL);
    b_ = mixed((b_ ^ word) * 0x2545f4914f6cdd1dULL + 1);
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  [[nodiscard]] std::string text() const {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string result;
    for (const std::uint64_t part : {a_, b_}) {
      for (int shift = 60; shift >= 0; shift -= 4) result += kDigits[part >> shift & 15];
    }
    return result;
  }

 private:
  std::uint64_t a_ = 0x0123456789abcdefULL, b_ = 0xfedcba9876543210ULL;
};

}  // namespace

Candidates::Candidates(const Space& space, const std::vector<Point>& rows, std::vector<Column> carried)
    : size_(rows.size()), dimension_(static_cast<std::size_t>(space.dimension())), carried_(std::move(carried)) {
  require(size_ > 0, "a table of candidates needs at least one row");
  require(size_ <= kMostRows, [&] {
    return "found a table of " + std::to_string(size_) + " candidates; allowed: " + std::to_string(kMostRows);
  });
  levels_.reserve(size_ * dimension_);
  for (std::size_t row = 0; row < size_; ++row) {
    try {
      space.check(rows[row]);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("candidates, row " + std::to_string(row + 1) + ": " + error.what());
    }
    levels_.insert(levels_.end(), rows[row].begin(), rows[row].end());
  }
  std::set<std::string> names;
  for (const Coordinate& c : space.coordinates()) names.insert(c.name);
  for (const Column& column : carried_) {
    require(!column.name.empty() && names.insert(column.name).second,
            [&] { return "candidates: two columns are called '" + column.name + "'"; });
    require(column.texts.size() == size_,
            [&] { return "candidates: the column '" + column.name + "' has not one text for each row"; });
  }
  index_rows(space);
  hash_ = computed_hash();
}

std::size_t Candidates::slot_of(const std::int32_t* x) const {
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < dimension_; ++i) h = mixed(h + static_cast<std::uint32_t>(x[i]) + 1);
  std::size_t slot = h & (slots_.size() - 1);
  while (slots_[slot] != 0 && !std::equal(x, x + dimension_, levels(slots_[slot] - 1))) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void Candidates::index_rows(const Space& space) {
  std::size_t slots = 8;
  while (slots < 2 * size_) slots *= 2;
  slots_.assign(slots, 0);
  for (std::size_t row = 0; row < size_; ++row) {
    std::uint32_t& slot = slots_[slot_of(levels(row))];
    require(slot == 0, [&] {
      return "candidates: the rows " + std::to_string(slot) + " and " + std::to_string(row + 1) +
             " are the same point, " + space.format(point(row)) + "; allowed: each point once";
    });
    slot = static_cast<std::uint32_t>(row + 1);
  }
}

std::optional<std::size_t> Candidates::find(const Point& x) const {
  if (x.size() != dimension_) return std::nullopt;
  const std::uint32_t found = slots_[slot_of(x.data())];
  return found == 0 ? std::nullopt : std::optional<std::size_t>(found - 1);
}

std::string Candidates::computed_hash() const {
  Digest digest;
  digest.add(size_);
  digest.add(dimension_);
  for (const std::int32_t level : levels_) digest.add(static_cast<std::uint32_t>(level));
  for (const Column& column : carried_) {
    digest.add(column.name);
    for (const std::string& text : column.texts) digest.add(text);
  }
  return digest.text();
}

std::vector<std::pair<std::string, std::string>> carried_of(const Candidates* candidates, const Point& x) {
  std::vector<std::pair<std::string, std::string>> result;
  const auto row = candidates == nullptr ? std::nullopt : candidates->find(x);
  if (!row) return result;
  for (const auto& column : candidates->carried()) result.emplace_back(column.name, column.texts[*row]);
  return result;
}

}  // namespace bocs

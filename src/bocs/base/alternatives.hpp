#pragma once
// A part of a method that is one of several, each with options of its own: a variant of option structs, and their
// names.

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "bocs/base/error.hpp"
#include "bocs/base/options.hpp"
#include "bocs/base/text.hpp"

namespace bocs {

struct Alternative {
  const char* name;
  const char* help;
};

/// One row per alternative of the variant, in its order.
template <class Variant>
class Alternatives {
 public:
  using Rows = std::array<Alternative, std::variant_size_v<Variant>>;
  /// kind: in messages, "there is no KIND 'x'".
  constexpr Alternatives(const char* kind, const Rows& rows) : kind_(kind), rows_(rows) {}

  [[nodiscard]] const char* name(const Variant& options) const { return rows_[options.index()].name; }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Alternative& row : rows_) names.emplace_back(row.name);
    return names;
  }

  /// The alternative of that name, with its default options, unless it is that one already.
  void choose(const std::string& name, Variant& options) const {
    if (name == this->name(options)) return;
    const auto all = names();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (name == rows_[i].name) return emplace<0>(i, options);
    }
    throw InvalidArgument(std::string("there is no ") + kind_ + " '" + name + "'; there are " + joined(all) +
                          did_you_mean(name, all));
  }

  /// Sets the options of the alternative that is chosen.
  void apply(std::vector<std::pair<std::string, std::string>> settings, Variant& options) const {
    const Spec spec{name(options), std::move(settings)};
    std::visit([&]<class T>(T& chosen) { chosen = parse_options<T>(spec, chosen); }, options);
  }

  /// The settings that make `options` of the alternative's defaults: those of `defaults` where it is the same one.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> settings(const Variant& options,
                                                                          const Variant& defaults) const {
    return std::visit(
        [&]<class T>(const T& chosen) {
          const T* same = std::get_if<T>(&defaults);
          return spec_of(name(options), chosen, same == nullptr ? T() : *same).settings;
        },
        options);
  }

  /// "annealing:sweeps=50"
  [[nodiscard]] Variant parse(const Spec& spec) const {
    Variant options;
    choose(spec.name, options);
    apply(spec.settings, options);
    return options;
  }

  /// The options of each alternative, with the values that they have by default.
  [[nodiscard]] std::vector<RegistryEntry> list() const {
    std::vector<RegistryEntry> entries;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Variant options;
      emplace<0>(i, options);
      entries.push_back({rows_[i].name, rows_[i].help,
                         std::visit([]<class T>(const T& /*chosen*/) { return list_options<T>(); }, options)});
    }
    return entries;
  }

 private:
  template <std::size_t I>
  static void emplace(std::size_t i, Variant& options) {
    if constexpr (I < std::variant_size_v<Variant>) {
      if (i == I) {
        options.template emplace<I>();
      } else {
        emplace<I + 1>(i, options);
      }
    }
  }

  const char* kind_;
  Rows rows_;
};

}  // namespace bocs

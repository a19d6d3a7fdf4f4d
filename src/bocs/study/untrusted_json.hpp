#pragma once
// JSON that anybody may have written.

#include <nlohmann/json.hpp>

#include "bocs/base/text.hpp"

namespace bocs {

/// The parsed text; discarded (is_discarded()) if it is no JSON, or nested so deeply that reading it would overflow the
/// stack.
template <class Json>
Json parse_untrusted_json(std::string_view text) {
  if (is_nested_deeply(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace bocs

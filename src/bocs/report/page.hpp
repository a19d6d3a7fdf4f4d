#pragma once
// The page: what web/ holds, embedded when the library is built (cmake/embed.cmake).

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bocs {

/// A file of web/ as it is: "page.js"; nothing if there is none.
std::optional<std::string_view> web_file(std::string_view name);

/// The colours that tell series apart, as page.css has them for the light theme: "#0072B2".
std::vector<std::string> series_colours();

/// One HTML document with styles, program and data. Nothing of the data can end the element it is in.
std::string page_html(const nlohmann::ordered_json& data);

}  // namespace bocs

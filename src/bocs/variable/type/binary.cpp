#include "bocs/variable/type.hpp"

namespace bocs {

Variable binary(std::string name) {
  static const auto type = std::make_shared<PlainType>("binary", Coordinate{.flag = true});
  return {std::move(name), type};
}

Variable read_binary(const Definition& definition) {
  definition.allow({});
  return binary(definition.name());
}

}  // namespace bocs

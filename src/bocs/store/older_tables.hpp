#pragma once
// Stores of older versions, read as they are: nobody's looking changes a byte of them.

#include "bocs/store/connection.hpp"

namespace bocs {

/// A connection to tables of `version`, below kSchemaVersion: it answers SELECT as if they were today's, and refuses
/// everything else (StoreOutdated).
std::unique_ptr<Connection> look_at_older(std::unique_ptr<Connection> connection, int version);

/// SQL of what version 3 has in columns of its own and version 2 in the JSON of `info`.
std::string origin_of_version_2();
std::string member_of_version_2();

}  // namespace bocs

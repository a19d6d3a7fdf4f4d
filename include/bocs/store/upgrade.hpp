#pragma once
// Stores that an older version wrote.

#include "bocs/store/connection.hpp"

namespace bocs {

/// Brings a store of an older version to today's, after a copy of it as it was. Nothing else ever does: a store of an
/// older version opens, and its studies can be read, without a byte of it being changed.
struct Upgrade {
  int from = 0, to = kSchemaVersion;  // versions of the tables; equal: there was nothing to do
  std::string backup;                 // the copy, beside the store: "stations.version2.db"; empty: none was made
};
/// Throws StoreError; InvalidArgument for a PostgreSQL store of an older version unless `is_backed_up`: bocs cannot
/// copy it, pg_dump can.
Upgrade upgrade_store(const std::string& url, bool is_backed_up = false);

}  // namespace bocs

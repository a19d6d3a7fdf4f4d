#pragma once
// The page live, for all studies of a store: a small server that only those who have its token can use.

#include <functional>
#include <string>

namespace bocs {

struct DashboardOptions {
  std::string store;               // URL
  std::string host = "127.0.0.1";  // where to listen; anything but this machine needs a token that was chosen
  int port = 0;                    // 0: one that is free
  std::string token = {};          // empty: a random one
  int threads = 1;                 // for what was learnt
  std::function<bool()> stop = {};
  std::function<void(const std::string&)> on_ready = {};  // told the URL to open, with the token
};

/// Serves until `stop`. Throws InvalidArgument: a host beyond this machine without a token, a token that does not fit
/// into a URL; StoreError where there is no such store; Error where it cannot listen.
void run_dashboard(const DashboardOptions& options);

}  // namespace bocs

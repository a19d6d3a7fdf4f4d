// The last line of a program, URLs with passwords, and text that is shown.

#include <cmath>

#include "bocs/base/text.hpp"
#include "bocs/store/connection.hpp"
#include "bocs/study/command.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  const Outcome outcome = parse_output(text);
  fuzz::must(outcome.state == State::failed ? !outcome.error.empty() : std::isfinite(outcome.y));
  fuzz::must(clean_utf8(clean_utf8(text)) == clean_utf8(text));
  const std::string secret = "S3cr3tS3cr3t";
  if (text.find(secret) != std::string::npos) return;  // said by the text itself
  const std::string url = "postgresql://user:" + secret + "@host/db?" + text;
  fuzz::must(without_password(url).find(secret) == std::string::npos);
  fuzz::must(without_passwords("no connection to " + url + ": refused").find(secret) == std::string::npos);
  (void)without_password(text);
  (void)without_passwords(text);
  (void)environment_name(text);
}

// What a program that is kept alive may print: the text after each question. A value is the first line's, and only if
// it names its trial or no other line came with it.

#include <algorithm>

#include "bocs/study/command.hpp"
#include "fuzz.hpp"

using namespace bocs;

FUZZ(text) {
  const std::string file = fuzz::as_file(text + "\n");
  static const Space space({binary("a")});
  CommandOptions options;
  options.arguments = {"sh", "-c", "while read line; do cat \"$0\"; done", file};
  options.keep_alive = true;
  options.timeout_seconds = 20;
  const Objective objective = command(options, space);
  Trial trial;
  trial.x = {1};
  const Outcome outcome = objective(space, trial);
  if (outcome.state != State::complete) return;
  const auto is_blank = [](const std::string& line) { return line.find_first_not_of(" \t\r\n") == std::string::npos; };
  std::string first;
  int lines = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (is_blank(line)) continue;
    if (lines++ == 0) first = line;
  }
  fuzz::must(parse_output(first).y == outcome.y);
  fuzz::must(lines == 1 || first.find("\"trial\"") != std::string::npos);
}

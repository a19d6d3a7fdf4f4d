// A damaged file of SQLite: each four bytes of the text change one byte of a good store (two for the page, so that
// small files are reached as often, one for the place in it, one for what is written). It is refused, or it is whole.

#include <cmath>
#include <filesystem>
#include <iterator>

#include "bocs/study/store.hpp"
#include "fuzz.hpp"

using namespace bocs;

namespace {

constexpr int kTrials = 40;

StudySpec spec() {
  StudySpec result{.name = "s",
                   .task = {.space = Space({binary("a"), integer("crew", -2, 9), categorical("depot", {"n", "s"})})}};
  result.method = "random";
  return result;
}

std::string good_store() {
  const std::string file = fuzz::as_file("") + ".good";
  std::filesystem::remove(file);
  {
    Study study = Store("sqlite:" + file, {.create = true}).create(spec());
    for (int i = 0; i < kTrials; ++i) study.tell({i % 2, i % 12, i / 2 % 2}, i + 0.5);
  }
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

FUZZ(text) {
  static const std::string good = good_store();
  std::string bytes = good;
  for (std::size_t i = 0; i + 4 <= text.size() && i < 64; i += 4) {
    const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i + k])); };
    bytes[(byte(0) * 256 + byte(1) * 16 * 256 + byte(2)) % bytes.size()] = text[i + 3];
  }
  const std::string file = fuzz::as_file(bytes);
  std::error_code ignored;
  for (const char* beside : {"-wal", "-shm", "-journal"}) std::filesystem::remove(file + beside, ignored);
  Store store("sqlite:" + file, {.busy_seconds = 0});
  (void)store.list();
  const Study study = store.open("s");
  int next = 0;
  for (const Trial& trial : study.history().trials()) {
    fuzz::must(trial.number == next++);
    study.task().space.check(trial.x);
    fuzz::must(!has_value(trial) || std::isfinite(trial.y));
  }
}

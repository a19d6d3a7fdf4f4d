#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "command.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutInit =
    R"(Writes an example of a study file, with a comment on every key. It works as it is:

  bocs init study.toml && bocs check study.toml && bocs run study.toml

A file that is already there is left alone.)";

constexpr const char* kExample =
    R"(# A study: what may be chosen, how a choice is judged, and how many choices may be tried.
# `bocs check FILE` explains it, `bocs run FILE` runs it, and resumes it after any interruption.

[study]
# name = "stations"        # default: the name of this file
direction = "maximize"     # or "minimize", the default
trials = 60                # evaluations in all, the initial ones included
# initial = 20             # random points before the model takes over; default: the method's choice
seed = 1                   # the same seed proposes the same points
lambda = 0.1               # a price for every 1 and for the size of integers: f - lambda |x|; default: 0
# penalty = "l2"           # lambda |x|^2 instead of lambda |x|
# data = "past.csv"        # evaluations made before: a column per variable, and one called value

# What may be chosen. Code the presence of a thing as 1: the model is sparse in products of present things.
[[variables]]
name = "station"           # with a count: station[0] ... station[9]
type = "binary"            # 0 or 1
count = 10                 # or names = ["airport", "harbour", ...]: station[airport], ...

[[variables]]
name = "depot"
type = "categorical"       # one of some names
levels = ["north", "south", "river"]

[[variables]]
name = "crew"
type = "integer"           # all whole numbers from low to high; also: "ordinal" with values = [16, 32, 64],
low = 1                    # and "real" with low, high, steps = 100 and perhaps log = true
high = 4
# when = "depot == river"  # it exists only there; else it is absent
# Structures are one value each: "subset" (items, size), "permutation" (items), "assignment" (items, places), "mixture"
# (parts, step): docs/variables.md.

# Which combinations are allowed. A name alone means "is 1", an array's name means each of it, name=value any value.
[[constraints]]
at_most = 5                # also: at_least, exactly
of = "station"             # or a list: ["station[0]", "depot=river"]

[[constraints]]
if = "depot=river"
then = "station[3]"        # also: required = [...], forbidden = [...], exclusive = [...]

[[constraints]]
linear = { station = 2, crew = 3 }   # 2 for every station (or a list, one for each), 3 for every member of the crew
"<=" = 17                            # also: ">=" and "=="

# [[constraints]]
# rule = "if depot == river then crew >= 2 and station <= 3"   # any rule as a text: docs/constraints.md

# The judge: a program and its arguments, no shell unless you write one, as here. It gets the point as a JSON object on
# stdin, in the environment ($BOCS_STATION_3, $BOCS_DEPOT, $BOCS_CREW) and as {station[3]}, {depot}, {crew} in its
# arguments. The last line it prints is the value, or a JSON object with "value" and other numbers to keep.
[objective]
command = ["sh", "-c", """
  river=0
  if [ "$BOCS_DEPOT" = river ]; then river=1; fi
  covered=$((4 * BOCS_STATION_0 + 3 * BOCS_STATION_1 + 2 * BOCS_STATION_2 + 6 * BOCS_STATION_3 * river))
  shared=$((3 * BOCS_STATION_0 * BOCS_STATION_1 + 2 * BOCS_STATION_5 * BOCS_STATION_6))
  echo $((covered - shared + 5 * BOCS_STATION_7 * BOCS_STATION_8 - (BOCS_CREW - 3) * (BOCS_CREW - 3)))
"""]
timeout = "10min"          # of one run: 30s, 10min, 2h; a time-out is a failed trial. Default: none
retries = 1                # runs after a failed one; default: 0
# keep_alive = true        # start it once and give it one JSON line per point: for programs that take long to start
# keep_going = true        # go on even if the first five evaluations fail, or twenty for the same reason
# attempts = 10            # how often bocs itself may be killed during a trial before the trial fails; default: 10
# parallel = 4             # evaluations at once, over all machines; default: one in `bocs run`, any number of workers

[method]
spec = "bocs"              # see `bocs methods`: "bocs:order=2", "bocs-sdp", "ei", ...

# [store]
# url = "sqlite:stations.db"  # default: a file beside this one; or "postgresql://USER@HOST/DATABASE" for many machines
)";

void write_example(const std::string& file) {
  if (std::filesystem::exists(std::filesystem::symlink_status(file)))
    throw BadData(fmt::format("{} is already there; it is left alone", file));
  std::ofstream stream(file);
  stream << kExample;
  stream.close();
  if (!stream) throw Error(fmt::format("{} cannot be written", file));
  fmt::print("{} is written; next: bocs check {}\n", file, file);
}

}  // namespace

void add_init(CLI::App& app) {
  CLI::App* command = add_command(app, "init", "write an example of a study file", kAboutInit);
  const auto file = std::make_shared<std::string>("study.toml");
  command->add_option("FILE", *file, "the file to write")->type_name("")->capture_default_str();
  command->callback([file] { write_example(*file); });
}

}  // namespace bocs::cli

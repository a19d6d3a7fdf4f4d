#include <fmt/core.h>

#include "study_arguments.hpp"
#include "terminal.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kAboutPause =
    R"(Pauses a study: no worker on any machine gets another trial. Running evaluations finish and are stored; workers wait until
`bocs resume`.)";
constexpr const char* kAboutResume = R"(Ends a pause: the workers that wait go on.)";

void set_pause(const StudyCommand& arguments, bool paused) {
  Study study = arguments.study.open();
  study.pause(paused);
  if (arguments.json) {
    print_json({{"study", study.spec().name}, {"paused", paused}});
  } else {
    fmt::print("study {} {}\n", harmless(study.spec().name), paused ? "is paused" : "goes on");
  }
}

}  // namespace

void add_pause(CLI::App& app) {
  add_study_command<StudyCommand>(app, "pause", "give out no more trials", kAboutPause, "as one JSON object",
                                  [](const StudyCommand& arguments) { set_pause(arguments, true); });
  add_study_command<StudyCommand>(app, "resume", "end a pause", kAboutResume, "as one JSON object",
                                  [](const StudyCommand& arguments) { set_pause(arguments, false); });
}

}  // namespace bocs::cli

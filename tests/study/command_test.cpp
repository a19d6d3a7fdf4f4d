#include "bocs/study/command.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "bocs/base/error.hpp"
#include "bocs/numeric/parallel.hpp"
#include "bocs/study/command_process.hpp"
#include "temporary_folder.hpp"

namespace bocs {
namespace {

Space mixed() {
  return Space({binary("station[0]"), binary("station[1]"), categorical("depot", {"no'rth", "$(river)"}),
                integer("crew", -2, 8)});
}

Trial trial(Point x, int number = 4) {
  Trial made;
  made.number = number;
  made.x = std::move(x);
  return made;
}

CommandOptions shell(const std::string& script) { return {.arguments = {"sh", "-c", script}}; }

Outcome run_shell(const std::string& script) {
  return evaluate(command(shell(script), mixed()), mixed(), trial({1, 0, 1, 0}));
}

void expect_failure(const Outcome& outcome, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.state, State::failed);
  for (const auto& word : words)
    EXPECT_NE(outcome.error.find(word), std::string::npos) << word << ": " << outcome.error;
}

std::string text_of(const TemporaryFolder& folder, const std::string& file) {
  std::ifstream in(folder.path() / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ParseOutput, AMetricThatIsNoNumberKeepsTheValue) {
  const Outcome outcome = parse_output(
      R"({"nan": NaN, "value": 1.5, "up": Infinity, "down": -Infinity, "large": 1e309, "small": 1e-400, "mass": 2, )"
      R"("text \" NaN, 1e309": 3, "list": [NaN, 1], "note": "Infinity"})");
  EXPECT_EQ(outcome.state, State::complete) << outcome.error;
  EXPECT_EQ(outcome.y, 1.5);
  EXPECT_EQ(outcome.metrics, (std::map<std::string, double>{{"mass", 2}, {"small", 0}, {"text \" NaN, 1e309", 3}}));
  for (const char* line :
       {R"({"value": NaN})", R"({"value": 1e309, "loss": 1})", R"({"value": nan1})", R"({"value": 1 NaN})"}) {
    expect_failure(parse_output(line), {line});
  }
}

TEST(Command, PointOnStdinInTheEnvironmentAndInArguments) {
  const TemporaryFolder folder;
  CommandOptions options{
      .arguments = {"sh", "-c",
                    "cat > point; echo \"$BOCS_STATION_0 $BOCS_DEPOT $BOCS_CREW $BOCS_TRIAL\" > names;"
                    "printf '%s|' \"$@\" > arguments; pwd > where; echo 2.5",
                    "name", "{station[1]}", "--crew={crew}/{depot}", "{{crew}", "${crew} {\"a\": {crew}} { }", ""},
      .directory = folder.path().string()};
  const Outcome outcome = evaluate(command(options, mixed()), mixed(), trial({1, 0, 1, 0}));
  EXPECT_EQ(outcome.state, State::complete) << outcome.error;
  EXPECT_EQ(outcome.y, 2.5);
  const auto point = nlohmann::ordered_json::parse(text_of(folder, "point"));
  EXPECT_EQ(point.dump(), R"x({"station[0]":1,"station[1]":0,"depot":"$(river)","crew":-2})x");
  EXPECT_EQ(text_of(folder, "names"), "1 $(river) -2 4\n");
  EXPECT_EQ(text_of(folder, "arguments"), "0|--crew=-2/$(river)|{crew}|${crew} {\"a\": -2} { }||");
  EXPECT_TRUE(std::filesystem::equivalent(text_of(folder, "where").substr(0, text_of(folder, "where").size() - 1),
                                          folder.path()));
}

TEST(Command, TheLastLineThatIsNotEmptyCounts) {
  EXPECT_EQ(run_shell("echo starting; echo 7; echo ' 1.5e-3 '; echo; echo").y, 1.5e-3);
  EXPECT_EQ(run_shell("printf '+4'").y, 4);
  EXPECT_EQ(run_shell("echo 1e-400").y, 0);
  EXPECT_EQ(run_shell("echo -0.0000001e-400").y, 0);
  const Outcome outcome = run_shell(R"(echo '{"value": -1, "mass": 2.5, "note": "fine", "deep": {"a": 1}, "n": 3}')");
  EXPECT_EQ(outcome.y, -1);
  EXPECT_EQ(outcome.metrics, (std::map<std::string, double>{{"mass", 2.5}, {"n", 3}}));
}

TEST(Command, WhatIsNoValueFails) {
  expect_failure(run_shell("echo 3; echo oops >&2; exit 7"), {"exit code 7", "oops"});
  expect_failure(run_shell("kill -SEGV $$"), {"signal 11"});
  expect_failure(run_shell("true"), {"nothing on stdout"});
  expect_failure(run_shell("echo 3 apples"), {"'3 apples'", "number"});
  expect_failure(run_shell("echo nan"), {"nan", "finite"});
  expect_failure(run_shell("echo -inf"), {"inf", "finite"});
  expect_failure(run_shell("echo 1e999"), {"1e999", "too large"});
  expect_failure(run_shell("echo -1000e999"), {"-1000e999", "too large"});
  expect_failure(run_shell("echo +-5"), {"'+-5'", "number"});
  expect_failure(run_shell("echo '{\"value\": NaN}'"), {"NaN", "value"});
  expect_failure(run_shell("echo '{\"value\": \"3\"}'"), {"value"});
  expect_failure(run_shell("echo '{\"loss\": 3}'"), {"loss", "value"});
  expect_failure(run_shell("printf '\\377\\000\\376'"), {"\xEF\xBF\xBD"});
}

TEST(Command, AFailureBeginsWithTheLastLineOfStderr) {
  const std::string error = run_shell("printf 'Traceback\\n  ^^^^\\nValueError: no mesh\\n\\n' >&2; exit 1").error;
  EXPECT_EQ(error, "exit code 1: ValueError: no mesh\nTraceback\n  ^^^^\nValueError: no mesh");
  EXPECT_EQ(run_shell("echo oops >&2; exit 2").error, "exit code 2: oops");
  EXPECT_EQ(run_shell("exit 2").error, "exit code 2");
  EXPECT_EQ(run_shell("echo '{\"error\": \"the mesh has a hole\"}'").error, "the mesh has a hole");
}

/// What the machine cannot start is not a failure of the program.
std::string trouble(const CommandOptions& options) {
  try {
    evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0}));
  } catch (const MachineTrouble& error) {
    return error.what();
  }
  return "none";
}

TEST(Command, WhatCannotBeStartedIsNoOutcome) {
  EXPECT_EQ(trouble({.arguments = {"/no/such/program"}}),
            "'/no/such/program' could not be started: No such file or directory");
  EXPECT_NE(trouble({.arguments = {"sh", "-c", "echo 1"}, .directory = "/no/such/folder"}).find("No such file"),
            std::string::npos);
  const TemporaryFolder folder;
  const auto script = folder.path() / "script";
  std::ofstream(script) << "#!/no/such/shell\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_NE(trouble({.arguments = {script.string()}}).find("No such file"), std::string::npos);
  EXPECT_NE(trouble({.arguments = {"/no/such/program"}, .keep_alive = true}).find("No such file"), std::string::npos);
  // A program that depends on the point is part of the black box.
  expect_failure(evaluate(command({.arguments = {"./{depot}"}}, mixed()), mixed(), trial({0, 0, 0, 0})),
                 {"could not be started"});
}

Outcome ask_kept(const Objective& objective, int number) {
  return evaluate(objective, mixed(), trial({1, 0, 1, 5}, number));
}

CommandOptions kept(const std::string& script) {
  CommandOptions options = shell(script);
  options.keep_alive = true;
  return options;
}

TEST(KeepAlive, OneProgramAnswersManyPoints) {
  const TemporaryFolder folder;
  CommandOptions options = kept(
      "echo started >> log; while read -r line; do echo \"$line\" >> log; echo $((n += 1)); done; "
      "echo ended >> log");
  options.directory = folder.path().string();
  {
    const Objective objective = command(options, mixed());
    for (int number = 1; number <= 5; ++number) EXPECT_EQ(ask_kept(objective, number).y, number);
  }
  std::istringstream log(text_of(folder, "log"));
  std::string line;
  std::getline(log, line);
  EXPECT_EQ(line, "started");
  std::getline(log, line);
  const auto asked = nlohmann::json::parse(line);
  EXPECT_EQ(asked["trial"], 1);
  const nlohmann::json point = {{"station[0]", 1}, {"station[1]", 0}, {"depot", "$(river)"}, {"crew", 3}};
  EXPECT_EQ(asked["point"], point);
  for (int number = 2; number <= 5; ++number) std::getline(log, line);
  std::getline(log, line);
  EXPECT_EQ(line, "ended");  // by the end of its input, not killed
}

TEST(KeepAlive, AnswersAreNumbersObjectsOrErrors) {
  const Objective objective = command(
      kept(R"(read a; echo; echo 2.5; read a; echo '{"trial": 2, "value": 3, "mass": 7}'; read a; echo hello; read a;
              echo '{"error": "no mesh"}'; read a; echo '{"trial": 5, "error": "no licence"}'; read a;
              echo '{"value": 1, "value": 2}'; read a; echo 7; read a)"),
      mixed());
  EXPECT_EQ(ask_kept(objective, 1).y, 2.5);
  const Outcome rich = ask_kept(objective, 2);
  EXPECT_EQ(rich.y, 3);
  EXPECT_EQ(rich.metrics, (std::map<std::string, double>{{"mass", 7}}));
  expect_failure(ask_kept(objective, 3), {"'hello'"});
  EXPECT_EQ(ask_kept(objective, 4).error, "no mesh");
  EXPECT_EQ(ask_kept(objective, 5).error, "no licence");
  expect_failure(ask_kept(objective, 6), {"\"value\" twice"});
  EXPECT_EQ(ask_kept(objective, 7).y, 7);
}

TEST(KeepAlive, OneThatEndsFailsItsTrialAndIsStartedAnew) {
  const TemporaryFolder folder;
  CommandOptions options = kept(
      "echo x >> starts; while read -r line; do case $line in *'\"trial\":2,'*) echo oops >&2; "
      "exit 3;; *'\"trial\":4,'*) kill -9 $$;; esac; echo 1; done");
  options.directory = folder.path().string();
  const Objective objective = command(options, mixed());
  EXPECT_EQ(ask_kept(objective, 1).y, 1);
  EXPECT_EQ(ask_kept(objective, 2).error, "exit code 3 instead of an answer: oops");
  EXPECT_EQ(ask_kept(objective, 3).y, 1);
  expect_failure(ask_kept(objective, 4), {"signal 9"});
  EXPECT_EQ(ask_kept(objective, 5).y, 1);
  EXPECT_EQ(text_of(folder, "starts"), "x\nx\nx\n");
}

TEST(KeepAlive, OneThatEndsBetweenTwoPointsIsStartedAnewWithoutAFailure) {
  const std::string named = R"(read a; n=${a#*:}; echo "{\"trial\": ${n%%,*}, \"value\": 1}")";
  const std::string slow = "read a; echo 1; sleep 0.05; exit 3";
  for (const std::string& script : {std::string("read a; echo 1"), slow, named}) {
    const Objective objective = command(kept(script), mixed());
    for (int number = 0; number < 10; ++number) EXPECT_EQ(ask_kept(objective, number).y, 1) << script;
  }
}

std::string reason_for_no_outcome(const Objective& objective, int number) {
  try {
    ask_kept(objective, number);
  } catch (const NoOutcome& error) {
    return error.what();
  }
  return "none";
}

TEST(KeepAlive, OneThatIsAlwaysOutOfStepStoresNothing) {
  for (const char* script : {
           "while read a; do echo 3; sleep 0.05; echo 103; done",                      // answers twice
           "echo 3; while read a; do echo 103; done",                                  // says hello
           "while read a; do echo 3; sleep 0.2; echo 103; done",                       // the first number is no answer
           "while read a; do echo '{\"trial\": 5, \"value\": 3}'; echo 103; done",     // answers another question
           "while read a; do echo '{\"trial\": \"0\", \"value\": 3}'; echo 103; done"  // its number is a text
       }) {
    const std::string reason = reason_for_no_outcome(command(kept(script), mixed()), 0);
    EXPECT_NE(reason.find("around trial 0"), std::string::npos) << script << ": " << reason;
    EXPECT_NE(reason.find('3'), std::string::npos) << reason;
  }
}

TEST(KeepAlive, OneThatIsOutOfStepNowAndThenIsStartedAnewAndNoPointIsCharged) {
  const TemporaryFolder folder;
  CommandOptions options =
      kept("echo x >> starts; while read -r a; do case $((n += 1)) in 4) echo 50; sleep 0.02; esac; echo 7; done");
  options.directory = folder.path().string();
  const Objective objective = command(options, mixed());
  for (int number = 0; number < 8; ++number) EXPECT_EQ(ask_kept(objective, number).y, 7);
  EXPECT_EQ(text_of(folder, "starts"), "x\nx\nx\n");  // trials 0 to 2, 3 to 5, 6 and 7
}

TEST(KeepAlive, ALateLineIsNoAnswerAndAnAnswerThatNamesItsTrialStands) {
  // After every answer, which names its trial, comes one more line: the answer counts, the program is started anew.
  const Objective objective = command(kept(R"(while read -r a; do
      n=${a#*:}; n=${n%%,*}; echo "{\"trial\": $n, \"value\": $n}"; sleep 0.02; echo 99; done)"),
                                      mixed());
  for (int number = 0; number < 5; ++number) EXPECT_EQ(ask_kept(objective, number).y, number);
}

TEST(KeepAlive, OneThatReadsWhatIsThereInsteadOfALineIsStillServed) {
  // It gets the opening of the next question alone, and ends: that is no failure of the point.
  const Objective objective = command(kept("while a=$(dd bs=65536 count=1 2> /dev/null) && [ \"$a\" ]; do "
                                           "case $a in *}) echo 4;; *) exit 1;; esac; done"),
                                      mixed());
  for (int number = 0; number < 4; ++number) EXPECT_EQ(ask_kept(objective, number).y, 4);
}

TEST(KeepAlive, OneThatDoesNotReadAgainIsEndedAfterItsTimeAndItsAnswerCounts) {
  CommandOptions options = kept("read a; echo 1; sleep 600");
  options.timeout_seconds = 0.3;
  const Objective objective = command(options, mixed());
  for (int number = 0; number < 2; ++number) EXPECT_EQ(ask_kept(objective, number).y, 1);
}

TEST(KeepAlive, TimeOutAndCancellation) {
  CommandOptions slow = kept("while read -r line; do case $line in *'\"trial\":1,'*) sleep 600;; esac; echo 1; done");
  slow.timeout_seconds = 0.5;
  const Objective objective = command(slow, mixed());
  EXPECT_EQ(ask_kept(objective, 0).y, 1);
  expect_failure(ask_kept(objective, 1), {"no answer within 0.5 s"});
  EXPECT_EQ(ask_kept(objective, 2).y, 1);
  slow.timeout_seconds = 0;
  slow.cancelled = [] { return true; };
  EXPECT_THROW(ask_kept(command(slow, mixed()), 1), Cancelled);
}

TEST(KeepAlive, ManyThreadsHaveAProgramEach) {
  const TemporaryFolder folder;
  // Every program waits until four have been started, so that none can serve two of the first four points.
  CommandOptions options = kept(
      "read -r line; echo x > up.$$; until [ $(ls up.* | wc -l) -ge 4 ]; do sleep 0.02; done; "
      "echo 1; while read -r line; do echo 2; done");
  options.directory = folder.path().string();
  const Objective objective = command(options, mixed());
  for (const double expected : {1, 2}) {
    std::atomic<int> right = 0;
    parallel_for(4, 4, [&](int i) { right += ask_kept(objective, i).y == expected ? 1 : 0; });
    EXPECT_EQ(right, 4);
  }
}

TEST(KeepAlive, TakesNoVariablesInItsArguments) {
  CommandOptions options{.arguments = {"echo", "{crew}"}};
  options.keep_alive = true;
  EXPECT_THROW(command(options, mixed()), InvalidArgument);
}

TEST(Command, MuchOutputIsReadAndForgotten) {
  EXPECT_EQ(run_shell("yes 'a line of chatter' | head -c 3000000; echo; echo 5").y, 5);
  EXPECT_EQ(run_shell("yes 'a line of chatter' | head -c 3000000 >&2; echo 6").y, 6);
  expect_failure(run_shell("head -c 3000000 /dev/zero | tr '\\0' 7"), {"longer than"});
  const Outcome outcome = run_shell("yes 0123456789 | head -c 100000 >&2; echo last words >&2; exit 1");
  expect_failure(outcome, {"last words"});
  EXPECT_LT(outcome.error.size(), kErrorTail + 100);
}

TEST(Command, AProgramThatDoesNotReadItsInput) {
  std::vector<Variable> many;
  for (int i = 0; i < 20000; ++i) many.push_back(binary("variable[" + std::to_string(i) + "]"));
  const Space space(many);
  try {
    EXPECT_EQ(evaluate(command(shell("echo 1"), space), space, trial(Point(20000, 1))).y, 1);
  } catch (const MachineTrouble& error) {  // the system may refuse so large an environment
    EXPECT_NE(std::string(error.what()).find("Argument list too long"), std::string::npos);
  }
  EXPECT_EQ(run_shell("exec <&-; echo 1").y, 1);
}

TEST(Command, RetriesUntilItWorks) {
  const TemporaryFolder folder;
  CommandOptions options = shell("echo x >> tries; test $(wc -l < tries) -ge 3 && echo 9");
  options.directory = folder.path().string();
  options.retries = 1;
  expect_failure(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})), {"exit code 1", "2 attempts"});
  EXPECT_EQ(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})).y, 9);
}

/// Runs, or waits to run: one that has ended, but has not been waited for by its parent (Z), does not.
bool alive(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(stat), {});
  const auto name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

/// Waits until the process is gone; false if it is still there after a minute.
bool gone(int pid) {
  for (int i = 0; i < 6000 && alive(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !alive(pid);
}

TEST(Command, TimeOutEndsTheWholeProcessGroup) {
  const TemporaryFolder folder;
  CommandOptions options = shell("trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > grandchild; sleep 600' & sleep 600");
  options.directory = folder.path().string();
  options.timeout_seconds = 1;
  expect_failure(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})), {"no answer within 1", "s"});
  const std::string pid = text_of(folder, "grandchild");  // empty only if a second was not enough to start it
  if (!pid.empty()) {
    EXPECT_TRUE(gone(std::stoi(pid)));
  }
}

TEST(Command, WhatAProgramLeavesBehindIsEnded) {
  const TemporaryFolder folder;
  CommandOptions options = shell("sleep 600 & echo $! > left; echo 3");
  options.directory = folder.path().string();
  EXPECT_EQ(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})).y, 3);
  EXPECT_TRUE(gone(std::stoi(text_of(folder, "left"))));
}

TEST(Command, WhatHasLeftItsGroupCannotAnswerForIt) {
  const TemporaryFolder folder;
  const std::string daemon = "setsid sh -c 'echo $$ > daemon; while sleep 0.01; do echo 99; done' ";
  const std::string after = "while ! [ -s daemon ]; do sleep 0.01; done; sleep 0.05; echo 1";
  const auto outcome = [&](const std::string& script) {
    CommandOptions options = shell(script);
    options.directory = folder.path().string();
    const Outcome found = evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0}));
    kill(std::stoi(text_of(folder, "daemon")), SIGKILL);
    std::filesystem::remove(folder.path() / "daemon");
    return found;
  };
  expect_failure(outcome(daemon + "& " + after), {"left behind", "stdout"});
  EXPECT_EQ(outcome(daemon + "> /dev/null & " + after).y, 1);
}

TEST(Command, CancelledIsNoOutcome) {
  const TemporaryFolder folder;
  CommandOptions options = shell("echo $$ > pid; sleep 600");
  options.directory = folder.path().string();
  options.cancelled = [&] { return text_of(folder, "pid").ends_with('\n'); };
  EXPECT_THROW(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})), Cancelled);
  EXPECT_TRUE(gone(std::stoi(text_of(folder, "pid"))));
}

TEST(Command, AnOrderToEndThatReachesTheProgramBeforeUsCancels) {
  for (const char* end : {"kill -TERM $$; sleep 600", "exit 143"}) {
    const TemporaryFolder folder;
    CommandOptions options = shell(std::string("echo $$ > pid; ") + end);
    options.directory = folder.path().string();
    options.cancelled = [&] {  // only when it has ended, and was waited for
      const std::string pid = text_of(folder, "pid");
      return pid.ends_with('\n') && kill(std::stoi(pid), 0) != 0;
    };
    EXPECT_THROW(evaluate(command(options, mixed()), mixed(), trial({0, 0, 0, 0})), Cancelled);
  }
}

TEST(Command, ChildrenDoNotInheritDescriptors) {
  const TemporaryFolder folder;
  const int inherited = open((folder.path() / "secret").c_str(), O_CREAT | O_RDWR, 0600);  // not close-on-exec
  ASSERT_GT(inherited, 2);
  const Outcome outcome = run_shell("for fd in /proc/self/fd/*; do readlink $fd; done | grep -c secret; echo 1");
  EXPECT_EQ(outcome.y, 1);
  expect_failure(run_shell("test -e /proc/self/fd/" + std::to_string(inherited)), {"exit code 1"});
  close(inherited);
}

TEST(Command, ManyThreadsAtOnce) {
  const Space space({integer("a", 0, 1000)});
  const Objective objective = command({.arguments = {"sh", "-c", "cat > /dev/null; echo {a}"}}, space);
  std::vector<double> values(60);
  parallel_for(60, 8, [&](int i) { values[static_cast<std::size_t>(i)] = evaluate(objective, space, trial({i})).y; });
  for (int i = 0; i < 60; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
}

TEST(Command, RefusesWhatCannotWork) {
  const auto refusal = [](const CommandOptions& options, const Space& space) {
    try {
      command(options, space);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal({.arguments = {}}, mixed()).find("no program"), std::string::npos);
  EXPECT_NE(refusal({.arguments = {"a", "{station[2]}"}}, mixed()).find("{station[2]}"), std::string::npos);
  EXPECT_NE(refusal({.arguments = {"a", "{depo}"}}, mixed()).find("{depo}"), std::string::npos);
  EXPECT_NE(refusal(shell("1"), Space({binary("a b"), binary("A_B")})).find("BOCS_A_B"), std::string::npos);
  EXPECT_NE(refusal(shell("1"), Space({binary("trial")})).find("BOCS_TRIAL"), std::string::npos);
  EXPECT_EQ(refusal(shell("1"), Space({binary("größe"), binary("grüße")})), "accepted");
}

TEST(Command, FindsPrograms) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_FALSE(find_program("no-such-program-at-all").has_value());
  EXPECT_FALSE(find_program("").has_value());
  EXPECT_FALSE(find_program("/").has_value());
  EXPECT_TRUE(find_program("./sh", "/bin").has_value());
}

TEST(Command, ReadableTextIsValidUtf8) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(readable("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80", 100), "gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80");
  EXPECT_EQ(readable(std::string("a\0b", 3), 100), "a" + bad + "b");
  EXPECT_EQ(readable("\xC3", 100), bad);
  EXPECT_EQ(readable("abc\xC3\xBCxyz", 4), "xyz");  // cut inside a character
}

// A program that writes into a closed pipe ends, as in a shell, although we ignore the signal ourselves.
TEST(Command, AProgramIsEndedByABrokenPipe) {
  const auto before = signal(SIGPIPE, SIG_IGN);
  expect_failure(run_shell("kill -PIPE $$; echo 1"), {"signal 13"});
  signal(SIGPIPE, before);
}

}  // namespace
}  // namespace bocs

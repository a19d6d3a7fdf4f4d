// Plays a script of events (README.md here) through a session of C++ and prints a transcript: the points of new trials
// and all states after every event. Usage: session_player SCRIPT [URL of a store]; without URL an Optimizer.

#include <atomic>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "bocs/study/worker.hpp"

namespace bocs {
namespace {

constexpr const char* kMethod = "bocs:initial=6";

/// What scripts are played on. A script with "task goals" has two goals and a limit besides.
Task make_task(bool goals) {
  std::vector<Variable> variables;
  for (int i = 0; i < 6; ++i) variables.push_back(binary("s[" + std::to_string(i) + "]"));
  variables.push_back(categorical("depot", {"north", "river", "south"}));
  Task task{.space = Space(std::move(variables)), .seed = 3};
  if (goals) {
    task.goals = {{"cost"}, {"gain", Sense::maximize}};
    task.outcomes = {parse_outcome_limit("heat <= 1")};
  }
  return task;
}

/// "1.5", or "1.5,heat=2,gain=3".
struct Numbers {
  explicit Numbers(const std::string& text) : value(std::stod(text)) {
    std::istringstream in(text.substr(std::min(text.size(), text.find(','))));
    for (std::string part; std::getline(in, part, ',');) {
      if (!part.empty()) metrics[part.substr(0, part.find('='))] = std::stod(part.substr(part.find('=') + 1));
    }
    if (!metrics.empty()) metrics["cost"] = value;
  }

  double value;
  std::map<std::string, double> metrics;
};

/// The session under test, and what the players must do differently with it.
class Host {
 public:
  virtual ~Host() = default;
  virtual Session& session() = 0;
  virtual int told(const Point& x, const Numbers& numbers) = 0;
  virtual void tell_first(int number, const Numbers& numbers) = 0;  // another teller
  virtual void away() {}
  virtual void reopen() = 0;
};

class InMemory : public Host {
 public:
  explicit InMemory(const Task& task) : optimizer_(std::make_unique<Optimizer>(task, kMethod)) {}
  Session& session() override { return *optimizer_; }
  int told(const Point& x, const Numbers& numbers) override {
    return session().tell(x, numbers.value, numbers.metrics);
  }
  void tell_first(int number, const Numbers& numbers) override {
    session().tell(number, numbers.value, numbers.metrics);
  }
  void reopen() override {
    optimizer_ = std::make_unique<Optimizer>(Task(optimizer_->task()), kMethod, Sense::minimize, optimizer_->history());
  }

 private:
  std::unique_ptr<Optimizer> optimizer_;
};

class Stored : public Host {
 public:
  Stored(const Task& task, std::string url) : url_(std::move(url)) {
    StudySpec spec{"script", task};
    spec.method = kMethod;
    Store(url_, {.create = true}).create(spec);
    reopen();
  }
  Session& session() override { return *worker_; }
  int told(const Point& x, const Numbers& numbers) override {
    Study study = open();
    const int number = static_cast<Session&>(study).tell(x, numbers.value, numbers.metrics);
    worker_->refresh();
    return number;
  }
  void tell_first(int number, const Numbers& numbers) override {
    Study study = open();
    static_cast<Session&>(study).tell(number, numbers.value, numbers.metrics);
  }
  void away() override {
    if (url_.rfind("sqlite:", 0) == 0) {  // locked for a moment
      locker_ = std::jthread([url = url_] {
        const auto connection = connect(url);
        connection->transaction(Commit::quick, [&] {
          connection->execute("UPDATE bocs_study SET revision = revision WHERE name = 'script'");
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
        });
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } else {  // all other connections are cut
      connect(url_)->execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
          "pg_backend_pid()");
    }
  }
  void reopen() override {
    worker_.reset();
    worker_ = std::make_unique<Worker>(url_, "script");
  }

 private:
  Study open() const { return Store(url_).open("script"); }

  std::string url_;
  std::unique_ptr<Worker> worker_;
  std::jthread locker_;
};

/// Remembers in which order trials were handed out: the words of `run` are meant for them in that order.
class Ordered : public Session {
 public:
  explicit Ordered(Session& inner) : inner_(inner) {}
  const Task& task() const override { return inner_.task(); }
  Sense sense() const override { return inner_.sense(); }
  const History& history() const override { return inner_.history(); }
  const Method& method() const override { return inner_.method(); }
  Trial ask() override {
    Trial trial = inner_.ask();
    order[trial.number] = static_cast<int>(count++);
    return trial;
  }
  Told tell(int number, const Outcome& outcome) override { return inner_.tell(number, outcome); }
  int tell(const Point& x, const Outcome& outcome, Origin origin) override { return inner_.tell(x, outcome, origin); }
  bool release(int number, Attempt attempt) override { return inner_.release(number, attempt); }
  int enqueue(const Point& x) override { return inner_.enqueue(x); }
  void strike(int number, const std::string& why) override { inner_.strike(number, why); }

  std::map<int, int> order;
  std::size_t count = 0;

 private:
  Session& inner_;
};

class Player {
 public:
  explicit Player(Host& host) : host_(host) {}

  void play(const std::string& line) {
    std::istringstream in(line);
    std::string event;
    in >> event;
    if (event.empty() || event[0] == '#' || event == "task" || std::string("=~^").find(event) != std::string::npos)
      return;
    try {
      if (event == "ask") {
        for (int count = read<int>(in); count > 0; --count) session().ask();
      } else if (event == "tell") {
        const int number = read<int>(in);
        tell(number, Numbers(read<std::string>(in)));
      } else if (event == "fail") {
        const int number = read<int>(in);
        std::string text;
        std::getline(in >> std::ws, text);
        session().tell(number, Outcome::failure(text));
      } else if (event == "release") {
        session().release(read<int>(in));
      } else if (event == "enqueue") {
        session().enqueue(point(read<std::string>(in)));
      } else if (event == "told") {
        const Point x = point(read<std::string>(in));
        host_.told(x, Numbers(read<std::string>(in)));
      } else if (event == "overtaken") {
        const int number = read<int>(in);
        host_.tell_first(number, Numbers(read<std::string>(in)));
        tell(number, Numbers(read<std::string>(in)));
      } else if (event == "strike") {
        session().strike(read<int>(in), "the scale was broken");
      } else if (event == "run") {
        const int batch = std::stoi(read<std::string>(in));  // "4:"
        std::vector<std::string> words;
        for (std::string word; in >> word;) words.push_back(word);
        std::cout << "~ " << run(batch, words) << "\n";
      } else if (event == "away") {
        host_.away();
      } else if (event == "reopen") {
        host_.reopen();
      } else {
        throw std::runtime_error("unknown event " + event);
      }
    } catch (const InvalidArgument&) {  // refused: the states show that nothing changed
    }
    print();
  }

 private:
  Session& session() { return host_.session(); }
  void tell(int number, const Numbers& numbers) { session().tell(number, numbers.value, numbers.metrics); }
  template <class T>
  static T read(std::istream& in) {
    T value{};
    in >> value;
    return value;
  }
  static Point point(const std::string& digits) {
    Point x;
    for (const char digit : digits) x.push_back(digit - '0');
    return x;
  }

  std::string run(int batch, const std::vector<std::string>& words) {
    Limits limits;
    limits.trials = static_cast<int>(words.size() - std::count(words.begin(), words.end(), "die"));
    Loop loop(limits);
    Ordered session(host_.session());
    if (limits.trials < static_cast<int>(words.size())) return run_with_deaths(loop, session, words);
    std::atomic<int> others = 0;  // of the batch that have ended
    const Objective objective = [&](const Space&, const Trial& trial) {
      const std::string& word = words[static_cast<std::size_t>(session.order.at(trial.number))];
      if (word == "raise" || word == "interrupt") {
        while (others < batch - 1) std::this_thread::yield();
        throw Cancelled(word);
      }
      ++others;
      return outcome(word);
    };
    try {
      work(loop, session, objective, batch, batch, {});
    } catch (const Cancelled& how) {
      return how.what() == std::string("raise") ? "raised" : "interrupted";
    }
    const WorkResult result = loop.result();
    return result.reason == Reason::trials ? "trials" : result.reason == Reason::failures ? "failing" : "other";
  }
  static Outcome outcome(const std::string& word) {
    if (word == "error") return Outcome::failure("scripted error");
    const Numbers numbers(word);
    Outcome outcome = Outcome::value(numbers.value);
    outcome.metrics = numbers.metrics;
    return outcome;
  }
  /// As a driver of processes does it.
  static std::string run_with_deaths(Loop& loop, Session& session, const std::vector<std::string>& words) {
    for (std::size_t i = 0;; ++i) {
      const Loop::Next next = loop.next(session, 1);
      if (next.begin.empty()) return "trials";
      const int number = next.begin.front().number;
      if (words.at(i) == "die") {
        loop.evaluator_died(session, number, "it died");
      } else {
        loop.finished(session, number, outcome(words.at(i)));
      }
    }
  }

  void print() {
    std::string states;
    for (const Trial& trial : session().history().trials()) {
      const bool beyond = trial.state == State::complete && !is_allowed(session().task(), trial);
      states += beyond ? 'b' : to_char(trial.state);
      if (trial.number < printed_) continue;
      std::cout << trial.number << " ";
      for (const auto level : trial.x) std::cout << level;
      std::cout << "\n";
      printed_ = trial.number + 1;
    }
    std::cout << "= " << states << "\n";
    for (const Trial& trial : session().history().trials()) {
      if (trial.state == State::complete) std::cout << trial.number << ":" << trial.y << " ";
    }
    std::cout << "\n";
    if (!session().task().has_front()) return;
    std::cout << "^";
    for (const Trial* trial : session().front()) std::cout << " " << trial->number;
    std::cout << "\n";
  }
  static char to_char(State state) { return "wrcfs"[static_cast<int>(state)]; }

  Host& host_;
  int printed_ = 0;
};

void play(const std::string& script, const std::string& url) {
  std::vector<std::string> lines;
  std::ifstream in(script);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const Task task = make_task(std::find(lines.begin(), lines.end(), "task goals") != lines.end());
  std::unique_ptr<Host> host;
  if (url.empty()) host = std::make_unique<InMemory>(task);
  if (!url.empty()) host = std::make_unique<Stored>(task, url);
  Player player(*host);
  for (const std::string& line : lines) player.play(line);
}

}  // namespace
}  // namespace bocs

int main(int argc, char** argv) {
  try {
    bocs::play(argv[1], argc == 2 ? "" : argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

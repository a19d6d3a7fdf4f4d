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

Task make_task() {
  std::vector<Variable> variables;
  for (int i = 0; i < 6; ++i) variables.push_back(binary("s[" + std::to_string(i) + "]"));
  variables.push_back(categorical("depot", {"north", "river", "south"}));
  return {.space = Space(std::move(variables)), .seed = 3};
}

/// The session under test, and what the players must do differently with it.
class Host {
 public:
  virtual ~Host() = default;
  virtual Session& session() = 0;
  virtual int told(const Point& x, double y) = 0;
  virtual void tell_first(int number, double y) = 0;  // another teller
  virtual void away() {}
  virtual void reopen() = 0;
};

class InMemory : public Host {
 public:
  Session& session() override { return *optimizer_; }
  int told(const Point& x, double y) override { return optimizer_->tell(x, y); }
  void tell_first(int number, double y) override { optimizer_->tell(number, Outcome::value(y)); }
  void reopen() override {
    optimizer_ = std::make_unique<Optimizer>(make_task(), kMethod, Sense::minimize, optimizer_->history());
  }

 private:
  std::unique_ptr<Optimizer> optimizer_ = std::make_unique<Optimizer>(make_task(), kMethod);
};

class Stored : public Host {
 public:
  explicit Stored(std::string url) : url_(std::move(url)) {
    StudySpec spec{"script", make_task()};
    spec.method = kMethod;
    Store(url_, {.create = true}).create(spec);
    reopen();
  }
  Session& session() override { return *worker_; }
  int told(const Point& x, double y) override {
    const int number = Store(url_).open("script").tell(x, y);
    worker_->refresh();
    return number;
  }
  void tell_first(int number, double y) override { Store(url_).open("script").tell(number, Outcome::value(y)); }
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
    if (event.empty() || event[0] == '#' || event == "=" || event == "~") return;
    try {
      if (event == "ask") {
        for (int count = read<int>(in); count > 0; --count) session().ask();
      } else if (event == "tell") {
        const int number = read<int>(in);
        session().tell(number, std::stod(read<std::string>(in)));
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
        host_.told(x, read<double>(in));
      } else if (event == "overtaken") {
        const int number = read<int>(in);
        host_.tell_first(number, read<double>(in));
        session().tell(number, Outcome::value(read<double>(in)));
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
    return word == "error" ? Outcome::failure("scripted error") : Outcome::value(std::stod(word));
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
      states += to_char(trial.state);
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
  }
  static char to_char(State state) { return "wrcfs"[static_cast<int>(state)]; }

  Host& host_;
  int printed_ = 0;
};

void play(const std::string& script, Host& host) {
  Player player(host);
  std::ifstream lines(script);
  for (std::string line; std::getline(lines, line);) player.play(line);
}

}  // namespace
}  // namespace bocs

int main(int argc, char** argv) {
  try {
    if (argc == 2) {
      bocs::InMemory host;
      bocs::play(argv[1], host);
    } else {
      bocs::Stored host(argv[2]);
      bocs::play(argv[1], host);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

// What the store adds to an ask and a tell, besides the method's own time, which is nearly nothing for random search;
// and how many trials a second so many workers get through with an objective that costs nothing. BOCS_BENCH_STORE names
// another store than a file of SQLite in the folder of temporary files; of a server of PostgreSQL on this machine its
// CPU time is measured, too: scripts/with_postgres sh -c 'BOCS_BENCH_STORE=$BOCS_TEST_POSTGRES scripts/bench store'

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "bocs/run/work.hpp"
#include "bocs/store/process.hpp"
#include "bocs/study/worker.hpp"

namespace bocs {
namespace {

std::string url() {
  const char* given = std::getenv("BOCS_BENCH_STORE");
  return given != nullptr ? given : "sqlite:" + (std::filesystem::temp_directory_path() / "bocs_bench.db").string();
}

/// A study of 24 bits with so many finished trials and a budget for so many more (0: none), removed at the end.
class BigStudy {
 public:
  explicit BigStudy(int trials, int budget = 0) : store_(url(), {.create = true}) {
    StudySpec spec{name_, {Space::binary(24)}};
    spec.method = "random";
    spec.trials = budget == 0 ? 0 : trials + budget;
    Study study = store_.create(spec);
    Rng rng(1, "bench");
    for (int i = 0; i < trials; ++i) study.tell(study.task().space.random(rng), rng.normal());
  }
  ~BigStudy() { store_.remove(name_); }
  BigStudy(const BigStudy&) = delete;
  BigStudy& operator=(const BigStudy&) = delete;
  Study open() { return store_.open(name_); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_ = "bench " + unique_name();
  Store store_;
};

void ask(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  Study study = big.open();
  for (auto _ : state) {
    const Trial trial = study.ask();
    state.PauseTiming();
    study.tell(trial.number, 1.0);
    state.ResumeTiming();
  }
}
BENCHMARK(ask)->Arg(0)->Arg(1000)->Arg(10000)->Iterations(200)->Unit(benchmark::kMillisecond);

void tell(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  Study study = big.open();
  for (auto _ : state) {
    state.PauseTiming();
    const Trial trial = study.ask();
    state.ResumeTiming();
    study.tell(trial.number, 1.0);
  }
}
BENCHMARK(tell)->Arg(0)->Arg(10000)->Iterations(200)->Unit(benchmark::kMillisecond);

void open(benchmark::State& state) {
  BigStudy big(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(big.open().history().size());
}
BENCHMARK(open)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

/// /proc/PID/stat from its third field on.
std::vector<std::string> process_fields(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream stream(text.substr(std::min(text.rfind(')') + 1, text.size())));
  return {std::istream_iterator<std::string>(stream), {}};
}

/// CPU seconds of a server of PostgreSQL on this machine so far: of its first process, of those it has reaped, and of
/// those that live.
class Server {
 public:
  Server() {
    const auto connection = connect(url());  // its process must not end before it was looked at
    const auto backend = connection->execute("SELECT CAST(pg_backend_pid() AS BIGINT)").front().integer(0);
    first_ = process_fields(std::to_string(backend)).at(1);  // its parent
  }
  [[nodiscard]] double cpu_seconds() const {
    double ticks = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename().string();
      if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
      const auto fields = process_fields(pid);
      if (fields.size() < 15 || (pid != first_ && fields[1] != first_)) continue;
      for (int i = 11; i < (pid == first_ ? 15 : 13); ++i)
        ticks += std::stod(fields[i]);  // utime, stime, cutime, cstime
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  std::string first_;
};

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// So many workers, each a thread with its own connections, until a budget is used up. The time is that of the slowest.
void workers(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  const int trials = 1500 + 150 * count;  // so many that opening the sessions is lost in them
  std::optional<Server> server;
  if (url().starts_with("postgres")) server.emplace();
  double own = 0, served = 0;
  for (auto _ : state) {
    state.PauseTiming();
    BigStudy big(0, trials);
    std::vector<std::unique_ptr<Worker>> crew;
    for (int i = 0; i < count; ++i) crew.push_back(std::make_unique<Worker>(url(), big.name()));
    const double own_before = own_cpu_seconds(), served_before = server ? server->cpu_seconds() : 0;
    state.ResumeTiming();
    {
      std::vector<std::jthread> threads;
      for (auto& worker : crew) {
        threads.emplace_back([&worker] {
          work(*worker, callback([](const Point& x) { return static_cast<double>(x[0]); }),
               {.stop = [] { return false; }});
        });
      }
    }
    state.PauseTiming();
    own += own_cpu_seconds() - own_before;
    if (server) served += server->cpu_seconds() - served_before;
    crew.clear();
    const Study study = big.open();
    if (study.history().complete().size() != static_cast<std::size_t>(trials))
      state.SkipWithError("trials are missing");
    state.ResumeTiming();
  }
  const auto per_trial = [&](double seconds) {
    return 1e3 * seconds / (trials * static_cast<double>(state.iterations()));
  };
  state.counters["trials/s"] = benchmark::Counter(trials, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["client_ms"] = per_trial(own);
  if (server) state.counters["server_ms"] = per_trial(served);
}
BENCHMARK(workers)->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bocs

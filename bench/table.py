"""Prints the table of docs/performance.md: proposals of ours, what their arithmetic needs at least, and those of others.

Usage: table.py PROPOSAL_BENCH [options of Google Benchmark]. Needs numpy and optuna; with torch and smac their columns
are filled, too. All times are CPU time of one thread, in one run on this machine.
"""

import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import optuna

SWEEPS = 16  # from an anchor, src/bocs/regress/horseshoe.cpp; 10 where they are expensive
REPEATS = 3
LARGEST_OF_PEERS = 1000  # trials; telling Optuna of 100,000 takes minutes
PEER_SECONDS = 100  # of CPU for a column, about: what is likely not to fit is left out
GROWTH = 3  # of a suggestion's time from one size to a larger one, at most, in that guess
OUTPUT = tempfile.TemporaryDirectory()  # of SMAC3, which writes files

# ms at commit 55be07e (0.1), measured on 2026-11-17 on another machine, every chain from cold; not measured here.
QUOTED = {
    ("bocs:order=2", 24, 170): 10.5,
    ("bocs:order=3", 24, 170): 19.9,
    ("bocs:order=4", 24, 170): 85,
    ("ei", 24, 170): 17.5,
    ("ei", 100, 300): 896,
    ("bocs:order=2", 100, 300): 254,
    ("bocs:order=2", 100, 500): 664,
    ("bocs:order=2", 200, 1000): 4570,
    ("bocs:order=2", 24, 100000): 2508,
}


def ours(program, options):
    out = subprocess.run([program, "--benchmark_format=json", *options], check=True, capture_output=True, text=True).stdout
    rows = {}
    for run in json.loads(out)["benchmarks"]:
        spec, d, n = run["name"].rsplit("/", 2)
        rows[spec, int(d), int(n)] = run["cpu_time"]  # ms
    return rows


def gigaflops():
    """What a matrix product reaches here."""
    a = numpy.random.default_rng(1).random((1000, 1000))
    best = math.inf
    for _ in range(5):
        start = time.thread_time()
        a @ a
        best = min(best, time.thread_time() - start)
    return 2e-9 * 1000**3 / best


def limit(spec, d, n, rate):
    """ms for the row-sparse Gram matrix and three Cholesky factors of each sweep in N dimensions, or of p in p."""
    if spec != "bocs:order=2":
        return None
    p = d * (d + 1) / 2
    size = min(n, p)
    gram = n * n * d * d / 4 if n <= p else 0
    return SWEEPS * (gram + size**3) / rate * 1e-6


def data(d, n):
    """n points and values of a random quadratic function."""
    rng = numpy.random.default_rng(2)
    q = rng.normal(size=(d, d))
    for x in rng.integers(0, 2, (n, d)):
        yield x, float(x @ q @ x)


def suggestions_of_optuna(sampler, d, n):
    study = optuna.create_study(sampler=sampler)
    kinds = {f"x{i}": optuna.distributions.IntDistribution(0, 1) for i in range(d)}
    for x, y in data(d, n):
        study.add_trial(optuna.trial.create_trial(params={f"x{i}": int(v) for i, v in enumerate(x)}, distributions=kinds, value=y))
    return lambda: study.ask(kinds)


def suggestions_of_smac(d, n):
    import ConfigSpace
    import smac
    from smac.runhistory.dataclasses import TrialInfo, TrialValue

    space = ConfigSpace.ConfigurationSpace({f"x{i}": (0, 1) for i in range(d)})
    scenario = smac.Scenario(space, deterministic=True, n_trials=n + 10, output_directory=pathlib.Path(OUTPUT.name))
    facade = smac.HyperparameterOptimizationFacade
    search = facade(scenario, lambda config, seed=0: 0.0, logging_level=False,
                    initial_design=facade.get_initial_design(scenario, n_configs=0), overwrite=True)
    for x, y in data(d, n):
        config = ConfigSpace.Configuration(space, values={f"x{i}": int(v) for i, v in enumerate(x)})
        search.tell(TrialInfo(config=config, seed=0), TrialValue(cost=y))
    return search.ask


PEERS = {
    "Optuna TPE": ("optuna", lambda d, n: suggestions_of_optuna(optuna.samplers.TPESampler(seed=1, multivariate=True), d, n)),
    "Optuna GP": ("torch", lambda d, n: suggestions_of_optuna(optuna.samplers.GPSampler(seed=1, n_startup_trials=0), d, n)),
    "SMAC3": ("smac", suggestions_of_smac),
}


class Peer:
    """A column: median CPU ms of a suggestion after n trials, while its seconds last."""

    def __init__(self, package, prepare):
        self.left = PEER_SECONDS if importlib.util.find_spec(package) else 0
        self.prepare = prepare
        self.known = {}

    def ms(self, d, n):
        likely = 1e-3 * REPEATS * GROWTH * max(self.known.values(), default=0)
        if (d, n) not in self.known and n <= LARGEST_OF_PEERS and self.left > likely:
            begin = time.process_time()
            suggest = self.prepare(d, n)
            times = []
            for _ in range(REPEATS):
                start = time.process_time()
                suggest()
                times.append(1e3 * (time.process_time() - start))
            self.left -= time.process_time() - begin
            self.known[d, n] = sorted(times)[REPEATS // 2]
        return self.known.get((d, n))


def exponent(rows, small, large, by):
    if small not in rows or large not in rows:
        return "-"
    return f"{math.log(rows[large] / rows[small]) / math.log(large[by] / small[by]):.1f}"


def cell(value):
    return "-" if value is None else f"{float(f'{value:.3g}'):g}"


def main():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rows = ours(sys.argv[1], sys.argv[2:])
    rate = gigaflops()
    print(f"CPU ms of one proposal. Matrix product: {rate:.0f} Gflop/s. Optuna {optuna.__version__}, NumPy {numpy.__version__}.\n")
    columns = ["work: method, d, N", "0.1 (quoted)", "now", "limit", *PEERS]
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    peers = [Peer(*peer) for peer in PEERS.values()]
    for (spec, d, n), ms in rows.items():
        cells = [QUOTED.get((spec, d, n)), ms, limit(spec, d, n, rate), *(peer.ms(d, n) for peer in peers)]
        print(f"| `{spec}`, {d}, {n} | " + " | ".join(map(cell, cells)) + " |", flush=True)
    spec = "bocs:order=2"
    print(f"\nGrowth of `{spec}` in N at d = 50: {exponent(rows, (spec, 50, 125), (spec, 50, 250), 2)} (125 to 250), "
          f"{exponent(rows, (spec, 50, 250), (spec, 50, 500), 2)} (250 to 500); in d at N = 500: "
          f"{exponent(rows, (spec, 50, 500), (spec, 100, 500), 1)} (50 to 100), "
          f"{exponent(rows, (spec, 100, 500), (spec, 200, 500), 1)} (100 to 200).")


if __name__ == "__main__":
    main()

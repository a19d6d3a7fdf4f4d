"""Prints the table of docs/performance.md: proposals of ours, what their arithmetic needs at least, and those of others.

Usage: table.py PROPOSAL_BENCH [options of Google Benchmark]. Needs numpy and optuna.
All times are CPU time of one thread, in one run on this machine.
"""

import json
import math
import subprocess
import sys
import time

import numpy
import optuna

SWEEPS = 16  # from an anchor, src/bocs/regress/horseshoe.cpp
REPEATS = 3
LARGEST_OF_PEERS = 1000  # trials; telling Optuna of 100,000 takes minutes

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


def peer(sampler, d, n):
    """Median CPU ms of one suggestion after n trials of a random quadratic function."""
    rng = numpy.random.default_rng(2)
    q = rng.normal(size=(d, d))
    study = optuna.create_study(sampler=sampler)
    kinds = {f"x{i}": optuna.distributions.IntDistribution(0, 1) for i in range(d)}
    for _ in range(n):
        x = rng.integers(0, 2, d)
        study.add_trial(optuna.trial.create_trial(
            params={f"x{i}": int(v) for i, v in enumerate(x)}, distributions=kinds, value=float(x @ q @ x)))
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        study.ask(kinds)
        times.append(1e3 * (time.process_time() - start))
    return sorted(times)[REPEATS // 2]


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
    print("| work: method, d, N | 0.1 (quoted) | now | limit | Optuna TPE |\n|---|---|---|---|---|")
    suggestions = {}
    for (spec, d, n), ms in rows.items():
        if n <= LARGEST_OF_PEERS and (d, n) not in suggestions:
            suggestions[d, n] = peer(optuna.samplers.TPESampler(seed=1, multivariate=True), d, n)
        cells = [QUOTED.get((spec, d, n)), ms, limit(spec, d, n, rate), suggestions.get((d, n))]
        print(f"| `{spec}`, {d}, {n} | " + " | ".join(map(cell, cells)) + " |", flush=True)
    spec = "bocs:order=2"
    print(f"\nGrowth of `{spec}` in N at d = 50: {exponent(rows, (spec, 50, 125), (spec, 50, 250), 2)} (125 to 250), "
          f"{exponent(rows, (spec, 50, 250), (spec, 50, 500), 2)} (250 to 500); in d at N = 500: "
          f"{exponent(rows, (spec, 50, 500), (spec, 100, 500), 1)} (50 to 100), "
          f"{exponent(rows, (spec, 100, 500), (spec, 200, 500), 1)} (100 to 200).")


if __name__ == "__main__":
    main()

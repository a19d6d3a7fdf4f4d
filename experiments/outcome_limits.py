"""Limits on what the evaluation reports: as outcomes with models, or as failed evaluations?

    python experiments/outcome_limits.py --instances 0-29 > tables/outcome_limits.md

Three problems in which the limit is only known from evaluations. Every method sees the same instances and seeds. Printed:
the mean best allowed value after some evaluations (nothing allowed yet counts as the worst value met by anyone), and the
paired differences from `outcomes`: mean with its 95 % interval, and how often better and worse.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import json
import logging
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bocs

CHECKPOINTS = (30, 60, 100)


def knapsack(instance: int, d: int) -> Callable:
    """Worth and weight both have pairs in them; at most so much weight that a third of the items fits."""
    rng = np.random.default_rng([7, d, instance])
    worth, weight = rng.uniform(1, 3, d), rng.uniform(1, 3, d)
    pairs = np.triu(rng.random((d, d)) < 0.15, 1)
    gains, frictions = rng.normal(0, 1, (d, d)) * pairs, rng.exponential(0.7, (d, d)) * pairs

    def f(x):
        v = np.asarray(x["take"], float)
        return {"value": float(-(worth @ v) - v @ gains @ v), "weight": float(weight @ v + v @ frictions @ v)}

    return f, {"take": bocs.Binary(d)}, f"weight <= {0.33 * weight.sum() + 0.1 * frictions.sum():.3f}"


def contamination(instance: int, d: int) -> Callable:
    """[BP18] Sec. 5.3 with the share of contaminated paths as an outcome instead of a part of the value."""
    rng = np.random.default_rng([11, d, instance])
    paths = 100
    start = rng.beta(1, 30, paths)
    spread, cure = rng.beta(1, 17 / 3, (paths, d)), rng.beta(1, 3 / 7, (paths, d))
    price = rng.uniform(0.5, 1.5, d)

    def f(x):
        z, above = start, 0.0
        for i, act in enumerate(x["act"]):
            z = (1 - cure[:, i]) * z if act else spread[:, i] * (1 - z) + z
            above += float((z > 0.1).mean()) / d
        return {"value": float(price @ np.asarray(x["act"])), "risk": above}

    return f, {"act": bocs.Binary(d)}, "risk <= 0.25"


def levels(instance: int, d: int) -> Callable:
    """Categories and integers; the limit is on a product of two sums."""
    rng = np.random.default_rng([13, d, instance])
    a, b, c = rng.normal(0, 1, (3, d, 5))

    def f(x):
        part = [np.sum([t[i, x[f"v{i}"]] for i in range(d)]) for t in (a, b, c)]
        return {"value": float(part[0] + 0.3 * part[1] * part[2]), "heat": float(abs(part[1]) + part[2] / 2)}

    return f, {f"v{i}": [0, 1, 2, 3, 4] if i % 2 else range(5) for i in range(d)}, "heat <= 1"


PROBLEMS = {
    "knapsack-20": functools.partial(knapsack, d=20),
    "knapsack-50": functools.partial(knapsack, d=50),
    "contamination-25": functools.partial(contamination, d=25),
    "contamination-50": functools.partial(contamination, d=50),
    "levels-8": functools.partial(levels, d=8),
}


def run(problem: str, instance: int, way: str, trials: int) -> dict:
    f, space, limit = PROBLEMS[problem](instance)
    is_allowed = eval("lambda metrics: " + limit.replace(limit.split()[0], f"metrics['{limit.split()[0]}']", 1))
    best, curve = math.inf, []

    def g(x):
        nonlocal best
        result = f(x)
        allowed = is_allowed(result)
        if allowed:
            best = min(best, result["value"])
        curve.append(best)
        if way == "failures" and not allowed:
            raise ValueError("beyond the limit")
        return result

    logging.getLogger("bocs").setLevel(logging.ERROR)
    start = time.process_time()
    method = {"outcomes": "bocs", "failures": "bocs"}.get(way, way)
    outcomes = () if way == "failures" else (limit,)
    optimizer = bocs.Optimizer(space, method=method, seed=instance + 1, trials=trials, outcomes=outcomes)
    optimizer.optimize(g, trials=trials, progress=False, keep_going=True)
    return {"problem": problem, "instance": instance, "way": way, "curve": curve, "seconds": time.process_time() - start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", default="300-309")
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--ways", default="outcomes,failures,random")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--cells", type=Path, help="results so far, a line each: gone on with")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    low, high = map(int, arguments.instances.split("-"))
    done = {}
    if arguments.cells and arguments.cells.exists():
        for line in arguments.cells.read_text().splitlines():
            cell = json.loads(line)
            done[cell["problem"], cell["instance"], cell["way"]] = cell
    ways = arguments.ways.split(",")
    names = arguments.problems.split(",")
    wanted = [(p, i, w) for p in names for i in range(low, high + 1) for w in ways if (p, i, w) not in done]
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for key, cell in zip(wanted, pool.map(run, *zip(*wanted), [arguments.trials] * len(wanted))) if wanted else ():
            done[key] = cell
            if arguments.cells:
                with arguments.cells.open("a") as out:
                    out.write(json.dumps(cell) + "\n")
    checkpoints = [c for c in CHECKPOINTS if c <= arguments.trials]
    print("| problem | way | n | " + " | ".join(map(str, checkpoints)) + " | against outcomes, at the end | CPU s |")
    print("|---|---|---|" + "---|" * (len(checkpoints) + 2))
    for problem in names:
        values = np.array([[done[problem, i, w]["curve"] for w in ways] for i in range(low, high + 1)])
        worst = np.max(values, where=np.isfinite(values), initial=-math.inf)
        values = np.where(np.isfinite(values), values, worst)
        n = len(values)
        for k, way in enumerate(ways):
            means = [f"{values[:, k, c - 1].mean():.3f}" for c in checkpoints]
            difference = values[:, k, -1] - values[:, 0, -1]
            half = 1.96 * difference.std(ddof=1) / math.sqrt(n)
            verdict = "" if k == 0 else (
                f"{difference.mean():+.3f} ± {half:.3f} ({(difference < -1e-9).sum()}:{(difference > 1e-9).sum()})"
            )
            seconds = np.mean([done[problem, i, way]["seconds"] for i in range(low, high + 1)])
            print(f"| {problem} | {way} | {n} | " + " | ".join(means) + f" | {verdict} | {seconds:.2f} |")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Several goals: how large a volume does the front dominate, beside Optuna's samplers and single-goal runs?

    python experiments/several_goals.py --instances 0-19 > experiments/tables/several_goals.md

Problems: wrong diagnoses against the number of features (the breast cancer data of scikit-learn), damage against the
number of sensors in a water network (Net3 of `chama`, package from PyPI), two NK landscapes. `split` spends the budget on
single-goal runs of equal length, one for each number of items up to 8. Optuna has a slot for each sensor, or a switch for
each feature. Printed: mean hypervolume after some evaluations, and the paired differences from `bocs` at the end with
their 95 % interval.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import logging
import math
import time
import warnings
from pathlib import Path

import numpy as np

import bocs

CHECKPOINTS = (50, 100, 200)


@functools.cache
def cancer():
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    x, y = load_breast_cancer(return_X_y=True)

    @functools.cache
    def error(chosen, instance):
        if not chosen:
            return float(1 - y.mean())
        folds = StratifiedKFold(5, shuffle=True, random_state=instance)
        return float(1 - cross_val_score(LinearDiscriminantAnalysis(), x[:, list(chosen)], y, cv=folds).mean())

    return error


def features(instance):
    return 30, (0, 30), lambda chosen: (cancer()(chosen, instance), len(chosen)), (0.4, 31)


@functools.cache
def net3():
    folder = Path(importlib.util.find_spec("chama").origin).parent / "tests" / "data"
    impact: dict[tuple[str, str], float] = {}
    for line in (folder / "Net3_ec.impact").read_text().splitlines():
        parts = line.split()
        if len(parts) == 4 and parts[0].isdigit():
            impact[parts[0], parts[1]] = float(parts[3])
    scenarios = sorted({s for s, _ in impact})
    sensors = sorted({n for _, n in impact if n != "-1"})
    undetected = np.array([impact[s, "-1"] for s in scenarios])
    table = np.array([[impact.get((s, n), np.inf) for n in sensors] for s in scenarios])
    return undetected, np.minimum(table, undetected[:, None])


def sensors(instance):
    undetected, table = net3()

    def f(chosen):
        return float(table[:, list(chosen)].min(axis=1).mean()), len(chosen)

    return table.shape[1], (1, 8), f, (float(undetected.mean()), 9)


def landscapes(instance):
    d, k = 24, 4
    rng = np.random.default_rng([17, instance])
    tables = rng.random((2, d, 2 ** (k + 1)))
    others = [[[i, *rng.choice([j for j in range(d) if j != i], k, replace=False)] for i in range(d)] for _ in range(2)]
    powers = 2 ** np.arange(k + 1)

    def f(chosen):
        v = np.zeros(d, int)
        v[list(chosen)] = 1
        return tuple(float(1 - np.mean([tables[m, i, (v[others[m][i]] * powers).sum()] for i in range(d)])) for m in (0, 1))

    return d, (0, d), f, (0.6, 0.6)


PROBLEMS = {"features": features, "sensors": sensors, "landscapes": landscapes}


def run_bocs(problem, instance, trials):
    d, sizes, f, _ = PROBLEMS[problem](instance)
    seen = []

    def g(x):
        seen.append(f(tuple(x["chosen"])))
        return dict(zip("ab", seen[-1]))

    second = "min" if problem == "landscapes" else bocs.Goal("min", known="size(chosen)")
    space = {"chosen": bocs.subset(range(d), sizes)}
    bocs.minimize(g, space, goals={"a": "min", "b": second}, trials=trials, seed=instance + 1, progress=False)
    return seen


def run_split(problem, instance, trials):
    """Eight runs, each for the first goal with one number of items."""
    d, sizes, f, _ = PROBLEMS[problem](instance)
    seen = []
    high = min(sizes[1], 8)
    for size in range(1, high + 1):
        def g(x):
            seen.append(f(tuple(x["chosen"])))
            return seen[-1][0]

        space = {"chosen": bocs.subset(range(d), size)}
        bocs.minimize(g, space, trials=trials // high, seed=instance + 1, progress=False)
    return seen


def run_optuna(problem, instance, trials, sampler):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    d, sizes, f, _ = PROBLEMS[problem](instance)
    study = optuna.create_study(directions=["minimize"] * 2, sampler=sampler(optuna.samplers, instance))
    seen = []

    def objective(trial):
        if sizes[1] < d:  # a slot for each item there may be: no trial is spent on sets that are too large
            choices = ["none", *range(d)]
            chosen = {trial.suggest_categorical(f"slot{k}", choices) for k in range(sizes[1])} - {"none"}
            chosen = chosen or {0}
        else:
            chosen = {i for i in range(d) if trial.suggest_categorical(f"x{i}", [0, 1])}
        seen.append(f(tuple(sorted(chosen))))
        return seen[-1]

    study.optimize(objective, n_trials=trials)
    return seen


WAYS = {
    "bocs": run_bocs,
    "split": run_split,
    "NSGA-II": lambda *a: run_optuna(*a, lambda s, seed: s.NSGAIISampler(seed=seed, population_size=20)),
    "TPE": lambda *a: run_optuna(*a, lambda s, seed: s.TPESampler(seed=seed)),
    "GP": lambda *a: run_optuna(*a, lambda s, seed: s.GPSampler(seed=seed, deterministic_objective=True)),
}


def measure(problem, instance, way, trials):
    logging.getLogger("bocs").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    start = time.process_time()
    seen = WAYS[way](problem, instance, trials)
    seconds = time.process_time() - start
    reference = PROBLEMS[problem](instance)[3]
    unit = math.prod(reference)
    return {"volumes": [bocs.hypervolume(seen[:c], reference) / unit for c in CHECKPOINTS if c <= trials], "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", default="0-19")
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--ways", default="bocs,NSGA-II,TPE,split")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--cells", type=Path, help="results so far, a line each: gone on with")
    arguments = parser.parse_args()
    low, high = map(int, arguments.instances.split("-"))
    done = {}
    if arguments.cells and arguments.cells.exists():
        for line in arguments.cells.read_text().splitlines():
            cell = json.loads(line)
            done[tuple(cell["key"])] = cell
    checkpoints = [c for c in CHECKPOINTS if c <= arguments.trials]
    print("| problem | way | n | " + " | ".join(map(str, checkpoints)) + " | minus bocs, at the end | CPU s |")
    print("|---|---|---|" + "---|" * (len(checkpoints) + 2))
    for problem in arguments.problems.split(","):
        base = None
        for way in arguments.ways.split(","):
            if way == "split" and problem == "landscapes":
                continue
            cells = []
            for instance in range(low, high + 1):
                key = (problem, instance, way)
                if key not in done:
                    done[key] = {"key": key, **measure(problem, instance, way, arguments.trials)}
                    if arguments.cells:
                        with arguments.cells.open("a") as out:
                            out.write(json.dumps(done[key]) + "\n")
                cells.append(done[key])
            volumes = np.array([cell["volumes"] for cell in cells])
            base = volumes[:, -1] if base is None else base
            difference = volumes[:, -1] - base
            half = 1.96 * difference.std(ddof=1) / math.sqrt(len(cells))
            verdict = f"{difference.mean():+.4f} ± {half:.4f} ({(difference > 1e-12).sum()}:{(difference < -1e-12).sum()})"
            means = " | ".join(f"{v:.4f}" for v in volumes.mean(axis=0))
            seconds = np.mean([cell["seconds"] for cell in cells])
            print(f"| {problem} | {way} | {len(cells)} | {means} | {verdict if way != 'bocs' else ''} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()

"""How often is `remaining` right? On problems whose optimum is known, what is really left against what is said to be left.

    python experiments/remaining_gain.py run 0 59 remaining.csv      # instances; about a minute of one core each
    python experiments/remaining_gain.py table remaining.csv         # prints experiments/tables/remaining.md

Every fifteen trials after the initial design of every run, one row: what is left (the best value so far against the optimum) and what
`optimizer.remaining` says. The optimum is the problem's own (enumeration, dynamic programming, construction); for the problems
marked `descents` it is the best of 400 steepest descents and of the run itself. For the problems marked `noise` each
measurement has normal noise, and what is left counts from the point that is recommended. `stop` judges the stop rule
"gain < g", where g is a tenth of the standard deviation of the values of the initial design: the first row where the rule
holds ends the run; wrong: more than g was left.
"""

from __future__ import annotations

import csv
import logging
import sys
from collections import defaultdict

import numpy as np

import bocs

# problem, trials, initial, l1, what is special
FAMILIES = [
    ("bqp:d=10,lc=10", 100, 0, 0.0, ""),
    ("bqp:d=20,lc=10", 120, 20, 0.0, ""),
    ("bqp:d=20,lc=10", 120, 20, 0.0, "noise"),
    ("bqp:d=50,lc=10", 150, 0, 0.0, "descents"),
    ("contamination:d=25", 150, 20, 1e-4, ""),
    ("ising:rows=4,columns=4", 150, 20, 1e-4, ""),
    ("labs:n=20", 120, 20, 0.0, ""),
    ("maxcut:n=24,density=0.3", 120, 20, 0.0, ""),
    ("maxcut:n=40,density=0.2", 150, 0, 0.0, "descents"),
    ("maxsat:n=20,density=6,flip=3", 120, 20, 0.0, ""),
    ("maxsat:n=28,density=8", 150, 0, 0.0, "descents"),
    ("nk:n=20,k=4", 120, 20, 0.0, ""),
    ("nk:n=20,k=4", 120, 20, 0.0, "noise"),
    ("nk:n=40,k=2", 150, 0, 0.0, "descents"),
    ("mixed:blocks=6", 150, 0, 0.0, ""),
    ("ackley:d=20,levels=11", 150, 0, 0.0, ""),
    ("order:kind=tour,n=10", 150, 0, 0.0, ""),
    ("order:kind=linear,n=10", 150, 0, 0.0, ""),
]
EVERY = 15  # trials between rows
COLUMNS = ["problem", "special", "instance", "trials", "left", "mean", "low", "high", "chance_optimal", "spread", "why_not"]


def best_of_descents(problem: bocs.Problem, sign: float, restarts: int = 400) -> float:
    d = problem.space.dimension
    rng = np.random.default_rng(problem.instance)
    best = np.inf
    for _ in range(restarts):
        x = rng.integers(0, 2, d)
        value = sign * problem(x)
        while True:
            values = []
            for i in range(d):
                x[i] ^= 1
                values.append(sign * problem(x))
                x[i] ^= 1
            i = int(np.argmin(values))
            if values[i] >= value:
                break
            value = values[i]
            x[i] ^= 1
        best = min(best, value)
    return best


def run(family: tuple[str, int, int, float, str], instance: int) -> list[list[object]]:
    spec, trials, initial, l1, special = family
    problem = bocs.problem(spec, instance)
    sign = -1.0 if problem.maximize else 1.0

    def total(x: object) -> float:
        return sign * problem(x) + (l1 * float(np.sum(x)) if l1 > 0 else 0.0)

    optimum = problem.optimum(l1)
    noise = 0.0
    rng = np.random.default_rng(instance)
    if special == "noise":
        noise = 0.2 * float(np.std([problem(rng.integers(0, 2, problem.space.dimension)) for _ in range(200)]))
    method = f"bocs:initial={initial}" if initial else "bocs"
    method += (",noise=true" if initial else ":noise=true") if noise else ""
    optimizer = bocs.Optimizer(
        problem.space,
        direction="maximize" if problem.maximize else "minimize",
        constraints=problem.constraints,
        method=method,
        l1=l1,
        seed=instance,
        trials=trials,
    )
    rows: list[list[object]] = []
    first = optimizer._core.initial_points()
    for n in range(first, trials + 1, EVERY):
        optimizer.optimize(lambda x: problem(x) + noise * rng.normal(), trials=n - len(optimizer), progress=False)
        said = optimizer.remaining
        values = [t.total for t in optimizer.trials[:first]]
        now = total(optimizer.recommend()) if noise else sign * optimizer.best.total
        rows.append([spec, special, instance, n, now, *said[:4], float(np.std(values)), said.why_not])
    known = best_of_descents(problem, sign) if special == "descents" else sign * optimum
    known = min(known, *(row[4] for row in rows))
    for row in rows:
        row[4] -= known
    return rows


def share(part: np.ndarray) -> str:
    return f"{100 * float(np.mean(part)):.0f} %"


def table(path: str) -> None:
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    families: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        families[row["problem"] + (f" ({row['special']})" if row["special"] else "")].append(row)
    print("| problem | runs | known | covered | too low | too high | nothing left: said | really | stopped | at trial | wrong |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, all_rows in families.items():
        known = [row for row in all_rows if not row["why_not"]]
        runs = len({row["instance"] for row in all_rows})
        if not known:
            print(f"| {name} | {runs} | 0 % | – | – | – | – | – | 0 | – | – |")
            continue
        left, low, high, optimal = (np.array([float(r[c]) for r in known]) for c in ("left", "low", "high", "chance_optimal"))
        tiny = 1e-9 + 1e-6 * np.array([float(r["spread"]) for r in known])
        above, below = left > high + tiny, left < low - tiny
        stops, wrong = [], 0
        for instance in {row["instance"] for row in all_rows}:
            for row in all_rows:
                if row["instance"] != instance or row["why_not"] or float(row["high"]) >= 0.1 * float(row["spread"]):
                    continue
                stops.append(int(row["trials"]))
                wrong += float(row["left"]) > 0.1 * float(row["spread"])
                break
        print(
            f"| {name} | {runs} | {100 * len(known) / len(all_rows):.0f} % | {share(~above & ~below)} | {share(above)} | {share(below)} "
            f"| {share(optimal)} | {share(left <= tiny)} | {len(stops)} | {f'{np.mean(stops):.0f}' if stops else '–'} | {wrong} |"
        )


def main() -> None:
    logging.getLogger("bocs").setLevel(logging.ERROR)
    if sys.argv[1] == "table":
        table(sys.argv[2])
        return
    first, last, path = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for instance in range(first, last + 1):
            for family in FAMILIES:
                writer.writerows(run(family, instance))
                file.flush()


main()

"""Strain design: which reactions to knock out so that a cell makes succinate and still grows? bocs beside Optuna's TPE.

    python experiments/strain_design.py --seeds 0-9 > experiments/tables/strain_design.md

E. coli, the `textbook` model of `cobra` (package from PyPI) as it comes: at most 3 of its 95 reactions. Flux balance
analysis gives the growth, and the most succinate at that growth. An answer must grow at 0.1 or more per hour. Truth by
enumeration: but for the one reaction with a demand (ATPM), a knock-out never lets a cell grow faster, so a set is left
out if it has a part, with ATPM in both or in neither, that grows too slowly. TPE has three slots with the same choices
and the growth as a constraint, so that it, too, proposes at most 3; `failures` is bocs with slow growth told as a
failure. Printed per way: how often the optimum was found, after how many trials, and forbidden trials.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import logging
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import bocs

GROWTH = 0.1
CLOSE = 1e-6


@functools.cache
def cell():
    import cobra
    from cobra.io import load_model

    logging.getLogger("cobra").setLevel(logging.ERROR)
    cobra.Configuration().processes = 1
    model = load_model("textbook")
    return model, model.reactions.Biomass_Ecoli_core, [reaction.id for reaction in model.reactions]


@functools.cache
def evaluate(knocked: tuple[str, ...]) -> tuple[float, float]:
    """Growth, and the most succinate of a cell that grows so fast; 0 and 0 for a dead one."""
    model, growth, _ = cell()
    with model:
        for name in knocked:
            model.reactions.get_by_id(name).bounds = (0, 0)
        model.objective = growth
        fastest = model.slim_optimize(error_value=0.0)
        if fastest < CLOSE:
            return 0.0, 0.0
        growth.lower_bound = fastest * (1 - CLOSE)
        model.objective = model.reactions.EX_succ_e
        return round(fastest, 6), round(max(0.0, model.slim_optimize(error_value=0.0)), 4)


def truth() -> dict:
    """The best of all sets of at most 3."""
    names = cell()[2]
    slow: set[tuple[str, ...]] = set()
    best, count = (0.0, ()), 0
    start = time.process_time()
    for size in range(4):
        for knocked in itertools.combinations(names, size):
            parts = (part for k in range(size) for part in itertools.combinations(knocked, k))
            if any(part in slow for part in parts if ("ATPM" in part) == ("ATPM" in knocked)):
                continue
            count += 1
            growth, succinate = evaluate(knocked)
            if growth < GROWTH:
                slow.add(knocked)
            elif succinate > best[0] + CLOSE:
                best = succinate, knocked
    return {"best": best[0], "set": best[1], "computed": count, "seconds": time.process_time() - start}


def run_bocs(seed: int, trials: int, method: str, outcomes: bool) -> list[tuple[float, float]]:
    seen = []

    def f(x):
        seen.append(evaluate(tuple(sorted(x["knocked"]))))
        growth, succinate = seen[-1]
        if not outcomes and growth < GROWTH:
            raise ValueError("too slow")
        return {"succinate": succinate, "growth": growth}

    space = {"knocked": bocs.subset(cell()[2], (0, 3))}
    limits = [f"growth >= {GROWTH}"] if outcomes else []
    optimizer = bocs.Optimizer(
        space, goals={"succinate": "max"}, outcomes=limits, trials=trials, seed=seed + 1, method=method
    )
    optimizer.optimize(f, trials=trials, progress=False, keep_going=True)
    return seen


def run_tpe(seed: int, trials: int) -> list[tuple[float, float]]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed + 1))
    choices = ["none", *cell()[2]]
    seen = []

    def f(trial):
        slots = {trial.suggest_categorical(f"slot{k}", choices) for k in range(3)} - {"none"}
        seen.append(evaluate(tuple(sorted(slots))))
        trial.set_constraint("growth", GROWTH - seen[-1][0])
        return seen[-1][1]

    study.optimize(f, n_trials=trials)
    return seen


WAYS = {
    "outcomes": lambda seed, trials: run_bocs(seed, trials, "bocs", True),
    "failures": lambda seed, trials: run_bocs(seed, trials, "bocs", False),
    "TPE": run_tpe,
    "random": lambda seed, trials: run_bocs(seed, trials, "random", True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0-9")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--trials", type=int, default=150)
    parser.add_argument("--cells", type=Path, help="results so far, a line each: gone on with")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.getLogger("bocs").setLevel(logging.ERROR)
    done = {}
    if arguments.cells and arguments.cells.exists():
        done = {tuple(cell["key"]): cell for cell in map(json.loads, arguments.cells.read_text().splitlines())}

    def cell_of(key, make):
        if key not in done:
            done[key] = {"key": key, **make()}
            if arguments.cells:
                with arguments.cells.open("a") as out:
                    out.write(json.dumps(done[key]) + "\n")
        return done[key]

    def measure(way, seed):
        start = time.process_time()
        seen = WAYS[way](seed, arguments.trials)
        return {"seen": seen, "seconds": time.process_time() - start}

    optimum = cell_of(("truth",), truth)
    print(f"Optimum: {optimum['best']} by knocking out {', '.join(optimum['set'])}; {optimum['computed']} sets computed.\n")
    print("| way | runs | optimum found | after (median of those) | mean best | forbidden trials, mean | CPU s |")
    print("|---|---|---|---|---|---|---|")
    low, high = map(int, arguments.seeds.split("-"))
    for way in arguments.ways.split(","):
        cells = [cell_of((way, seed), functools.partial(measure, way, seed)) for seed in range(low, high + 1)]
        allowed = [[s if g >= GROWTH else 0.0 for g, s in c["seen"]] for c in cells]
        hits = [np.argmax(np.array(a) >= optimum["best"] - 1e-3) + 1 for a in allowed if max(a) >= optimum["best"] - 1e-3]
        forbidden = np.mean([sum(g < GROWTH for g, _ in c["seen"]) for c in cells])
        print(
            f"| {way} | {len(cells)} | {len(hits)} | {np.median(hits) if hits else '-'} |"
            f" {np.mean([max(a) for a in allowed]):.3f} | {forbidden:.1f} | {np.mean([c['seconds'] for c in cells]):.1f} |"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()

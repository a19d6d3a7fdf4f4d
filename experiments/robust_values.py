#!/usr/bin/env python3
"""How often is the optimum found in spite of wrong or huge values? Evidence of docs/decisions/0001-robust-values.md.

    PYTHONPATH=build/python python experiments/robust_values.py --first 0 --out results/robust_values.jsonl

The objective has 12 bits, values from about -13 to 13, and a known optimum (4096 points); the seed of a run permutes
and flips its bits. A glitch replaces the value of one trial; a penalty replaces all values in a part of the space.
Finished runs are kept in the file and not run again. Seeds: 300- for tuning, 400- for decisions, 0- for the report.
"""

import argparse
import itertools
import json
import random
import sys
from pathlib import Path

import bocs

BITS = 12
PART = {"1/8": 3, "1/4": 2, "1/2": 1}  # share of the space: so many bits must be 1


def columns():
    """Name, trials, glitches {trial: value}, penalty: None, or bits that must be 1 (-1: 1, others add) and value."""
    yield "plain", 40, {}, None
    for value in (30, 100, 1e3, 1e6):
        yield f"glitch {value:g}", 40, {7: value}, None
    yield "glitch 1e6 at 2", 40, {2: 1e6}, None
    yield "glitch 1e6 at 25", 40, {25: 1e6}, None
    yield "glitches 1e3, 1e6", 40, {7: 1e3, 12: 1e6}, None
    for part, bits in PART.items():
        for value in (10, 100, 1e3, 1e6):
            yield f"penalty {value:g} on {part}", 45, {}, (bits, value)
    yield "graded 1e6 on 1/2", 45, {}, (-1, 1e6)
    yield "good glitch -1e3", 40, {7: -1e3}, None


class Instance:
    def __init__(self, seed):
        draw = random.Random(seed)
        self.order = draw.sample(range(BITS), BITS)
        self.flip = [draw.randrange(2) for _ in range(BITS)]
        self.barred = draw.sample(range(BITS), 3)

    def value(self, x):
        z = [x[i] ^ flip for i, flip in zip(self.order, self.flip)]
        linear = sum((-1) ** i * (i + 1) / 4 * bit for i, bit in enumerate(z))
        return linear + 2 * z[0] * z[3] - 3 * z[1] * z[2]

    def is_penalized(self, x, penalty):
        return penalty is not None and all(x[i] == 1 for i in self.barred[: abs(penalty[0])])

    def optimum(self, penalty):
        points = itertools.product((0, 1), repeat=BITS)
        return min(self.value(x) for x in points if not self.is_penalized(x, penalty))


def run(method, seed, trials, glitches, penalty):
    """Best true value minus the optimum; None where the glitch hit the optimum."""
    instance, true = Instance(seed), []

    def objective(point):
        x = [int(bit) for bit in point]
        number = len(true)
        if instance.is_penalized(x, penalty):
            true.append(float("inf"))
            return penalty[1] * (sum(x[i] for i in instance.barred) if penalty[0] < 0 else 1)
        true.append(instance.value(x))
        return glitches.get(number, true[-1])

    bocs.minimize(objective, bocs.binary(BITS), trials=trials, seed=seed, method=method, progress=False)
    # A point whose value was replaced has not been found: nobody would know. It is never proposed again: if it is the
    # optimum, no method can find it.
    optimum = instance.optimum(penalty)
    if any(true[number] <= optimum + 1e-9 for number in glitches):
        return None
    return min(value for number, value in enumerate(true) if number not in glitches) - optimum


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--methods", default="bocs,ei,bocs:order=2,smac")
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--only", default="", help="columns whose name has this text")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()

    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    done = {}
    if arguments.out.exists():
        for line in arguments.out.read_text().splitlines():
            row = json.loads(line)
            done[row["method"], row["column"], row["seed"]] = row["regret"]
    methods = arguments.methods.split(",")
    print("| found of", arguments.runs, "|", " | ".join(methods), "|\n|---|" + "---|" * len(methods))
    for name, trials, glitches, penalty in columns():
        if arguments.only not in name:
            continue
        cells = []
        for method in methods:
            regrets = []
            for seed in range(arguments.first, arguments.first + arguments.runs):
                if (method, name, seed) not in done:
                    regret = done[method, name, seed] = run(method, seed, trials, glitches, penalty)
                    with arguments.out.open("a") as out:
                        out.write(json.dumps({"method": method, "column": name, "seed": seed, "regret": regret}) + "\n")
                if done[method, name, seed] is not None:
                    regrets.append(done[method, name, seed])
            found = sum(regret <= 1e-9 for regret in regrets)
            of = "" if len(regrets) == arguments.runs else f" of {len(regrets)}"
            cells.append(f"{found}{of} ({sum(regrets) / len(regrets):.2f})")
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    sys.exit(main())

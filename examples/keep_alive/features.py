#!/usr/bin/env python3
"""A program that stays up: it prepares once, then answers a line for every point (keep_alive = true in features.toml).

For each point a line {"trial": 7, "point": {"feature[age]": 1, ...}} comes on stdin; the answer is one line on stdout, a
number or an object with "value", or with "error" for a point that cannot be evaluated. Whatever else is to be said goes
to stderr. At the end of its input the program ends.
"""

import json
import random
import sys


def prepare():
    """What takes long: here 400 people, of whom the outcome depends on three of eight things known about them."""
    draw = random.Random(1)
    people = [[draw.gauss(0, 1) for _ in range(8)] for _ in range(400)]
    outcomes = [2 * p[0] - p[3] + 1.5 * p[5] + draw.gauss(0, 0.5) for p in people]
    return people, outcomes


def error_of(people, outcomes, chosen):
    """Mean squared error, on the second half, of a linear fit by gradient descent on the first."""
    weights = [0.0] * len(chosen)
    half = len(people) // 2
    for _ in range(40):
        for person, outcome in zip(people[:half], outcomes[:half]):
            residual = outcome - sum(w * person[i] for w, i in zip(weights, chosen))
            for k, i in enumerate(chosen):
                weights[k] += 0.01 * residual * person[i]
    rest = zip(people[half:], outcomes[half:])
    return sum((o - sum(w * p[i] for w, i in zip(weights, chosen))) ** 2 for p, o in rest) / half


def main():
    people, outcomes = prepare()
    print("prepared", file=sys.stderr)
    for line in sys.stdin:
        request = json.loads(line)
        chosen = [i for i, value in enumerate(request["point"].values()) if value == 1]
        answer = {"trial": request["trial"], "value": error_of(people, outcomes, chosen), "features": len(chosen)}
        print(json.dumps(answer), flush=True)  # without flush the answer would wait in a buffer


if __name__ == "__main__":
    main()

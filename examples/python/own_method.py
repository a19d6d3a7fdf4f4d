"""A method of your own, and a score of your own."""

from collections.abc import Sequence
from typing import Any

import bocs.testing

import bocs


class Climb:
    """The best point that has a new neighbour, with one bit flipped; at first, and where there is none, a random point."""

    def propose(self, task: bocs.Task, history: Sequence[bocs.Trial], number: int) -> Any:
        seen = [trial.x for trial in history]
        complete = [trial for trial in history if trial.state == "complete"]
        for best in sorted(complete, key=lambda trial: trial.total):
            for name in best.x:
                x = {**best.x, name: not best.x[name]}
                if x not in seen and task.allows(x):
                    return x
        return task.random()


def lower_bound(mean: Any, variance: Any) -> Any:
    return 2 * variance**0.5 - mean


def make_climb(space: bocs.Space) -> Climb:
    if not all(isinstance(variable, bocs.Binary) for variable in space.variables.values()):
        raise ValueError("Climb flips bits")
    return Climb()


def uncovered(x: dict[str, bool]) -> float:
    on = list(x.values())
    return sum(on) + sum(0 if a != b else 3 for a, b in zip(on, on[1:]))


if __name__ == "__main__":
    bocs.testing.check_method(make_climb)
    space = {f"sensor {i}": bool for i in range(12)}
    for method in (Climb(), lower_bound):
        result = bocs.minimize(uncovered, space, method=method, trials=100, progress=False)
        print(result.trials[-1].how, result.value)

"""Several numbers per trial: goals, and limits on what the evaluation reports."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Union

from . import _core
from ._run import Direction

_DIRECTIONS = {"min": "minimize", "max": "maximize", "minimize": "minimize", "maximize": "maximize"}


@dataclass(frozen=True)
class Goal:
    """One of several numbers to optimize, in ``goals={"error": "min", "price": bocs.Goal("min", known="3*pump + crew")}``.

    known      a sum in the language of rules, where the number is known for every point: the evaluation need not report
               it, and no model has to learn it: ``"size(features)"``
    reference  a value that is of no interest any more: the search and the hypervolume leave out what is worse
    """

    direction: Literal["min", "max", "minimize", "maximize"] = "min"
    known: str | None = None
    reference: float | None = None


Goals = Union[Mapping[str, str | Goal], Iterable[str]]
Outcomes = Union[str, Iterable[str]]


def hypervolume(points: Iterable[Iterable[float]], reference: Iterable[float]) -> float:
    """The volume between points and reference, smaller is better in every number: how good a front is.

    >>> bocs.hypervolume([(1, 3), (2, 1)], reference=(4, 4))
    7.0
    """
    return float(_core.hypervolume([[float(v) for v in point] for point in points], [float(v) for v in reference]))


def to_sense(direction: str) -> _core.Sense:
    senses = {"minimize": _core.Sense.minimize, "maximize": _core.Sense.maximize}
    if direction not in senses:
        raise ValueError(f"found the direction {direction!r}; allowed: 'minimize', 'maximize'")
    return senses[direction]


def to_goals(space: _core.Space, goals: Goals, direction: Direction) -> list[_core.Goal]:
    """A list of names: each in the direction of the whole."""
    if isinstance(goals, str):
        raise TypeError(f"found goals={goals!r}; allowed: a dict such as {{'error': 'min', 'price': 'min'}}, or a list of names")
    named = goals if isinstance(goals, Mapping) else dict.fromkeys(goals, direction)
    made = []
    for name, given in named.items():
        goal = given if isinstance(given, Goal) else Goal(given)  # type: ignore[arg-type]
        if goal.direction not in _DIRECTIONS:
            raise ValueError(f"found {goal.direction!r} for the goal {name!r}; allowed: 'min', 'max', or a bocs.Goal")
        sense = to_sense(_DIRECTIONS[goal.direction])
        reference = math.nan if goal.reference is None else float(goal.reference)
        made.append(_core.Goal(space, name, sense, goal.known or "", reference))
    return made


def to_outcomes(outcomes: Outcomes) -> list[_core.OutcomeLimit]:
    texts = [outcomes] if isinstance(outcomes, str) else outcomes
    return [_core.OutcomeLimit.parse(text) for text in texts]

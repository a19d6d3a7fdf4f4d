"""One evaluation, and what the evaluations say together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, overload

from . import _core
from ._space import Categorical, Point, Space

if TYPE_CHECKING:
    import pandas


@dataclass(eq=False)
class Trial:
    """A point and what came of it. Values are in your own sense: larger is better when maximizing."""

    number: int
    x: Point
    state: str = "running"  # waiting, running, complete, failed or struck
    value: float = math.nan  # f(x) as it was told; nan: not known
    total: float = math.nan  # with the penalty, if there is one: what is optimized
    error: str = ""  # why it failed: the exception in one line, then its traceback
    seconds: float = 0.0  # of the evaluation
    metrics: dict[str, float] = field(default_factory=dict)  # what else f returned
    allowed: bool = False  # complete, and within the limits of ``outcomes``
    goals: dict[str, float] = field(default_factory=dict)  # what the trial has in each goal
    how: str = ""  # how the point came about: "initial design", "order 3, tabu"
    predicted: float = math.nan  # of the model that proposed the point, the penalty included
    bound: float = math.nan  # certified: under the same model no point is better; nan: nothing was proved
    remark: str = ""  # a note on a sheet (``tell_plate``)
    carried: dict[str, str] = field(default_factory=dict)  # the columns of candidates that are no variables

    @property
    def gap(self) -> float:
        """How far the point is at most from the best one of the model that proposed it; nan: nothing was proved."""
        return abs(self.predicted - self.bound)


def to_trial(space: Space, seen: _core.TrialView) -> Trial:
    return Trial(
        seen.number,
        space.point(seen.levels),
        seen.state,
        seen.value,
        seen.total,
        seen.error,
        seen.seconds,
        seen.metrics,
        seen.allowed,
        dict(seen.goals),
        seen.how,
        seen.predicted,
        seen.bound,
        seen.remark,
        space.carried(seen.levels),
    )


class Remaining(NamedTuple):
    """How much better the best point could still get: 0 or more, whether you minimize or maximize."""

    mean: float  #: the gain that is expected
    low: float  #: with 90 % probability the gain that is left lies between low and high
    high: float
    chance_optimal: float  #: that nothing is better
    why_not: str  #: not empty: it is not known, and this is the reason; the numbers are nan


def to_remaining(seen: _core.Remaining) -> Remaining:
    return Remaining(seen.mean, seen.low, seen.high, seen.chance_optimal, seen.why_not)


class ChangeFromDefault(NamedTuple):
    """A value that the answer has otherwise than ``default``."""

    name: str
    before: str
    after: str
    kept: bool
    cost: float  #: what the objective loses when this change alone is undone, in the sense that smaller is better
    low: float  #: 95 % of the posterior lies between low and high; the same as cost where it was measured
    high: float
    chance: float  #: that undoing it costs anything
    measured: bool


class Simplification(NamedTuple):
    """The answer without the changes that it does not need."""

    x: Point
    loss: float  #: what it loses against the answer
    low: float
    high: float
    measured: bool  #: ``x`` was evaluated
    changes: list[ChangeFromDefault]  #: those that are kept first


def to_simplification(space: Space, seen: _core.Simplification) -> Simplification:
    changes = [
        ChangeFromDefault(c.name, c.before, c.after, c.kept, c.cost, c.low, c.high, c.chance, c.measured) for c in seen.changes
    ]
    return Simplification(space.point(seen.levels), seen.loss, seen.low, seen.high, seen.measured, changes)


def front_lines(front: list[Trial], shown: int = 20) -> list[str]:
    """A line per trial of a front: its goals, its number, its point."""
    lines = [f"front   {len(front)} trials, none better than another in every goal"] if front else ["front   empty"]
    for trial in front[:shown]:
        goals = "  ".join(f"{name} {value:.6g}" for name, value in trial.goals.items())
        lines.append(f"        {goals}  (trial {trial.number})  {trial.x}")
    return lines + ([f"        ... and {len(front) - shown} more"] if len(front) > shown else [])


def trials_to_frame(space: Space, trials: Iterable[_core.TrialView]) -> pandas.DataFrame:
    """The columns of ``bocs export``: one row per trial, one column per variable, elements of arrays apart."""
    import pandas

    seen = list(trials)
    metrics = sorted({name for trial in seen for name in trial.metrics})
    rows = [
        [trial.number, trial.state]
        + [value for _, value in space.values(trial.levels)]
        + list(space.carried(trial.levels).values())
        + [trial.value, trial.total, trial.seconds, trial.error]
        + [trial.metrics.get(name, math.nan) for name in metrics]
        for trial in seen
    ]
    frame = pandas.DataFrame(rows, columns=_core.column_names(space.core, set(metrics), space.carried_names))
    for column, name in enumerate(space.columns(), 2):
        entry = space.entry_of(name)
        if entry.optional or (isinstance(entry.variable, Categorical) and len(set(map(type, entry.values))) > 1):
            frame[name] = pandas.Series([row[column] for row in rows], dtype=object)  # pandas would make None and 1 floats
    return frame


class Effect(NamedTuple):
    """A term of the fitted sparse polynomial: what a choice, or a combination of choices, does to the value."""

    names: tuple[str, ...]  # "station[3]", "depot=river"; more than one: they act together
    mean: float  # posterior mean; positive: it raises the value
    low: float  # 95 % of the posterior lies between low and high
    high: float
    probability: float  # that the sign is right

    @property
    def name(self) -> str:
        return " * ".join(self.names)


class Effects(Sequence[Effect]):
    """The effects, largest first: a list that prints as a table, in a notebook, too."""

    def __init__(self, effects: Iterable[_core.Effect | Effect]) -> None:
        self._effects = [Effect(tuple(e.names), e.mean, e.low, e.high, e.probability) for e in effects]

    @overload
    def __getitem__(self, index: int) -> Effect: ...
    @overload
    def __getitem__(self, index: slice) -> Effects: ...
    def __getitem__(self, index: int | slice) -> Effect | Effects:
        return Effects(self._effects[index]) if isinstance(index, slice) else self._effects[index]

    def __len__(self) -> int:
        return len(self._effects)

    def to_frame(self) -> pandas.DataFrame:
        """Columns effect, mean, low, high, probability."""
        import pandas

        rows = [(e.name, *e[1:]) for e in self._effects]
        return pandas.DataFrame(rows, columns=["effect", "mean", "low", "high", "probability"])

    _shown = 20  # rows of the printed table
    _head = ("effect on the value", "mean", "from", "to", "probability of the sign")

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (e.name, f"{e.mean:.4g}", f"{e.low:.4g}", f"{e.high:.4g}", f"{e.probability:.3f}")
            for e in self._effects[: self._shown]
        ]

    def __repr__(self) -> str:
        rows = [self._head, *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self._head))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        more = len(self) - self._shown
        return "\n".join(lines + ([f"... and {more} more"] if more > 0 else []))

    def _repr_html_(self) -> str:
        from html import escape

        def row(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(row(cells, "td") for cells in self._rows())
        return f"<table><thead>{row(self._head, 'th')}</thead><tbody>{body}</tbody></table>"

"""What a run returns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from . import _core
from ._run import Objective
from ._space import Point
from ._trial import Effects, Remaining, Simplification, Trial, front_lines

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

    from ._session import Session


class Result:
    """What a run found: ``x``, ``value``, ``trials``, and ways to look at them."""

    def __init__(self, session: Session, reason: str) -> None:
        self.session = session  #: the Optimizer or Study; ``result.session.optimize(f, trials=...)`` goes on
        self.reason = reason  #: why it ended: trials, timeout, target, converged, exhausted, gave up, failing, stopped or interrupted
        self.trials: list[Trial] = [t for t in session.trials if t.state in ("complete", "failed", "struck")]  #: in order of number

    @property
    def first_error(self) -> str:
        """Of the first failed trial, with its traceback; empty if none failed."""
        return next((trial.error for trial in self.trials if trial.state == "failed"), "").rstrip()

    @property
    def best(self) -> Trial:
        """The best complete trial. Raises bocs.Error, with the last failure, if there is none."""
        best = self.session.best
        complete = [t for t in self.trials if t.state == "complete"]
        if best is None and complete:
            raise _core.Error(
                f"none of {len(complete)} complete trials is within all limits ({'; '.join(self.session.outcomes)}): "
                "more trials may find one, and result.trials has them all"
            )
        if best is None:
            last = self.trials[-1].error.splitlines()[0] if self.trials else "nothing was evaluated"
            raise _core.Error(f"none of {len(self.trials)} evaluations gave a value; the last: {last}")
        return best

    @property
    def front(self) -> list[Trial]:
        """As of Optimizer: the answer where there are several goals."""
        return self.session.front

    @property
    def x(self) -> Point:
        """The best point."""
        return self.best.x

    @property
    def value(self) -> float:
        """f at the best point."""
        return self.best.value

    @property
    def total(self) -> float:
        """f with the penalty (``l1``, ``l2``) at the best point: what was optimized."""
        return self.best.total

    def recommend(self) -> Point:
        """As of Optimizer."""
        return self.session.recommend()

    def explain(self, order: int | None = None, draws: int | None = None) -> Effects:
        """As of Optimizer."""
        return self.session.explain(order, draws)

    @property
    def remaining(self) -> Remaining:
        """How much better ``value`` could still get, as far as that can be told.

        >>> result.remaining
        Remaining(mean=0.02, low=0.0, high=0.11, chance_optimal=0.37, why_not='')
        """
        return self.session.remaining

    def simplify(self, loss: float | str = 0.0, f: Objective | None = None, confirm: int = 0) -> Simplification:
        """As of Optimizer."""
        return self.session.simplify(loss, f, confirm)

    def to_frame(self) -> pandas.DataFrame:
        """As of Optimizer."""
        return self.session.to_frame()

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """As of Optimizer."""
        return self.session.plot(ax)

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """As of Study: one HTML file with the answer, how it was found, what was learnt, every trial."""
        return self.session.report(path)

    def __repr__(self) -> str:
        failed = sum(t.state == "failed" for t in self.trials)
        lines = [f"trials  {len(self.trials)}, {failed} failed", f"reason  {self.reason}"]
        if len(self.session.goals) > 1:
            return "\n".join([*lines, *front_lines(self.front)])
        if self.session.best is not None:
            penalty = f"  total {self.total:.6g}" if self.total != self.value else ""
            lines = [f"x       {self.x}", f"value   {self.value:.6g}{penalty}", *lines]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"

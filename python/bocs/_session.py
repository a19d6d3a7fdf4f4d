"""What an Optimizer, in memory, and a Study, in a store, have in common."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._run import Callback, Catch, Direction, Limits, Loop, Objective
from ._space import Point, Space
from ._trial import Effects, Trial, to_trial, trials_to_frame

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


class Session:
    """Ask for points, tell what came of them. Any number of threads may share one."""

    space: Space
    direction: Direction
    _core: Any  # _core.Optimizer or _core.Study

    @overload
    def ask(self) -> Trial: ...
    @overload
    def ask(self, n: int) -> list[Trial]: ...
    def ask(self, n: int | None = None) -> Trial | list[Trial]:
        """The next trial, now running; ``ask(n)``: a list of n, or of fewer when no more are to be had.

        Several trials may run at once, and be told in any order. Raises SpaceExhausted when every point has been proposed;
        a Study also BudgetReached and AllRunning.
        """
        if n is None:
            return self.ask_one()
        trials: list[Trial] = []
        for _ in range(n):
            try:
                trials.append(self.ask_one())
            except (_core.SpaceExhausted, _core.BudgetReached, _core.AllRunning):
                if not trials:
                    raise
                break
        return trials

    def tell(
        self,
        trial: Trial | int | Point,
        value: float | None = None,
        *,
        error: str | BaseException | None = None,
        seconds: float = 0.0,
        metrics: dict[str, float] | None = None,
    ) -> Trial:
        """Ends a trial that was asked for, given itself or by its number, with a value or with the error that prevented one.

        Instead of a trial, ``tell(point, value)`` records an evaluation of your own choice. ``seconds`` is the time
        the evaluation took; ``metrics`` are kept and never used. Returns the trial as it is now.
        """
        if (value is None) == (error is None):
            raise ValueError("found both value and error, or neither; allowed: one of them")
        if value is not None:
            _core.check_told(float(value))
        if not isinstance(trial, (Trial, int)):
            if value is None:
                raise ValueError("found an error of a point that was not asked for; allowed: a value")
            return self.trial(self._core.add(self.space.levels(trial), float(value)))
        number = trial.number if isinstance(trial, Trial) else trial
        if value is not None:
            return self.end(number, _core.Outcome.value(float(value), seconds, metrics or {}))
        text = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else str(error)
        return self.end(number, _core.Outcome.failure(text, seconds))

    def optimize(
        self,
        f: Objective,
        *,
        trials: int | None = None,
        timeout: float | None = None,
        target: float | None = None,
        catch: Catch = Exception,
        callback: Callback | None = None,
        executor: concurrent.futures.Executor | None = None,
        batch: int | None = None,
        parallel: int | None = None,
        progress: bool | None = None,
    ) -> Result:
        """Evaluates f until a limit is reached; may be called again to go on. The arguments are those of ``minimize``."""
        limits = Limits(trials, timeout, target, catch, callback, executor, batch, parallel, progress)
        return Result(self, self._work(f, limits))

    def _work(self, f: Objective, limits: Limits) -> str:
        return Loop(self, f, limits).run()

    def trial(self, number: int) -> Trial:
        """The trial of that number, as it is now."""
        return to_trial(self.space, self._core.trial(number))

    @property
    def trials(self) -> list[Trial]:
        """All trials in order of number, running ones included."""
        return [to_trial(self.space, seen) for seen in self._core.trials()]

    @property
    def best(self) -> Trial | None:
        """The complete trial with the best total; None before there is one."""
        seen = self._core.best()
        return None if seen is None else to_trial(self.space, seen)

    def recommend(self) -> Point:
        """The point the method would bet on: under noise (``method="bocs:noise=true"``), not simply the luckiest trial."""
        levels, _ = self._core.recommend()
        return self.space.point(levels)

    def explain(self, order: int | None = None, draws: int | None = None) -> Effects:
        """What the trials say about single choices and their interactions.

        The posterior of the coefficients of the method's own sparse model, largest first; ``order``: at most so many
        choices in one effect (default: as the method has it); ``draws`` from the posterior (default: 400, fewer for large studies). Needs
        two complete trials.
        """
        return Effects(self._core.explain(order or 0, draws or 0))

    def to_frame(self) -> pandas.DataFrame:
        """All trials as a pandas DataFrame, one column per variable, with the columns of ``bocs export``."""
        return trials_to_frame(self.space, self._core.trials())

    def __len__(self) -> int:
        return self.size()

    # For the loop.

    def ask_one(self) -> Trial:
        return to_trial(self.space, self._core.ask())

    def end(self, number: int, outcome: _core.Outcome) -> Trial:
        self._core.tell(number, outcome)
        return self.trial(number)

    def size(self) -> int:
        """Trials so far, running and failed ones included."""
        return int(self._core.size())

    def best_total(self) -> float | None:
        seen = self._core.best()
        return None if seen is None else float(seen.total)


class Result:
    """What a run found: ``x``, ``value``, ``trials``, and ways to look at them."""

    def __init__(self, session: Session, reason: str) -> None:
        self.session = session  #: the Optimizer or Study; ``result.session.optimize(f, trials=...)`` goes on
        self.reason = reason  #: why it ended: trials, timeout, target, exhausted, stopped or interrupted
        self.trials: list[Trial] = [t for t in session.trials if t.state in ("complete", "failed")]  #: in order of number

    @property
    def best(self) -> Trial:
        """The best complete trial. Raises bocs.Error, with the last failure, if there is none."""
        best = self.session.best
        if best is None:
            last = self.trials[-1].error.splitlines()[0] if self.trials else "nothing was evaluated"
            raise _core.Error(f"none of {len(self.trials)} evaluations gave a value; the last: {last}")
        return best

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

    def to_frame(self) -> pandas.DataFrame:
        """As of Optimizer."""
        return self.session.to_frame()

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the total of every trial and the best so far, with matplotlib; returns the axes."""
        if ax is None:
            import matplotlib.pyplot

            ax = matplotlib.pyplot.subplots()[1]
        complete = [t for t in self.trials if t.state == "complete"]
        numbers = [t.number for t in complete]
        best: list[float] = []
        better = min if self.session.direction == "minimize" else max
        for t in complete:
            best.append(better(best[-1], t.total) if best else t.total)
        ax.plot(numbers, [t.total for t in complete], ".", color="0.6", label="trials")
        ax.step(numbers, best, where="post", label="best so far")
        failed = [t.number for t in self.trials if t.state == "failed"]
        if failed:
            ax.plot(failed, [ax.get_ylim()[0]] * len(failed), "x", color="tab:red", label="failed")
        ax.set_xlabel("trial")
        ax.set_ylabel("value")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        failed = sum(t.state == "failed" for t in self.trials)
        lines = [f"trials  {len(self.trials)}, {failed} failed", f"reason  {self.reason}"]
        if self.session.best is not None:
            penalty = f"  total {self.total:.6g}" if self.total != self.value else ""
            lines = [f"x       {self.x}", f"value   {self.value:.6g}{penalty}", *lines]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"

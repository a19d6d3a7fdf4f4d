"""What an Optimizer, in memory, and a Study, in a store, have in common."""

from __future__ import annotations

import contextlib
import math
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._executor import Executor
from ._past import PastData, past_points
from ._result import Result
from ._run import Callback, Catch, Direction, Driver, EvaluationError, Limits, Objective, log
from ._space import Point, Space
from ._trial import Effects, Remaining, Simplification, Trial, to_remaining, to_simplification, to_trial, trials_to_frame

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


class Session:
    """Ask for points, tell what came of them. Any number of threads may share one."""

    space: Space
    direction: Direction
    goals: dict[str, Direction]  #: what is optimized, where it is not the value alone
    outcomes: list[str]  #: limits on what the evaluations report
    _core: Any  # _core.Optimizer or _core.Study
    _calls: _Calls

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
            return to_trial(self.space, self._core.ask())
        trials: list[Trial] = []
        for _ in range(n):
            try:
                trials.append(self.ask())
            except (_core.SpaceExhausted, _core.BudgetReached, _core.AllRunning):
                if not trials:
                    raise
                break
        return trials

    def ask_plate(
        self,
        n: int,
        *,
        same: str | Sequence[str] = (),
        block: int = 0,
        at_most: Mapping[str, int] | None = None,
        distance: int = 0,
        csv: str | os.PathLike[str] | None = None,
    ) -> list[Trial]:
        """A batch that is run together, now running: n trials, or fewer when nothing else keeps the rules.

            same       variables with one value in the batch, or, with ``block``, in each block of so many trials
            at_most    so many different values of a variable in the batch: ``{"solvent": 2}``
            distance   any two trials differ in at least so many variables
            csv        writes the batch as a sheet, with empty columns for what is measured; ``tell_plate`` reads it
        """
        names = [same] if isinstance(same, str) else list(same)
        seen = self._core.ask_plate(n, names, block, dict(at_most or {}), distance)
        trials = [to_trial(self.space, trial) for trial in seen]
        if csv is not None:
            Path(csv).write_text(self._core.sheet([trial.number for trial in trials]), encoding="utf-8", newline="")
        return trials

    def tell_plate(self, sheet: str | os.PathLike[str] | pandas.DataFrame) -> dict[str, int]:
        """Tells what is filled in on a sheet of ``ask_plate``: a CSV file, or a DataFrame with its columns.

        All rows or, if one is wrong, none. Rows may be missing, empty or in another order; a text instead of a number
        says why the trial failed; rows told before change nothing. Returns how many rows were ``told``, of these
        ``failed``, ``known`` before, still ``open``, and ``added`` without a number: evaluations that nobody asked for.
        """
        if isinstance(sheet, (str, os.PathLike)):
            return dict(self._core.tell_sheet(os.fspath(sheet)))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "plate.csv"
            sheet.to_csv(file, index=False)
            return dict(self._core.tell_sheet(os.fspath(file)))

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

        Instead of a trial, ``tell(point, value)`` records an evaluation of your own choice: in a Study it comes on top of
        the budget. ``seconds`` is the time
        the evaluation took; ``metrics`` are further numbers, among them those that goals and outcomes name. Returns the trial as it is now.
        """
        is_alone = bool(self.goals and metrics) and value is None and error is None
        if (value is None) == (error is None) and not is_alone:
            raise ValueError("tell() needs exactly one of value= and error=; with goals, metrics= alone will do")
        if error is None:
            self._core.check_told(math.nan if value is None else float(value), metrics or {})
        if value is not None:
            outcome = _core.Outcome.value(float(value), seconds, metrics or {})
        elif error is None:
            outcome = _core.Outcome.metrics_alone("there is no value", seconds, metrics or {})
        else:
            text = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else str(error)
            outcome = _core.Outcome.failure(text, seconds)
        if isinstance(trial, (Trial, int)):
            number = trial.number if isinstance(trial, Trial) else trial
            return to_trial(self.space, self._core.tell(number, outcome))
        return self.trial(self._core.tell_point(self.space.levels(trial), outcome))

    def optimize(
        self,
        f: Objective,
        *,
        trials: int | None = None,
        timeout: float | None = None,
        target: float | None = None,
        catch: Catch = Exception,
        callback: Callback | None = None,
        executor: Executor = None,
        batch: int | None = None,
        parallel: int | None = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
        keep_going: bool = False,
        stop: str | None = None,
    ) -> Result:
        """Evaluates f until a limit is reached; may be called again to go on. The arguments are those of ``minimize``.

        ``trials`` evaluations are made by this call; a Study whose budget is smaller gets a larger one. Calls of several
        threads on one object work together: the limits of the first hold for all of them.
        """
        limits = Limits(trials, timeout, target, catch, callback, executor, batch, parallel, n_jobs, progress, keep_going, stop)
        limits.check()
        with self._shared_loop(limits) as loop:
            reason = self._work(f, limits, loop)
            failing = loop.failing if reason == "failing" else ""
        result = Result(self, reason)
        if failing and not self.front:
            error = EvaluationError(f"{failing}\n\nThe first of them:\n{result.first_error}")
            error.result = result
            raise error
        if failing:
            log.warning("stopped: %s", failing)
        return result

    @contextlib.contextmanager
    def _shared_loop(self, limits: Limits) -> Iterator[_core.Loop]:
        with self._calls.lock:
            if self._calls.count == 0:
                self._calls.loop = self._make_loop(limits)
            self._calls.count += 1
            loop = self._calls.loop
        try:
            yield loop
        finally:
            with self._calls.lock:
                self._calls.count -= 1

    def _make_loop(self, limits: Limits) -> _core.Loop:
        initial = self._core.initial_points() - len(self)
        if limits.trials is not None and initial >= limits.trials:
            log.warning(
                "all %d trials are random points of the initial design (%d): the model gets no turn; give more trials, or "
                "method='bocs:initial=%d'",
                limits.trials,
                self._core.initial_points(),
                max(1, limits.trials // 5),
            )
        return _core.Loop(limits.trials, limits.timeout, limits.target, limits.keep_going, self._stop_of(limits))

    def _stop_of(self, limits: Limits) -> str | None:
        return limits.stop

    def _work(self, f: Objective, limits: Limits, loop: _core.Loop) -> str:
        return Driver(self, self._core, loop, f, limits).run()

    def enqueue(self, x: Point) -> int:
        """Lets the next ``ask``, of whatever process, hand out this point; returns its trial's number."""
        return int(self._core.enqueue(self.space.levels(x)))

    def release(self, number: int) -> bool:
        """Gives a running trial back: it waits to be asked for again. False: it was not running."""
        return bool(self._core.release(number))

    def strike(self, number: int, why: str) -> None:
        """Takes a complete trial out of models and answers, for good: a measurement known to be wrong.

        The trial is kept, with ``why`` as its error. Its point is not proposed again; ``enqueue`` it to measure it again.
        """
        self._core.strike(number, why)

    def add(self, data: PastData) -> int:
        """Adds evaluations made elsewhere, all or none; returns how many.

        ``data``: pairs of a point and its value, or a DataFrame with a column per variable (elements of arrays apart, as
        ``to_frame`` has them) and a column ``value``. Metrics that goals and outcomes name belong to it: as columns, or
        in a dict instead of the value, as the objective returns it.
        """
        names = [*self._core.named_metrics()]
        rows = [(self.space.levels(x), float(value), metrics) for x, value, metrics in past_points(self.space, data, names)]
        self._core.add_past(rows)
        return len(rows)

    def trial(self, number: int) -> Trial:
        """The trial of that number, as it is now."""
        return to_trial(self.space, self._core.trial(number))

    @property
    def trials(self) -> list[Trial]:
        """All trials in order of number, running ones included."""
        return [to_trial(self.space, seen) for seen in self._core.trials()]

    @property
    def best(self) -> Trial | None:
        """The allowed trial with the best total; None before there is one. With several goals there is a ``front`` instead."""
        self._check_one_goal()
        seen = self._core.best()
        return None if seen is None else to_trial(self.space, seen)

    def _check_one_goal(self) -> None:
        if len(self.goals) > 1:
            raise _core.Error(f"with several goals ({', '.join(self.goals)}) no single trial is the best: look at front")

    @property
    def front(self) -> list[Trial]:
        """The allowed trials that no other beats in one goal without being worse in another, best first goal first."""
        return [to_trial(self.space, seen) for seen in self._core.front()]

    def _read_goals(self) -> None:
        senses = {_core.Sense.minimize: "minimize", _core.Sense.maximize: "maximize"}
        self.goals = {name: senses[sense] for name, sense in self._core.goals()}  # type: ignore[misc]
        self.outcomes = self._core.outcomes()
        if self.goals:
            self.direction = next(iter(self.goals.values()))

    def recommend(self) -> Point:
        """The point the method would bet on: under noise (``method="bocs:noise=true"``), not simply the best single measurement."""
        self._check_one_goal()
        return self.space.point(self._core.recommend())

    def explain(self, order: int | None = None, draws: int | None = None) -> Effects:
        """What the trials say about single choices and their interactions.

        The posterior of the coefficients of the method's own sparse model, largest first; ``order``: at most so many
        choices in one effect (default: as the method has it); ``draws`` from the posterior (default: 400, fewer for large studies). Needs
        two complete trials.
        """
        return Effects(self._core.explain(order or 0, draws or 0))

    @property
    def remaining(self) -> Remaining:
        """How much better the best point could still get; ``mean`` and the rest are nan where that is not known."""
        return to_remaining(self._core.remaining())

    def simplify(self, loss: float | str = 0.0, f: Objective | None = None, confirm: int = 0) -> Simplification:
        """Which changes from ``default`` the answer needs, while the value loses no more than ``loss`` (0.5 or "1%").

        ``confirm`` evaluates f at up to so many points that decide what is in doubt, the simplified point first.
        """
        seen = self._core.simplified(str(loss))
        for _ in range(confirm if f is not None else 0):
            if not seen.next:
                break
            x = self.space.point(seen.next)
            self.tell(x, float(f(x)))  # type: ignore[misc,arg-type]
            seen = self._core.simplified(str(loss))
        return to_simplification(self.space, seen)

    def to_frame(self) -> pandas.DataFrame:
        """All trials as a pandas DataFrame, one column per variable, with the columns of ``bocs export``."""
        return trials_to_frame(self.space, self._core.trials())

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the total of every trial and the best so far, with matplotlib; returns the axes."""
        from ._plot import plot_trials

        return plot_trials(self.trials, self.direction, ax)

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes one HTML file that shows everything; returns its path."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Trials so far, running and failed ones included."""
        return int(self._core.size())


class _Calls:
    """The calls of ``optimize`` that run now, which share a loop. A copy of a session has none."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.loop: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _Calls, ()

    def __deepcopy__(self, memo: Any) -> _Calls:
        return _Calls()

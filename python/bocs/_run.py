"""Drives the library's loop: begins what it hands out, here or on an executor, and reports what came of it."""

from __future__ import annotations

import concurrent.futures
import logging
import math
import numbers
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from . import _core
from ._executor import Executor, Future, Pool
from ._space import Point
from ._trial import Trial, to_trial

if TYPE_CHECKING:
    from ._session import Session

Returned = Union[float, Mapping[str, Any]]  # the value, or {"value": 12.5, "mass": 3.1}
Objective = Callable[[Any], Returned]
Catch = Union[type[BaseException], tuple[type[BaseException], ...]]
Callback = Callable[[Trial], Any]
Direction = Literal["minimize", "maximize"]

log = logging.getLogger("bocs")


class Evaluation(NamedTuple):
    """What f gave, in a form that any executor can carry."""

    value: float
    metrics: dict[str, float]
    error: str | None
    seconds: float

    def outcome(self) -> _core.Outcome:
        if self.error is not None:
            return _core.Outcome.failure(self.error, self.seconds)
        if math.isnan(self.value) and self.metrics:
            return _core.Outcome.metrics_alone("the value is nan, not a finite number", self.seconds, self.metrics)
        return _core.Outcome.value(self.value, self.seconds, self.metrics)


def evaluate(f: Objective, x: Point, catch: Catch, needs_value: bool = True) -> Evaluation:
    """Calls f. Without ``needs_value`` it may return metrics alone. An exception that is in ``catch`` is a failed evaluation; KeyboardInterrupt and SystemExit never are."""
    start = time.perf_counter()
    try:
        value, metrics = _read(f(x), needs_value)
    except Exception as error:
        if not isinstance(error, catch):
            raise
        text = traceback.format_exception_only(type(error), error)[-1] + "".join(traceback.format_exc())
        return Evaluation(math.nan, {}, text, time.perf_counter() - start)
    return Evaluation(value, metrics, None, time.perf_counter() - start)


def _read(returned: Any, needs_value: bool) -> tuple[float, dict[str, float]]:
    """The value, and the finite numbers beside it: the rule of programs, too."""
    metrics: dict[str, float] = {}
    value: Any = returned
    if isinstance(returned, Mapping):
        value = returned.get("value")
        for name, metric in returned.items():
            number = _number(metric)
            if name != "value" and number is not None and math.isfinite(number):
                metrics[str(name)] = number
    number = _number(value)
    if number is None and metrics and not needs_value:
        return math.nan, metrics
    if number is None:
        raise TypeError(f"the objective returned {returned!r}; allowed: a number, or a dict with 'value' and other numbers")
    return number, metrics


def _number(value: Any) -> float | None:
    if not isinstance(value, numbers.Real):
        try:
            value = value.item()  # a NumPy array or scalar, a torch tensor of one number
        except (AttributeError, ValueError, TypeError, RuntimeError):
            return None
    return float(value) if isinstance(value, numbers.Real) else None


@dataclass
class Limits:
    """When to stop, and how to evaluate; the arguments of ``minimize``."""

    trials: int | None = None
    timeout: float | None = None
    target: float | None = None
    catch: Catch = Exception
    callback: Callback | None = None
    executor: Executor = None
    batch: int | None = None
    parallel: int | None = None
    n_jobs: int | None = None
    progress: bool | None = None
    keep_going: bool = False
    stop: str | None = None

    def check(self) -> None:
        if self.stop is not None:
            _core.check_stop(self.stop)
        for name in ("trials", "timeout", "batch", "parallel", "n_jobs"):
            value = getattr(self, name)
            wanted: Any = numbers.Real if name == "timeout" else numbers.Integral
            is_all = name == "n_jobs" and value == -1
            if value is not None and not is_all and not (isinstance(value, wanted) and value > 0):
                kind = "number" if name == "timeout" else "whole number"
                raise ValueError(f"found {name}={value!r}; allowed: a {kind} above 0, or None")
        if self.parallel is not None and (self.batch is not None or self.n_jobs is not None):
            other = "batch" if self.batch is not None else "n_jobs"
            raise ValueError(f"found both {other} and parallel; allowed: one of them")

    def pool(self) -> Pool:
        return Pool(self.executor, self.parallel or self.n_jobs)


class EvaluationError(_core.Error):
    """The first evaluations all failed, so that the run was stopped. ``result`` has the trials."""

    result: Any = None


class Driver:
    """One run of one session. Several threads may share a loop, each with a driver of its own."""

    def __init__(self, session: Session, core: _core.Session, loop: _core.Loop, f: Objective, limits: Limits) -> None:
        self._session = session
        self._core = core
        self._loop = loop
        self._f = f
        self._limits = limits
        self._pool = limits.pool()
        self._alone = 0  # so many evaluations run one at a time: one of them killed its process
        self._running: dict[Future[Evaluation], Trial] = {}
        self._reports = _Reports(session, core, limits)

    def run(self) -> str:
        """Why it ended: trials, timeout, target, exhausted, gave up, converged, failing, stopped or interrupted."""
        try:
            self._drive()
        except BaseException as error:
            self._rescue()
            if not isinstance(error, KeyboardInterrupt):
                raise
            return "interrupted"
        finally:
            self._pool.close()
            self._reports.close()
        return str(self._loop.reason)

    def _drive(self) -> None:
        while True:
            free = self._free()
            wait: float | None = None
            if free > 0:
                step = self._loop.next(self._core, free)
                if not self._begin([to_trial(self._session.space, seen) for seen in step.begin]):
                    continue
                if not self._running:
                    if step.ended:
                        return
                    time.sleep(step.wait_seconds)
                    continue
                wait = step.wait_seconds or None
            whole = concurrent.futures.ALL_COMPLETED if self._limits.batch else concurrent.futures.FIRST_COMPLETED
            done, _ = concurrent.futures.wait(self._running, wait, whole)
            self._report(done)

    def _begin(self, trials: list[Trial]) -> bool:
        """False: the pool had broken before all were begun; those are given back, and the pool is a new one."""
        for i, trial in enumerate(trials):
            try:
                future = self._pool.submit(evaluate, self._f, trial.x, self._limits.catch, not self._session.goals)
            except concurrent.futures.BrokenExecutor as error:
                for other in trials[i:]:
                    self._loop.no_outcome(self._core, other.number)
                self._replace_pool(error)
                return False
            self._running[future] = trial
        return True

    def _free(self) -> int:
        if self._alone > 0:
            return 0 if self._running else 1
        if self._limits.batch:
            return 0 if self._running else self._limits.batch
        return self._pool.width - len(self._running)

    def _report(self, done: Iterable[Future[Evaluation]]) -> None:
        """Tells all that have an outcome before anything is raised."""
        problem: BaseException | None = None
        broken: BaseException | None = None
        for future in self._in_order(done):
            try:
                evaluation = future.result()
            except concurrent.futures.BrokenExecutor as error:
                broken = error
            except BaseException as error:
                problem = problem or error
            else:
                self._end(future, evaluation)
        if problem is not None:
            raise problem
        if broken is not None:
            self._replace_pool(broken)

    def _in_order(self, futures: Iterable[Future[Evaluation]]) -> list[Future[Evaluation]]:
        return sorted(futures, key=lambda future: self._running[future].number)

    def _end(self, future: Future[Evaluation], evaluation: Evaluation) -> None:
        seen, _ = self._loop.finished(self._core, self._running[future].number, evaluation.outcome())
        del self._running[future]
        self._alone = max(0, self._alone - 1)
        self._show(seen)

    def _show(self, seen: _core.TrialView) -> None:
        trial = to_trial(self._session.space, seen)
        self._reports.show(trial)
        if self._limits.callback is not None and self._limits.callback(trial) is True:
            self._loop.stop()

    def _replace_pool(self, error: BaseException) -> None:
        """A process of the pool died, and with it all that ran there. Alone, a trial is guilty; else each is tried alone."""
        done, _ = concurrent.futures.wait(self._running)
        for future in self._in_order(done):
            if _has_result(future):
                self._end(future, future.result())
        suspects = self._in_order(self._running)
        how = f"the process that evaluated the point ended: {error}"
        for future in suspects:
            number = self._running.pop(future).number
            if len(suspects) > 1:
                self._loop.no_outcome(self._core, number)
            elif (failed := self._loop.evaluator_died(self._core, number, how)) is not None:
                self._show(failed)
        self._alone = max(1, len(suspects))
        if not self._pool.renew():
            raise error
        log.warning("a process of the pool ended during %s; it goes on with a new pool", _trials_text(len(suspects)))

    def _rescue(self) -> None:
        """On the way out: what has a result is told, everything else is given back."""
        for future in self._running:
            future.cancel()
        is_open = set(self._loop.open(self._core))
        for future in self._in_order(self._running):
            number = self._running[future].number
            if number in is_open and _has_result(future):
                self._loop.finished(self._core, number, future.result().outcome())
        self._loop.abandon(self._core)


def _has_result(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _trials_text(count: int) -> str:
    return "a trial" if count == 1 else f"one of {count} trials"


class _Reports:
    """A line in the log per new best and per failure, and the bar of ``progress``."""

    def __init__(self, session: Session, core: _core.Session, limits: Limits) -> None:
        self._sign = 1.0 if session.direction == "minimize" else -1.0
        best = core.best()
        self._best: float | None = None if best is None else best.total
        self._goals = len(session.goals)
        self._limits_outcomes = bool(session.outcomes)
        self._bar = _bar(limits)

    def show(self, trial: Trial) -> None:
        if trial.state == "failed":
            log.warning("trial %d failed: %s", trial.number, trial.error.partition("\n")[0])
        elif trial.allowed and self._goals < 2 and (self._best is None or self._sign * (trial.total - self._best) < 0):
            self._best = trial.total
            log.info("trial %d: %.6g is the best so far", trial.number, trial.total)
        if self._bar is not None:
            self._bar.update(1)
            nothing = "none allowed yet" if self._limits_outcomes else "all failed"
            best = nothing if self._best is None else f"best {self._best:.6g}"
            self._bar.set_postfix_str("" if self._goals > 1 else best)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar(limits: Limits) -> Any:
    """tqdm's bar; without tqdm a plain line. By default only where a person watches: in a terminal or a notebook."""
    is_watched = (sys.stderr is not None and sys.stderr.isatty()) or "ipykernel" in sys.modules
    if limits.progress is False or (limits.progress is None and not is_watched):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainBar(limits.trials)
    return tqdm(total=limits.trials, unit="trial")


class _PlainBar:
    def __init__(self, total: int | None) -> None:
        self._count, self._of = 0, "" if total is None else f" of {total}"

    def update(self, more: int) -> None:
        self._count += more

    def set_postfix_str(self, text: str) -> None:
        print(f"\r{self._count}{self._of} trials, {text}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)

"""The loop: ask, evaluate here or on an executor, tell."""

from __future__ import annotations

import concurrent.futures
import math
import numbers
import sys
import time
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Callable, Literal, NamedTuple, Protocol, Union

from . import _core
from ._space import Point
from ._trial import Trial

Returned = Union[float, Mapping[str, float]]  # the value, or {"value": 12.5, "mass": 3.1}
Objective = Callable[[Any], Returned]
Catch = Union[type[BaseException], tuple[type[BaseException], ...]]
Callback = Callable[[Trial], Any]
Direction = Literal["minimize", "maximize"]


class Evaluation(NamedTuple):
    """What f gave, in a form that any executor can carry."""

    value: float
    metrics: dict[str, float]
    error: str | None
    seconds: float

    def outcome(self) -> _core.Outcome:
        if self.error is not None:
            return _core.Outcome.failure(self.error, self.seconds)
        return _core.Outcome.value(self.value, self.seconds, self.metrics)


def evaluate(f: Objective, x: Point, catch: Catch) -> Evaluation:
    """Calls f. An exception that is in ``catch`` is a failed evaluation; KeyboardInterrupt and SystemExit never are."""
    start = time.perf_counter()
    try:
        returned = f(x)
    except Exception as error:
        if not isinstance(error, catch):
            raise
        text = traceback.format_exception_only(type(error), error)[-1] + "".join(traceback.format_exc())
        return Evaluation(math.nan, {}, text, time.perf_counter() - start)
    seconds = time.perf_counter() - start
    metrics: dict[str, float] = {}
    value: Any = returned
    if isinstance(returned, Mapping):
        metrics = {name: float(number) for name, number in returned.items() if name != "value"}
        value = returned.get("value")
    if not isinstance(value, numbers.Real):
        try:
            value = value.item()  # a NumPy array or scalar, a torch tensor of one number
        except (AttributeError, ValueError, TypeError):
            raise TypeError(
                f"the objective returned {returned!r}; allowed: a number, or a dict with 'value' and other numbers"
            ) from None
    return Evaluation(float(value), metrics, None, seconds)


class _Here(concurrent.futures.Executor):
    """Evaluates at once, in the calling thread; what f raises passes straight through."""

    _max_workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Session(Protocol):
    """What the loop needs of an Optimizer, or of a worker on a study."""

    def ask_one(self) -> Trial: ...
    def end(self, number: int, outcome: _core.Outcome) -> Trial: ...
    def size(self) -> int: ...
    def best_total(self) -> float | None: ...

    @property
    def direction(self) -> Direction: ...


@dataclass
class Limits:
    """When to stop, and how to evaluate; the arguments of ``minimize``."""

    trials: int | None = None
    timeout: float | None = None
    target: float | None = None
    catch: Catch = Exception
    callback: Callback | None = None
    executor: concurrent.futures.Executor | None = None
    batch: int | None = None
    parallel: int | None = None
    progress: bool | None = None

    def check(self) -> None:
        for name in ("trials", "timeout", "batch", "parallel"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"found {name}={value!r}; allowed: a number above 0, or None")
        if self.batch is not None and self.parallel is not None:
            raise ValueError("found both batch and parallel; allowed: one of them")
        if self.parallel is not None and self.executor is None:
            raise ValueError("found parallel without executor; allowed: with an executor, such as a ThreadPoolExecutor")

    def width(self) -> int:
        """Evaluations at once."""
        if self.batch or self.parallel:
            return self.batch or self.parallel or 1
        if self.executor is None:
            return 1
        workers = getattr(self.executor, "_max_workers", None)
        if not isinstance(workers, int):
            raise ValueError(f"{type(self.executor).__name__} does not say how many workers it has; give parallel=...")
        return workers


class Loop:
    """One run. ``reason`` says why it ended: trials, timeout, target, exhausted, stopped or interrupted."""

    def __init__(self, session: Session, f: Objective, limits: Limits) -> None:
        limits.check()
        self._session = session
        self._f = f
        self._limits = limits
        self._executor = limits.executor or _Here()
        self._width = limits.width()
        self._running: dict[concurrent.futures.Future[Evaluation], Trial] = {}
        self._deadline = math.inf if limits.timeout is None else time.monotonic() + limits.timeout
        self._progress = _Progress(limits)
        self.reason: str | None = None

    def run(self) -> str:
        try:
            while self._fill():
                self._collect()
        except KeyboardInterrupt:
            self.reason = "interrupted"
            self._tell([future for future in self._running if _has_result(future)])
        finally:
            for future in self._running:
                future.cancel()
            self._progress.close()
        return self.reason or "trials"

    def _limit(self) -> str | None:
        limits = self._limits
        best = None if limits.target is None else self._session.best_total()
        if best is not None and limits.target is not None:
            if best <= limits.target if self._session.direction == "minimize" else best >= limits.target:
                return "target"
        if limits.trials is not None and self._session.size() >= limits.trials:
            return "trials"
        return "timeout" if time.monotonic() >= self._deadline else None

    def _fill(self) -> bool:
        """Keeps so many evaluations running; with ``batch``, starts the next when all of the last are told. False: the end."""
        if self._limits.batch and self._running:
            return True
        pause = 0.05  # seconds; all trials of a study run elsewhere
        while len(self._running) < self._width:
            if not (self._limits.batch and self._running):
                self.reason = self.reason or self._limit()
            elif self._limits.trials is not None and self._session.size() >= self._limits.trials:
                break
            if self.reason is not None:
                break
            try:
                trial = self._session.ask_one()
            except _core.SpaceExhausted:
                self.reason = "exhausted"
            except _core.BudgetReached:
                self.reason = "trials"
            except _core.AllRunning:
                if self._running:
                    break
                time.sleep(pause)
                pause = min(2 * pause, 1.0)
            else:
                self._running[self._executor.submit(evaluate, self._f, trial.x, self._limits.catch)] = trial
        return bool(self._running)

    def _collect(self) -> None:
        mode = concurrent.futures.ALL_COMPLETED if self._limits.batch else concurrent.futures.FIRST_COMPLETED
        done, _ = concurrent.futures.wait(self._running, return_when=mode)
        self._tell(done)

    def _tell(self, done: Iterable[concurrent.futures.Future[Evaluation]]) -> None:
        for future in sorted(done, key=lambda future: self._running[future].number):
            asked = self._running[future]
            outcome = future.result().outcome()
            del self._running[future]
            told = self._session.end(asked.number, outcome)
            self._progress.show(self._session)
            if self._limits.callback is not None and self._limits.callback(told) is True:
                self.reason = self.reason or "stopped"


def _has_result(future: concurrent.futures.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


class _Progress:
    """tqdm's bar, where tqdm is installed and somebody watches."""

    def __init__(self, limits: Limits) -> None:
        self._bar: Any = None
        is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules  # a terminal, a notebook
        if limits.progress is False or (limits.progress is None and not is_watched):
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if limits.progress:
                raise
            return
        self._bar = tqdm(total=limits.trials, unit="trial")

    def show(self, session: Session) -> None:
        if self._bar is not None:
            self._bar.update(1)
            best = session.best_total()
            self._bar.set_postfix_str("all failed" if best is None else f"best {best:.6g}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

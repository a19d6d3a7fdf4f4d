"""The optimizer in memory, and the two functions most people need."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Mapping
from typing import Any, Union

from . import _core
from ._constraints import Constraints, compile_constraints
from ._run import Callback, Catch, Direction, Objective
from ._session import Result, Session
from ._space import Binary, Space

SpaceLike = Union[Mapping[str, Any], Binary, Space]


def to_sense(direction: str) -> _core.Sense:
    senses = {"minimize": _core.Sense.minimize, "maximize": _core.Sense.maximize}
    if direction not in senses:
        raise ValueError(f"found the direction {direction!r}; allowed: 'minimize', 'maximize'")
    return senses[direction]


def make_task(space: Space, constraints: Constraints, l1: float, l2: float, seed: int) -> _core.Task:
    if not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise ValueError(f"found the seed {seed!r}; allowed: a whole number from 0 to 2^63 - 1")
    return _core.Task(space.core, compile_constraints(space, constraints), l1, l2, seed)


class Optimizer(Session):
    """A task, a method and a history in memory.

    >>> optimizer = bocs.Optimizer({"pump": bool, "crew": range(1, 9)}, seed=1)
    >>> trial = optimizer.ask()
    >>> optimizer.tell(trial, f(trial.x))
    >>> optimizer.best

    The same arguments and the same tells give the same points, as from C++ and from the command line. An Optimizer may be
    pickled and copied; it goes on as if nothing had happened. Any number of threads may use it.
    """

    def __init__(
        self,
        space: SpaceLike,
        *,
        direction: Direction = "minimize",
        constraints: Constraints = (),
        l1: float = 0.0,
        l2: float = 0.0,
        method: str = "bocs",
        seed: int = 1,
    ) -> None:
        self.space = Space(space)
        self.direction = direction
        self.method = method
        self._arguments = {"constraints": constraints, "l1": l1, "l2": l2, "seed": seed}
        self._start([])

    def _start(self, trials: list[str]) -> None:
        task = make_task(self.space, **self._arguments)  # type: ignore[arg-type]
        self._core = _core.Optimizer(task, self.method, to_sense(self.direction), trials)

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key != "_core"}
        return {"state": state, "trials": self._core.written()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved["state"])
        self._start(saved["trials"])

    def __repr__(self) -> str:
        return f"Optimizer({self.direction}, {self.space.dimension} variables, method={self.method!r}, {len(self)} trials)"


def minimize(
    f: Objective,
    space: SpaceLike,
    *,
    trials: int | None = None,
    seed: int = 1,
    constraints: Constraints = (),
    l1: float = 0.0,
    l2: float = 0.0,
    method: str = "bocs",
    timeout: float | None = None,
    target: float | None = None,
    catch: Catch = Exception,
    callback: Callback | None = None,
    executor: concurrent.futures.Executor | None = None,
    batch: int | None = None,
    parallel: int | None = None,
    progress: bool | None = None,
) -> Result:
    """Finds a point of ``space`` where f is small, in few evaluations.

        f             gets a point (a dict; a NumPy vector if the space is ``bocs.binary(n)``) and returns a number, or a dict
                      with ``value`` and other numbers, which are kept as metrics. NaN and infinities are failed evaluations.
        space         ``{"pump": bool, "crew": range(1, 9), "depot": ["north", "south"], "station": bocs.Binary(24)}``
        trials        evaluations in all, initial and failed ones included; default 100 unless there is another limit
        seed          the same seed gives the same points
        constraints   texts such as ``"pump + 2*crew <= 10"``, and ``bocs.exactly(10, of="station")``, ``bocs.if_(...)``, ...;
                      f is never called at a point that breaks one
        l1, l2        weights of a penalty on the size of x: f + l1 |x| + l2 |x|^2 is minimized (f - ... is maximized)
        method        as on the command line: "bocs", "ei", "bocs:order=3,noise=true"; ``bocs methods`` lists them
        timeout       begin no evaluation after so many seconds
        target        stop at a total as good as this
        catch         exceptions of f that are failed evaluations, which the model learns from; ``catch=()`` raises them
        callback      called with every finished Trial; returning True ends the run
        executor      any concurrent.futures.Executor evaluates: threads, processes, Dask, ...; f is picklable where it asks for it
        parallel      evaluations at once on the executor (default: its workers); each is told as it comes, so which points
                      are proposed depends on who is faster
        batch         instead: ask for so many, evaluate all, tell all; the same points whoever is faster
        progress      a bar by tqdm; default: if tqdm is installed and this is a terminal or a notebook

    Ctrl-C ends the run and returns what there is (``reason`` is then "interrupted").
    """
    return _optimized("minimize", **locals())


def maximize(
    f: Objective,
    space: SpaceLike,
    *,
    trials: int | None = None,
    seed: int = 1,
    constraints: Constraints = (),
    l1: float = 0.0,
    l2: float = 0.0,
    method: str = "bocs",
    timeout: float | None = None,
    target: float | None = None,
    catch: Catch = Exception,
    callback: Callback | None = None,
    executor: concurrent.futures.Executor | None = None,
    batch: int | None = None,
    parallel: int | None = None,
    progress: bool | None = None,
) -> Result:
    """As ``minimize``, but finds a point where f is large; a penalty is subtracted."""
    return _optimized("maximize", **locals())


def _optimized(
    direction: Direction,
    f: Objective,
    space: SpaceLike,
    seed: int,
    constraints: Constraints,
    l1: float,
    l2: float,
    method: str,
    **limits: Any,
) -> Result:
    if limits["trials"] is None and limits["timeout"] is None and limits["target"] is None:
        limits["trials"] = 100
    optimizer = Optimizer(
        space, direction=direction, constraints=constraints, l1=l1, l2=l2, method=method, seed=seed
    )
    return optimizer.optimize(f, **limits)

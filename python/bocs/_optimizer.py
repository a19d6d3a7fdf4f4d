"""The optimizer in memory, and the two functions most people need."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._candidates import Table, as_space
from ._constraints import Constraints, compile_constraints
from ._executor import Executor
from ._goals import Goals, Outcomes, to_goals, to_outcomes, to_sense
from ._method import MethodLike, name_of, to_core
from ._past import PastData
from ._result import Result
from ._run import Callback, Catch, Direction, Limits, Objective
from ._session import Session, _Calls
from ._space import Binary, Point, Space

if TYPE_CHECKING:
    from ._study import Study

SpaceLike = Union[Mapping[str, Any], Binary, Space]


def make_task(
    space: Space,
    constraints: Constraints,
    l1: float,
    l2: float,
    seed: int,
    trials: int = 0,
    goals: Goals = (),
    outcomes: Outcomes = (),
    direction: Direction = "minimize",
    default: Point | None = None,
) -> _core.Task:
    if not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise ValueError(f"found the seed {seed!r}; allowed: a whole number from 0 to 2^63 - 1")
    numbers = to_goals(space.core, goals, direction), to_outcomes(outcomes)
    present = [] if default is None else space.levels(default)
    rules = compile_constraints(space, constraints)
    return _core.Task(space.core, rules, l1, l2, seed, trials, *numbers, present, space.candidates)


class Optimizer(Session):
    """A task, a method and a history in memory.

    >>> optimizer = bocs.Optimizer({"pump": bool, "crew": range(1, 9)}, seed=1)
    >>> trial = optimizer.ask()
    >>> optimizer.tell(trial, f(trial.x))
    >>> optimizer.best

    The same arguments and the same tells give the same points, as from C++ and from the command line. An Optimizer may be
    pickled and copied; it goes on as if nothing had happened. Any number of threads may use it.

        trials       evaluations you plan: the random initial design takes at most a fifth of them; None: not known

    The others are those of ``minimize``.
    """

    def __init__(
        self,
        space: SpaceLike | None = None,
        *,
        candidates: Table | None = None,
        direction: Direction = "minimize",
        constraints: Constraints = (),
        l1: float = 0.0,
        l2: float = 0.0,
        method: MethodLike = "bocs",
        seed: int = 1,
        trials: int | None = None,
        goals: Goals = (),
        outcomes: Outcomes = (),
        default: Point | None = None,
    ) -> None:
        if trials is not None and (isinstance(trials, bool) or not isinstance(trials, int) or trials < 1):
            raise ValueError(f"found trials={trials!r}; allowed: a whole number above 0, or None")
        self.space = as_space(space, candidates)
        self.direction = direction
        self.method = method
        self._calls = _Calls()
        self._trials = trials or 0
        self._arguments = {
            "constraints": constraints,
            "l1": l1,
            "l2": l2,
            "seed": seed,
            "trials": self._trials,
            "goals": goals,
            "outcomes": outcomes,
            "direction": direction,
            "default": default,
        }
        self._start([])

    def _start(self, trials: list[str]) -> None:
        task = make_task(self.space, **self._arguments)  # type: ignore[arg-type]
        self._core = _core.Optimizer(task, to_core(self.method, self.space), to_sense(self.direction), trials)
        self._read_goals()

    def save(self, where: str | os.PathLike[str], name: str | None = None) -> Study:
        """Makes a Study of it, with all its trials, in a SQLite file or a server: to be kept, shared or looked at.

        Its budget is the planned number of trials. Trials that were running wait there to be evaluated again.
        """
        from ._study import save

        task = make_task(self.space, **self._arguments)  # type: ignore[arg-type]
        return save(self, task, self._trials, where, name)

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes one HTML file that shows everything; returns its path, by default bocs.report.html in the current folder."""
        with tempfile.TemporaryDirectory() as folder:
            return self.save(Path(folder) / "bocs.db").report(path)

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key != "_core"}
        return {"state": state, "trials": self._core.written()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved["state"])
        self._start(saved["trials"])

    def __repr__(self) -> str:
        return f"Optimizer({self.direction}, {self.space.dimension} variables, method={name_of(self.method)!r}, {len(self)} trials)"


def minimize(
    f: Objective,
    space: SpaceLike | None = None,
    *,
    candidates: Table | None = None,
    trials: int | None = None,
    seed: int = 1,
    constraints: Constraints = (),
    goals: Goals = (),
    outcomes: Outcomes = (),
    l1: float = 0.0,
    l2: float = 0.0,
    method: MethodLike = "bocs",
    start: Iterable[Point] = (),
    data: PastData = (),
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
    default: Point | None = None,
) -> Result:
    """Finds a point of ``space`` where f is small, in few evaluations.

        f             gets a point (a dict; a NumPy vector if the space is ``bocs.binary(n)``) and returns a number, or a dict
                      with ``value`` and other numbers, which are kept as metrics. NaN and infinities are failed evaluations.
        space         ``{"pump": bool, "crew": range(1, 9), "depot": ["north", "south"], "station": bocs.Binary(24)}``
        candidates    instead of a space, or with one: a DataFrame, a list of dicts or a CSV file whose rows are the only
                      points; see ``bocs.Candidates``
        trials        evaluations, initial and failed ones included; default 100 unless there is another limit. The random
                      initial design takes at most a fifth of them
        seed          the same seed gives the same points
        constraints   texts such as ``"pump + 2*crew <= 10"``, and ``bocs.exactly(10, of="station")``, ``bocs.if_(...)``, ...;
                      f is never called at a point that breaks one
        goals         several numbers to optimize, as f returns them in its dict: ``{"error": "min", "price": "min"}``, or
                      a ``bocs.Goal``; the answer is then ``result.front``. A list of names: all in one direction
        outcomes      limits on numbers that f returns: ``["growth >= 0.1"]``; only trials within them are answers
        l1, l2        weights of a penalty on the size of x: f + l1 |x| + l2 |x|^2 is minimized (f - ... is maximized)
        method        as on the command line: "bocs", "ei", "bocs:order=3,noise=true"; ``bocs methods`` lists them. Or
                      your own: an object with ``propose(task, history, number)``, or a function of the arrays mean and
                      variance, which is the score of an acquisition (docs/extending.md)
        start         points that are evaluated first
        data          what is known already: pairs of a point and its value, or a DataFrame as ``to_frame`` makes it
        timeout       begin no evaluation after so many seconds
        target        stop at a total as good as this
        catch         exceptions of f that are failed evaluations, which the model learns from; ``catch=()`` raises them
        callback      called with every finished Trial; returning True ends the run
        n_jobs        evaluations at once, in threads; -1: as many as there are cores; ``parallel`` is the same
        executor      who evaluates: "threads", "processes", or any concurrent.futures.Executor (Dask's and joblib's, too),
                      by default with as many at once as it has workers. Each evaluation is told as it ends, so which
                      points are proposed depends on who is faster. f is picklable where the executor asks for it
        batch         instead: ask for so many, evaluate all, tell all; the same points in whatever order they finish
        progress      a bar by tqdm; default: if this is a terminal or a notebook
        keep_going    even if the evaluations do nothing but fail
        default       the setting that is in use: it is evaluated first, the penalty counts changes from it instead of
                      sizes, and ``result.simplify()`` says which changes are needed
        stop          "gain < 0.01": stop when it is 95 % sure that less than 0.01 is left to gain (``result.remaining``);
                      where that is not known, the rule never holds

    When the first five evaluations fail, EvaluationError is raised with the first traceback; when the last twenty fail for
    the same reason, the run ends (``reason`` is "failing"). The logger "bocs" gets a line per new best (INFO) and per failure
    (WARNING). Ctrl-C ends the run and returns what there is (``reason`` is "interrupted").
    """
    return _optimized("minimize", **locals())


def maximize(
    f: Objective,
    space: SpaceLike | None = None,
    *,
    candidates: Table | None = None,
    trials: int | None = None,
    seed: int = 1,
    constraints: Constraints = (),
    goals: Goals = (),
    outcomes: Outcomes = (),
    l1: float = 0.0,
    l2: float = 0.0,
    method: MethodLike = "bocs",
    start: Iterable[Point] = (),
    data: PastData = (),
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
    default: Point | None = None,
) -> Result:
    """As ``minimize``, but finds a point where f is large; a penalty is subtracted."""
    return _optimized("maximize", **locals())


def _optimized(
    direction: Direction,
    f: Objective,
    space: SpaceLike | None,
    candidates: Table | None,
    seed: int,
    constraints: Constraints,
    goals: Goals,
    outcomes: Outcomes,
    l1: float,
    l2: float,
    method: MethodLike,
    start: Iterable[Point],
    data: PastData,
    default: Point | None,
    **limits: Any,
) -> Result:
    if limits["trials"] is None and limits["timeout"] is None and limits["target"] is None:
        limits["trials"] = 100
    Limits(**limits).check()
    optimizer = Optimizer(
        space,
        candidates=candidates,
        direction=direction,
        constraints=constraints,
        goals=goals,
        outcomes=outcomes,
        l1=l1,
        l2=l2,
        method=method,
        seed=seed,
        trials=limits["trials"],
        default=default,
    )
    optimizer.add(data)
    for x in start:
        optimizer.enqueue(x)
    return optimizer.optimize(f, **limits)

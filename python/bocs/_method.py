"""Methods, scores and samplers of your own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union, runtime_checkable

from . import _core
from ._space import Point, Space
from ._trial import Trial, to_trial
from .qubo import Machine


@dataclass(frozen=True)
class Task:
    """What a method of your own is asked about."""

    space: Space
    constraints: tuple[str, ...]
    core: _core.Task
    _random: Callable[[], list[int]]

    def allows(self, x: Point) -> bool:
        """True if the point is one of the space and breaks no constraint."""
        try:
            self.core.check(self.space.levels(x))
        except (ValueError, KeyError):
            return False
        return True

    def random(self) -> Point:
        """An allowed point that is not in the history, the same one each time for the same trial.

        Raises SpaceExhausted when there is none.
        """
        return self.space.point(self._random())


@runtime_checkable
class Method(Protocol):
    """A method of your own: any object with this function, passed as ``method=``.

    The point depends on the arguments alone: the same history gives the same point. ``history`` has every trial so far,
    those that run or failed, too; in values and totals smaller is better, always. Raise SpaceExhausted when nothing new
    is left. ``bocs.testing.check_method`` holds a method against all that is promised.
    """

    def propose(self, task: Task, history: Sequence[Trial], number: int) -> Point: ...


# log E[max(0, best - F)] is one; arrays of the same length in, an array out, the larger the better
Score = Callable[[Any, Any], Any]
MethodLike = Union[str, Method, Score, Machine]


def name_of(method: MethodLike) -> str:
    return method if isinstance(method, str) else str(getattr(method, "__name__", type(method).__name__))


def to_core(method: MethodLike, space: Space) -> str | _core.OwnMethod:
    """What the library takes: a spec, a method, or a function of mean and variance, which is a score."""
    if isinstance(method, str):
        return method
    if isinstance(method, Method):
        return _core.OwnMethod(name_of(method), _Asked(method, space))
    if isinstance(method, Machine):
        return _core.OwnMethod(name_of(method), method, _core.Role.sampler, method.model)
    if callable(method):
        return _core.OwnMethod(name_of(method), method, _core.Role.score)
    raise TypeError(
        f"found the method {method!r}; allowed: a text such as 'bocs', an object with propose(task, history, number), "
        "a function of mean and variance, or a bocs.qubo.Machine"
    )


class _Asked:
    """Between levels and points."""

    def __init__(self, method: Method, space: Space) -> None:
        self._method = method
        self._space = space

    def __call__(
        self, task: _core.Task, trials: list[_core.TrialView], number: int, random: Callable[[], list[int]]
    ) -> list[int]:
        asked = Task(self._space, tuple(task.constraints), task, random)
        point = self._method.propose(asked, [to_trial(self._space, trial) for trial in trials], number)
        return self._space.levels(point)

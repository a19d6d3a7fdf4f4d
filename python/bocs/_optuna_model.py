"""What the sampler for Optuna knows of a study: its search space, its numbers and its trials, in terms of bocs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import optuna
from optuna.trial import FrozenTrial, TrialState

from . import _core
from ._constraints import Constraints
from ._method import MethodLike, to_core
from ._optimizer import make_task
from ._optuna_space import SearchSpace, level_of, value_of

PROPOSAL = "bocs:proposal"  # system attribute of a trial: the level of each parameter that it is to have
INFO = "bocs:info"  # system attribute: how the method came to it, which it learns from


@dataclass(frozen=True)
class Numbers:
    """What the trials of a study report: a value per direction, and constraint values by name."""

    signs: tuple[float, ...] = (1.0,)  # smaller is better after they are applied
    constraints: tuple[str, ...] = ()

    @classmethod
    def of(cls, study: optuna.Study, trials: Iterable[FrozenTrial]) -> Numbers:
        signs = [-1.0 if d == optuna.study.StudyDirection.MAXIMIZE else 1.0 for d in study.directions]
        names = {name for trial in trials if trial.state == TrialState.COMPLETE for name in _constraint_values(trial)}
        return cls(tuple(signs), tuple(sorted(names)))

    def goals(self) -> list[str]:
        return [f"value {k}" for k in range(len(self.signs))] if len(self.signs) > 1 else []

    def limits(self) -> list[str]:
        return [f"constraint {k} <= 0" for k in range(len(self.constraints))]

    def outcome(self, trial: FrozenTrial) -> _core.Outcome | None:
        """None: it is running. A trial without one of the constraint values is not feasible, as in Optuna."""
        if trial.state == TrialState.RUNNING:
            return None
        values = trial.values or ()
        if trial.state != TrialState.COMPLETE or not values or not all(map(math.isfinite, values)):
            return _core.Outcome.failure(trial.state.name.lower())
        reported = _constraint_values(trial)
        found = [reported.get(name, math.inf) for name in self.constraints]
        if not all(map(math.isfinite, found)):
            return _core.Outcome.failure("infeasible")
        oriented = [sign * value for sign, value in zip(self.signs, values)]
        metrics = {f"value {k}": value for k, value in enumerate(oriented)}
        metrics.update({f"constraint {k}": value for k, value in enumerate(found)})
        return _core.Outcome.value(oriented[0], metrics=metrics)


def _constraint_values(trial: FrozenTrial) -> dict[str, float]:
    """By name (Optuna 5), or by place (constraints_func)."""
    by_place = trial.system_attrs.get("constraints") or ()
    values = {str(place): value for place, value in enumerate(by_place)}
    begin = "constraints:"
    values.update({key[len(begin) :]: v for key, v in trial.system_attrs.items() if key.startswith(begin)})
    return values


class Model:
    """A search space of Optuna, a method of bocs on it, and the finished trials of a study, which never change."""

    def __init__(
        self,
        search_space: SearchSpace,
        constraints: Constraints,
        method: MethodLike,
        seed: int,
        trials: int,
        numbers: Numbers,
    ) -> None:
        self._numbers = numbers
        self._search_space = search_space
        self._space = search_space.to_space()
        self._entries = list(zip(search_space.values(), self._space.entries))
        self._conditions = make_task(self._space, (), 0.0, 0.0, seed) if search_space.conditions else None
        task = make_task(self._space, constraints, 0.0, 0.0, seed, trials, numbers.goals(), numbers.limits())
        self._method = _core.Method(task, to_core(method, self._space))
        self._of: tuple[Any, int] | None = None

    def is_of(self, search_space: SearchSpace) -> bool:
        return self._search_space.is_same(search_space)

    def follow(self, study: optuna.Study) -> None:
        """From now on the trials are those of this study."""
        if self._of is not None and self._of[0] is study._storage and self._of[1] == study._study_id:
            return
        self._of = study._storage, study._study_id
        self._finished: set[int] = set()  # numbers of those in the history, or not of this space
        self._seen: set[tuple[int, ...]] = set()
        self._history = _core.History()

    def propose(self, others: list[FrozenTrial], number: int) -> tuple[list[int], str, bool]:
        """The levels, how the method came to them, and whether no other trial has them."""
        running: list[FrozenTrial] = []
        for other in self.unknown(others):
            if not other.state.is_finished():
                running.append(other)
                continue
            self._put(self._history, other, self._seen)
            self._finished.add(other.number)
        history, seen = _core.History(self._history), set[tuple[int, ...]]()
        for other in running:
            self._put(history, other, seen)
        levels, info = self._method.propose(history, number)
        return levels, info, tuple(levels) not in self._seen and tuple(levels) not in seen

    def unknown(self, trials: list[FrozenTrial]) -> list[FrozenTrial]:
        """Those that had not finished at the last proposal."""
        return [trial for trial in trials if trial.number not in self._finished]

    def _put(self, history: _core.History, trial: FrozenTrial, seen: set[tuple[int, ...]]) -> None:
        levels = self.levels(trial)
        if levels is None:
            return
        seen.add(tuple(levels))
        proposed = self._proposed(trial) == levels  # else its info is of another point
        info = trial.system_attrs[INFO] if proposed else "{}"
        history.put(trial.number, levels, self._numbers.outcome(trial), info)

    def levels(self, trial: FrozenTrial) -> list[int] | None:
        """Of what the trial has or is about to get; None when it does not fit the space."""
        found = {
            entry.name: level_of(d, entry.values, trial.params[entry.name])
            for d, entry in self._entries
            if entry.name in trial.params
        }
        known = {name: level for name, level in found.items() if level is not None}
        if len(known) < len(found):
            return None
        levels = self._complete(known)
        return self._proposed(trial) if levels is None and trial.state == TrialState.RUNNING else levels

    def _proposed(self, trial: FrozenTrial) -> list[int] | None:
        return self._complete(trial.system_attrs.get(PROPOSAL, {}))

    def _complete(self, present: Mapping[str, int]) -> list[int] | None:
        """The levels of a point that has these parameters and no others; None when there is no such point."""
        if not present.keys() <= self._search_space.keys():
            return None
        levels: list[int] = []
        for _, entry in self._entries:
            if entry.name not in present and not entry.optional:
                return None
            levels.append(present[entry.name] + entry.optional if entry.name in present else 0)
        if self._conditions is not None:
            try:
                self._conditions.check(levels)
            except ValueError:
                return None
        return levels

    def present(self, levels: list[int]) -> dict[str, int]:
        """The level of each parameter that exists, among those of its distribution."""
        found = {entry.name: level - entry.optional for (_, entry), level in zip(self._entries, levels)}
        return {name: level for name, level in found.items() if level >= 0}

    def params(self, levels: list[int]) -> dict[str, Any]:
        present = self.present(levels)
        return {
            entry.name: value_of(d, entry.values, present[entry.name]) for d, entry in self._entries if entry.name in present
        }

"""bocs as a sampler of Optuna, and studies of bocs for Optuna's dashboard.

    study = optuna.create_study(sampler=bocs.optuna.BocsSampler(seed=1))

``python -m bocs.optuna STUDY URL`` and ``study.to_optuna(url)`` write a study of bocs into a storage of Optuna.
"""

from __future__ import annotations

import numbers
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import optuna
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler
from optuna.trial import FrozenTrial, TrialState

from . import _core
from ._constraints import Constraints
from ._method import Method, MethodLike
from ._optuna_export import export, main
from ._optuna_model import INFO, PROPOSAL, Model, Numbers
from ._optuna_space import SearchSpace, SeenParameters

__all__ = ["BocsSampler", "export", "main"]

Distributions = Mapping[str, BaseDistribution | tuple[BaseDistribution, str]]

_SETTLED = "bocs:settled"  # system attribute: true when no other trial can get the same point any more
_PATIENCE = 5.0  # seconds to wait for another process that is settling on the same point
_LOCK = threading.Lock()  # one thread of a process proposes at a time, and sees what the others chose


class BocsSampler(BaseSampler):
    """Proposes bool, int, float and categorical parameters together, by the methods of bocs.

    An int with ``log`` is a grid of about a hundred of its values. A parameter that not all trials have is proposed where
    the value of another parameter says that it exists. The condition is found in the complete trials. Other floats, and
    parameters without such a condition, are left to ``independent_sampler`` (default: Optuna's TPESampler). Running trials, also those of other
    processes on the same storage, are known, so that no point is proposed twice; failed and pruned trials are places to
    avoid. Constraint values (``trial.set_constraint``) are numbers with models: the search learns where they are above 0.
    A study may have several directions. The sampler has no state: a study that is resumed with the same seed goes on as
    if it had not been interrupted.

        seed                 the same seed gives the same points (n_jobs=1); None: a random one
        method               of bocs, such as "ei" or "bocs:order=2"; None: "bocs", or "bocs:noise=true" when the value
                             depends on further parameters, too
        trials               evaluations you plan; the initial design takes at most a fifth of them (5 at least), unless
                             the method says ``initial=...``
        search_space         the distributions, if known before the first trial; ``(distribution, "kernel == rbf")`` for a
                             parameter that exists only there. Otherwise the parameters of the complete trials
        constraints          known ones, as of ``bocs.minimize``, over the names in ``search_space``; never violated
        constraints_func     for Optuna 4, which has no ``trial.set_constraint``: the constraint values of a complete trial
        independent_sampler  for everything else
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        method: MethodLike | None = None,
        trials: int = 100,
        search_space: Distributions | None = None,
        constraints: Constraints = (),
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
        independent_sampler: BaseSampler | None = None,
    ) -> None:
        _check("seed", seed, seed is None or _is_whole(seed, 0, 2**63 - 1), "a whole number from 0 to 2^63 - 1, or None")
        is_method = method is None or isinstance(method, str) or callable(method) or isinstance(method, Method)
        _check("method", method, is_method, "a text such as 'bocs', a method or a score of your own, or None")
        _check("trials", trials, _is_whole(trials, 1, 2**31 - 1), "a whole number above 0")
        allowed = "a dict of Optuna's distributions by name, or of pairs (distribution, \"kernel == rbf\")"
        _check("search_space", search_space, _is_search_space(search_space), allowed)
        _check(
            "independent_sampler",
            independent_sampler,
            independent_sampler is None or isinstance(independent_sampler, BaseSampler),
            "a sampler of Optuna, or None",
        )
        is_function = constraints_func is None or callable(constraints_func)
        _check("constraints_func", constraints_func, is_function, "a function of a trial, or None")
        if constraints and search_space is None:
            raise ValueError("found constraints without search_space; allowed: both, so that their names are known")
        self._seed = random.SystemRandom().getrandbits(32) if seed is None else int(seed)
        self._method = method
        self._trials = trials
        self._constraints = constraints
        self._constraints_func = constraints_func
        self._fixed = None if search_space is None else _to_search_space(search_space)
        self._independent = independent_sampler
        self._forget()
        if self._fixed:
            self._model(self._fixed, method or "bocs", Numbers())  # raises now, not later
        elif isinstance(method, str):
            _core.check_method(method)

    def _forget(self) -> None:
        """The memory of what may be computed again."""
        self._last: tuple[MethodLike, Numbers, Model] | None = None
        self._seen = SeenParameters()
        self._of_trial: dict[int, BaseSampler] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("_last", "_seen", "_of_trial")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._forget()

    def _model(self, search_space: SearchSpace, method: MethodLike, numbers: Numbers) -> Model:
        """Made once per search space: it remembers what it computed for earlier trials. Only used under the lock."""
        if self._last is None or self._last[:2] != (method, numbers) or not self._last[2].is_of(search_space):
            model = Model(search_space, self._constraints, method, self._seed, self._trials, numbers)
            self._last = method, numbers, model
        return self._last[2]

    def _independent_of(self, trial: FrozenTrial) -> BaseSampler:
        """Random numbers of its own for every trial: processes that begin with the same seed draw different points."""
        if self._independent is not None:
            return self._independent
        if trial.number not in self._of_trial:
            self._of_trial[trial.number] = optuna.samplers.TPESampler(seed=(self._seed + trial.number) % 2**32)
        return self._of_trial[trial.number]

    def reseed_rng(self) -> None:
        if self._independent is not None:
            self._independent.reseed_rng()

    def infer_relative_search_space(self, study: optuna.Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        if self._fixed is not None:
            return self._fixed
        with _LOCK:
            return self._seen.search_space(study)

    def sample_relative(
        self, study: optuna.Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        discrete = SearchSpace(search_space, getattr(search_space, "conditions", {}))
        params: dict[str, Any] = {}
        rest = {name: d for name, d in search_space.items() if name not in discrete}
        if discrete:
            try:
                params = self._propose(study, trial, discrete)
            except _core.SpaceExhausted:
                rest = search_space
        params.update({name: self.sample_independent(study, trial, name, d) for name, d in rest.items()})
        return params

    def sample_independent(
        self, study: optuna.Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._independent_of(trial).sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: optuna.Study, trial: FrozenTrial) -> None:
        if self._independent is not None:
            self._independent.before_trial(study, trial)

    def after_trial(
        self, study: optuna.Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        if self._constraints_func is not None and state == TrialState.COMPLETE:
            _write(study, trial, "constraints", [float(value) for value in self._constraints_func(trial)])
        if self._independent is not None:
            self._independent.after_trial(study, trial, state, values)
        self._of_trial.pop(trial.number, None)

    def _propose(self, study: optuna.Study, trial: FrozenTrial, search_space: SearchSpace) -> dict[str, Any]:
        with _LOCK:
            others = _others(study, trial)
            method = self._method or ("bocs:noise=true" if _is_noisy(others, search_space) else "bocs")
            model = self._model(search_space, method, Numbers.of(study, others))
            model.follow(study)
            while True:
                levels, info, is_new = model.propose(others, trial.number)
                _write(study, trial, INFO, info)
                _write(study, trial, PROPOSAL, model.present(levels))
                if not is_new or _settle(study, trial, model, levels):  # not new: the method measures a point again
                    return model.params(levels)
                others = _others(study, trial)


def _check(name: str, value: Any, is_right: bool, allowed: str) -> None:
    if not is_right:
        raise ValueError(f"BocsSampler: found {name}={value!r}; allowed: {allowed}")


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and low <= int(value) <= high


def _is_search_space(value: Any) -> bool:
    return value is None or (
        isinstance(value, Mapping) and all(isinstance(name, str) and _is_parameter(d) for name, d in value.items())
    )


def _is_parameter(value: Any) -> bool:
    if isinstance(value, tuple) and len(value) == 2:
        return isinstance(value[0], BaseDistribution) and isinstance(value[1], str)
    return isinstance(value, BaseDistribution)


def _to_search_space(given: Distributions) -> SearchSpace:
    conditions = {name: d[1] for name, d in given.items() if isinstance(d, tuple)}
    return SearchSpace({name: d[0] if isinstance(d, tuple) else d for name, d in given.items()}, conditions)


def _others(study: optuna.Study, trial: FrozenTrial) -> list[FrozenTrial]:
    states = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL, TrialState.RUNNING)
    return [t for t in study.get_trials(deepcopy=False, states=states) if t.number != trial.number]


def _write(study: optuna.Study, trial: FrozenTrial, key: str, value: Any) -> None:
    study._storage.set_trial_system_attr(trial._trial_id, key, value)


def _is_noisy(others: list[FrozenTrial], search_space: Mapping[str, BaseDistribution]) -> bool:
    """True when a value depends on more than the parameters of the search space."""
    return any(
        name not in search_space and not distribution.single()
        for other in others
        for name, distribution in other.distributions.items()
    )


def _settle(study: optuna.Study, trial: FrozenTrial, model: Model, levels: list[int]) -> bool:
    """True when the point, which is new to the model, is this trial's alone; False: another has it, think again.

    The proposal is written before the others are read, so that of two trials with the same point at least one sees the
    other. Who sees one that is settled, or one of a lower number, gives way; who sees only an unsettled one of a higher
    number waits until that one has settled or given way.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        rivals = [other for other in model.unknown(_others(study, trial)) if model.levels(other) == levels]
        if any(_is_settled(other) or other.number < trial.number for other in rivals):
            return False
        if not rivals:
            _write(study, trial, _SETTLED, True)
            return True
        if time.monotonic() > deadline:  # the rival has died
            return False
        time.sleep(0.01)


def _is_settled(trial: FrozenTrial) -> bool:
    return trial.state.is_finished() or PROPOSAL not in trial.system_attrs or bool(trial.system_attrs.get(_SETTLED))


if __name__ == "__main__":
    main()

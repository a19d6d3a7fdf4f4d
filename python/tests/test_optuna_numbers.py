"""The sampler for Optuna on studies whose trials have several numbers: directions, and constraint values."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import optuna
import pytest
from bocs.optuna import BocsSampler
from optuna.distributions import CategoricalDistribution

import bocs

optuna.logging.set_verbosity(optuna.logging.WARNING)

WORTH = [2, 7, 1, 8, 2, 8, 1, 8]
WEIGHT = [3, 1, 4, 1, 5, 9, 2, 6]
BITS = {f"x{i}": CategoricalDistribution([False, True]) for i in range(8)}


def worth(x: Sequence[bool]) -> float:
    return float(sum(w for w, taken in zip(WORTH, x) if taken))


def weight(x: Sequence[bool]) -> float:
    return float(sum(w for w, taken in zip(WEIGHT, x) if taken))


def suggested(trial: optuna.Trial) -> list[bool]:
    return [trial.suggest_categorical(name, [False, True]) for name in BITS]


def points(study: optuna.Study) -> list[tuple[Any, ...]]:
    return [tuple(trial.params.values()) for trial in study.trials]


def limit(trial: Any, name: str, value: float) -> None:
    """Optuna 4 has no set_constraint."""
    if hasattr(trial, "set_constraint"):
        trial.set_constraint(name, value)
    else:
        trial.storage.set_trial_system_attr(trial._trial_id, f"constraints:{name}", value)


def two_goals(trial: optuna.Trial) -> tuple[float, float]:
    x = suggested(trial)
    limit(trial, "weight", weight(x) - 14)
    return worth(x), sum(x)


def study_of(f: Callable[[optuna.Trial], Any], trials: int, directions: Sequence[str], **choices: Any) -> optuna.Study:
    study = optuna.create_study(directions=directions, sampler=BocsSampler(seed=4, search_space=BITS, **choices))
    study.optimize(f, n_trials=trials)
    return study


def test_the_front_is_that_of_the_enumeration() -> None:
    study = study_of(two_goals, 256, ["maximize", "minimize"])  # all points
    packs = list(itertools.product([False, True], repeat=8))
    allowed = {(worth(x), sum(x)) for x in packs if weight(x) <= 14}
    beaten = {a for a in allowed for b in allowed if a != b and b[0] >= a[0] and b[1] <= a[1]}
    assert {tuple(trial.values) for trial in study.best_trials} == allowed - beaten


def test_the_points_are_those_of_bocs_itself() -> None:
    """Once a constraint value is known. Until then the task has no limit, and initial points need none."""
    study = study_of(two_goals, 30, ["maximize", "minimize"], method="bocs:initial=5")
    result = bocs.maximize(
        lambda x: {"value 0": worth(list(x.values())), "value 1": sum(x.values()), "constraint 0": weight(list(x.values())) - 14},
        dict.fromkeys(BITS, bool),
        goals={"value 0": "max", "value 1": "min"},
        outcomes=["constraint 0 <= 0"],
        trials=30,
        seed=4,
        method="bocs:initial=5",
    )
    assert points(study) == [tuple(t.x.values()) for t in result.trials]


def test_resumed_is_as_uninterrupted() -> None:
    whole = study_of(two_goals, 30, ["maximize", "minimize"])
    parts = optuna.create_study(directions=["maximize", "minimize"])
    for _ in range(30):  # nothing is remembered
        parts.sampler = BocsSampler(seed=4, search_space=BITS)
        parts.optimize(two_goals, n_trials=1)
    assert points(parts) == points(whole)


def test_constraint_values_are_numbers() -> None:
    """The bound has a model: the search comes close to it, and does not cross it much more often than it has to."""

    def f(trial: optuna.Trial) -> float:
        x = suggested(trial)
        limit(trial, "weight", weight(x) - 10)
        return worth(x)

    study = study_of(f, 60, ["maximize"])
    best = max(worth(x) for x in itertools.product([False, True], repeat=8) if weight(x) <= 10)
    assert study.best_value == best
    mirror = optuna.create_study(
        direction="maximize",
        sampler=BocsSampler(seed=4, search_space=BITS, constraints_func=lambda t: [weight(list(t.params.values())) - 10]),
    )
    mirror.optimize(lambda t: worth(suggested(t)), n_trials=60)
    assert points(mirror) == points(study)
    assert mirror.best_value == best


def test_a_trial_without_a_constraint_value_is_as_one_that_failed() -> None:
    def f(trial: optuna.Trial, fails: bool) -> float:
        x = suggested(trial)
        if x[0] and fails:
            raise RuntimeError("no weight")
        if not x[0]:
            limit(trial, "weight", weight(x) - 14)
        return worth(x)

    studies = []
    for fails in (False, True):
        studies.append(optuna.create_study(direction="maximize", sampler=BocsSampler(seed=4, search_space=BITS)))
        studies[-1].optimize(functools.partial(f, fails=fails), n_trials=40, catch=RuntimeError)
    assert points(studies[0]) == points(studies[1])


def test_a_constraint_value_that_does_not_vary_changes_nothing_much() -> None:
    def f(trial: optuna.Trial) -> float:
        limit(trial, "fine", -1.0)
        return worth(suggested(trial))

    assert study_of(f, 30, ["maximize"]).best_value == sum(WORTH)


def test_a_method_for_one_goal_says_so() -> None:
    study = optuna.create_study(directions=["minimize"] * 2, sampler=BocsSampler(method="annealing", search_space=BITS))
    with pytest.raises(ValueError, match="2 goals"):
        study.optimize(two_goals, n_trials=1)


def test_constraints_func_is_checked() -> None:
    with pytest.raises(ValueError, match="constraints_func"):
        BocsSampler(constraints_func=3)  # type: ignore[arg-type]

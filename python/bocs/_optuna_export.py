"""Studies of bocs in a storage of Optuna, for its dashboard."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState

from . import _core
from ._space import Assignment, Integer, Mixture, Multiset, Ordinal, Permutation, Real, Space, Subset, level_text
from ._study import Study
from ._trial import Trial

if TYPE_CHECKING:
    from ._session import Session


def export(session: Session, storage: Any, name: str) -> optuna.Study:
    """Writes the finished trials into a study of Optuna through Optuna's own API; called again, those that are new.

    The value there is the total (f with the penalty); with several goals, one value for each. A limit on an outcome is a
    constraint of Optuna: how far the trial is beyond it. ``number``, ``value``, ``how`` and ``error`` are user
    attributes, as are the metrics; a metric called like one of these is called "bocs:NAME".
    """
    directions = list(session.goals.values()) or [session.direction]
    study = optuna.create_study(storage=storage, study_name=name, directions=directions, load_if_exists=True)
    limits = [_core.OutcomeLimit.parse(text) for text in session.outcomes]
    done = {trial.user_attrs.get("number") for trial in study.get_trials(deepcopy=False)}
    distributions = _to_distributions(session.space)
    trials = session.trials
    names = _core.ColumnNames(["number", "how", "value", "error"])
    attributes = {metric: names.add(metric) for metric in sorted({m for trial in trials for m in trial.metrics})}
    study.add_trials(
        [
            _to_frozen(session.space, trial, distributions, attributes, limits)
            for trial in trials
            if trial.state in ("complete", "failed") and trial.number not in done
        ]
    )
    return study


def _to_distributions(space: Space) -> dict[str, BaseDistribution]:
    distributions: dict[str, BaseDistribution] = {}
    for entry in space.entries:
        variable = entry.variable
        for index in entry.indices:
            if isinstance(variable, Multiset):
                distributions[space.names[index]] = IntDistribution(0, variable.size)
            elif isinstance(variable, Mixture):
                distributions[space.names[index]] = _to_range(space.core.coordinate(index).values, False)
            elif isinstance(variable, (Integer, Real, Ordinal)):
                distributions[space.names[index]] = _to_range(entry.values, getattr(variable, "log", False))
            elif isinstance(variable, Permutation):
                distributions[space.names[index]] = IntDistribution(1, entry.size)
            else:
                choices = {Subset: (0, 1), Assignment: getattr(variable, "places", ())}.get(type(variable), entry.values)
                distributions[space.names[index]] = CategoricalDistribution([_to_choice(v) for v in choices])
    return distributions


def _to_range(values: Sequence[Any], log: bool) -> BaseDistribution:
    make = IntDistribution if all(isinstance(value, int) for value in (values[0], values[-1])) else FloatDistribution
    return make(values[0], values[-1], log=log)


def _to_choice(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else level_text(value)


def _params(space: Space, levels: list[int]) -> Iterator[tuple[str, Any]]:
    """As the columns of a frame, but an order is the position of each item: Optuna has no lists."""
    for name, value in space.values(levels):
        entry = space.entry_of(name)
        if isinstance(entry.variable, Permutation):
            yield from ((space.names[i], levels[i] + 1) for i in entry.indices)
        else:
            yield name, value


def _has(distribution: BaseDistribution, value: Any) -> bool:
    """False: the variable is absent."""
    return value is not None or None in getattr(distribution, "choices", ())


def _to_frozen(
    space: Space,
    trial: Trial,
    distributions: dict[str, BaseDistribution],
    names: Mapping[str, str],
    limits: Sequence[_core.OutcomeLimit],
) -> FrozenTrial:
    complete = trial.state == "complete"
    attributes: dict[str, Any] = {"number": trial.number, "how": trial.how}
    attributes.update({"value": trial.value} if complete else {"error": trial.error})
    attributes.update({names[metric]: value for metric, value in trial.metrics.items()})
    params = dict(_params(space, space.levels(trial.x)))
    params = {name: _to_choice(value) for name, value in params.items() if _has(distributions[name], value)}
    beyond = [-limit.margin(trial.metrics[limit.metric]) for limit in limits] if complete else []
    return optuna.create_trial(
        state=TrialState.COMPLETE if complete else TrialState.FAIL,
        values=[trial.total, *list(trial.goals.values())[1:]] if complete else None,
        params=params,
        distributions={name: distributions[name] for name in params},
        user_attrs=attributes,
        system_attrs={"constraints": beyond} if beyond else None,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """python -m bocs.optuna STUDY URL"""
    parser = argparse.ArgumentParser(prog="python -m bocs.optuna", description="Writes a study of bocs into a storage of Optuna.")
    parser.add_argument("study", help="a SQLite file, sqlite:FILE, postgresql://USER@HOST/DATABASE, or a study file")
    parser.add_argument("url", help="of Optuna's storage, such as sqlite:///optuna.db")
    parser.add_argument("--study", dest="name", help="its name; not needed when the store holds only one")
    options = parser.parse_args(arguments)
    try:
        study = Study(options.study, options.name)
    except _core.Error as error:
        parser.exit(1, f"{error}\n")
    print(f"{study.name}: {len(export(study, options.url, study.name).trials)} trials in {options.url}")

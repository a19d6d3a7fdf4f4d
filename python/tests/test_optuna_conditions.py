"""Parameters of Optuna that only some trials have: bocs finds where they exist and proposes them with the others."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import optuna
import pytest
from bocs.optuna import BocsSampler
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

import bocs

optuna.logging.set_verbosity(optuna.logging.WARNING)

KERNELS = ["linear", "rbf", "poly"]
DISTRIBUTIONS = {
    "scale": CategoricalDistribution([False, True]),
    "kernel": CategoricalDistribution(KERNELS),
    "gamma": (IntDistribution(1, 9), "kernel in {rbf, poly}"),
    "degree": (IntDistribution(2, 5), "kernel == poly"),
    "extra": (CategoricalDistribution(["a", "b", None]), "degree >= 4"),
}
SPACE = {
    "scale": bool,
    "kernel": KERNELS,
    "gamma": bocs.when("kernel in {rbf, poly}", range(1, 10)),
    "degree": bocs.when("kernel == poly", range(2, 6)),
    "extra": bocs.when("degree >= 4", ["a", "b", None]),
}


def cost(x: dict[str, Any]) -> float:
    """Least, -12, where scale is on, kernel is poly, gamma 7, degree 5 and extra None."""
    value = -1.0 if x["scale"] else 0.0
    if "gamma" in x:
        value += abs(x["gamma"] - 7) - 2
    if "degree" in x:
        value -= x["degree"]
    return value - (4 if "extra" in x and x["extra"] is None else 0)


def suggested(trial: optuna.Trial) -> dict[str, Any]:
    x: dict[str, Any] = {"scale": trial.suggest_categorical("scale", [False, True])}
    x["kernel"] = trial.suggest_categorical("kernel", KERNELS)
    if x["kernel"] != "linear":
        x["gamma"] = trial.suggest_int("gamma", 1, 9)
    if x["kernel"] == "poly":
        x["degree"] = trial.suggest_int("degree", 2, 5)
        if x["degree"] >= 4:
            x["extra"] = trial.suggest_categorical("extra", ["a", "b", None])
    return x


def objective(trial: optuna.Trial) -> float:
    return cost(suggested(trial))


class Recorder(optuna.samplers.RandomSampler):
    """What was left to the independent sampler: number and name."""

    def __init__(self) -> None:
        super().__init__(seed=1)
        self.asked: list[tuple[int, str]] = []

    def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> Any:
        self.asked.append((trial.number, param_name))
        return super().sample_independent(study, trial, param_name, param_distribution)


def points(study: optuna.Study) -> list[dict[str, Any]]:
    return [trial.params for trial in study.trials]


def joint(study: optuna.Study) -> tuple[list[str], dict[str, str]]:
    """What the sampler would propose together, and the conditions."""
    found = BocsSampler(seed=1).infer_relative_search_space(study, study.trials[-1])
    return list(found), found.conditions


def test_nested_conditions_are_found_and_all_parameters_proposed_together() -> None:
    recorder = Recorder()
    study = optuna.create_study(sampler=BocsSampler(seed=1, independent_sampler=recorder))
    study.optimize(objective, n_trials=60)
    names, conditions = joint(study)
    assert names == ["degree", "extra", "gamma", "kernel", "scale"]
    assert conditions == {
        "gamma": "kernel in {'poly', 'rbf'}",
        "degree": "kernel in {'poly'}",
        "extra": "degree in {'4', '5'}",
    }
    assert [number for number, _ in recorder.asked if number > 30] == []
    assert study.best_value == -12
    distinct = {tuple(sorted(map(str, x.items()))) for x in points(study)[30:]}
    assert len(distinct) == 30  # two points that differ in what is absent are one


@pytest.mark.parametrize("method", ["bocs:initial=10", "ei:initial=10", "random"])
def test_with_the_conditions_given_the_points_are_those_of_bocs_itself(method: str) -> None:
    recorder = Recorder()
    sampler = BocsSampler(seed=3, search_space=DISTRIBUTIONS, method=method, independent_sampler=recorder)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=40)
    result = bocs.minimize(cost, SPACE, trials=40, seed=3, method=method)
    assert points(study) == [trial.x for trial in result.trials]
    assert recorder.asked == []
    assert all(set(trial.system_attrs["bocs:proposal"]) == set(trial.params) for trial in study.trials)


def test_conditions_that_are_found_give_the_points_of_the_same_conditions_given() -> None:
    """From the same finished trials: the space is a function of them, and so is the proposal."""
    past = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=4))
    past.optimize(objective, n_trials=40)
    proposed = []
    for search_space in (None, {name: DISTRIBUTIONS[name] for name in sorted(DISTRIBUTIONS)}):
        study = optuna.create_study(sampler=BocsSampler(seed=3, search_space=search_space, method="ei"))
        study.add_trials(past.trials)
        study.optimize(objective, n_trials=10)
        proposed.append(points(study))
    assert proposed[0] == proposed[1]


def test_resumed_from_storage_is_as_uninterrupted(tmp_path: Path) -> None:
    whole = optuna.create_study(sampler=BocsSampler(seed=5))
    whole.optimize(objective, n_trials=36)
    storage = f"sqlite:///{tmp_path}/optuna.db"
    for n_trials in (3, 10, 23):
        sampler = pickle.loads(pickle.dumps(BocsSampler(seed=5)))
        part = optuna.create_study(storage=storage, study_name="s", sampler=sampler, load_if_exists=True)
        part.optimize(objective, n_trials=n_trials)
    assert points(part) == points(whole)


def test_ask_and_tell_in_any_order_and_threads() -> None:
    study = optuna.create_study(sampler=BocsSampler(seed=2, search_space=DISTRIBUTIONS))
    for _ in range(6):
        asked = [study.ask() for _ in range(4)]
        for trial in reversed(asked):
            study.tell(trial, objective(trial))
    study.optimize(objective, n_trials=40, n_jobs=4)
    assert len({tuple(sorted(map(str, x.items()))) for x in points(study)}) == 64


def test_an_exhausted_space_goes_on() -> None:
    space = {"a": CategoricalDistribution([False, True]), "b": (IntDistribution(1, 3), "a")}
    study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=space))
    study.optimize(lambda t: t.suggest_int("b", 1, 3) if t.suggest_categorical("a", [False, True]) else 0, n_trials=7)
    first = [tuple(x.values()) for x in points(study)[:4]]
    assert sorted(first) == [(False,), (True, 1), (True, 2), (True, 3)]


def test_constraints_on_parameters_that_exist_sometimes() -> None:
    constraints = ["gamma + degree <= 9", "if degree == 5 then extra != 'a'"]
    sampler = BocsSampler(seed=1, search_space=DISTRIBUTIONS, constraints=constraints)
    study = optuna.create_study(sampler=sampler)
    study.optimize(objective, n_trials=50)
    for x in points(study):
        assert x.get("gamma", 0) + x.get("degree", 0) <= 9
        assert x.get("degree") != 5 or x["extra"] != "a"
    assert study.best_value == -9  # gamma 4 and degree 5, or 5 and 4


def test_what_one_condition_cannot_explain_stays_with_the_independent_sampler() -> None:
    def f(trial: optuna.Trial) -> float:
        a, b = trial.suggest_categorical("a", [False, True]), trial.suggest_categorical("b", [False, True])
        value = trial.suggest_int("n", 1, 500) / 500  # the trials have different ones: each explains nothing but itself
        return value + (trial.suggest_int("both", 0, 9) if a and b else 0)

    recorder = Recorder()
    study = optuna.create_study(sampler=BocsSampler(seed=1, independent_sampler=recorder))
    study.optimize(f, n_trials=30)
    assert joint(study) == (["a", "b", "n"], {})
    assert {name for number, name in recorder.asked if number > 0} == {"both"}


def made(rows: Sequence[dict[str, Any]], **distributions: Any) -> optuna.Study:
    study = optuna.create_study()
    for row in rows:
        known = {name: distributions[name] for name in row}
        study.add_trial(optuna.create_trial(value=1.0, params=row, distributions=known))
    return study


def test_values_never_seen_count_as_absent_and_a_condition_needs_evidence() -> None:
    distributions = {"k": CategoricalDistribution(["x", "y", "z"]), "n": IntDistribution(0, 9)}
    rows: list[dict[str, Any]] = [{"k": "x", "n": 1}, {"k": "y"}, {"k": "x", "n": 2}, {"k": "y"}]
    assert joint(made(rows, **distributions)) == (["k"], {})  # two repeats: it may be chance
    assert joint(made([*rows, {"k": "y"}], **distributions)) == (["k", "n"], {"n": "k in {'x'}"})
    later = [*rows, {"k": "y"}, {"k": "z", "n": 3}]
    assert joint(made(later, **distributions)) == (["k", "n"], {"n": "k in {'x', 'z'}"})
    assert joint(made([*later, {"k": "z"}], **distributions)) == (["k"], {})


def test_the_condition_with_the_most_evidence_is_taken() -> None:
    distributions = {name: IntDistribution(0, 9) for name in ("a", "b", "c")}
    rows: list[dict[str, Any]] = [{"a": i % 4, "b": i % 2} | ({"c": i} if i % 2 else {}) for i in range(8)]
    assert joint(made(rows, **distributions)) == (["a", "b", "c"], {"c": "b in {'1'}"})


def test_only_a_discrete_parameter_decides_and_floats_take_part() -> None:
    def f(trial: optuna.Trial) -> float:
        value = trial.suggest_float("rate", 0, 1)
        return value + (trial.suggest_float("width", 0, 1) if trial.suggest_categorical("c", [0, 1]) else 0.0)

    study = optuna.create_study(sampler=BocsSampler(seed=1))
    study.optimize(f, n_trials=20)
    assert joint(study) == (["c", "rate", "width"], {"width": "c in {'1'}"})


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("it's", ["a, b", "{c}", " d"]),
        ("a < b", ["x", "y", "z"]),
        ("in in in", ["x", "y", "z"]),
        ("k", ["a=1", "b", ""]),
    ],
)
def test_any_name_and_any_choice_can_be_used(name: str, choices: list[str]) -> None:
    """Conditions quote them. An empty text has no place in one: nothing is said; in either case the study runs."""

    def f(trial: optuna.Trial) -> float:
        choice = choices.index(trial.suggest_categorical(name, choices))
        return choice + (trial.suggest_int("depth", 0, 9) if choice == 0 else 3.0)

    study = optuna.create_study(sampler=BocsSampler(seed=1))
    study.optimize(f, n_trials=25)
    assert len(study.trials) == 25
    assert ("depth" in joint(study)[0]) == ("" not in choices)


def test_failed_trials_are_known() -> None:
    def f(trial: optuna.Trial) -> float:
        x = suggested(trial)
        if x["kernel"] == "poly":
            raise RuntimeError("broken")
        return cost(x)

    study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=DISTRIBUTIONS, trials=30))
    study.optimize(f, n_trials=40, catch=RuntimeError)
    assert len({tuple(sorted(map(str, x.items()))) for x in points(study)}) == 40
    assert study.best_value == -3
    assert sum(x["kernel"] != "poly" for x in points(study)) >= 15  # of 20 there are; of 164 points 144 are poly


def test_a_trial_that_failed_half_way_is_no_point() -> None:
    """It ended before gamma: the proposals are the same as after a trial that ended before its first parameter."""
    started = {"scale": True, "kernel": "rbf"}
    distributions = {"scale": CategoricalDistribution([False, True]), "kernel": CategoricalDistribution(KERNELS)}
    proposed = []
    for params in (started, {}):
        study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=DISTRIBUTIONS, method="ei:initial=5"))
        known = {name: distributions[name] for name in params}
        study.add_trials(
            [optuna.create_trial(state=optuna.trial.TrialState.FAIL, params=params, distributions=known)] * 4
        )
        study.optimize(objective, n_trials=20)
        proposed.append(points(study)[4:])
    assert proposed[0] == proposed[1]


@pytest.mark.parametrize(
    ("search_space", "words"),
    [
        ({"n": (IntDistribution(0, 3), "kernel == rbf")}, ["no variable 'kernel'"]),
        ({"k": CategoricalDistribution(["a", "b"]), "n": (IntDistribution(0, 3), "k == c")}, ["k == c", "'c'"]),
        ({"a": (IntDistribution(0, 3), "b == 1"), "b": (IntDistribution(0, 3), "a == 1")}, ["circle"]),
        ({"a": IntDistribution(0, 3), "b": (IntDistribution(0, 3), "a >= 0")}, ["always holds"]),
        ({"a": IntDistribution(0, 3), "b": (IntDistribution(0, 3), "")}, ["empty condition"]),
        ({"r": FloatDistribution(0, 1), "b": (IntDistribution(0, 3), "r <= 0.5")}, ["r has no step"]),
        ({"a": (IntDistribution(0, 3), 7)}, ["search_space=", "pairs"]),
        ({"a": (IntDistribution(0, 3),)}, ["search_space=", "pairs"]),
        ({"a": bocs.permutation(["x", "y"])}, ["search_space=", "distributions"]),
        ({"a": bocs.when("b", bool)}, ["search_space=", "distributions"]),
    ],
)
def test_bad_conditions_are_refused_at_construction(search_space: Any, words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        BocsSampler(search_space=search_space)
    for word in words:
        assert word in str(caught.value)

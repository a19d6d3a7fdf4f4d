"""Structures and variables that exist only sometimes, from Python to the store, the command line and back."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import CommandLine

import bocs

SPACE: dict[str, Any] = {
    "route": bocs.permutation(["a", "b", "c", "d"]),
    "panel": bocs.subset([1, 2, 3], (1, 2)),
    "team": bocs.multiset(["x", "y"], 3),
    "plan": bocs.assignment(["i", "j"], [10, 20], capacity=1),
    "blend": bocs.mixture(["u", "v", "w"], step=0.1, at_most=2),
    "tool": ["saw", "laser"],
    "speed": bocs.when("tool == laser", range(1, 6)),
    "lens": bocs.when("speed >= 3", ["wide", "long"]),
}


def cost(x: dict[str, Any]) -> float:
    """0 at one point alone."""
    value = float(sum(item != wanted for item, wanted in zip(x["route"], "dbac")))
    value += (x["panel"] != [1, 3]) + (x["team"] != ["x", "y", "y"]) + (x["plan"] != {"i": 20, "j": 10})
    value += abs(x["blend"].get("v", 0) - 0.3) + ("u" in x["blend"])
    return value + (2 if x["tool"] == "saw" else abs(x["speed"] - 4) + (x.get("lens") != "long"))


def test_points_have_the_values_of_structures_and_nothing_that_is_absent() -> None:
    result = bocs.minimize(cost, SPACE, trials=60, seed=1)
    for trial in result.trials:
        x = trial.x
        assert sorted(x["route"]) == ["a", "b", "c", "d"] and len(x["team"]) == 3
        assert 1 <= len(x["panel"]) <= 2 and sorted(x["plan"].values()) == [10, 20]
        assert round(sum(x["blend"].values()), 12) == 1 and len(x["blend"]) <= 2 and min(x["blend"].values()) > 0
        assert ("speed" in x) == (x["tool"] == "laser") and ("lens" in x) == (x.get("speed", 0) >= 3)
    assert result.value < 1  # random points of such a space: about 8


def test_levels_and_points_are_one_to_one() -> None:
    space = bocs.Space(SPACE)
    for trial in bocs.minimize(cost, SPACE, trials=30, method="random", seed=2).trials:
        assert space.point(space.levels(trial.x)) == trial.x
    assert pickle.loads(pickle.dumps(space)) == space


def test_a_study_opened_again_has_the_same_space_and_points(tmp_path: Path) -> None:
    where = str(tmp_path / "s.db")
    study = bocs.Study(where, "s", space=SPACE, constraints=["before(a, b)", "amount(w) <= 0.5"], trials=12, seed=3)
    study.optimize(cost)
    again = bocs.Study(where, "s")
    assert again.space == study.space
    assert [trial.x for trial in again.trials] == [trial.x for trial in study.trials]
    assert type(again.trials[0].x["panel"][0]) is int
    for trial in study.trials:
        assert trial.x["route"].index("a") < trial.x["route"].index("b") and trial.x["blend"].get("w", 0) <= 0.5


def test_frames_and_exported_files_are_past_data(tmp_path: Path, command_line: CommandLine) -> None:
    pandas = pytest.importorskip("pandas")
    study = bocs.Study(str(tmp_path / "s.db"), "s", space=SPACE, trials=10, seed=4)
    study.optimize(cost)
    frame = study.to_frame()
    assert list(frame.columns)[2:7] == ["route", "panel[1]", "panel[2]", "panel[3]", "team[x]"]
    file = tmp_path / "trials.csv"
    file.write_text(command_line("export", "--store", f"sqlite:{tmp_path / 's.db'}", "--study", "s"))
    for data in (frame, pandas.read_csv(file)):
        again = bocs.Optimizer(SPACE, seed=1)
        again.add(data)
        assert [trial.x for trial in again.trials] == [trial.x for trial in study.trials]


def test_a_study_of_optuna_has_the_trials(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    study = bocs.Study(str(tmp_path / "s.db"), "s", space=SPACE, trials=8, seed=5)
    study.optimize(cost)
    exported = study.to_optuna(f"sqlite:///{tmp_path / 'optuna.db'}")
    assert len(exported.trials) == 8
    assert exported.best_value == study.best.total
    assert all(("speed" in trial.params) == (trial.params["tool"] == "laser") for trial in exported.trials)


@pytest.mark.parametrize(
    ("described", "word"),
    [
        (lambda: bocs.subset(["a", "a"], 1), "'a' twice"),
        (lambda: bocs.subset(["a"], 2), "size 2 of 1 items"),
        (lambda: bocs.subset("abc", 2), "allowed: a list"),
        (lambda: bocs.permutation([]), "no items"),
        (lambda: bocs.multiset(["a"], 0), "size 0"),
        (lambda: bocs.assignment(["a", "b"], ["x"], capacity=1), "room for 1 of 2"),
        (lambda: bocs.assignment(["a"], ["x"], forbidden=[("a", "y")]), "there is no 'y'"),
        (lambda: bocs.mixture(["a"], step=0.3), "multiple of the step"),
        (lambda: bocs.when(3, bool), "allowed: a text"),  # type: ignore[arg-type]
        (lambda: bocs.Space({"a": bocs.when("b == 1", bool)}), "there is no variable 'b'"),
        (lambda: bocs.Space({"a": bocs.when("b", bool), "b": bocs.when("a", bool)}), "go in a circle"),
        (lambda: bocs.Categorical(["a"], symmetric=True), "with a count"),
    ],
)
def test_mistakes_are_named(described: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word.replace("(", r"\(")):
        described()


def test_wrong_values_are_named() -> None:
    space = bocs.Space(SPACE)
    point = bocs.minimize(cost, SPACE, trials=1, seed=6).trials[0].x
    for name, value, word in [
        ("route", ["a", "b", "c"], "'d' is missing"),
        ("route", ["a", "b", "c", "c"], "'c' twice"),
        ("panel", [], "found 0 items"),
        ("plan", {"i": 10}, "'j' has no place"),
        ("blend", {"u": 0.95, "v": 0.05}, "a multiple of 0.1"),
        ("blend", {"u": 0.5}, "add up to 0.5"),
    ]:
        with pytest.raises(ValueError, match=word):
            space.levels({**point, name: value})


def test_a_symmetric_array_is_a_multiset() -> None:
    result = bocs.minimize(
        lambda x: abs(sum(x["slots"]) - 7), {"slots": bocs.Categorical([1, 2, 5], count=2, symmetric=True)}, trials=20
    )
    assert result.x == {"slots": [2, 5]} and result.value == 0
    assert len(result.trials) == 6  # all there are, not 9

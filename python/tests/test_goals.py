"""Limits on outcomes, and several goals."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from pathlib import Path
from typing import Any

import pytest

import bocs

WORTH = [2, 7, 1, 8, 2, 8, 1, 8]
WEIGHT = [3, 1, 4, 1, 5, 9, 2, 6]
SPACE = {"take": bocs.Binary(8)}


def pack(x: dict[str, Any]) -> dict[str, float]:
    taken = x["take"]
    return {"worth": sum(w for w, t in zip(WORTH, taken) if t), "weight": sum(w for w, t in zip(WEIGHT, taken) if t)}


def taken(trials: list[bocs.Trial]) -> list[tuple[int, ...]]:
    return [tuple(trial.x["take"]) for trial in trials]


def best_worth(limit: float) -> int:
    """By enumeration."""
    packs = (pack({"take": bits}) for bits in itertools.product([0, 1], repeat=8))
    return int(max(p["worth"] for p in packs if p["weight"] <= limit))


def test_finds_the_best_trial_within_the_limit() -> None:
    f = lambda x: {"value": pack(x)["worth"], "weight": pack(x)["weight"]}  # noqa: E731
    result = bocs.maximize(f, SPACE, outcomes=["weight <= 10"], trials=60)
    assert result.value == best_worth(10)
    assert result.best.allowed and result.best.metrics["weight"] <= 10
    beyond = [t for t in result.trials if not t.allowed]
    assert beyond and all(t.metrics["weight"] > 10 for t in beyond)
    assert result.session.outcomes == ["weight <= 10"]


def test_aims_at_allowed_points_while_there_is_none() -> None:
    f = lambda x: {"value": -pack(x)["worth"], "weight": pack(x)["weight"]}  # noqa: E731
    optimizer = bocs.Optimizer(SPACE, outcomes="weight <= 0.5", method="bocs:initial=5", seed=3)
    while optimizer.best is None:
        trial = optimizer.ask()
        metrics = f(trial.x)
        optimizer.tell(trial, metrics.pop("value"), metrics=metrics)
        assert len(optimizer) < 60
    assert sum(optimizer.best.x["take"]) == 0
    assert any(trial.how == "chance to be allowed" for trial in optimizer.trials)


def test_a_front_is_that_of_the_enumeration() -> None:
    goals = {"worth": "max", "weight": "min", "items": bocs.Goal("min", known="sum(take)")}
    result = bocs.maximize(pack, SPACE, goals=goals, trials=256)  # all points
    found = {tuple(trial.goals.values()) for trial in result.front}
    everything = [(*pack({"take": bits}).values(), sum(bits)) for bits in itertools.product([0, 1], repeat=8)]
    beats = lambda a, b: a != b and a[0] >= b[0] and a[1] <= b[1] and a[2] <= b[2]  # noqa: E731
    assert found == {a for a in everything if not any(beats(b, a) for b in everything)}
    assert [trial.goals["worth"] for trial in result.front] == sorted((t.goals["worth"] for t in result.front), reverse=True)
    assert result.session.goals == {"worth": "maximize", "weight": "minimize", "items": "minimize"}
    with pytest.raises(bocs.Error, match="front"):
        result.best
    with pytest.raises(bocs.Error, match="front"):
        result.recommend()
    assert "items" in repr(result)


def test_a_short_run_is_ahead_of_random_search() -> None:
    volume = {}
    for method in ("bocs", "random"):
        result = bocs.minimize(
            lambda x: {"loss": -pack(x)["worth"], "weight": pack(x)["weight"]}, SPACE, goals=["loss", "weight"], trials=40, method=method
        )
        volume[method] = bocs.hypervolume([tuple(t.goals.values()) for t in result.front], (0.5, 31.5))
    assert volume["bocs"] > volume["random"]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))])
def test_a_copy_goes_on_as_the_original(copied: Any) -> None:
    optimizer = bocs.Optimizer(SPACE, goals={"worth": "max", "items": bocs.Goal(known="sum(take)")}, outcomes=["weight <= 12"])
    optimizer.optimize(pack, trials=15)
    other = copied(optimizer)
    assert taken(optimizer.optimize(pack, trials=10).trials) == taken(other.optimize(pack, trials=10).trials)


def test_a_study_keeps_goals_and_limits(tmp_path: Path) -> None:
    choices: dict[str, Any] = {"goals": {"worth": "max", "items": bocs.Goal("min", known="sum(take)", reference=6)}, "outcomes": ["weight <= 12"]}
    study = bocs.Study(tmp_path / "pack.db", space=SPACE, trials=30, **choices)
    study.optimize(pack)
    memory = bocs.Optimizer(SPACE, trials=30, **choices)
    assert taken(memory.optimize(pack, trials=30).trials) == taken(study.trials)
    opened = bocs.Study(tmp_path / "pack.db")
    assert opened.goals == {"worth": "maximize", "items": "minimize"} and opened.outcomes == ["weight <= 12"]
    assert [t.number for t in opened.front] == [t.number for t in study.front]
    assert {"worth", "weight"} <= set(opened.to_frame().columns)
    with pytest.raises(ValueError, match="outcomes"):
        bocs.Study(tmp_path / "pack.db", space=SPACE, goals=choices["goals"], outcomes=["weight <= 13"])


def test_what_is_missing_is_named() -> None:
    result = bocs.minimize(lambda x: {"value": 1.0, "wait": 2.0}, SPACE, outcomes=["weight <= 10"], trials=4, keep_going=True)
    assert {trial.state for trial in result.trials} == {"failed"}
    assert "'weight'" in result.trials[0].error
    with pytest.raises(bocs.Error, match="did not report"):
        result.best


def test_nothing_allowed_is_said() -> None:
    result = bocs.minimize(lambda x: {"value": 1.0, "weight": 2.0}, SPACE, outcomes=["weight <= 1"], trials=4)
    with pytest.raises(bocs.Error, match="within all limits"):
        result.best


def test_past_data_have_their_metrics() -> None:
    choices: dict[str, Any] = {"goals": {"worth": "max"}, "outcomes": ["weight <= 12"]}
    first = bocs.Optimizer(SPACE, **choices)
    first.optimize(pack, trials=8)
    of_frame, of_pairs = bocs.Optimizer(SPACE, **choices), bocs.Optimizer(SPACE, **choices)
    of_frame.add(first.to_frame())
    of_pairs.add([(trial.x, pack(trial.x)) for trial in first.trials])
    for other in (of_frame, of_pairs):
        assert [t.metrics for t in other.trials] == [t.metrics for t in first.trials]
    with pytest.raises(ValueError, match="weight"):
        bocs.Optimizer(SPACE, **choices).add([({"take": [0] * 8}, {"worth": 1})])


def test_tell_takes_metrics_alone() -> None:
    optimizer = bocs.Optimizer(SPACE, goals={"worth": "max", "weight": "min"})
    trial = optimizer.tell(optimizer.ask(), metrics={"worth": 3, "weight": 2})
    assert (trial.value, trial.goals) == (3, {"worth": 3, "weight": 2})
    with pytest.raises(ValueError):
        optimizer.tell(optimizer.ask())


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"outcomes": ["weight < 10"]}, "cannot be read"),
        ({"outcomes": ["weight <= 10", "weight >= 1"]}, "twice"),
        ({"goals": "error"}, "dict"),
        ({"goals": {"error": "down"}}, "'min', 'max'"),
        ({"goals": {"error": "min", "price": bocs.Goal(known="take[0]*take[1]")}}, "price"),
        ({"goals": {"price": bocs.Goal(known="sum(take)"), "error": "min"}}, "first goal"),
        ({"goals": ["a", "b"], "method": "annealing"}, "2 goals"),
    ],
)
def test_mistakes_are_explained(choices: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        bocs.Optimizer(SPACE, **choices)


def test_hypervolume() -> None:
    assert bocs.hypervolume([(1, 3), (2, 1)], (4, 4)) == 7
    assert bocs.hypervolume([], (1, 1)) == 0 and math.isclose(bocs.hypervolume([(0, 0, 0)], (1, 2, 3)), 6)

"""How much is left, the stop rule, the present setting and its changes."""

import math

import pytest

import bocs


def cost(x):
    return sum((1 + 0.1 * i) * v for i, v in enumerate(x))


def test_remaining_and_the_stop_rule():
    result = bocs.minimize(cost, bocs.binary(12), trials=150, seed=1, stop="gain < 0.5")
    assert result.reason == "converged"
    assert len(result.trials) < 150
    left = result.remaining
    assert left.why_not == "" and 0 <= left.low <= left.mean <= left.high < 0.5
    assert 0 < left.chance_optimal <= 1
    early = bocs.Optimizer(bocs.binary(12))
    assert math.isnan(early.remaining.mean) and early.remaining.why_not
    with pytest.raises(ValueError, match="gain < 0.01"):
        bocs.minimize(cost, bocs.binary(4), trials=5, stop="loss < 1")


def test_a_study_keeps_its_stop_rule(tmp_path):
    bocs.Study(tmp_path / "s.db", space=bocs.binary(12), trials=150, stop="gain < 0.5")
    again = bocs.Study(tmp_path / "s.db")
    assert again.optimize(cost).reason == "converged"
    assert again.remaining.high < 0.5


def test_simplify():
    default = {"a": True, "b": bocs_zeros(8)}

    def f(x):
        return 10 - 4 * (not x["a"]) - 3 * x["b"][2] - 0.01 * x["b"][5]

    result = bocs.minimize(f, {"a": bool, "b": bocs.Binary(8)}, trials=80, seed=1, default=default)
    assert result.trials[0].x["a"] and not any(result.trials[0].x["b"])
    simple = result.simplify(loss=0.1, f=f, confirm=10)
    assert not simple.x["a"] and list(simple.x["b"]) == [0, 0, 1, 0, 0, 0, 0, 0]
    assert simple.measured and simple.loss <= 0.1
    assert [change.name for change in simple.changes if change.kept] == ["a", "b[2]"]
    assert simple.changes[0].before == "1" and simple.changes[0].after == "0"
    with pytest.raises(ValueError, match="present setting"):
        bocs.minimize(cost, bocs.binary(4), trials=10).simplify()
    with pytest.raises(ValueError, match="whole number from 1 to 3"):
        bocs.Optimizer({"a": range(1, 4)}, default={"a": 9})


def bocs_zeros(n):
    return [0] * n

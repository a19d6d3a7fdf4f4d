"""Constraints: the points that a run proposes are exactly those that Python's own arithmetic allows."""

import itertools
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import bocs

SPACE = {"a": bool, "b": bool, "n": range(4), "c": ["red", "green", "blue"], "s": bocs.Binary(3)}


def all_points() -> list[dict[str, Any]]:
    space = bocs.Space(SPACE)
    return [space.point(list(x)) for x in itertools.product(*map(range, [2, 2, 4, 3, 2, 2, 2]))]


def frozen(point: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(tuple(v) if hasattr(v, "__len__") and not isinstance(v, str) else v for v in point.values())


@pytest.mark.parametrize(
    ("constraints", "allowed"),
    [
        ("a + 2*n <= 4", lambda p: p["a"] + 2 * p["n"] <= 4),
        ("3 <= n + s", lambda p: p["n"] + sum(p["s"]) >= 3),
        ("1 <= sum(s) <= 2", lambda p: 1 <= sum(p["s"]) <= 2),
        ("n == 2", lambda p: p["n"] == 2),
        ("2*(n - a) - -1 >= s[1] + s[2]/2", lambda p: 2 * (p["n"] - p["a"]) + 1 >= p["s"][1] + p["s"][2] / 2),
        ("n + 3*(c == 'red') <= 3", lambda p: p["n"] + 3 * (p["c"] == "red") <= 3),
        ("c == 'blue'", lambda p: p["c"] == "blue"),
        ("a and not b", lambda p: p["a"] and not p["b"]),
        ("a != 1", lambda p: not p["a"]),
        ("s[2]", lambda p: p["s"][2] == 1),
        (bocs.exactly(2, of="s"), lambda p: sum(p["s"]) == 2),
        (bocs.at_most(1, of=["s", "a", "c == 'red'"]), lambda p: sum(p["s"]) + p["a"] + (p["c"] == "red") <= 1),
        (bocs.at_least(3, of=["s", "n == 3"]), lambda p: sum(p["s"]) + (p["n"] == 3) >= 3),
        (bocs.exclusive("a", "b", "n == 0"), lambda p: p["a"] + p["b"] + (p["n"] == 0) <= 1),
        (bocs.forbidden("a", "c == 'green'"), lambda p: not (p["a"] and p["c"] == "green")),
        (bocs.required("b", "n == 1"), lambda p: p["b"] and p["n"] == 1),
        (bocs.if_("a", "n == 3", then=["b", "c == 'red'"]), lambda p: not (p["a"] and p["n"] == 3) or (p["b"] and p["c"] == "red")),
        (bocs.linear({"n": 2, "c=red": -1, "s": 1}, "<=", 3), lambda p: 2 * p["n"] - (p["c"] == "red") + sum(p["s"]) <= 3),
        ("a * n <= 2", lambda p: p["a"] * p["n"] <= 2),
        ("n ** 2 < 5", lambda p: p["n"] ** 2 < 5),
        ("n != 2 or c == 'red'", lambda p: p["n"] != 2 or p["c"] == "red"),
        ("if c == green then n >= 2", lambda p: p["c"] != "green" or p["n"] >= 2),
        ("12 % (n + 1) == 0 and 2*n == 2 * (a + b)", lambda p: 12 % (p["n"] + 1) == 0 and p["n"] == p["a"] + p["b"]),
        ("count(s, a, n > 1) in {1, 3}", lambda p: sum(p["s"]) + p["a"] + (p["n"] > 1) in (1, 3)),
        ("(c, n) in {(red, 1), ('blue', 3)}", lambda p: (p["c"], p["n"]) in (("red", 1), ("blue", 3))),
        (bocs.if_("c != 'red'", then="a or n >= 2"), lambda p: p["c"] == "red" or p["a"] or p["n"] >= 2),
        (bocs.at_least(2, of=["s == 0", "n in {1, 2}"]), lambda p: 3 - sum(p["s"]) + (p["n"] in (1, 2)) >= 2),
        (bocs.allowed(pandas.DataFrame({"n": [0, 3, 3], "c": ["red", "red", "blue"]})),
         lambda p: (p["n"], p["c"]) in ((0, "red"), (3, "red"), (3, "blue"))),
        (bocs.forbidden(pandas.DataFrame({"a": [True, False], "s[1]": [1, 0]})), lambda p: p["a"] != p["s"][1]),
        (["a <= b", bocs.exactly(1, of="s")], lambda p: p["a"] <= p["b"] and sum(p["s"]) == 1),
    ],
)
def test_proposed_are_exactly_the_allowed_points(constraints: Any, allowed: Callable[[Any], bool]) -> None:
    expected = {frozen(p) for p in all_points() if allowed(p)}
    assert 0 < len(expected) < len(all_points())
    proposed = []

    def f(x: Any) -> float:
        proposed.append(frozen(x))
        return 0.0

    result = bocs.minimize(f, SPACE, trials=1000, method="random", constraints=constraints)
    assert result.reason == "exhausted"
    assert len(proposed) == len(set(proposed)) and set(proposed) == expected


@pytest.mark.parametrize(
    ("constraint", "kind", "words"),
    [
        ("c <= 2", ValueError, ["c", "no size"]),
        ("c == 'violet'", ValueError, ["violet", "red, green, blue"]),
        ("m <= 2", ValueError, ["rule 'm <= 2', column 1", "no variable 'm'", "a, b, n, c, s"]),
        ("s[7] <= 2", ValueError, ["s[7]", "0 to 2"]),
        ("a and s == 1", ValueError, ["sum(s) == 1", "all(s == 1)"]),
        ("n", ValueError, ["n", "not binary"]),
        ("n*n == 7", ValueError, ["no point", "n*n == 7"]),
        ("n <=", ValueError, ["rule 'n <='", "column 5"]),
        ("__import__('os') <= 1", ValueError, ["__import__"]),
        (bocs.exactly(1, of=[3]), ValueError, ["found the condition 3"]),
        (bocs.exactly(9, of="s"), ValueError, ["exactly 9"]),
        (bocs.linear({"n": 1}, "<", 2), ValueError, ["<=, >= or =="]),
        (bocs.linear({"n": float("nan")}, "<=", 2), ValueError, []),
        (7, ValueError, ["7"]),
    ],
)
def test_what_cannot_be_is_refused(constraint: Any, kind: type[Exception], words: list[str]) -> None:
    with pytest.raises(kind) as caught:
        bocs.Optimizer(SPACE, constraints=[constraint])
    for word in words:
        assert word in str(caught.value)


def test_tables_of_combinations_from_files(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("n,c\n1,red\n2,blue\n")
    for constraint, allowed in ((bocs.allowed(file), True), (bocs.forbidden(str(file)), False)):
        points = [trial.x for trial in bocs.Optimizer(SPACE, constraints=constraint, method="random").ask(60)]
        assert all(((x["n"], x["c"]) in ((1, "red"), (2, "blue"))) == allowed for x in points)
        assert pickle.loads(pickle.dumps(constraint)) == constraint
    with pytest.raises(ValueError, match="DataFrame"):
        bocs.allowed("n == 2")
    with pytest.raises(ValueError, match="no such file"):
        bocs.allowed("nothere.csv")


def test_if_without_then_says_how() -> None:
    for conditions, words in [(("a", "b"), "bocs.if_('a', then='b')"), (("a",), "bocs.if_('a', then=...)")]:
        with pytest.raises(ValueError) as caught:
            bocs.if_(*conditions)
        assert words in str(caught.value)


def test_of_one_letter_no_other_is_meant() -> None:
    with pytest.raises(ValueError) as caught:
        bocs.Optimizer(SPACE, constraints=["m <= 2"])
    assert "did you mean" not in str(caught.value) and "?;" not in str(caught.value)


def test_names_that_python_cannot_write() -> None:
    space = {"wall time": range(5), "on site": bool}
    for constraints in (
        [bocs.linear({"wall time": 1, "on site": 2}, "<=", 3)],
        ["`wall time` + 2*`on site` <= 3"],
        [bocs.required("on site")],
        ["on site"],
    ):
        result = bocs.minimize(lambda x: -x["wall time"], space, trials=50, constraints=constraints)
        assert result.value == (-3 if len(result.trials) > 5 else -4)


def test_a_point_of_ones_own_must_be_allowed() -> None:
    optimizer = bocs.Optimizer(SPACE, constraints=["a + b <= 1"])
    with pytest.raises(ValueError, match="violates the constraint 'a \\+ b <= 1'"):
        optimizer.tell({"a": 1, "b": 1, "n": 0, "c": "red", "s": [0, 0, 0]}, 1.0)


def test_constraints_are_pickled() -> None:
    made = bocs.if_("a", then="c == 'red'")
    assert pickle.loads(pickle.dumps(made)) == made
    assert repr(bocs.exactly(2, of="s")) == "bocs.exactly(2, ('s',))"


@pytest.mark.parametrize(("method", "trials"), [("random", 100), ("annealing", 100), ("ei", 40), ("bocs", 60)])
def test_no_method_breaks_the_rules_of_a_kernel(method: str, trials: int) -> None:
    powers = [2**k for k in range(11)]
    space = {"block_m": powers, "block_n": powers, "block_k": powers, "warps": range(1, 9), "fast": bool}
    rules = ["16384*block_m*block_k <= 2**20", "block_n / block_m == 2", "if fast then warps % 2 == 0 and block_k*warps > 8"]
    space = {name: bocs.ordinal(v) if v is powers else v for name, v in space.items()}

    def time(x: Any) -> float:
        assert x["block_m"] * x["block_k"] <= 64 and x["block_n"] == 2 * x["block_m"]
        assert not x["fast"] or (x["warps"] % 2 == 0 and x["block_k"] * x["warps"] > 8)
        return abs(x["block_m"] - 8) + 10.0 / x["block_k"] + 3.0 / x["warps"] - x["fast"]

    result = bocs.minimize(time, space, trials=trials, method=method, constraints=rules, seed=3, progress=False)
    assert len(result.trials) == trials and all(trial.state == "complete" for trial in result.trials)

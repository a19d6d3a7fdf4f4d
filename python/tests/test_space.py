"""Spaces: what goes in comes out, and what is wrong is refused with its name."""

import itertools
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import bocs

MIXED = {
    "pump": bool,
    "crew": range(1, 9),
    "depot": ["north", None, 3.5],
    "station": bocs.Binary(3),
    "shift": bocs.Integer(-2, 2, count=2),
    "colour": bocs.Categorical(["red", (1, 2)], count=2),
}


def test_every_point_comes_back() -> None:
    space = bocs.Space({"a": bool, "b": range(-1, 2), "c": ["x", None, True], "d": bocs.Binary(2)})
    sizes = [2, 3, 3, 2, 2]
    seen = set()
    for levels in itertools.product(*map(range, sizes)):
        point = space.point(list(levels))
        assert space.levels(point) == list(levels)
        seen.add(str(point))
    assert len(seen) == 2 * 3 * 3 * 4


def test_values_are_python_objects_and_vectors() -> None:
    point = bocs.Space(MIXED).point([1, 0, 1, 1, 0, 1, 0, 4, 1, 0])
    assert point["pump"] is True
    assert point["crew"] == 1 and type(point["crew"]) is int
    assert point["depot"] is None
    numpy.testing.assert_array_equal(point["station"], [1, 0, 1])
    numpy.testing.assert_array_equal(point["shift"], [-2, 2])
    assert point["colour"] == [(1, 2), "red"]


def test_a_vector_is_a_whole_space() -> None:
    space = bocs.Space(bocs.binary(4))
    x = space.point([0, 1, 1, 0])
    assert isinstance(x, numpy.ndarray) and x.tolist() == [0, 1, 1, 0]
    assert space.levels(numpy.array([True, False, True, True])) == [1, 0, 1, 1]


def test_numbers_of_pandas_and_numpy_are_taken() -> None:
    space = bocs.Space({"a": bool, "b": range(1, 9)})
    assert space.levels({"a": numpy.bool_(True), "b": numpy.int64(3)}) == [1, 2]
    assert space.levels({"a": 1.0, "b": 3.0}) == [1, 2]


NUMBERS = {
    "rate": bocs.real(1e-4, 0.1, steps=30, log=True),
    "share": bocs.real(0, 1, step=0.1, count=2),
    "whole": bocs.real(0, 10, steps=10),
    "batch": bocs.ordinal([16, 32, 64]),
    "even": range(0, 11, 2),
    "trees": bocs.Integer(1, 1000, log=True, steps=3),
}


def test_numbers_are_the_values_of_their_grids() -> None:
    space = bocs.Space(NUMBERS)
    point = space.point([10, 3, 10, 2, 1, 5, 2])
    assert point["rate"] == 0.001 and type(point["rate"]) is float
    assert point["share"].tolist() == [0.3, 1.0]
    assert point["whole"] == 2.0 and type(point["whole"]) is float
    assert point["batch"] == 32 and type(point["batch"]) is int
    assert point["even"] == 10 and point["trees"] == 100
    assert space.levels(point) == [10, 3, 10, 2, 1, 5, 2]
    grid = numpy.logspace(-4, -1, 31)
    assert [space.levels({**point, "rate": value})[0] for value in grid] == list(range(31))
    assert space.levels({**point, "share": [0.1 + 0.2, numpy.float32(0.7)]})[1:3] == [3, 7]
    with pytest.raises(ValueError, match="nearest are 0.3 and 0.4"):
        space.levels({**point, "share": [0.35, 0]})


def test_constraints_on_real_numbers() -> None:
    result = bocs.minimize(
        lambda x: (x["share"].sum() - 1.3) ** 2 + 0.001 * x["rate"],
        NUMBERS,
        constraints=["sum(share) <= 1.2", "share[0] == share[1]", bocs.forbidden("batch == 64")],
        trials=40,
    )
    for trial in result.trials:
        assert trial.x["share"][0] == trial.x["share"][1] and trial.x["share"].sum() <= 1.2 + 1e-9
        assert trial.x["batch"] != 64
    assert result.x["share"].tolist() == [0.6, 0.6]


@pytest.mark.parametrize(
    ("described", "words"),
    [
        ({"a": float}, ["a", "bocs.real(0, 1)"]),
        ({"a": range(10, 0, -1)}, ["a", "ascends"]),
        ({"a": []}, ["a", "at least one"]),
        ({"a": [1, "1"]}, ["a", "distinct"]),
        ({"a": (0.0, 1.0)}, ["a: found (0.0, 1.0)", "bocs.real(0.0, 1.0)", "[0.0, 1.0]"]),
        ({"a": (1, 8)}, ["a: found (1, 8)", "range(1, 9)", "[1, 8]"]),
        ({"a": {"x", 1}}, ["a: found", "sorted", "list"]),
        ({"a": numpy.zeros((2, 2))}, ["a: found", "(2, 2)"]),
        ({"a": numpy.array([3, 1, 2])}, ["a", "larger"]),
        ({3: bool}, ["3", "text"]),
        ({}, ["variables", "0"]),
        (7, ["7", "dict"]),
    ],
)
def test_bad_spaces_are_refused(described: object, words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        bocs.Space(described)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bocs.real(1, 0), ["low 1 and high 0", "low below high"]),
        (lambda: bocs.real(0, math.nan), ["nan", "finite"]),
        (lambda: bocs.real("0", 1), ["low: found '0'", "a number"]),
        (lambda: bocs.real(0, 1, step=0.3), ["step 0.3"]),
        (lambda: bocs.real(0, 1, step=-1), ["step -1", "above 0"]),
        (lambda: bocs.real(0, 1, steps=2.5), ["steps: found 2.5", "whole number"]),
        (lambda: bocs.real(0, 1, steps=5, step=0.2), ["one of them"]),
        (lambda: bocs.real(0, 1, log=True), ["low 0", "log"]),
        (lambda: bocs.ordinal([2, 1]), ["larger"]),
        (lambda: bocs.ordinal(["a"]), ["'a'", "a number"]),
        (lambda: bocs.ordinal(3), ["found 3", "list"]),
        (lambda: bocs.Integer(3, 1), ["low 3", "high 1"]),
        (lambda: bocs.Integer(1.5, 3), ["low: found 1.5", "whole"]),
        (lambda: bocs.Categorical("abc"), ["'abc'", "list"]),
        (lambda: bocs.Binary(0), ["count: found 0", "from 1"]),
        (lambda: bocs.Binary("ab"), ["count: found 'ab'"]),
        (lambda: bocs.Binary(names=["a", "a"]), ["each once"]),
        (lambda: bocs.Binary(names=["a]"]), ["'a]'"]),
        (lambda: bocs.Binary(3, names=["a"]), ["count 3 and 1 names"]),
    ],
)
def test_a_mistake_is_found_when_the_variable_is_made(make: Callable[[], Any], words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    for word in words:
        assert word in str(caught.value)
    assert "incompatible function arguments" not in str(caught.value)


def test_arrays_and_sets_are_levels_or_numbers() -> None:
    space = bocs.Space(
        {
            "a": numpy.arange(5),
            "b": numpy.arange(2, 11, 4),
            "c": numpy.linspace(0, 10, 11),
            "d": numpy.array([0.1, 0.5, 7.0]),
            "e": numpy.array(["x", "y"]),
            "f": {"b", "a"},
            "g": numpy.logspace(0, 3, 4),
        }
    )
    assert space.variables["a"] == bocs.Integer(0, 4) and space.variables["b"] == bocs.Integer(2, 10, step=4)
    assert space.variables["c"] == bocs.real(0.0, 10.0, steps=10) and space.variables["d"] == bocs.ordinal([0.1, 0.5, 7.0])
    assert space.variables["e"] == bocs.Categorical(["x", "y"]) and space.variables["f"] == bocs.Categorical(["a", "b"])
    assert space.variables["g"] == bocs.real(1.0, 1000.0, steps=3, log=True)
    assert type(space.point([0] * 7)["c"]) is float and type(space.point([0] * 7)["a"]) is int
    thirds = numpy.linspace(0, 1, 4)
    assert bocs.Space({"t": thirds}).entries[0].values == tuple(thirds)  # exactly those


def test_elements_with_names() -> None:
    for space in (bocs.Space({"f": bocs.Binary(names=["radius", "mean texture"])}), bocs.Space(bocs.binary(names=["a", "b"]))):
        assert space.dimension == 2 and pickle.loads(pickle.dumps(space)).names == space.names
    result = bocs.minimize(
        lambda x: float(x["f"] @ [-3, -2, 1]),
        {"f": bocs.Binary(names=["radius", "mean texture", "area"])},
        constraints=["f[radius] + f[area] <= 1", bocs.forbidden("f[mean texture]")],
        trials=6,
    )
    assert result.x["f"].tolist() == [1, 0, 0]
    assert {"f[radius]", "f[mean texture]", "f[area]"} < set(result.to_frame().columns)
    assert {name for effect in result.explain() for name in effect.names} <= {"f[radius]", "f[mean texture]", "f[area]"}


def test_functions_are_levels_with_the_same_text_in_every_process() -> None:
    space = bocs.Space({"f": [math.sin, test_elements_with_names, lambda: 1, lambda: 2]})
    assert [space.levels({"f": level}) for level in space.variables["f"].levels] == [[0], [1], [2], [3]]
    assert "0x" not in space.core.format([1]) and "test_elements_with_names" in space.core.format([1])


def test_bad_points_are_refused() -> None:
    space = bocs.Space({"pump": bool, "crew": range(1, 9), "depot": ["north", "river"]})
    good = {"pump": True, "crew": 2, "depot": "river"}
    for wrong, kind, words in [
        ({**good, "crew": 9}, ValueError, ["crew", "9", "1 to 8"]),
        ({**good, "crew": 2.5}, ValueError, ["crew", "2.5"]),
        ({**good, "depot": "lake"}, ValueError, ["depot", "lake", "north, river"]),
        ({"pump": True, "crew": 2}, KeyError, ["depot"]),
        ({**good, "crow": 1}, KeyError, ["crow", "did you mean 'crew'"]),
        ([1, 2, 3], ValueError, ["dict"]),
    ]:
        with pytest.raises(kind) as caught:
            space.levels(wrong)
        for word in words:
            assert word in str(caught.value)


def test_a_space_is_pickled() -> None:
    for space in (bocs.Space(MIXED), bocs.Space(NUMBERS), bocs.Space(bocs.binary(5))):
        again = pickle.loads(pickle.dumps(space))
        assert again == space and again.names == space.names


def test_numpy_is_loaded_before_a_run_and_not_in_it() -> None:
    # Ctrl-C while it is loaded spoils it for the process: "cannot load module more than once".
    script = "import sys, bocs; a = 'numpy' in sys.modules; bocs.Space({'b': bocs.Binary(2)}); print(a, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]

"""Spaces: what goes in comes out, and what is wrong is refused with its name."""

import itertools
import pickle

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
        ({"a": bocs.real(1, 0)}, ["a", "low below high"]),
        ({"a": bocs.real(0, 1, step=0.3)}, ["a", "step 0.3"]),
        ({"a": bocs.real(0, 1, steps=5, step=0.2)}, ["a", "one of them"]),
        ({"a": bocs.real(0, 1, log=True)}, ["a", "low 0", "log"]),
        ({"a": bocs.ordinal([2, 1])}, ["a", "larger"]),
        ({"a": []}, ["a", "at least one"]),
        ({"a": [1, "1"]}, ["a", "distinct"]),
        ({"a": bocs.Integer(3, 1)}, ["a", "low 3", "high 1"]),
        ({"a": bocs.Binary(0)}, ["a", "at least 1"]),
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

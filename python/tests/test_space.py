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


@pytest.mark.parametrize(
    ("described", "words"),
    [
        ({"a": float}, ["a", "no continuous variables"]),
        ({"a": range(0, 10, 2)}, ["a", "step 1"]),
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
    for space in (bocs.Space(MIXED), bocs.Space(bocs.binary(5))):
        again = pickle.loads(pickle.dumps(space))
        assert again == space and again.names == space.names

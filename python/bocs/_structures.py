"""Structures: subsets, orders, multisets, assignments, mixtures; and variables that exist only sometimes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _core


def _listed(what: str, items: Any) -> tuple[Any, ...]:
    """Items as they were given; their texts must be distinct, and C++ says so."""
    if isinstance(items, (str, bytes, Mapping)) or not hasattr(items, "__iter__"):
        raise ValueError(f"{what}: found {items!r}; allowed: a list")
    return tuple(items.tolist() if hasattr(items, "tolist") else items)


@dataclass(frozen=True)
class Subset:
    """Some of the items: ``size`` of them, a number or a range ``(1, 3)``; without it any number.

    A point says the list of those chosen, in the order of the items.
    """

    items: Sequence[Any]
    size: int | tuple[int, int] | None = None
    count = None  # of an array; structures come one by one

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", _listed("subset: items", self.items))
        _check(self)

    def definition(self) -> dict[str, Any]:
        size = list(self.size) if isinstance(self.size, (tuple, list)) else self.size
        return {"kind": "subset", "items": _plain_items(self.items)} | ({} if size is None else {"size": size})

    def restore(self, value: Any) -> list[Any]:
        return _chosen(self.items, value)


@dataclass(frozen=True)
class Permutation:
    """All items in an order. A point says the list in that order."""

    items: Sequence[Any]
    count = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", _listed("permutation: items", self.items))
        _check(self)

    def definition(self) -> dict[str, Any]:
        return {"kind": "permutation", "items": _plain_items(self.items)}

    def restore(self, value: Any) -> list[Any]:
        return _chosen(self.items, value)


@dataclass(frozen=True)
class Multiset:
    """``size`` interchangeable slots, each with one of the items: ``[a, a, b]`` and ``[b, a, a]`` are one point.

    A point says the list, in the order of the items.
    """

    items: Sequence[Any]
    size: int
    count = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", _listed("multiset: items", self.items))
        _check(self)

    def definition(self) -> dict[str, Any]:
        return {"kind": "multiset", "items": _plain_items(self.items), "size": self.size}

    def restore(self, value: Any) -> list[Any]:
        return _chosen(self.items, value)


@dataclass(frozen=True)
class Assignment:
    """Each item at one of the places. ``capacity``: items per place, a number for all or a dict; ``forbidden``: pairs.

    A point says a dict from items to places.
    """

    items: Sequence[Any]
    places: Sequence[Any]
    capacity: int | Mapping[Any, int] | None = None
    forbidden: Sequence[tuple[Any, Any]] = ()
    count = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", _listed("assignment: items", self.items))
        object.__setattr__(self, "places", _listed("assignment: places", self.places))
        object.__setattr__(self, "forbidden", tuple(tuple(pair) for pair in self.forbidden))
        _check(self)

    def definition(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": "assignment", "items": _plain_items(self.items), "places": _plain_items(self.places)}
        if isinstance(self.capacity, Mapping):
            found["capacity"] = {str(place): int(number) for place, number in self.capacity.items()}
        elif self.capacity is not None:
            found["capacity"] = self.capacity
        if self.forbidden:
            found["forbidden"] = [_plain_items(pair) for pair in self.forbidden]
        return found

    def restore(self, value: Any) -> dict[Any, Any]:
        items, places = _by_text(self.items), _by_text(self.places)
        return {items[item]: places[str(place)] for item, place in value.items()}


@dataclass(frozen=True)
class Mixture:
    """Amounts of some parts that add up to ``total`` exactly, in multiples of ``step``.

    ``at_most``: so many parts are present at the same time; ``least``: a part that is present amounts to this at least;
    ``low`` and ``high``: bounds, dicts from parts to numbers. A point says a dict from the parts present to their amounts.
    """

    parts: Sequence[Any]
    total: float = 1
    step: float = 0.05
    at_most: int | None = None
    least: float | None = None
    low: Mapping[Any, float] | None = None
    high: Mapping[Any, float] | None = None
    count = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _listed("mixture: parts", self.parts))
        _check(self)

    def definition(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": "mixture", "parts": _plain_items(self.parts), "total": self.total, "step": self.step}
        found |= {key: value for key in ("at_most", "least") if (value := getattr(self, key)) is not None}
        for key in ("low", "high"):
            if getattr(self, key) is not None:
                found[key] = {str(part): bound for part, bound in getattr(self, key).items()}
        return found

    def restore(self, value: Any) -> dict[Any, float]:
        parts = _by_text(self.parts)
        return {parts[part]: amount for part, amount in value.items()}


Structure = Union[Subset, Permutation, Multiset, Assignment, Mixture]
STRUCTURES = (Subset, Permutation, Multiset, Assignment, Mixture)


@dataclass(frozen=True)
class When:
    """A variable that exists only where the condition holds; elsewhere it is absent from the point."""

    condition: str
    variable: Any

    @property
    def count(self) -> int | None:
        return self.variable.count  # type: ignore[no-any-return]

    @property
    def names(self) -> Sequence[str] | None:
        return getattr(self.variable, "names", None)


def subset(items: Sequence[Any], size: int | tuple[int, int] | None = None) -> Subset:
    """``bocs.subset(["a", "b", "c", "d"], 2)``: two of four items; see Subset."""
    return Subset(items, size)


def permutation(items: Sequence[Any]) -> Permutation:
    """``bocs.permutation(["a", "b", "c"])``: the items in an order; see Permutation."""
    return Permutation(items)


def multiset(items: Sequence[Any], size: int) -> Multiset:
    """``bocs.multiset(["a", "b", "c"], 2)``: two interchangeable slots; see Multiset."""
    return Multiset(items, size)


def assignment(
    items: Sequence[Any],
    places: Sequence[Any],
    *,
    capacity: int | Mapping[Any, int] | None = None,
    forbidden: Sequence[tuple[Any, Any]] = (),
) -> Assignment:
    """``bocs.assignment(["a", "b", "c"], ["x", "y"], capacity=2)``: each item at a place; see Assignment."""
    return Assignment(items, places, capacity, forbidden)


def mixture(
    parts: Sequence[Any],
    *,
    total: float = 1,
    step: float = 0.05,
    at_most: int | None = None,
    least: float | None = None,
    low: Mapping[Any, float] | None = None,
    high: Mapping[Any, float] | None = None,
) -> Mixture:
    """``bocs.mixture(["water", "oil", "salt"], step=0.05, at_most=2)``: amounts that add up to 1; see Mixture."""
    return Mixture(parts, total, step, at_most, least, low, high)


def when(condition: str, variable: Any) -> When:
    """``bocs.when("kernel == poly", range(2, 6))``: a variable that exists only where the condition holds."""
    if not isinstance(condition, str):
        raise ValueError(f"when: found {condition!r}; allowed: a text such as 'kernel == poly'")
    return When(condition, variable)


def structure_from(definition: Mapping[str, Any]) -> Structure:
    """Of a stored study."""
    made = {key: value for key, value in definition.items() if key != "kind"}
    if definition["kind"] == "subset":
        least, most = made["size"]
        return Subset(made["items"], least if least == most else (least, most))
    if definition["kind"] == "permutation":
        return Permutation(made["items"])
    if definition["kind"] == "multiset":
        return Multiset(made["items"], made["size"])
    if definition["kind"] == "assignment":
        if "capacity" in made:
            each = set(made["capacity"])
            made["capacity"] = each.pop() if len(each) == 1 else dict(zip(made["places"], made["capacity"]))
        return Assignment(**made)
    for key in ("low", "high"):
        if key in made:
            made[key] = dict(zip(made["parts"], made[key]))
    return Mixture(**made)


def _check(structure: Structure) -> None:
    _core.variable("", structure.definition())


def _plain_items(items: Sequence[Any]) -> list[Any]:
    """Numbers and texts as they are, so that a study that is opened again has them; other objects by their texts."""
    return [item if type(item) in (int, float, str, bool) else str(item) for item in items]


def _by_text(items: Sequence[Any]) -> dict[str, Any]:
    return {str(item): item for item in items}


def _chosen(items: Sequence[Any], values: Any) -> list[Any]:
    known = _by_text(items)
    return [known[str(value)] for value in values]


def plain(value: Any) -> Any:
    """A value of a structure as C++ reads it: items by their texts."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) if not isinstance(entry, (int, float)) else entry for key, entry in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [str(entry) for entry in value]
    return str(value)

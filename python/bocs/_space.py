"""What may be chosen: a Space of variables of one value, alone or in arrays, and of structures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _core
from ._structures import (
    STRUCTURES,
    Assignment,
    Mixture,
    Multiset,
    Permutation,
    Structure,
    Subset,
    When,
    assignment,
    mixture,
    multiset,
    permutation,
    plain,
    structure_from,
    subset,
    when,
)
from ._variables import (
    Binary,
    Categorical,
    FineValues,
    Integer,
    Ordinal,
    Real,
    Variable,
    as_variable,
    binary,
    level_text,
    make,
    ordinal,
    real,
)

__all__ = [
    "Assignment",
    "Binary",
    "Categorical",
    "Integer",
    "Mixture",
    "Multiset",
    "Ordinal",
    "Permutation",
    "Point",
    "Real",
    "Space",
    "Structure",
    "Subset",
    "Variable",
    "When",
    "assignment",
    "binary",
    "level_text",
    "mixture",
    "multiset",
    "ordinal",
    "permutation",
    "real",
    "structure_from",
    "subset",
    "when",
]

Point = Any  # dict[str, value], or a NumPy vector for a space that is one array of binaries


ABSENT = object()  # stands for a value that a point does not have


@dataclass(frozen=True)
class _Entry:
    """One key of the space: a variable, or an array of variables that stand side by side in the C++ space."""

    name: str
    variable: Variable  # without its condition
    start: int  # index of its first coordinate in the C++ space
    size: int  # number of its coordinates
    index: int  # of its first variable in the C++ space
    values: Sequence[Any]  # the value of each level; empty: a structure
    optional: bool  # it exists only where a condition holds

    @property
    def indices(self) -> range:
        return range(self.start, self.start + self.size)

    @property
    def is_array(self) -> bool:
        return self.variable.count is not None

    def value(self, level: int) -> Any:
        if self.optional:
            return ABSENT if level == 0 else self.values[level - 1]
        return self.values[level]

    def decode(self, space: _core.Space, levels: list[int]) -> Any:
        if isinstance(self.variable, STRUCTURES):
            return self.variable.restore(space.value(levels, self.index))
        if not self.is_array:
            return self.value(levels[self.start])
        part = levels[self.start : self.start + self.size]
        if self.optional and part[0] == 0:
            return ABSENT
        if isinstance(self.variable, Categorical):
            return [self.value(level) for level in part]
        is_bits = isinstance(self.variable, Binary) and not self.optional
        return _numpy().array(part if is_bits else [self.value(level) for level in part])


def _numpy() -> Any:
    """Late: many spaces need none, and it takes a tenth of a second."""
    import numpy

    return numpy


class Space:
    """The set of points that are searched.

    ``Space({"pump": bool, "crew": range(1, 9), "rate": bocs.real(0, 1), "depot": ["north", "south"], "station":
    bocs.Binary(24), "route": bocs.permutation(["a", "b", "c"])})``: points are dicts with these keys. ``Space(bocs.binary(24))``: points are NumPy vectors of 0 and 1.
    """

    def __init__(self, variables: Mapping[str, Any] | Binary | Space) -> None:
        if isinstance(variables, Space):
            variables = variables._described()
        self.is_vector: bool = isinstance(variables, Binary)
        if isinstance(variables, Binary):
            variables = {"x": Binary(variables.count or 1, variables.names)}
        if not isinstance(variables, Mapping):
            raise ValueError(f"found the space {variables!r}; allowed: a dict of variables, or bocs.binary(n)")
        self.variables: dict[str, Variable] = {}
        self.entries: list[_Entry] = []
        flat: list[list[_core.Variable]] = []
        for name, described in variables.items():
            if not isinstance(name, str):
                raise ValueError(f"found the name {name!r}; allowed: text")
            variable = as_variable(name, described)
            self.variables[name] = variable
            if variable.count is None:
                made = [make(name, variable)]
            else:
                elements = getattr(variable, "names", None) or range(variable.count)
                made = [make(f"{name}[{element}]", variable) for element in elements]
            flat.append(made)
            if variable.count is not None:
                _numpy()  # here and not in the middle of a run: Ctrl-C while it is loaded spoils it for the process
        self.core = _core.Space([one for made in flat for one in made])
        index = 0
        for (name, variable), made in zip(self.variables.items(), flat):
            inner = variable.variable if isinstance(variable, When) else variable
            start, end = self.core.first(index), self.core.first(index + len(made))
            values = _values_of(inner, made[0])
            self.entries.append(_Entry(name, inner, start, end - start, index, values, isinstance(variable, When)))
            index += len(made)
        self.names: list[str] = self.core.names  # of the coordinates: station[0], station[1], ...
        self._by_name = {entry.name: entry for entry in self.entries}
        self._by_index = [entry for entry in self.entries for _ in entry.indices]

    @property
    def dimension(self) -> int:
        """The number of coordinates: of variables, each element of an array counted, and of what structures are made of."""
        return len(self.names)

    def point(self, levels: list[int]) -> Point:
        """The point whose variables have these levels, counted from 0 (as in C++)."""
        if self.is_vector:
            return self.entries[0].decode(self.core, levels)
        values = ((entry.name, entry.decode(self.core, levels)) for entry in self.entries)
        return {name: value for name, value in values if value is not ABSENT}

    def levels(self, point: Point) -> list[int]:
        """The inverse of ``point``. Raises KeyError for wrong names, ValueError for wrong values."""
        if self.is_vector:
            return self._encode(self.entries[0], point)
        if not isinstance(point, Mapping):
            raise ValueError(f"found the point {point!r}; allowed: a dict with the keys {', '.join(self.variables)}")
        for name in point:
            self.entry(name)
        result: list[int] = []
        for entry in self.entries:
            if entry.name not in point:
                if not entry.optional:
                    raise KeyError(f"the point has no value for '{entry.name}'")
                result += [0] * entry.size
                continue
            result += self._encode(entry, point[entry.name])
        return result

    #: The only points, of ``bocs.Candidates``; None: all of them
    candidates: _core.Candidates | None = None
    #: The names of the columns that candidates carry along
    carried_names: Sequence[str] = ()

    def carried(self, levels: list[int]) -> dict[str, str]:
        """What candidates carry along with a point."""
        return {}

    def entry(self, name: str) -> _Entry:
        if name in self._by_name:
            return self._by_name[name]
        known = list(self.variables)
        allowed = f"; allowed: {', '.join(known)}" if len(known) <= 20 else ""
        raise KeyError(f"there is no variable '{name}'{allowed}{_core.did_you_mean(str(name), known)}")

    def entry_of(self, column: str) -> _Entry:
        return self._by_name[column] if column in self._by_name else self._by_index[self.names.index(column)]

    def entry_at(self, index: int) -> _Entry:
        return self._by_index[index]

    def values(self, levels: list[int]) -> Iterator[tuple[str, Any]]:
        """Name and value of each column of a frame: elements of arrays and of structures apart, an order as one list."""
        for entry in self.entries:
            if isinstance(entry.variable, Permutation):
                yield entry.name, entry.decode(self.core, levels)
                continue
            is_count = isinstance(entry.variable, (Subset, Multiset)) or (isinstance(entry.variable, Binary) and entry.is_array)
            for i in entry.indices:
                if is_count and not entry.optional:
                    yield self.names[i], levels[i]
                elif isinstance(entry.variable, Assignment):
                    yield self.names[i], entry.variable.places[levels[i]]
                elif isinstance(entry.variable, Mixture):
                    yield self.names[i], self.core.coordinate(i).values[levels[i]]
                else:
                    value = entry.value(levels[i])
                    yield self.names[i], None if value is ABSENT else value

    def columns(self) -> list[str]:
        """The names of these columns."""
        return [
            name
            for entry in self.entries
            for name in ([entry.name] if isinstance(entry.variable, Permutation) else [self.names[i] for i in entry.indices])
        ]

    def from_columns(self, row: Mapping[str, Any]) -> Point:
        """The inverse of ``values``: a point from a row of a frame."""
        point: dict[str, Any] = {}
        for entry in self.entries:
            if isinstance(entry.variable, Permutation):
                listed = row[entry.name]
                point[entry.name] = json.loads(listed) if isinstance(listed, str) else listed
                continue
            cells = [row[self.names[i]] for i in entry.indices]
            if isinstance(entry.variable, Subset):
                point[entry.name] = [item for item, cell in zip(entry.variable.items, cells) if cell]
            elif isinstance(entry.variable, Multiset):
                point[entry.name] = [item for item, cell in zip(entry.variable.items, cells) for _ in range(int(cell))]
            elif isinstance(entry.variable, Assignment):
                point[entry.name] = dict(zip(entry.variable.items, cells))
            elif isinstance(entry.variable, Mixture):
                point[entry.name] = {part: cell for part, cell in zip(entry.variable.parts, cells) if cell}
            elif not (entry.optional and all(cell is None or cell != cell for cell in cells)):
                point[entry.name] = cells if entry.is_array else cells[0]
        return next(iter(point.values())) if self.is_vector else point

    def text(self, index: int, value: Any) -> str:
        """A value as C++, the study file and the command line write it."""
        if isinstance(self.entry_at(index).variable, Categorical):
            return level_text(value)
        if isinstance(value, (bool, float)) or hasattr(value, "item"):  # True, 3.0 of pandas, NumPy's scalars
            number = float(value)
            return str(int(number)) if number.is_integer() else str(value)
        return str(value)

    def _encode(self, entry: _Entry, value: Any) -> list[int]:
        if isinstance(entry.variable, STRUCTURES):
            x = self.core.set([0] * self.dimension, entry.index, plain(value))
            return x[entry.start : entry.start + entry.size]
        if not entry.is_array:
            values = [value]
        else:
            try:
                values = list(value)
            except TypeError:
                raise ValueError(f"{entry.name}: found {value!r}; allowed: {entry.size} values") from None
        if len(values) != entry.size:
            raise ValueError(f"{entry.name}: found {len(values)} values; allowed: {entry.size}")
        return [self._level(entry, i, v) for i, v in zip(entry.indices, values)]

    def _level(self, entry: _Entry, index: int, value: Any) -> int:
        if isinstance(entry.variable, Categorical):
            for level, known in enumerate(entry.values):
                if known is value:  # two functions may have the same text
                    return level + (1 if entry.optional else 0)
        return self.core.parse_level(index, self.text(index, value))

    def __repr__(self) -> str:
        return f"Space({self.variables['x'] if self.is_vector else self.variables})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and (self.is_vector, self.variables) == (other.is_vector, other.variables)

    def __reduce__(self) -> tuple[Any, ...]:
        return Space, (self._described(),)

    def _described(self) -> Mapping[str, Variable] | Binary:
        return self.variables["x"] if self.is_vector else self.variables  # type: ignore[return-value]


def _values_of(variable: Variable, made: _core.Variable) -> Sequence[Any]:
    if isinstance(variable, STRUCTURES):
        return ()
    core = made.coordinate
    if isinstance(variable, Binary):
        return (False, True)
    if isinstance(variable, Categorical):
        return variable.levels
    if made.kind == "real":
        return FineValues(core.scale) if core.scale else tuple(core.values)
    return tuple(map(int, core.values)) if core.values else range(core.low, core.low + core.levels)

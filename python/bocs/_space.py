"""What may be chosen: a Space of binary, integer, real and categorical variables, alone or in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _core
from ._variables import (
    Binary,
    Categorical,
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
    "Binary",
    "Categorical",
    "Integer",
    "Ordinal",
    "Point",
    "Real",
    "Space",
    "Variable",
    "binary",
    "level_text",
    "ordinal",
    "real",
]

Point = Any  # dict[str, value], or a NumPy vector for a space that is one array of binaries


@dataclass(frozen=True)
class _Entry:
    """One key of the space: a variable, or an array of variables that stand side by side in the C++ space."""

    name: str
    variable: Variable
    start: int  # index of its first variable in the C++ space
    values: Sequence[Any]  # the value of each level

    @property
    def size(self) -> int:
        return 1 if self.variable.count is None else self.variable.count

    @property
    def indices(self) -> range:
        return range(self.start, self.start + self.size)

    def decode(self, levels: list[int]) -> Any:
        if self.variable.count is None:
            return self.values[levels[self.start]]
        part = levels[self.start : self.start + self.size]
        if isinstance(self.variable, Categorical):
            return [self.values[level] for level in part]
        import numpy

        return numpy.array(part if isinstance(self.variable, Binary) else [self.values[level] for level in part])


class Space:
    """The set of points that are searched.

    ``Space({"pump": bool, "crew": range(1, 9), "rate": bocs.real(0, 1), "depot": ["north", "south"], "station":
    bocs.Binary(24)})``: points are dicts with these keys. ``Space(bocs.binary(24))``: points are NumPy vectors of 0 and 1.
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
        flat: list[_core.Variable] = []
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
            self.entries.append(_Entry(name, variable, len(flat), _values_of(variable, made[0])))
            flat += made
        self.core = _core.Space(flat)
        self.names: list[str] = [variable.name for variable in flat]  # station[0], station[1], ...
        self._by_name = {entry.name: entry for entry in self.entries}
        self._by_index = [entry for entry in self.entries for _ in entry.indices]

    @property
    def dimension(self) -> int:
        """The number of variables, each element of an array counted."""
        return len(self.names)

    def point(self, levels: list[int]) -> Point:
        """The point whose variables have these levels, counted from 0 (as in C++)."""
        if self.is_vector:
            return self.entries[0].decode(levels)
        return {entry.name: entry.decode(levels) for entry in self.entries}

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
                raise KeyError(f"the point has no value for '{entry.name}'")
            result += self._encode(entry, point[entry.name])
        return result

    def entry(self, name: str) -> _Entry:
        if name in self._by_name:
            return self._by_name[name]
        known = list(self.variables)
        allowed = f"; allowed: {', '.join(known)}" if len(known) <= 20 else ""
        raise KeyError(f"there is no variable '{name}'{allowed}{_core.did_you_mean(str(name), known)}")

    def entry_at(self, index: int) -> _Entry:
        return self._by_index[index]

    def values(self, levels: list[int]) -> Iterator[tuple[str, Any]]:
        """Name and value of each variable, each element of an array by itself, as it is in the array."""
        for entry in self.entries:
            is_bit = isinstance(entry.variable, Binary) and entry.variable.count is not None
            for i in entry.indices:
                yield self.names[i], levels[i] if is_bit else entry.values[levels[i]]

    def text(self, index: int, value: Any) -> str:
        """A value as C++, the study file and the command line write it."""
        if isinstance(self.entry_at(index).variable, Categorical):
            return level_text(value)
        if isinstance(value, (bool, float)) or hasattr(value, "item"):  # True, 3.0 of pandas, NumPy's scalars
            number = float(value)
            return str(int(number)) if number.is_integer() else str(value)
        return str(value)

    def _encode(self, entry: _Entry, value: Any) -> list[int]:
        if entry.variable.count is None:
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
                    return level
        return self.core.parse_level(index, self.text(index, value))

    def __repr__(self) -> str:
        return f"Space({self.variables['x'] if self.is_vector else self.variables})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and (self.is_vector, self.variables) == (other.is_vector, other.variables)

    def __reduce__(self) -> tuple[Any, ...]:
        return Space, (self._described(),)

    def _described(self) -> Mapping[str, Variable] | Binary:
        return self.variables["x"] if self.is_vector else self.variables  # type: ignore[return-value]


def _values_of(variable: Variable, core: _core.Variable) -> Sequence[Any]:
    if isinstance(variable, Binary):
        return (False, True)
    if isinstance(variable, Categorical):
        return variable.levels
    if core.kind == _core.Kind.real:
        return tuple(core.values)
    return tuple(map(int, core.values)) if core.values else range(core.low, core.low + core.levels)

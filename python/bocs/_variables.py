"""The variables of one value: binary, integer, real, ordinal and categorical ones, alone or in arrays."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _core
from ._structures import STRUCTURES, Multiset, Structure, When


@dataclass(frozen=True)
class Binary:
    """Yes or no. ``Binary(24)`` is an array of 24, a NumPy vector of 0 and 1.

    ``Binary(names=["radius", "mean texture"])`` is an array whose elements have names: ``f[radius]`` in constraints,
    frames and ``explain()``.
    """

    count: int | None = None
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        _check_count(self.count)
        if self.names is not None:
            names = _checked_names(self.names, self.count)
            object.__setattr__(self, "names", names)
            object.__setattr__(self, "count", len(names))


@dataclass(frozen=True)
class Integer:
    """A whole number from ``low`` to ``high``, both included: each of them, or those at steps of size ``step``.

    With ``log``, the whole numbers nearest to ``steps`` equal factors (default 100). With ``count``, an array of them.
    """

    low: int
    high: int
    count: int | None = None
    step: int | None = None
    steps: int | None = None
    log: bool = False

    def __post_init__(self) -> None:
        _check_count(self.count)
        for key in ("low", "high"):
            object.__setattr__(self, key, _whole(f"integer: {key}", getattr(self, key), -(2**31), 2**31 - 1))
        _check_steps("integer", self.step, self.steps)
        make("", self)


@dataclass(frozen=True)
class Real:
    """A number from ``low`` to ``high``, or one of a grid of ``steps`` steps, or of steps of size ``step``.

    Without steps it is as fine as nine digits of the range. With ``log`` equal factors count alike: of ``Real(1e-4, 0.1,
    log=True)`` a third of the values is in each power of ten, and ``steps=30`` makes ten values in each. With ``count``,
    an array of them.
    """

    low: float
    high: float
    count: int | None = None
    step: float | None = None
    steps: int | None = None
    log: bool = False

    def __post_init__(self) -> None:
        _check_count(self.count)
        for key in ("low", "high"):
            _number(f"real: {key}", getattr(self, key))
        _check_steps("real", self.step, self.steps)
        make("", self)


@dataclass(frozen=True)
class Ordinal:
    """One of the numbers ``values``, ascending; each is as far from the next as any other: ``Ordinal([16, 32, 64])``.

    With ``count``, an array of them.
    """

    values: Sequence[float]
    count: int | None = None

    def __post_init__(self) -> None:
        _check_count(self.count)
        object.__setattr__(self, "values", tuple(_number("ordinal: values", value) for value in _listed(self.values)))
        make("", self)


@dataclass(frozen=True)
class Categorical:
    """One of ``levels``: any Python objects whose texts, ``str(level)``, are distinct. With ``count``, a list of choices.

    Messages and constraints name a level by its text. A point is written with commas between its values, so a comma in
    a text is shown as a semicolon. Studies keep None, bools, numbers and texts with their types; a study whose levels
    are other objects is opened again with ``space=``.
    """

    levels: Sequence[Any]
    count: int | None = None
    symmetric: bool = False  # the order of the choices means nothing: see Multiset
    #: Numbers that say what each level is like, such as chemical descriptors: a DataFrame whose index has the levels, or
    #: a dict of level -> dict of numbers. Levels that were never measured are then judged by those like them.
    describe: Any = None

    def __post_init__(self) -> None:
        _check_count(self.count)
        object.__setattr__(self, "levels", tuple(_listed(self.levels)))
        if self.describe is not None:
            object.__setattr__(self, "describe", _described(self.levels, self.describe))
        if self.symmetric and self.count is None:
            raise ValueError("categorical: found symmetric without a count; allowed: with a count, the number of slots")


@dataclass(frozen=True)
class Descriptions:
    """The names of the numbers, and a row of them for each level."""

    names: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


def _described(levels: Sequence[Any], table: Any) -> Descriptions:
    if isinstance(table, Descriptions):
        return table
    if hasattr(table, "to_dict") and hasattr(table, "columns"):
        table = table.to_dict(orient="index")
    if not isinstance(table, Mapping) or not all(isinstance(row, Mapping) for row in table.values()):
        raise ValueError(f"categorical: found the descriptions {table!r:.80}; allowed: a DataFrame whose index has the levels")
    missing = [level for level in levels if level not in table]
    if missing:
        raise ValueError(f"categorical: the level {missing[0]!r} is not described; allowed: a row for each level")
    names = list(table[levels[0]])
    rows = []
    for level in levels:
        if list(table[level]) != names:
            raise ValueError(f"categorical: the level {level!r} is described by other numbers than {levels[0]!r}")
        try:
            rows.append(tuple(float(table[level][name]) for name in names))
        except (TypeError, ValueError):
            raise ValueError(f"categorical: the level {level!r} is not described by numbers alone: {table[level]!r:.80}") from None
    return Descriptions(tuple(map(str, names)), tuple(rows))


Variable = Union[Binary, Integer, Real, Ordinal, Categorical, Structure, When]


def binary(count: int | None = None, *, names: Sequence[str] | None = None) -> Binary:
    """``bocs.binary(24)``: 24 binary variables as one NumPy vector; a whole space, or one entry of one; see Binary."""
    return Binary(count, names)


def real(
    low: float,
    high: float,
    *,
    steps: int | None = None,
    step: float | None = None,
    log: bool = False,
    count: int | None = None,
) -> Real:
    """``bocs.real(0, 1)``, ``bocs.real(1e-4, 0.1, log=True)``, ``bocs.real(0, 1, steps=20)``: see Real."""
    return Real(low, high, count, step, steps, log)


class FineValues(Sequence[float]):
    """The values of a real variable without a step, by level: computed, not listed."""

    def __init__(self, scale: Any) -> None:
        self._scale = scale

    def __len__(self) -> int:
        return int(self._scale.levels)

    def __getitem__(self, level: Any) -> Any:
        if not -len(self) <= level < len(self):
            raise IndexError(f"level {level}; allowed: below {len(self)}")
        return self._scale.value(level % len(self))

    def nearest(self, value: float) -> int:
        """The level whose value is nearest."""
        return int(self._scale.nearest(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FineValues) and (self[0], self[-1], len(self)) == (other[0], other[-1], len(other))

    def __hash__(self) -> int:
        return hash((self[0], self[-1], len(self)))


def ordinal(values: Sequence[float], *, count: int | None = None) -> Ordinal:
    """``bocs.ordinal([16, 32, 64])``: one of some numbers, ascending, see Ordinal."""
    return Ordinal(values, count)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _number(what: str, value: Any) -> Any:
    if not _is_number(value):
        raise ValueError(f"{what}: found {value!r}; allowed: a number")
    return value


def _whole(what: str, value: Any, low: int, high: int) -> int:
    number = float(value) if _is_number(value) else math.nan
    if not low <= number <= high or not number.is_integer():
        raise ValueError(f"{what}: found {value!r}; allowed: a whole number from {low} to {high}")
    return int(number)


def _check_count(count: Any) -> None:
    if count is not None:
        _whole("count", count, 1, 1_000_000)


def _check_steps(kind: str, step: Any, steps: Any) -> None:
    if step is not None and _number(f"{kind}: step", step) <= 0:
        raise ValueError(f"{kind}: found step {step!r}; allowed: a number above 0")
    if steps is not None:
        _whole(f"{kind}: steps", steps, 1, 10_000)


def _listed(levels: Any) -> list[Any]:
    """A list, tuple, range, set or NumPy array as a list. A set has no order of its own: it is sorted."""
    if isinstance(levels, (set, frozenset)):
        try:
            return sorted(levels)
        except TypeError:
            raise ValueError(f"found {levels!r}, a set that cannot be sorted; allowed: a list, whose order is kept") from None
    if isinstance(levels, (str, bytes, Mapping)) or not hasattr(levels, "__iter__"):
        raise ValueError(f"found {levels!r}; allowed: a list of levels")
    return levels.tolist() if hasattr(levels, "tolist") else list(levels)


def _checked_names(names: Any, count: int | None) -> tuple[str, ...]:
    """As in a study file: they appear in name[element], in references name=value and in placeholders {name}."""
    listed = tuple(_listed(names))
    for name in listed:
        unfit = not isinstance(name, str) or not name or name != name.strip(" ") or set(name) & set("[]{}=")
        if unfit or any(ord(c) < 32 or ord(c) == 127 for c in name):
            raise ValueError(
                f"names: found {name!r}; allowed: texts without [ ] {{ }} =, control characters, and spaces at the ends"
            )
    if not listed or len(set(listed)) < len(listed):
        raise ValueError(f"names: found {list(listed)!r}; allowed: at least one name, and each once")
    if count is not None and count != len(listed):
        raise ValueError(f"found count {count} and {len(listed)} names; allowed: names alone")
    return listed


def level_text(level: Any) -> str:
    """The same in every process: without the address in "<function f at 0x7f...>"."""
    return re.sub(r" at 0x[0-9a-fA-F]+>", ">", str(level)).replace(",", ";")


def _typed(levels: Sequence[Any]) -> list[Any]:
    """The levels as a store keeps them: what JSON cannot hold by its text, numbered where several have the same."""
    seen: dict[str, int] = {}
    typed = []
    for level in levels:
        plain = level.item() if hasattr(level, "dtype") and hasattr(level, "item") and level.ndim == 0 else level
        kind = type(plain)
        if plain is None or kind in (bool, str) or (kind is float and math.isfinite(plain)):
            typed.append(plain)
        elif kind is int and -(2**63) <= plain < 2**63:
            typed.append(plain)
        else:
            text = level_text(level)
            seen[text] = seen.get(text, 0) + 1
            typed.append(_core.Unstorable(text if seen[text] == 1 else f"{text} {seen[text]}"))
    return typed


def as_variable(name: str, described: Any) -> Variable:
    if isinstance(described, Categorical) and described.symmetric:
        return Multiset(described.levels, described.count or 1)
    if isinstance(described, (Binary, Integer, Real, Ordinal, Categorical, *STRUCTURES)):
        return described
    if isinstance(described, When):
        return When(described.condition, as_variable(name, described.variable))
    if described is bool:
        return Binary()
    if isinstance(described, range):
        if described.step < 1 or len(described) == 0:
            raise ValueError(f"{name}: found {described}; allowed: a range that ascends and is not empty")
        return Integer(described[0], described[-1], step=None if described.step == 1 else described.step)
    try:
        if isinstance(described, tuple) and len(described) == 2 and all(map(_is_number, described)):
            low, high = described
            whole = isinstance(low, int) and isinstance(high, int)
            meant = f"range({low}, {high + 1})" if whole else f"bocs.real({low!r}, {high!r})"
            raise ValueError(
                f"found {described!r}, which may be a range or two levels; "
                f"allowed: {meant}, or the list [{low!r}, {high!r}]"
            )
        if hasattr(described, "dtype") and hasattr(described, "tolist"):
            return _of_array(described)
        if isinstance(described, (list, tuple, set, frozenset)):
            return Categorical(described)  # type: ignore[arg-type]
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    raise ValueError(
        f"{name}: found {described!r}; allowed: bool, range(1, 9), a list of levels, "
        "bocs.real(0, 1), bocs.ordinal([16, 32, 64]), bocs.binary(8), bocs.subset(...), bocs.permutation(...), "
        "bocs.assignment(...), bocs.mixture(...), bocs.when(...), bocs.Integer or bocs.Categorical"
    )


def _of_array(array: Any) -> Variable:
    """Of numpy.arange and numpy.linspace: numbers in an order. Other arrays, such as texts, are lists of levels."""
    values = array.tolist()
    if array.ndim != 1:
        raise ValueError(f"found an array of shape {array.shape}; allowed: one dimension")
    if array.dtype.kind not in "iuf" or len(values) < 2:
        return Categorical(values)
    steps = len(values) - 1
    if array.dtype.kind != "f":
        step = values[1] - values[0]
        if step > 0 and values == list(range(values[0], values[-1] + 1, step)):
            return Integer(values[0], values[-1], step=None if step == 1 else step)
    elif values[0] < values[-1]:
        for log in (False, True) if values[0] > 0 else (False,):
            made = Real(values[0], values[-1], steps=steps, log=log)
            grid = make("", made).coordinate.values
            if all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9 * (grid[1] - grid[0])) for a, b in zip(grid, values)):
                return made
    return Ordinal(values)


def make(name: str, variable: Variable) -> _core.Variable:
    if isinstance(variable, STRUCTURES):
        return _core.variable(name, variable.definition())
    if isinstance(variable, When):
        return _core.when(variable.condition, make(name, variable.variable))
    if isinstance(variable, Binary):
        return _core.binary(name)
    if isinstance(variable, Ordinal):
        return _core.ordinal(name, [float(value) for value in variable.values])
    if isinstance(variable, Categorical):
        described = variable.describe
        if described is None:
            return _core.choice(name, _typed(variable.levels))
        return _core.described_choice(name, _typed(variable.levels), list(described.names), [list(row) for row in described.rows])
    steps, step, log = int(variable.steps or 0), float(variable.step or 0), bool(variable.log)
    if isinstance(variable, Integer):
        return _core.integer(name, variable.low, variable.high, steps, step, log)
    return _core.real(name, float(variable.low), float(variable.high), steps, step, log)

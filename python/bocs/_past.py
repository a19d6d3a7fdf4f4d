"""Evaluations made before, or elsewhere: pairs, or a DataFrame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._space import Point, Space

if TYPE_CHECKING:
    import pandas

PastData = Union[Iterable[tuple[Point, float]], "pandas.DataFrame"]


def past_points(space: Space, data: PastData) -> Iterator[tuple[Point, float]]:
    """The points and their values. Raises ValueError, naming the row, for what is neither."""
    if hasattr(data, "to_dict") and hasattr(data, "columns"):
        yield from _of_frame(space, data)
        return
    for i, row in enumerate(data):
        try:
            x, value = row
        except (TypeError, ValueError):
            raise ValueError(f"data: row {i} is {row!r}; allowed: a pair (point, value)") from None
        yield x, value


def _of_frame(space: Space, frame: Any) -> Iterator[tuple[Point, float]]:
    columns = _core.column_names(space.core, set())  # as of to_frame(): a variable may itself be called "value"
    wanted = space.columns()
    state, value = columns[1], columns[2 + len(wanted)]
    missing = [name for name in [*wanted, value] if name not in frame.columns]
    if missing:
        found = ", ".join(map(str, frame.columns))
        raise ValueError(f"data: there is no column {', '.join(map(repr, missing))}; the columns are {found}")
    for row in frame.to_dict("records"):
        if row.get(state, "complete") != "complete":
            continue  # of a frame made by to_frame()
        yield space.from_columns(row), row[value]

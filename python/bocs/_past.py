"""Evaluations made before, or elsewhere: pairs, or a DataFrame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._space import Point, Space

if TYPE_CHECKING:
    import pandas

PastData = Union[Iterable[tuple[Point, Any]], "pandas.DataFrame"]
Row = tuple[Point, float, dict[str, float]]


def past_points(space: Space, data: PastData, metrics: list[str]) -> Iterator[Row]:
    """The points, their values and the metrics of these names. Raises ValueError, naming the row, for what is neither."""
    if hasattr(data, "to_dict") and hasattr(data, "columns"):
        yield from _of_frame(space, data, metrics)
        return
    for i, row in enumerate(data):
        try:
            x, told = row
        except (TypeError, ValueError):
            raise ValueError(f"data: row {i} is {row!r}; allowed: a pair (point, value)") from None
        if isinstance(told, Mapping):
            yield x, told.get("value", math.nan), {name: float(told[name]) for name in metrics if name in told}
        else:
            yield x, told, {}


def _of_frame(space: Space, frame: Any, metrics: list[str]) -> Iterator[Row]:
    columns = _core.column_names(space.core, set())  # as of to_frame(): a variable may itself be called "value"
    wanted = space.columns()
    state, value = columns[1], columns[2 + len(wanted)]
    values = [value] if value in frame.columns or not metrics else []
    missing = [name for name in [*wanted, *values, *metrics] if name not in frame.columns]
    if missing:
        found = ", ".join(map(str, frame.columns))
        raise ValueError(f"data: there is no column {', '.join(map(repr, missing))}; the columns are {found}")
    for row in frame.to_dict("records"):
        if row.get(state, "complete") != "complete":
            continue  # of a frame made by to_frame()
        yield space.from_columns(row), row[value] if values else math.nan, {name: float(row[name]) for name in metrics}

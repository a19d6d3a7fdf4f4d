"""The only points there are: the rows of a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._space import Binary, Space, level_text

if TYPE_CHECKING:
    import pandas

    Table = Union[pandas.DataFrame, Sequence[Mapping[str, Any]], str, os.PathLike[str]]
else:
    Table = Any


class Candidates(Space):
    """A space whose only points are the rows of a table: a library of molecules, the experiments a robot can run.

    ``bocs.Candidates(frame)``, of a DataFrame, a list of dicts or the path of a CSV file; up to a million rows, each
    another point. Without ``space`` every column is a variable: 0 and 1 are binary, up to 100 different numbers an
    ordinal, more a real number, texts a categorical variable. Columns with one value in all rows, texts that name each
    row, and those in ``carry`` are no variables: they are carried along (``trial.carried``).
    """

    candidates: _core.Candidates

    def __init__(self, table: Table, space: Mapping[str, Any] | Binary | Space | None = None, *, carry: Iterable[str] = ()) -> None:
        described = None if space is None else Space(space)
        core = None if described is None else described.core
        if isinstance(table, (str, os.PathLike)):
            made, rows = _core.candidates_of_file(os.fspath(table), core, list(carry))
        else:
            made, rows = _core.candidates_of_table(*_texts(table), core, list(carry))
        self._start(described, made, rows)

    def _start(self, described: Space | None, core: _core.Space, rows: _core.Candidates) -> None:
        if described is None:
            from ._stored import to_space

            described = to_space(core.variables, {})
        super().__init__(described)
        self.candidates = rows
        self.carried_names = list(rows.names)

    @classmethod
    def _of(cls, described: Space, rows: _core.Candidates) -> Candidates:
        made = cls.__new__(cls)
        made._start(described, described.core, rows)
        return made

    def carried(self, levels: list[int]) -> dict[str, str]:
        return dict(self.candidates.carried(levels))

    def __len__(self) -> int:
        return int(self.candidates.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Candidates) and super().__eq__(other) and self.candidates.hash == other.candidates.hash

    def __repr__(self) -> str:
        return f"Candidates({len(self)} rows, {', '.join(self.variables)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._described(), self.candidates.text)


def _restored(described: Any, text: str) -> Candidates:
    space = Space(described)
    return Candidates._of(space, _core.candidates_of_text(space.core, text))


def as_space(space: Any, candidates: Any) -> Space:
    """What minimize, Optimizer and Study are given as space= and candidates=."""
    if candidates is not None:
        if isinstance(candidates, Candidates) and space is None:
            return candidates
        return Candidates(candidates, space)
    if space is None:
        raise ValueError("found no space; allowed: space={...}, or candidates= with a table of the only points there are")
    return space if isinstance(space, Candidates) else Space(space)


def _texts(table: Any) -> tuple[list[str], list[list[str]]]:
    """The cells of a DataFrame, or of a list of dicts, as a CSV file would have them."""
    if hasattr(table, "columns") and hasattr(table, "itertuples"):
        columns = [str(name) for name in table.columns]
        cells = [[_cell(value) for value in table[name].tolist()] for name in table.columns]
        return columns, [list(row) for row in zip(*cells)]
    rows = list(table)
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError(f"found the candidates {table!r:.80}; allowed: a DataFrame, a list of dicts, or the path of a CSV file")
    columns = list(rows[0])
    for number, row in enumerate(rows, 1):
        if row.keys() != rows[0].keys():
            raise ValueError(f"candidates, row {number}: found the keys {', '.join(row)}; allowed: {', '.join(columns)}, as in row 1")
    return columns, [[_cell(row[name]) for name in columns] for row in rows]


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value) if isinstance(value, float) else level_text(value)

"""Which points are allowed: texts of the language of rules (docs/constraints.md), and functions that write them.

A condition is a text: ``"pump"`` (is on), ``"not pump"``, ``"depot == 'river'"``, ``"crew >= 3"``, several joined by
``and`` or ``or``. The name of an array stands for each of its elements. The C++ library reads and checks the texts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from . import _core
from ._space import Space

Conditions = Union[str, Iterable[str]]
Weights = Iterable[tuple[str, float]]
_Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Constraint:
    """Made by the functions of this module; a text such as ``"pump + 2*crew <= 10"`` is one, too."""

    compile: Callable[..., _core.Constraint]  # (space, *arguments)
    arguments: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"bocs.{self.compile.__name__.removeprefix('_make_')}({', '.join(map(repr, self.arguments))})"


def exactly(count: int, of: Conditions) -> Constraint:
    """Exactly ``count`` of the conditions hold: ``exactly(10, of="station")``."""
    return Constraint(_make_exactly, (count, _listed(of)))


def at_most(count: int, of: Conditions) -> Constraint:
    """At most ``count`` of the conditions hold."""
    return Constraint(_make_at_most, (count, _listed(of)))


def at_least(count: int, of: Conditions) -> Constraint:
    """At least ``count`` of the conditions hold."""
    return Constraint(_make_at_least, (count, _listed(of)))


def exclusive(*conditions: str) -> Constraint:
    """At most one of the conditions holds."""
    return Constraint(_make_exclusive, conditions)


def allowed(table: Any) -> Constraint:
    """Only these combinations of values: a pandas DataFrame, or the path of a CSV file, with a column for each variable."""
    return Constraint(_make_allowed, _table(table))


def forbidden(*conditions: Any) -> Constraint:
    """Not all of the conditions hold at once: ``forbidden("pump", "depot == 'river'")``. Or, as of ``allowed``, a table of
    combinations that are not allowed: ``forbidden(frame)``, ``forbidden("pairs.csv")``."""
    if len(conditions) == 1 and _is_table(conditions[0]):
        return Constraint(_make_forbidden_table, _table(conditions[0]))
    return Constraint(_make_forbidden, conditions)


def required(*conditions: str) -> Constraint:
    """All of the conditions hold, always."""
    return Constraint(_make_required, conditions)


def if_(*conditions: str, then: Conditions | None = None) -> Constraint:
    """Where all of the conditions hold, all of ``then`` must: ``if_("pump", then="depot == 'river'")``."""
    if then is None:
        *where, last = [*map(repr, conditions), "..."] if len(conditions) < 2 else map(repr, conditions)
        raise ValueError(f"if_ without then; allowed: bocs.if_({', '.join(where)}, then={last})")
    if not conditions:
        raise ValueError(f"if_ without a condition; allowed: bocs.if_('pump', then={then!r})")
    return Constraint(_make_if_, (conditions, _listed(then)))


def linear(weights: Mapping[str, float], relation: str, bound: float) -> Constraint:
    """A weighted sum whose names are data: ``linear({"wall time": 2, "depot=river": -1}, "<=", 10)``."""
    return Constraint(_make_linear, (tuple(weights.items()), relation, bound))


def compile_constraints(space: Space, constraints: Constraints) -> list[_core.Constraint]:
    """Raises ValueError with the text that is wrong and what is allowed."""
    if isinstance(constraints, (str, Constraint)):
        constraints = (constraints,)
    compiled: list[_core.Constraint] = []
    for constraint in constraints:
        if isinstance(constraint, _core.Constraint):  # of a benchmark problem
            compiled.append(constraint)
        elif isinstance(constraint, str):
            compiled.append(_core.rule(constraint, constraint))
        elif isinstance(constraint, Constraint):
            compiled.append(constraint.compile(space, *constraint.arguments))
        else:
            raise ValueError(
                f"found the constraint {constraint!r}; allowed: a text, or bocs.exactly(...), bocs.if_(...) and the like"
            )
    return compiled


Constraints = Union[str, Constraint, Iterable[str | Constraint | _core.Constraint]]


def _listed(conditions: Conditions) -> tuple[str, ...]:
    return (conditions,) if isinstance(conditions, str) else tuple(conditions)


def _call(function: str, space: Space, conditions: Iterable[str]) -> str:
    """``count(`wall time`, (depot == 'river'))``"""
    texts: list[str] = []
    for condition in conditions:
        if not isinstance(condition, str):
            raise ValueError(f"found the condition {condition!r}; allowed: a text such as \"depot == 'river'\"")
        is_name = condition in space.names or condition in space.variables
        texts.append(_quoted(condition, "`") if is_name else f"({condition})")
    return f"{function}({', '.join(texts)})"


def _quoted(text: str, quote: str) -> str:
    return quote + text.replace(quote, 2 * quote) + quote


def _counted(space: Space, relation: str, words: str, count: int, of: Iterable[str]) -> _core.Constraint:
    return _core.rule(f"{_call('count', space, of)} {relation} {count}", f"{words} {count} of {', '.join(of)}")


def _make_exactly(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _counted(space, "==", "exactly", count, of)


def _make_at_most(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _counted(space, "<=", "at most", count, of)


def _make_at_least(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _counted(space, ">=", "at least", count, of)


def _make_exclusive(space: Space, *conditions: str) -> _core.Constraint:
    return _core.rule(f"{_call('count', space, conditions)} <= 1", f"mutually exclusive: {', '.join(conditions)}")


def _make_forbidden(space: Space, *conditions: str) -> _core.Constraint:
    return _core.rule(f"not {_call('all', space, conditions)}", f"forbidden: {' and '.join(conditions)}")


def _make_required(space: Space, *conditions: str) -> _core.Constraint:
    return _core.rule(_call("all", space, conditions), f"required: {' and '.join(conditions)}")


def _make_if_(space: Space, where: Iterable[str], then: Iterable[str]) -> _core.Constraint:
    return _core.rule(
        f"if {_call('all', space, where)} then {_call('all', space, then)}",
        f"required: {' and '.join(then)} where {' and '.join(where)}",
    )


def _is_table(value: Any) -> bool:
    return hasattr(value, "columns") or isinstance(value, os.PathLike) or (isinstance(value, str) and value.endswith(".csv"))


def _table(value: Any) -> tuple[tuple[str, ...], _Rows]:
    """The columns and the rows of a frame or a CSV file."""
    if not _is_table(value):
        raise ValueError(f"found the table {value!r}; allowed: a DataFrame, or the path of a CSV file")
    if hasattr(value, "columns"):
        return tuple(value.columns), tuple(value.itertuples(index=False, name=None))
    columns, rows = _core.read_csv_table(os.fspath(value))
    return tuple(columns), tuple(map(tuple, rows))


def _texts(space: Space, columns: Iterable[str], rows: _Rows) -> list[list[str]]:
    indices = [space.names.index(name) if name in space.names else None for name in columns]
    return [[str(v) if i is None else space.text(i, v) for i, v in zip(indices, row)] for row in rows]


def _make_allowed(space: Space, columns: list[str], rows: _Rows) -> _core.Constraint:
    return _core.allowed(columns, _texts(space, columns, rows))


def _make_forbidden_table(space: Space, columns: list[str], rows: _Rows) -> _core.Constraint:
    return _core.forbidden(columns, _texts(space, columns, rows))


def _make_linear(space: Space, weights: Weights, relation: str, bound: float) -> _core.Constraint:
    terms: list[_core.Term] = []
    for key, weight in weights:
        name, sign, value = key.partition("=")
        for index in _indices(space, name.strip()):
            terms.append(_core.Term(space.names[index], value.strip() if sign else None, weight))
    return _core.linear(terms, relation, bound)


def _indices(space: Space, name: str) -> Iterable[int]:
    """The variables a name stands for: one, one element, or all elements of an array."""
    if name in space.names:
        return [space.names.index(name)]
    return space.entry(name).indices

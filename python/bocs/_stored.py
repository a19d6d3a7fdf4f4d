"""The space of a stored study or of a benchmark problem, from its C++ variables."""

from __future__ import annotations

import ast
import re
import warnings

from . import _core
from ._space import Binary, Categorical, Integer, Ordinal, Real, Space, Variable


def to_space(variables: list[_core.Variable]) -> Space:
    """Arrays put together: station[0], station[1], ... of one kind, and binary f[radius], f[texture], ..."""
    _warn_of_texts(variables)
    found: dict[str, list[_core.Variable]] = {}
    for variable in variables:
        match = re.fullmatch(r"(.+?)\[([^\[\]]+)\]", variable.name)
        found.setdefault(match[1] if match else variable.name, []).append(variable)
    space: dict[str, Variable] = {}
    for name, members in found.items():
        described = [to_variable(m) for m in members]
        elements = [m.name[len(name) + 1 : -1] for m in members]
        alike = all(one == described[0] for one in described)
        if alike and [m.name for m in members] == [f"{name}[{i}]" for i in range(len(members))]:
            space[name] = to_variable(members[0], len(members))
        elif len(members) > 1 and isinstance(described[0], Binary) and alike and "" not in elements:
            space[name] = Binary(names=elements)
        else:
            space.update({m.name: one for m, one in zip(members, described)})
    made = Space(space)
    if made.names != [variable.name for variable in variables]:  # the array's elements do not stand side by side
        made = Space({variable.name: to_variable(variable) for variable in variables})
    return made


def to_variable(variable: _core.Variable, count: int | None = None) -> Variable:
    """Raises InvalidArgument for levels that are objects of the program that made the study."""
    if variable.kind == _core.Kind.binary:
        return Binary(count)
    if variable.kind == _core.Kind.categorical:
        levels = tuple(variable.typed or variable.labels)
        for level in levels:
            if isinstance(level, _core.Unstorable):
                raise _core.InvalidArgument(
                    f"{variable.name}: the level '{level.text}' is an object that a store cannot keep; open the study "
                    "with the space that it was made with: bocs.Study(where, name, space={...})"
                )
        return Categorical(levels, count)
    if not variable.values:
        return Integer(variable.low, variable.low + variable.levels - 1, count)
    if variable.kind == _core.Kind.integer:
        return Ordinal([int(value) for value in variable.values], count)
    return _to_real(variable, count)


def _to_real(variable: _core.Variable, count: int | None) -> Variable:
    """The grid, so that its values are floats, though all may be whole; uneven numbers otherwise."""
    values, steps = variable.values, variable.levels - 1
    for log in (False, True) if steps > 0 else ():
        if log and values[0] <= 0:
            continue
        if _core.real("", values[0], values[-1], steps, 0.0, log).values == values:
            return Real(values[0], values[-1], count, steps=steps, log=log)
    return Ordinal(values, count)


def _warn_of_texts(variables: list[_core.Variable]) -> None:
    """Version 0.2 stored None, 64 and True as texts: what they were nobody knows."""
    for variable in variables:
        if variable.typed:
            continue
        for label in variable.labels:
            try:
                ast.literal_eval(label)
            except (ValueError, SyntaxError):
                continue
            warnings.warn(
                f"{variable.name}: bocs 0.2 stored its levels as texts, such as '{label}'; to get other values, "
                "open the study with the space that it was made with: bocs.Study(where, name, space={...})",
                stacklevel=4,
            )
            return

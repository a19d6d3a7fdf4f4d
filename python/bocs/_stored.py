"""The space of a stored study or of a benchmark problem, from its C++ variables."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping
from typing import Any, cast

from . import _core
from ._space import Binary, Categorical, Integer, Ordinal, Real, Space, Variable, When, structure_from
from ._variables import Descriptions

_LAYOUT = "space in Python"  # a label of the study: "vector", or the names of the arrays, where the names of the variables
# would tell another story


def layout(space: Space) -> dict[str, str]:
    """The labels of a study without which ``to_space`` would make another space of its variables."""
    if space.is_vector:
        return {_LAYOUT: "vector"}
    arrays = [entry.name for entry in space.entries if entry.variable.count is not None]
    try:
        found = to_space(space.core.variables, {})
    except _core.InvalidArgument:  # objects: the study is never opened without its space
        return {}
    guessed = [entry.name for entry in found.entries if entry.variable.count is not None]
    return {} if guessed == arrays else {_LAYOUT: json.dumps(arrays)}


def to_space(variables: list[_core.Variable], labels: Mapping[str, str]) -> Space:
    """Arrays put together: station[0], station[1], ... of one kind, and binary f[radius], f[texture], ..."""
    _warn_of_texts(variables)
    written = labels.get(_LAYOUT)
    if written == "vector":
        return Space(_array("x", variables, True))  # type: ignore[arg-type]
    found: dict[str, list[_core.Variable]] = {}
    for variable in variables:
        match = re.fullmatch(r"(.+?)\[([^\[\]]+)\]", variable.name)
        is_element = match is not None and (written is None or match[1] in json.loads(written))
        found.setdefault(match[1] if match is not None and is_element else variable.name, []).append(variable)
    space: dict[str, Variable] = {}
    for name, members in found.items():
        array = _array(name, members, written is not None)
        space.update({name: array} if array is not None else {m.name: to_variable(m) for m in members})
    made = Space(space)
    if made.names != [variable.name for variable in variables]:  # the array's elements do not stand side by side
        made = Space({variable.name: to_variable(variable) for variable in variables})
    return made


def _array(name: str, members: list[_core.Variable], is_known: bool) -> Variable | None:
    """None: they are no array of that name. One variable w[kg] is an array only if that is known."""
    described = [to_variable(member) for member in members]
    if any(one != described[0] for one in described):
        return None
    if [member.name for member in members] == [f"{name}[{i}]" for i in range(len(members))]:
        return to_variable(members[0], len(members))
    elements = [member.name[len(name) + 1 : -1] for member in members]
    is_named = (len(members) > 1 or is_known) and [member.name for member in members] == [f"{name}[{e}]" for e in elements]
    return Binary(names=elements) if is_named and isinstance(described[0], Binary) else None


def to_variable(variable: _core.Variable, count: int | None = None) -> Variable:
    """Raises InvalidArgument for levels that are objects of the program that made the study."""
    if variable.when:
        return When(variable.when, _without_condition(variable, count))
    return _without_condition(variable, count)


def _without_condition(variable: _core.Variable, count: int | None) -> Variable:
    if variable.kind in ("subset", "permutation", "multiset", "assignment", "mixture"):
        return structure_from(cast("Mapping[str, Any]", variable.definition))
    if variable.kind == "binary":
        return Binary(count)
    core = variable.coordinate
    if variable.kind == "categorical":
        levels = tuple(core.typed or core.labels)
        for level in levels:
            if isinstance(level, _core.Unstorable):
                raise _core.InvalidArgument(
                    f"{variable.name}: the level '{level.text}' is an object that a store cannot keep; open the study "
                    "with the space that it was made with: bocs.Study(where, name, space={...})"
                )
        names, rows = core.described
        describe = Descriptions(tuple(names), tuple(map(tuple, rows))) if names else None
        return Categorical(levels, count, describe=describe)
    if core.scale:
        return Real(core.scale.low, core.scale.high, count, log=core.scale.log)
    if not core.values:
        return Integer(core.low, core.low + core.levels - 1, count)
    if variable.kind == "integer":
        return Ordinal([int(value) for value in core.values], count)
    return _to_real(core, count)


def _to_real(core: _core.Coordinate, count: int | None) -> Variable:
    """The grid, so that its values are floats, though all may be whole; uneven numbers otherwise."""
    values, steps = core.values, core.levels - 1
    for log in (False, True) if steps > 0 else ():
        if log and values[0] <= 0:
            continue
        if _core.real("", values[0], values[-1], steps, 0.0, log).coordinate.values == values:
            return Real(values[0], values[-1], count, steps=steps, log=log)
    return Ordinal(values, count)


def _warn_of_texts(variables: list[_core.Variable]) -> None:
    """Version 0.2 stored None, 64 and True as texts: what they were nobody knows."""
    for variable in variables:
        if variable.kind != "categorical" or variable.coordinate.typed:
            continue
        for label in variable.coordinate.labels:
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

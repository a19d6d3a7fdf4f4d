"""Which points are allowed, said in words of the space; compiled to the constraints of the C++ library.

A condition is a text: ``"pump"`` (is on), ``"not pump"``, ``"depot == 'river'"``, ``"crew == 3"``, several joined by
``and``. The name of an array stands for each of its elements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Callable, NoReturn, Union

from . import _core
from ._space import Binary, Categorical, Space, Variable

Conditions = Union[str, Iterable[str]]
Weights = Iterable[tuple[str, float]]
_Choices = list[tuple[str, str]]  # (name of a variable, the text of its value)


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


def forbidden(*conditions: str) -> Constraint:
    """Not all of the conditions hold at once: ``forbidden("pump", "depot == 'river'")``."""
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
    """A weighted sum, for names that Python cannot write: ``linear({"wall time": 2, "depot=river": -1}, "<=", 10)``."""
    return Constraint(_make_linear, (tuple(weights.items()), relation, bound))


def compile_constraints(space: Space, constraints: Constraints) -> list[_core.Constraint]:
    """Raises ValueError or KeyError with the text that is wrong and what is allowed."""
    if isinstance(constraints, (str, Constraint)):
        constraints = (constraints,)
    compiled: list[_core.Constraint] = []
    for constraint in constraints:
        if isinstance(constraint, _core.Constraint):  # of a benchmark problem
            compiled.append(constraint)
        elif isinstance(constraint, str):
            compiled += _Expression(space, constraint).constraints()
        elif isinstance(constraint, Constraint):
            compiled.append(constraint.compile(space, *constraint.arguments))
        else:
            raise ValueError(
                f"found the constraint {constraint!r}; allowed: a text, or bocs.exactly(...), bocs.if_(...) and the like"
            )
    return compiled


Constraints = Union[str, Constraint, Iterable[Union[str, Constraint, _core.Constraint]]]


def _listed(conditions: Conditions) -> tuple[str, ...]:
    return (conditions,) if isinstance(conditions, str) else tuple(conditions)


def _choices(space: Space, conditions: Iterable[str]) -> _Choices:
    return [choice for text in conditions for choice in _Expression(space, text).choices()]


def _make_exactly(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _core.exactly(count, _choices(space, of))


def _make_at_most(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _core.at_most(count, _choices(space, of))


def _make_at_least(space: Space, count: int, of: Iterable[str]) -> _core.Constraint:
    return _core.at_least(count, _choices(space, of))


def _make_exclusive(space: Space, *conditions: str) -> _core.Constraint:
    return _core.mutually_exclusive(_choices(space, conditions))


def _make_forbidden(space: Space, *conditions: str) -> _core.Constraint:
    return _core.forbidden(_choices(space, conditions))


def _make_required(space: Space, *conditions: str) -> _core.Constraint:
    return _core.required([], _choices(space, conditions))


def _make_if_(space: Space, where: Iterable[str], then: Iterable[str]) -> _core.Constraint:
    return _core.required(_choices(space, where), _choices(space, then))


def _make_linear(space: Space, weights: Weights, relation: str, bound: float) -> _core.Constraint:
    return _core.linear(_weighted_terms(space, weights), relation, bound)


def _weighted_terms(space: Space, weights: Weights) -> list[_core.Term]:
    terms: list[_core.Term] = []
    for key, weight in weights:
        name, sign, value = key.partition("=")
        for index in _indices(space, name.strip()):
            terms.append(_core.Term(space.names[index], value.strip() if sign else None, weight))
    return terms


def _indices(space: Space, name: str) -> Iterable[int]:
    """The variables a name stands for: one, one element, or all elements of an array."""
    if name in space.names:
        return [space.names.index(name)]
    return space.entry(name).indices


class _Sum:
    """weight * [variable = value] + weight * variable + ... + constant"""

    def __init__(self, constant: float = 0.0, terms: dict[tuple[int, str | None], float] | None = None) -> None:
        self.constant = constant
        self.terms = terms or {}

    def plus(self, other: _Sum, factor: float = 1.0) -> _Sum:
        terms = dict(self.terms)
        for key, weight in other.terms.items():
            terms[key] = terms.get(key, 0.0) + factor * weight
        return _Sum(self.constant + factor * other.constant, terms)

    def times(self, factor: float) -> _Sum:
        return _Sum().plus(self, factor)


class _Expression:
    """One text, read by Python's own parser; nothing of it is ever executed."""

    def __init__(self, space: Space, text: str) -> None:
        if not isinstance(text, str):
            raise ValueError(f"found the condition {text!r}; allowed: a text such as \"depot == 'river'\"")
        self._space = space
        self._text = text
        try:
            self._node: ast.expr = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            if text in space.variables or text in space.names:  # a name that Python cannot write
                self._node = ast.Name(text)
            else:
                raise ValueError(
                    f"the constraint '{text}' cannot be read; allowed: 'pump + 2*crew <= 10' and the like; "
                    "names that Python cannot write go into bocs.linear({'wall time': 2}, '<=', 10)"
                ) from None

    def constraints(self) -> list[_core.Constraint]:
        """Of a comparison of sums, or of a condition, which is then required."""
        node = self._node
        if not isinstance(node, ast.Compare) or self._is_condition(node):
            return [_core.required([], self.choices())]
        sides = [self._sum(side) for side in [node.left, *node.comparators]]
        return [self._compared(left, op, right) for left, op, right in zip(sides, node.ops, sides[1:])]

    def choices(self) -> _Choices:
        """Of conditions joined by ``and``."""
        return self._choices(self._node)

    def _compared(self, left: _Sum, op: ast.cmpop, right: _Sum) -> _core.Constraint:
        relations: dict[type[ast.cmpop], str] = {ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=="}
        if type(op) not in relations:
            self._refuse("allowed between two sums: <=, >= and ==")
        difference = left.plus(right, -1.0)
        terms = [_core.Term(self._space.names[i], value, weight) for (i, value), weight in difference.terms.items()]
        return _core.linear(terms, relations[type(op)], -difference.constant)

    def _is_condition(self, node: ast.Compare) -> bool:
        """"depot == 'river'": one side is a value of a categorical variable."""
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            return False
        if isinstance(node.ops[0], ast.NotEq):
            return True
        name = self._name(node.left)
        return name is not None and any(isinstance(self._variable(i), Categorical) for i in self._named(name))

    def _choices(self, node: ast.expr) -> _Choices:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return [choice for part in node.values for choice in self._choices(part)]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return [(name, "0") for name, _ in self._switched_on(node.operand)]
        if isinstance(node, ast.Compare):
            return [(self._space.names[i], value) for i, value in self._condition(node)]
        return self._switched_on(node)

    def _switched_on(self, node: ast.expr) -> _Choices:
        name = self._name(node)
        if name is None:
            self._refuse(f"found '{ast.unparse(node)}'; allowed: pump, not pump, depot == 'river', joined by and")
        choices: _Choices = []
        for i in self._named(name):
            if not isinstance(self._variable(i), Binary):
                self._refuse(f"'{self._space.names[i]}' is not binary: say which value, {name} == ...")
            choices.append((self._space.names[i], "1"))
        return choices

    def _condition(self, node: ast.Compare) -> list[tuple[int, str]]:
        """The variables and the value of "name == value"; "!=" is known for binary variables only."""
        name = self._name(node.left)
        if name is None or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            self._refuse(f"found '{ast.unparse(node)}'; allowed in a condition: name == value")
        value = self._constant(node.comparators[0])
        found: list[tuple[int, str]] = []
        for i in self._named(name):
            text = self._space.text(i, value)
            level = self._space.core.parse_level(i, text)
            if isinstance(node.ops[0], ast.NotEq):
                if not isinstance(self._variable(i), Binary):
                    self._refuse_unequal(name, value)
                text = str(1 - level)
            found.append((i, text))
        return found

    def _sum(self, node: ast.expr) -> _Sum:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return _Sum(float(node.value))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return self._sum(node.operand).times(-1.0 if isinstance(node.op, ast.USub) else 1.0)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Compare):
            return _Sum(0.0, {key: 1.0 for key in self._condition(node)})
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "sum" and len(node.args) == 1:
            node = node.args[0]  # sum(station): the same as station
        name = self._name(node)
        if name is None:
            self._refuse(f"found '{ast.unparse(node)}'; allowed in a sum: numbers, names, (name == value)")
        for i in self._named(name):
            if isinstance(self._variable(i), Categorical):
                self._refuse(f"the categorical '{self._space.names[i]}' has no size: write ({name} == value)")
        return _Sum(0.0, {(i, None): 1.0 for i in self._named(name)})

    def _operation(self, node: ast.BinOp) -> _Sum:
        left, right = self._sum(node.left), self._sum(node.right)
        if isinstance(node.op, ast.Add):
            return left.plus(right)
        if isinstance(node.op, ast.Sub):
            return left.plus(right, -1.0)
        if isinstance(node.op, ast.Mult) and not (left.terms and right.terms):
            return right.times(left.constant) if right.terms else left.times(right.constant)
        if isinstance(node.op, ast.Div) and not right.terms and right.constant != 0.0:
            return left.times(1.0 / right.constant)
        self._refuse(f"'{ast.unparse(node)}' is not linear; allowed: sums of numbers times variables")

    def _name(self, node: ast.expr) -> str | None:
        """"pump", "station[3]"; None for anything else."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return ast.unparse(node)
        return None

    def _named(self, name: str) -> Iterable[int]:
        return _indices(self._space, name)

    def _variable(self, index: int) -> Variable:
        return self._space.entry_at(index).variable

    def _constant(self, node: ast.expr) -> Any:
        try:
            return ast.literal_eval(node)
        except ValueError:
            self._refuse(f"found '{ast.unparse(node)}'; allowed: a value such as 3 or 'river'")

    def _refuse_unequal(self, name: str, value: Any) -> NoReturn:
        equal = f'"{name} == {value!r}"'
        self._refuse(
            f"!= is for binary variables; allowed: bocs.forbidden({equal}) as a constraint of its own, and "
            f"bocs.at_least(1, of=[{equal}, T]) for bocs.if_(\"{name} != {value!r}\", then=T)"
        )

    def _refuse(self, why: str) -> NoReturn:
        raise ValueError(f"the constraint '{self._text}': {why}")

"""Benchmark problems with known answers, the same as on the command line."""

from __future__ import annotations

from . import _core
from ._space import Binary, Point, Space
from ._stored import to_variable


class Problem:
    """A function over ``space``, subject to ``constraints``, to be minimized, or maximized where ``maximize`` is true; call it with a point."""

    def __init__(self, spec: str, instance: int = 1) -> None:
        self._problem = _core.Problem(spec, instance)
        self.spec = spec
        self.instance = instance
        self.maximize: bool = self._problem.maximize
        self.constraints: list[_core.Constraint] = self._problem.constraints
        variables = self._problem.variables
        if not self.constraints and all(variable.kind == "binary" for variable in variables):
            self.space = Space(Binary(len(variables)))
        else:
            self.space = Space({variable.name: to_variable(variable) for variable in variables})

    def __call__(self, x: Point) -> float:
        """The value at x, without noise and without a penalty."""
        return self._problem.value(self.space.levels(x))

    def optimum(self, l1: float = 0.0) -> float | None:
        """The best value there is, with the penalty l1 |x|; None where it is not known."""
        return self._problem.optimum(l1)

    def __repr__(self) -> str:
        return f"bocs.problem({self.spec!r}, {self.instance})"


def problem(spec: str, instance: int = 1) -> Problem:
    """``bocs.problem("ising:rows=4,columns=4", 3)``: instance 3 of a benchmark problem; ``bocs problems`` lists them."""
    return Problem(spec, instance)

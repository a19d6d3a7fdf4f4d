"""What every method promises, for methods of your own.

    def test_mine():
        bocs.testing.check_method(lambda space: Mine())

One test per promise: ``@pytest.mark.parametrize("promise", bocs.testing.PROMISES)`` and
``bocs.testing.check_promise(promise, make)``.
"""

from __future__ import annotations

from collections.abc import Callable

from . import _core
from ._method import MethodLike, to_core
from ._space import Space
from ._stored import to_space

__all__ = ["PROMISES", "check_method", "check_promise"]

#: The names of the promises.
PROMISES: list[str] = _core.method_promises()


def check_promise(promise: str, make: Callable[[Space], MethodLike]) -> None:
    """Raises AssertionError if the method that ``make(space)`` gives breaks the promise.

    ``make`` may raise ValueError for a space that the method cannot treat.
    """

    def made(task: _core.Task) -> str | _core.OwnMethod:
        space = to_space(task.space.variables, {})
        return to_core(make(space), space)

    broken = _core.broken_promise(promise, _core.OwnMethod("make", made))
    assert not broken, f"{promise}: {broken}"


def check_method(make: Callable[[Space], MethodLike]) -> None:
    """Raises AssertionError with every promise that the method breaks."""
    broken = []
    for promise in PROMISES:
        try:
            check_promise(promise, make)
        except AssertionError as error:
            broken.append(str(error))
    assert not broken, "\n".join(broken)

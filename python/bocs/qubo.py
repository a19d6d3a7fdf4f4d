"""Ising machines, annealers and solvers of QUBOs minimize what bocs draws.

    import bocs, bocs.qubo
    from dwave.samplers import SimulatedAnnealingSampler

    machine = bocs.qubo.Machine(SimulatedAnnealingSampler(), num_reads=20)
    result = bocs.minimize(f, bocs.binary(40), method=machine)

    Machine     a method: draws of a quadratic model, minimized by a sampler
    Draw        such a draw: to_dimod(), to_dict(), energy(x)
    program     a sampler that is an external program, speaking JSON

All variables must be binary. Samples are repaired to the constraints and improved by single flips; the certified bound
of each draw stands beside its answer (``trial.bound``). ``model="fmqa"`` draws from a factorization machine.
"""

from __future__ import annotations

import inspect
import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # NumPy is slow to import: not by `import bocs`
    import numpy as np

__all__ = ["Draw", "Machine", "program"]


@dataclass(frozen=True)
class Draw:
    """x' A x + b' x + c over vectors of 0 and 1; A is symmetric with a zero diagonal."""

    A: np.ndarray
    b: np.ndarray
    c: float
    seed: int  # for the sampler, so that a run can be repeated

    def energy(self, x: Any) -> float:
        import numpy as np

        x = np.asarray(x, dtype=float)
        return float(x @ self.A @ x + self.b @ x + self.c)

    def couplings(self) -> list[tuple[int, int, float]]:
        """Each pair once, with the number that counts when both are 1."""
        import numpy as np

        return [(int(i), int(j), float(2 * self.A[i, j])) for i, j in zip(*np.nonzero(np.triu(self.A, 1)))]

    def to_dimod(self) -> Any:
        """A ``dimod.BinaryQuadraticModel``; its variables are 0, 1, 2, ..."""
        import dimod

        quadratic = {(i, j): value for i, j, value in self.couplings()}
        return dimod.BinaryQuadraticModel(dict(enumerate(self.b.tolist())), quadratic, self.c, dimod.BINARY)

    def to_dict(self) -> dict[str, Any]:
        """What an external program gets as JSON."""
        return {"linear": self.b.tolist(), "quadratic": self.couplings(), "constant": self.c, "seed": self.seed}


class Machine:
    """A method whose draws a sampler minimizes.

    ``sampler``: anything with ``sample(bqm)``, as the samplers of dimod and OpenJij have it, or a function of a ``Draw``
    that returns vectors of 0 and 1. ``model``: the spec of the model, ``"bocs:order=2"`` or ``"fmqa"``. Further arguments
    go to ``sample``; a sampler that takes a ``seed`` gets that of the draw.
    """

    def __init__(self, sampler: Any, model: str = "bocs:order=2", **arguments: Any) -> None:
        self.model = model
        self._arguments = arguments
        self._is_dimod = hasattr(sampler, "sample")
        self._call = sampler.sample if self._is_dimod else sampler
        if not callable(self._call):
            raise TypeError(f"found the sampler {sampler!r}; allowed: an object with sample(bqm), or a function of a Draw")
        known = {*inspect.signature(self._call).parameters, *getattr(sampler, "parameters", ())} if self._is_dimod else set()
        self._takes_seed = "seed" in known and "seed" not in arguments

    def __call__(self, A: np.ndarray, b: np.ndarray, c: float, seed: int) -> list[list[int]]:
        draw = Draw(A, b, c, seed % 2**31)
        if not self._is_dimod:
            return _vectors(self._call(draw, **self._arguments), len(b))
        seeded = {"seed": draw.seed} if self._takes_seed else {}
        samples = self._call(draw.to_dimod(), **self._arguments, **seeded)
        columns = [list(samples.variables).index(i) for i in range(len(b))]
        return _vectors(samples.record.sample[:, columns], len(b))


def program(command: Sequence[str], timeout: float = 600) -> Callable[[Draw], list[list[int]]]:
    """A sampler that runs a program for each draw.

    It gets one JSON object on stdin, ``{"linear": [b_0, ...], "quadratic": [[i, j, value], ...], "constant": c,
    "seed": s}``, and prints ``{"samples": [[0, 1, ...], ...]}``.
    """

    def sample(draw: Draw) -> list[list[int]]:
        done = subprocess.run(command, input=json.dumps(draw.to_dict()), capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise RuntimeError(f"the sampler {command[0]!r} ended with exit code {done.returncode}: {done.stderr.strip()[-500:]}")
        try:
            return list(json.loads(done.stdout)["samples"])
        except (ValueError, KeyError, TypeError):
            found = done.stdout.strip()[:200]
            raise RuntimeError(f"the sampler {command[0]!r} printed {found!r}; expected {{\"samples\": [[0, 1, ...]]}}") from None

    return sample


def _vectors(samples: Any, size: int) -> list[list[int]]:
    import numpy as np

    vectors = np.atleast_2d(np.asarray(samples))
    if vectors.ndim != 2 or vectors.shape[1] != size or not np.isin(vectors, (0, 1)).all():
        raise ValueError(f"the sampler gave an array of shape {vectors.shape}; expected vectors of {size} numbers 0 or 1")
    return [[int(level) for level in vector] for vector in vectors]

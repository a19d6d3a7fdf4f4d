"""A mixture times many substances, and the tuning of a kernel: exact counts, and proposals that keep every rule."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import CommandLine

import bocs

PARTS = [f"p{i}" for i in range(12)]
MIXTURE = {"blend": bocs.mixture(PARTS, step=0.05, at_most=4), "substance": range(1, 1001)}
EXAMPLE = Path(__file__).parents[2] / "examples" / "kernel_tuning"
POWERS = [2**k for k in range(7)]
KERNEL = {
    "block_m": bocs.ordinal(POWERS),
    "block_n": bocs.ordinal(POWERS),
    "block_k": bocs.ordinal(POWERS),
    "warps": bocs.ordinal([1, 2, 4, 8]),
    "layout": ["row", "column", "swizzled"],
}
RULES: list[Any] = [
    "16384*block_m*block_k <= 2**20",
    "block_n / block_m == 2",
    "if layout == swizzled then block_k >= 4 and warps != 1",
    bocs.forbidden(EXAMPLE / "broken.csv"),
]


def is_allowed_kernel(x: dict[str, Any]) -> bool:
    m, n, k, warps, layout = x.values()
    fits = m * k <= 64 and n == 2 * m and (layout != "swizzled" or (k >= 4 and warps != 1))
    return fits and (warps, layout) not in ((8, "column"), (1, "row"))


@pytest.mark.parametrize(("parts", "step", "at_most", "substances"), [(4, 0.25, 2, 3), (5, 0.1, 3, 2), (3, 0.05, 3, 7)])
def test_small_mixtures_are_counted_as_by_enumeration(
    parts: int, step: float, at_most: int, substances: int, tmp_path: Path, command_line: CommandLine
) -> None:
    steps = round(1 / step)
    amounts = itertools.product(range(steps + 1), repeat=parts)
    blends = sum(sum(a) == steps and sum(map(bool, a)) <= at_most for a in amounts)
    assert counted(PARTS[:parts], step, at_most, substances, tmp_path, command_line) == blends * substances


def test_half_a_billion_mixtures_are_counted_exactly(tmp_path: Path, command_line: CommandLine) -> None:
    """By hand: of 12 parts k are present, and 20 steps are shared among k in C(19, k - 1) ways."""
    assert 1000 * (12 * 1 + 66 * 19 + 220 * 171 + 495 * 969) == 518_541_000
    assert counted(PARTS, 0.05, 4, 1000, tmp_path, command_line) == 518_541_000


def counted(
    parts: list[str], step: float, at_most: int, substances: int, folder: Path, command_line: CommandLine
) -> float:
    file = folder / "mixture.toml"
    file.write_text(
        f'[[variables]]\nname = "blend"\ntype = "mixture"\nparts = {json.dumps(parts)}\n'
        f"step = {step}\nat_most = {at_most}\n"
        f'[[variables]]\nname = "substance"\ntype = "integer"\nlow = 1\nhigh = {substances}\n'
        '[objective]\ncommand = ["true"]\n'
    )
    points = json.loads(command_line("check", "--json", file))["points"]
    assert isinstance(points, (int, float))
    return points


@pytest.mark.parametrize(("method", "trials"), [("random", 1000), ("annealing", 1000), ("bocs", 150)])
def test_every_proposal_is_a_mixture(method: str, trials: int) -> None:
    def off(x: dict[str, Any]) -> float:
        return abs(x["blend"].get("p3", 0) - 0.4) + abs(x["substance"] - 300) / 1000

    seen = set()
    for trial in bocs.minimize(off, MIXTURE, trials=trials, method=method, seed=2, progress=False).trials:
        amounts = list(trial.x["blend"].values())
        steps = [round(20 * amount) for amount in amounts]
        assert sum(steps) == 20 and 1 <= len(steps) <= 4 and min(steps) >= 1 and set(trial.x["blend"]) <= set(PARTS)
        assert all(abs(20 * amount - step) < 1e-9 for amount, step in zip(amounts, steps))
        seen.add((tuple(sorted(trial.x["blend"].items())), trial.x["substance"]))
    assert len(seen) == trials


@pytest.mark.parametrize(("method", "seeds", "trials"), [("random", 5, 1000), ("annealing", 5, 1000), ("bocs", 1, 150)])
def test_every_proposal_is_an_allowed_kernel(method: str, seeds: int, trials: int) -> None:
    """There are 207, so that a run of 1000 trials has each of them once and ends."""
    values = itertools.product(POWERS, POWERS, POWERS, [1, 2, 4, 8], ["row", "column", "swizzled"])
    every = [dict(zip(KERNEL, chosen)) for chosen in values]
    allowed = {tuple(x.values()) for x in every if is_allowed_kernel(x)}
    assert len(allowed) == 207
    for seed in range(1, seeds + 1):
        settings: dict[str, Any] = {"trials": trials, "method": method, "seed": seed, "progress": False}
        result = bocs.minimize(lambda x: x["block_m"] / x["block_k"], KERNEL, constraints=RULES, **settings)
        points = {tuple(trial.x.values()) for trial in result.trials}
        assert len(points) == len(result.trials) == min(trials, 207)
        assert points <= allowed

"""The examples from life, with the real packages. `scripts/test --slow` has them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
GALLERY = Path(__file__).parents[2] / "examples" / "gallery"


@pytest.mark.parametrize(
    ("name", "package", "number", "least", "most"),
    [
        ("knock_outs.py", "cobra", r"succinate ([\d.]+)", 9.0, 9.609),  # 9.608 is the best of all sets
        ("sensors.py", "chama", r"damage ([\d.]+)", 8655.0, 9500.0),  # 9931: the best of 300 random sets
        ("switches.py", "pandapower", r"loss ([\d.]+)", 139.5, 160.0),  # 202.68 as delivered
        ("prompts.py", "dspy", r"accuracy ([\d.]+)", 80.0, 100.0),
    ],
)
def test_gallery(name: str, package: str, number: str, least: float, most: float, tmp_path: Path) -> None:
    pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, GALLERY / name], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"}
    )
    assert done.returncode == 0, done.stderr
    assert least <= float(re.search(number, done.stdout)[1]) <= most, done.stdout
    assert (tmp_path / name.replace(".py", ".png")).stat().st_size > 5000

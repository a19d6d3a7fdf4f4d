"""python -m bocs is the command line."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import PATIENCE

import bocs


def run(*arguments: str, program: str | None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "BOCS_PROGRAM"}
    if program is not None:
        environment["BOCS_PROGRAM"] = program
    command = [sys.executable, "-m", "bocs", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)


def test_it_runs_the_program() -> None:
    program = os.environ["BOCS_PROGRAM"]
    done = run("--version", program=program)
    assert done.returncode == 0 and bocs.__version__ in done.stdout
    wrong = run("bogus", program=program)
    direct = subprocess.run([program, "bogus"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr) == (direct.returncode, direct.stderr)


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    done = run("--version", program=str(tmp_path / "nothing"))
    assert done.returncode == 1 and str(tmp_path / "nothing") in done.stderr
    assert "BOCS_PROGRAM" in done.stderr and "Traceback" not in done.stderr

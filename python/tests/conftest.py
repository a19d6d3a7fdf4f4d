"""What the tests share."""

import os
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 300  # seconds: longer than anything takes on a loaded machine, so that only a hang reaches it


class CommandLine:
    """The program `bocs`."""

    def __init__(self, program: str) -> None:
        self.program = program

    def __call__(self, *arguments: Any) -> str:
        done = subprocess.run(
            [self.program, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture
def command_line() -> CommandLine:
    return CommandLine(os.environ["BOCS_PROGRAM"])


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:{tmp_path}/study.db"
    server = os.environ.get("BOCS_TEST_POSTGRES")
    if server is None:
        pytest.skip("needs scripts/with_postgres")
    return server


@pytest.fixture
def name() -> str:
    return f"study-{uuid.uuid4()}"  # the stores of PostgreSQL are one

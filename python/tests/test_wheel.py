"""The wheel that scripts/wheel makes: small, alone, and working where there is nothing else."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def run(*command: object, **options: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel() -> Path:
    run(ROOT / "scripts" / "wheel")
    return max((ROOT / "dist").glob("bocs-*.whl"), key=lambda file: file.stat().st_mtime)


def works(python: str) -> bool:
    return shutil.which(python) is not None and subprocess.run([python, "--version"], capture_output=True).returncode == 0


def test_it_needs_nothing_but_the_c_library(wheel: Path, tmp_path: Path) -> None:
    assert wheel.stat().st_size < 10_000_000
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    (module,) = tmp_path.glob("bocs/_core*.so")
    (program,) = tmp_path.glob("bocs-*.data/scripts/bocs")
    for binary in (module, program):
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", binary)))
        assert needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}, needed
    exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", module).splitlines()}
    assert exported == {"PyInit__core"}
    assert (tmp_path / "bocs" / "_core.pyi").exists() and (tmp_path / "bocs" / "py.typed").exists()
    glibc = re.search(r"manylinux_2_(\d+)_", wheel.name)
    assert glibc is not None and int(glibc[1]) <= 34


def test_it_runs_where_there_is_nothing_else(wheel: Path, tmp_path: Path) -> None:
    pythons = ["python3.12", "python3.13", "python3.14"] if "abi3" in wheel.name else [sys.executable]
    tried = 0
    (program,) = re.findall(r"^```python\n(.*?)^```$\n\n```text\n", (ROOT / "README.md").read_text(), re.M | re.S)[:1]
    for python in filter(works, pythons):
        venv = tmp_path / Path(python).name
        run(python, "-m", "venv", venv)
        run(venv / "bin" / "pip", "install", "-q", wheel)
        alone = {"PATH": str(venv / "bin")}
        printed = run(venv / "bin" / "python", "-c", program, env=alone, cwd=tmp_path)
        assert printed == "[0 1 0 1 0 1 0 1 0 1 0] has the value 0.5\n"
        assert run("bocs", "--version", env=alone, executable=venv / "bin" / "bocs").startswith("bocs ")
        assert run(venv / "bin" / "python", "-m", "bocs", "--version", env=alone).startswith("bocs ")
        tried += 1
    assert tried > 0

"""Every Python block of the documentation runs and prints what the text block after it says; the examples run and are typed."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "python"


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_blocks_of_a_page_print_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    found = blocks(ROOT / page)
    assert any(language == "python" for language, _ in found)
    for i, (language, code) in enumerate(found):
        if language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{page}, block {i}", "exec"), namespace)
        if printed.getvalue():
            assert found[i + 1][0] == "text", f"{page}, block {i} prints, and no text block follows"
            assert printed.getvalue() == found[i + 1][1], f"{page}, block {i}"


def run_example(name: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_examples(tmp_path: Path) -> None:
    assert "value   -15.4\n" in run_example("quickstart.py", tmp_path)  # 5 stations apart, the river, a pump, a crew of 4
    assert run_example("ask_tell.py", tmp_path) == "{'flour': 'spelt', 'hours': 5, 'steam': True} 4.0\n"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "package"), [("on_dask.py", "distributed"), ("on_ray.py", "ray")])
def test_examples_on_clusters(name: str, package: str, tmp_path: Path) -> None:
    pytest.importorskip(package)
    assert "30 trials, best 0.0" in run_example(name, tmp_path)


@pytest.mark.parametrize("what", [["-p", "bocs"], sorted(map(str, EXAMPLES.glob("*.py")))], ids=["package", "examples"])
def test_types(what: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", f"--config-file={ROOT}/pyproject.toml", f"--cache-dir={tmp_path}", *what]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]})
    assert done.returncode == 0, done.stdout + done.stderr


def test_import_is_quick_and_light() -> None:
    program = """
import sys
import bocs
print([name for name in ("numpy", "pandas", "matplotlib", "sklearn", "optuna", "tqdm") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr

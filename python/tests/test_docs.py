"""Every Python block of the documentation runs and prints what the text block after it says; the examples run and are typed."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PATIENCE, CommandLine

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "python"


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_python(code: str, name: str, namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), namespace)
    return printed.getvalue()


@pytest.fixture
def shell(command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Runs commands in a folder of their own, where `bocs` and `python3` are ours."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "bocs").symlink_to(Path(command_line.program).resolve())
    (folder / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (folder / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def run(commands: str) -> str:
        done = subprocess.run(["bash", "-e", "-c", commands], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, (commands, done.stdout, done.stderr)
        return done.stdout

    return run


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/tutorial.md", "docs/variables.md", "docs/from-optuna.md", "docs/goals.md", "docs/ising-machines.md", "docs/laboratory.md"])
def test_the_blocks_of_a_page_print_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Callable[[str], str]
) -> None:
    """A block that begins with the name of a file, "# score.py", is that file. The commands of the tutorials are run."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    found = blocks(ROOT / page)
    assert any(language == "python" for language, _ in found)
    for i, (language, code) in enumerate(found):
        file = re.match(r"# ([\w-]+\.\w+)\n", code)
        if file is not None:
            (tmp_path / file[1]).write_text(code)
        elif language == "python":
            printed = run_python(code, f"{page}, block {i}", namespace)
            if printed:
                assert found[i + 1][0] == "text", f"{page}, block {i} prints, and no text block follows"
                assert printed == found[i + 1][1], f"{page}, block {i}"
        elif language == "sh" and page in ("docs/tutorial.md", "docs/laboratory.md"):
            shell(code)


def test_the_study_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Callable[[str], str]) -> None:
    """Its file is the one of the example, and its answer is what the program prints."""
    example = ROOT / "examples" / "wine"
    found = blocks(ROOT / "README.md")
    assert ("toml", (example / "wine.toml").read_text()) in found
    shutil.copytree(example, tmp_path / "wine", ignore=shutil.ignore_patterns("*.db*"))
    monkeypatch.chdir(tmp_path)
    printed = shell("bocs run wine/wine.toml")
    (shown,) = [code for language, code in found if language == "console" and "examples/wine" in code]
    for line in shown.splitlines()[1:3]:  # best, value
        assert line in printed.splitlines(), printed


PAGES = ["README.md", *(f"docs/{file.name}" for file in sorted((ROOT / "docs").glob("*.md")))]


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_a_page_names_exist(page: str, command_line: CommandLine) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
    code = "\n".join(spans + [body for language, body in blocks(ROOT / page) if language in ("sh", "console")])
    named = {(m[1], tuple(re.findall(r"(?<=\s)--[a-z][a-z-]*", m[2]))) for m in re.finditer(r"(?:^|\$ |&& |build/)bocs ([a-z]+)\b(.*)", code, re.M)}
    for command, options in sorted(named):
        explained = command_line(command, "--help")
        assert explained != command_line("--help"), f"{page}: there is no command {command}"
        for option in options:
            assert option in explained, f"{page}: bocs {command} has no {option}"


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

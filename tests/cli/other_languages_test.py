"""The programs of examples/other_languages, with the interpreters that are installed.

Usage: other_languages_test.py BOCS          77: none is installed
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "other_languages"
COMMANDS = {"octave-cli": ["--norc", "optimize.m"], "Rscript": ["optimize.R"], "julia": ["optimize.jl"]}


def main():
    program = Path(sys.argv[1]).resolve()
    ran = []
    for name, arguments in COMMANDS.items():
        if shutil.which(name) is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
            (Path(folder) / "bin").mkdir()
            (Path(folder) / "bin" / "bocs").symlink_to(program)
            path = f"{folder}/bin{os.pathsep}{os.environ['PATH']}"

            def run(*command, folder=folder, path=path):
                return subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True)

            assert run("bocs", "create", "pumps.toml").returncode == 0
            done = run(name, *arguments)
            assert done.returncode == 0, done.stderr
            best = json.loads(run("bocs", "best", "pumps.toml", "--json").stdout)
            found = best.get("best", best)
            assert found["value"] == 1 and found["point"] == {"pumps": ["mill"], "crew": 5}, (name, best)
            ran.append(name)
    print("ran", ran)
    return 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())

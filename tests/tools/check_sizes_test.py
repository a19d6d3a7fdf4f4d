"""tools/check_sizes.py finds what is too long, and nothing else."""

import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "check_sizes.py"


def complaints(**files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            file = Path(root) / "src" / name.replace("__", ".")
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)
        assert done.returncode == (1 if done.stdout else 0), done.stderr
        return done.stdout.splitlines()


def body(lines, indent=""):
    return f"{indent}  x += 1;\n" * lines


assert complaints(a__cpp="int x;\n" * 400) == []
assert complaints(a__cpp="int x;\n" * 401) == ["src/a.cpp: 401 lines; allowed: 400"]
assert complaints(a__cpp="int f(int x) {\n" + body(78) + "}\n") == []
assert complaints(a__cpp="int f(int x) {\n" + body(79) + "}\n") == ["src/a.cpp:1: int f(int x): 81 lines; allowed: 80"]
long_head = "int function(int one,\n             int two) {\n" + body(79) + "}\n"
assert complaints(a__cpp=long_head) == ["src/a.cpp:1: int function(int one,: 82 lines; allowed: 80"]
member = "class C {\n  int f() const {\n" + body(79, "  ") + "  }\n};\n"
assert complaints(a__hpp=member) == ["src/a.hpp:2: int f() const: 81 lines; allowed: 80"]
assert complaints(a__cpp="namespace n {\n" + "int f(int x) { return x; }\n" * 90 + "}\n") == []
assert complaints(a__js="export function f(x) {\n" + body(79) + "}\n") == [
    "src/a.js:1: export function f(x): 81 lines; allowed: 80"
]
assert complaints(a__py="def f(x):\n" + "    x += 1\n" * 80) == ["src/a.py:1: f: 81 lines; allowed: 80"]
assert complaints(a__py="def f(x):\n" + "    x += 1\n" * 79) == []

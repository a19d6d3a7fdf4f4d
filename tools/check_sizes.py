#!/usr/bin/env python3
"""Fails when a file has more than 400 lines or a function more than 80 (CONTRIBUTING.md).

Usage: check_sizes.py [root of the repository]

Looks at all but tests, and at no function of python/bindings*.cpp: those are tables. Functions of C++ and JavaScript are
found by the format of the house: they end with a brace under the first letter of the line that began them.
"""

import ast
import re
import sys
from pathlib import Path

MOST_LINES = 400
MOST_OF_A_FUNCTION = 80
FOLDERS = ("bench", "cli", "examples", "fuzz", "include", "python", "src", "tools", "web")
KINDS = {".cpp", ".hpp", ".js", ".mjs", ".py"}

HEAD = re.compile(r"^( {0,2})(?!namespace|extern|struct|class|enum|union|template|if|for|while|switch|else|do|try|\s|//|#|\})\S")


def python_functions(text):
    """Name, first line and number of lines of every function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def braced_functions(lines):
    for first, line in enumerate(lines):
        head = HEAD.match(line)
        if not head:
            continue
        start = first  # the line that ends the head: "{" begins a body, anything else is no function
        while start + 1 < len(lines) and not re.search(r"[;{}]$", lines[start]) and lines[start + 1].startswith(head[1] + "   "):
            start += 1
        if not lines[start].endswith("{") or "(" not in "".join(lines[first : start + 1]):
            continue
        end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith(head[1] + "}")), start)
        yield line.strip().rstrip("{ "), first + 1, end - first + 1


def check(root):
    """Complaints, in order of path."""
    complaints = []
    root = Path(root)
    files = (file for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in KINDS)
    for file in sorted(files):
        shown = file.relative_to(root).as_posix()
        if "/tests/" in shown:
            continue
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        if len(lines) > MOST_LINES:
            complaints.append(f"{shown}: {len(lines)} lines; allowed: {MOST_LINES}")
        functions = python_functions(text) if file.suffix == ".py" else braced_functions(lines)
        for name, line, length in functions:
            if length > MOST_OF_A_FUNCTION and not shown.startswith("python/bindings"):
                complaints.append(f"{shown}:{line}: {name}: {length} lines; allowed: {MOST_OF_A_FUNCTION}")
    return complaints


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    complaints = check(root)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

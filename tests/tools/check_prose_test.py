"""tools/check_prose.py finds long lines and words that have a better one, and skips tables, code and made sections."""

import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "check_prose.py"
LONG = "word " * 25


def complaints(text, name="README.md"):
    with tempfile.TemporaryDirectory() as root:
        page = Path(root) / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)
        assert done.returncode == (1 if done.stdout else 0), done.stderr
        return done.stdout.splitlines()


assert complaints("x" * 120 + "\n") == []
assert complaints("–" * 120 + "\n") == []  # characters, not bytes
assert complaints("\n" + "x" * 121 + "\n") == ["README.md:2: 121 characters; allowed: 120"]
assert complaints("x" * 121 + "\n", "docs/decisions/0001-a.md") == [
    "docs/decisions/0001-a.md:1: 121 characters; allowed: 120"
]
assert complaints("x" * 121 + "\n", "web/notes.md") == []  # no page for readers
assert complaints(f"| {LONG} |\n```sh\n{LONG}\n```\n") == []
made = f"<!-- made by scripts/reproduce a -->\n{LONG}\n<!-- end of a -->\n"
assert complaints(made + "mend it\n") == ["README.md:4: 'mend'; better: fix"]
assert complaints("Whoever runs it\n") == ["README.md:1: 'Whoever'; better: the worker, the process"]
assert complaints("amend, `mend`, endear\n") == []
assert complaints("x" * 200 + " // dear\n", "src/bocs/a/b.cpp") == ["src/bocs/a/b.cpp:1: 'dear'; better: expensive"]

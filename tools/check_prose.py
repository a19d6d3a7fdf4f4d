#!/usr/bin/env python3
"""Fails when a page has a line of more than 120 characters, or a word that plain English has another word for.

Usage: check_prose.py [root of the repository]

Looks at the pages, outside of tables, code and sections made by scripts/reproduce. In SOURCES it looks at
words alone.
"""

import re
import sys
from pathlib import Path

MOST = 120
PAGES = ("*.md", "docs/*.md", "docs/decisions/*.md")
SOURCES = ("cli/*.?pp", "include/**/*.hpp", "python/*.?pp", "python/bocs/*.py", "scripts/*", "src/**/*.?pp", "web/*.js")
BETTER = {
    "as it comes": "with its default settings",
    "dear": "expensive",
    "dearer": "more expensive",
    "luckiest": "best single",
    "mend": "fix",
    "mended": "fixed",
    "narrow waist": "interface",
    "somebody": "the user, the worker",
    "thinks": "computes",
    "whoever": "the worker, the process",
}
WORD = re.compile(r"\b(" + "|".join(BETTER) + r")\b", re.IGNORECASE)
SKIPPED = re.compile(r"^```.*?^```$|^<!-- made by .*?^<!-- end of [^\n]*$", re.MULTILINE | re.DOTALL)


def check_words(name, number, line):
    for word in WORD.findall(re.sub(r"`[^`]*`", "", line)):
        yield f"{name}:{number}: '{word}'; better: {BETTER[word.lower()]}"


def check_page(name, text):
    """Complaints about one page."""
    blank = SKIPPED.sub(lambda skipped: "\n" * skipped[0].count("\n"), text)
    for number, line in enumerate(blank.splitlines(), 1):
        if line.startswith("|"):
            continue
        if len(line) > MOST:
            yield f"{name}:{number}: {len(line)} characters; allowed: {MOST}"
        yield from check_words(name, number, line)


def check_source(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        yield from check_words(name, number, line)


def check(root):
    return [
        line
        for patterns, check_file in ((PAGES, check_page), (SOURCES, check_source))
        for pattern in patterns
        for file in sorted(root.glob(pattern))
        for line in check_file(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
    ]


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    complaints = check(root)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

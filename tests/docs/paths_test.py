"""Every path that a page names in `code` exists: documents describe what is there."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Words with a slash, or with an ending of ours; nothing with blanks, placeholders or options.
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*|[\w-]+\.(?:cpp|hpp|py|cmake|toml|md))`")
# What a page tells the reader to write, or a program writes: no part of the repository.
MADE = re.compile(r"^(build|my_|study\.toml|experiments/results|proctrack)|\.db$|\.csv$")
PLACES = ("", "src/", "src/bocs/", "include/", "include/bocs/", "docs/", "experiments/", "experiments/suite/", "examples/", "python/", "python/bocs/")

complaints = []
pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
for page in sorted(pages):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for name in sorted(set(PATH.findall(prose))):
        if MADE.search(name) or name.startswith("/"):
            continue
        if not any(list(ROOT.glob(place + name.rstrip("/") + end)) for place in PLACES for end in ("", ".*")):
            complaints.append(f"{page.relative_to(ROOT)}: there is no {name}")

print("\n".join(complaints))
sys.exit(1 if complaints else 0)

"""Every bibliography key in a comment or page is in docs/references.md, and every link between pages leads somewhere."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"\[([A-Z][A-Za-z]{1,4}\d\d[a-z]?)\]")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")

complaints = []
known = set(KEY.findall((ROOT / "docs/references.md").read_text(encoding="utf-8")))
sources = [f for d in ("include", "src", "cli", "tests", "bench", "examples") for f in (ROOT / d).rglob("*.[ch]pp")]
pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
for file in sources + pages:
    for key in sorted(set(KEY.findall(file.read_text(encoding="utf-8"))) - known):
        complaints.append(f"{file.relative_to(ROOT)}: [{key}] is not in docs/references.md")
for page in pages:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in LINK.findall(prose):
        if not (page.parent / target).exists():
            complaints.append(f"{page.relative_to(ROOT)}: the link {target} leads nowhere")

print("\n".join(complaints))
sys.exit(1 if complaints else 0)

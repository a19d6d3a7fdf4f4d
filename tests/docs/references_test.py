"""Every bibliography key in a comment or page is in docs/references.md, and every link between pages leads to a file and, where
it names one, to a heading of it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"\[([A-Z][A-Za-z]{1,4}\d\d[a-z]?)\]")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


def prose_of(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """What the headings of a page are called in links: small letters, digits and hyphens for blanks."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


complaints = []
known = set(KEY.findall((ROOT / "docs/references.md").read_text(encoding="utf-8")))
sources = [f for d in ("include", "src", "cli", "tests", "bench", "examples") for f in (ROOT / d).rglob("*.[ch]pp")]
pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
for file in sources + pages:
    for key in sorted(set(KEY.findall(file.read_text(encoding="utf-8"))) - known):
        complaints.append(f"{file.relative_to(ROOT)}: [{key}] is not in docs/references.md")
for page in pages:
    for target, anchor in LINK.findall(prose_of(page)):
        leads_to = page.parent / target if target else page
        if not leads_to.exists():
            complaints.append(f"{page.relative_to(ROOT)}: the link {target} leads nowhere")
        elif anchor and leads_to.suffix == ".md" and anchor not in anchors(leads_to):
            complaints.append(f"{page.relative_to(ROOT)}: {target} has no heading #{anchor}")

print("\n".join(complaints))
sys.exit(1 if complaints else 0)

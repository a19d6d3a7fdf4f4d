"""Lays out the pages of the repository for the site: README.md is its first page, docs/ beside it.

A link to a file or folder of the repository that is no page becomes a page that shows it. Links are then those of mkdocs, which
checks them.

Usage: stage_docs.py FOLDER    (emptied first)
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]+)(#[^)\s]*)?(\))")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".toml": "toml", ".sh": "sh", ".yaml": "yaml"}
REFERENCE = """# Python reference

Made from the sources. [python.md](python.md) is for reading.

::: bocs
    options:
      members: {members}

## bocs.optuna

::: bocs.optuna
    options:
      members: [BocsSampler, export]
      heading_level: 3

## bocs.sklearn

::: bocs.sklearn
    options:
      heading_level: 3
"""


def pages():
    """Pages of the repository, and where each is on the site."""
    found = {Path("README.md"): Path("index.md")}
    found.update({Path(name): Path(name) for name in ("CONTRIBUTING.md", "CHANGELOG.md")})
    found.update({file.relative_to(ROOT): Path(file.name) for file in sorted((ROOT / "docs").glob("*.md"))})
    return found


def shown(path):
    """A page with the text of a file, or of the files of a folder."""
    files = sorted(f for f in path.rglob("*") if f.is_file() and f.suffix != ".db") if path.is_dir() else [path]
    parts = [f"# {path.relative_to(ROOT)}"]
    for file in files:
        if path.is_dir():
            parts.append(f"## {file.relative_to(path)}")
        parts.append(f"````{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text(encoding='utf-8')}\n````")
    return "\n\n".join(parts) + "\n"


class Stage:
    def __init__(self, folder):
        self.folder = folder
        self.places = pages()
        self.sources = {}  # paths of the repository that are shown

    def place(self, path):
        if path in self.places:
            return self.places[path]
        if path.parts[:2] == ("docs", "figures"):
            return Path(*path.parts[1:])
        if not (ROOT / path).exists():
            sys.exit(f"there is no {path}")
        self.sources[path] = Path("source") / f"{path}.md"
        return self.sources[path]

    def page(self, path, place):
        def moved(match):
            target = Path(os.path.normpath(path.parent / match[2]))
            link = os.path.relpath(self.place(target), place.parent)
            return match[1] + link + (match[3] or "") + match[4]

        parts = re.split(r"(^```.*?^```$)", (ROOT / path).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in parts)

    def write(self, place, text):
        file = self.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def main():
    stage = Stage(Path(sys.argv[1]))
    shutil.rmtree(stage.folder, ignore_errors=True)
    for path, place in stage.places.items():
        stage.write(place, stage.page(path, place))
    for path, place in stage.sources.items():
        stage.write(place, shown(ROOT / path))
    shutil.copytree(ROOT / "docs/figures", stage.folder / "figures")
    listed = re.search(r"__all__ = \[(.*?)\]", (ROOT / "python/bocs/__init__.py").read_text(), re.DOTALL)[1]
    names = [name for name in re.findall(r'"(\w+)"', listed) if not name.startswith("__")]
    stage.write(Path("reference-python.md"), REFERENCE.format(members=names))


main()

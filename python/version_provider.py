"""The version of wheel and sdist, for scikit-build-core: that of CMakeLists.txt, such as 0.3.0, at the commit of its tag
v0.3.0; before that 0.3.0.dev634+ga4b3928, from the number of commits and the last one. An sdist keeps the version it was
made with, in PKG-INFO."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def _git(*arguments: str) -> str:
    try:
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return ""


def version() -> str:
    kept = ROOT / "PKG-INFO"
    if kept.exists():
        return re.search(r"^Version: (.+)$", kept.read_text(encoding="utf-8"), re.MULTILINE)[1]  # type: ignore[index]
    release: str = re.search(r"^project\(bocs VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]  # type: ignore[index]
    commit = _git("rev-parse", "--short=7", "HEAD")
    if not commit or f"v{release}" in _git("tag", "--points-at", "HEAD").split():
        return release
    return f"{release}.dev{_git('rev-list', '--count', 'HEAD')}+g{commit}"


def dynamic_metadata(field: str, settings: Mapping[str, Any], _project: Mapping[str, Any] | None = None) -> str:
    if field != "version" or settings:
        raise ValueError("provides version, without settings")
    return version()


if __name__ == "__main__":
    print(version())

"""``python -m bocs`` is the program ``bocs`` that comes with the package."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path


def program() -> str | None:
    """BOCS_PROGRAM, if it is set; else the one beside this Python, or in its folder of scripts; None: there is none."""
    named = os.environ.get("BOCS_PROGRAM")
    if named:
        return named if shutil.which(named) else None
    folders = [
        sysconfig.get_path("scripts"),
        str(Path(sys.executable).parent),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        str(Path(__file__).parent.parent / "bin"),  # of pip install --target
    ]
    return next((found for folder in folders if (found := shutil.which("bocs", path=folder))), None)


def main() -> None:
    found = program()
    if found is None:
        where = os.environ.get("BOCS_PROGRAM") or f"{sysconfig.get_path('scripts')}/bocs"
        sys.exit(f"the program bocs is missing: {where}; install the wheel of bocs, or name the program in BOCS_PROGRAM")
    os.execv(shutil.which(found) or found, ["bocs", *sys.argv[1:]])


if __name__ == "__main__":
    main()

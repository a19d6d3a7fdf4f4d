#!/usr/bin/env python3
"""Fails when an #include breaks the order of the layers (docs/developing.md).

Usage: check_layers.py [root of the repository]
"""

import re
import sys
from pathlib import Path

# Layer (folder of src/bocs and include/bocs) -> the layers it may include, besides itself.
VALUES = {"base", "numeric", "variable", "space", "rule", "trial"}
BELOW_METHOD = VALUES | {"poly", "regress", "minimize", "model", "acquire"}
BELOW_RUN = BELOW_METHOD | {"method"}
ALLOWED = {
    "base": set(),
    "numeric": {"base"},
    "variable": {"base", "numeric"},
    "space": {"base", "numeric", "variable"},
    "rule": {"base", "numeric", "variable", "space"},
    "trial": VALUES,
    "poly": VALUES,
    "regress": VALUES | {"poly"},
    "minimize": VALUES | {"poly"},
    "model": VALUES | {"poly", "regress"},
    "acquire": VALUES | {"poly", "minimize", "model"},
    "method": BELOW_METHOD,
    "run": BELOW_RUN,
    "testing": BELOW_RUN | {"run"},  # headers alone: what methods, kernels and scores of others are held against
    "problem": VALUES,
    "platform": set(),
    "store": VALUES | {"platform"},
    "study": BELOW_RUN | {"run", "platform", "store"},
    "report": BELOW_RUN | {"run", "platform", "store", "study"},
    "experiment": BELOW_RUN | {"run", "store", "study", "report", "problem"},
}
UMBRELLAS = {"bocs.hpp": BELOW_RUN | {"run"}, "studies.hpp": BELOW_RUN | {"run", "store", "study"}}  # what they may collect

# Foreign headers that only some places may see: SQL and JSON stay in store, study and report, besides the instance files of the
# problems, and experiments; terminals and command lines in cli; child processes in study/command. (pattern, path prefixes below src/bocs that may include it)
RESERVED = [
    (r"nlohmann/",
     ("store/", "study/", "report/", "problem/instance", "experiment/cell", "experiment/experiment_data")),
    (r"sqlite3\.h|libpq-fe\.h", ("store/",)),
    (r"toml\+\+", ("study/", "experiment/grid")),
    (r"sys/socket\.h|netinet/|arpa/", ("platform/", "report/")),
    (r"linux/|sys/prctl\.h|sys/mman\.h|sys/eventfd\.h", ("platform/",)),
    (r"sys/wait\.h|spawn\.h|unistd\.h", ("platform/", "study/command", "store/process", "report/", "experiment/results_file")),
    (r"CLI/|fmt/|iostream", ()),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    """"numeric/rng.hpp" -> "core"; a file directly in src/bocs has no layer: it is the public API."""
    return path.split("/")[0] if "/" in path else None


def complaint(path, quote, included):
    """What is wrong with `path` (relative to src/bocs) including `included`; None if nothing."""
    layer = layer_of(path)
    if included.startswith("bocs/"):
        target = layer_of(included[len("bocs/"):])
        allowed = UMBRELLAS[path] if layer is None else ALLOWED[layer] | {layer}
        if target is None:
            return None if layer is None or included == "bocs/version.hpp" else "nothing inside the library includes the umbrella header"
        if target not in allowed:
            return f"{layer or 'the umbrella header'} may not include {target}; allowed: {', '.join(sorted(allowed))}"
        return None
    if quote == '"':
        return 'headers of this project are included as "bocs/<layer>/<file>"'
    for pattern, places in RESERVED:
        if re.match(pattern, included) and not path.startswith(places):
            return f"<{included}> is reserved for {', '.join(places) or 'cli'}"
    return None


def check(root):
    """Complaints about all files below root/include/bocs and root/src/bocs, in order of path."""
    complaints = []
    public = Path(root) / "include"
    for base in (public / "bocs", Path(root) / "src" / "bocs"):
        for file in sorted(base.rglob("*")):
            if file.suffix not in {".hpp", ".cpp"}:
                continue
            path = file.relative_to(base).as_posix()
            shown = file.relative_to(root).as_posix()
            if layer_of(path) is not None and layer_of(path) not in ALLOWED:
                complaints.append(f"{shown}: the folder is not a layer of docs/developing.md")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                included = match.group(2)
                problem = complaint(path, match.group(1), included)
                if not problem and base.parent == public and included.startswith("bocs/"):
                    if not (public / included).exists():
                        problem = f"{included} is not installed, so no public header may include it"
                if problem:
                    complaints.append(f"{shown}:{number}: {problem}")
    return complaints


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    complaints = check(root)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

"""Files of cells, one line of JSON for every run: those of the repository, compressed, and those `bocs experiment` works on."""

import json
import lzma
import sys

MOST_BYTES = 5_000_000  # of all compressed cells
INPUTS = ("kind", "problem", "method", "lambda", "penalty", "instance", "repeat", "seed", "trials", "initial", "test_points", "draws", "in_flight")
# Significant digits that are kept. Values and optima keep all of theirs, since a regret of 0 is exact; of the others most are noise, and noise does not compress.
TIME_DIGITS, PREDICTION_DIGITS = 3, 7


def key(line):
    """What makes two cells the same: their inputs."""
    cell = json.loads(line)
    return json.dumps([cell.get(name) for name in INPUTS])


def lines_of(path):
    """The whole lines of a file of cells, compressed or not."""
    if not path.exists():
        return []
    text = lzma.open(path, "rt").read() if path.suffix == ".xz" else path.read_text()
    return text[: text.rfind("\n") + 1].splitlines()


def merged(*lists):
    """Each cell once, the first one met, in an order that does not depend on who was finished first."""
    cells = {}
    for lines in lists:
        for line in lines:
            cells.setdefault(key(line), line)
    return [cells[k] for k in sorted(cells)]


def rounded(line):
    """The cell with the digits of times and predictions that mean something."""
    def digits(value, count):
        return float(f"{value:.{count}g}")

    cell = json.loads(line)
    for name in ("seconds", "suggest_seconds_mean"):
        if name in cell:
            cell[name] = digits(cell[name], TIME_DIGITS)
    if "best" in cell:
        cell["best"] = [[trial, value, digits(seconds, TIME_DIGITS)] for trial, value, seconds in cell["best"]]
    for name in ("truth", "predicted", "deviation"):
        if name in cell:
            cell[name] = [digits(value, PREDICTION_DIGITS) for value in cell[name]]
    return json.dumps(cell, separators=(",", ":"))


def outcome(line):
    """What a cell says but for its times and who made it: the same every time it is run."""
    cell = json.loads(rounded(line))
    return {name: [step[:2] for step in value] if name == "best" else value for name, value in cell.items()
            if name not in ("seconds", "suggest_seconds_mean", "version")}


def grid_of(line):
    """The TOML of a grid of this cell alone; of a first repeat only."""
    cell = json.loads(line)
    entries = {"kind": cell["kind"], "problems": [cell["problem"]], "methods": [cell["method"]], "lambdas": [cell["lambda"]], "trials": cell["trials"],
               "first_instance": cell["instance"]} | {name: cell[name] for name in ("penalty", "seed", "initial", "test_points", "draws", "in_flight") if name in cell}
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in entries.items())


def unpack(names, packed, results):
    """The committed cells, and those that are there already."""
    for name in names:
        path = results / name / "cells.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        there = lines_of(path)
        lines = merged(there, lines_of(packed / f"{name}.jsonl.xz"))
        if len(lines) > len(there):
            path.write_text("".join(line + "\n" for line in lines))


def pack(names, packed, results):
    packed.mkdir(exist_ok=True)
    for name in names:
        target = packed / f"{name}.jsonl.xz"
        before = lines_of(target)
        lines = [rounded(line) for line in merged(before, lines_of(results / name / "cells.jsonl"))]
        if lines and lines != before:
            target.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=9 | lzma.PRESET_EXTREME))
    size = sum(path.stat().st_size for path in packed.glob("*.xz"))
    if size > MOST_BYTES:
        sys.exit(f"the compressed cells take {size} bytes, more than {MOST_BYTES}: keep hashes instead")

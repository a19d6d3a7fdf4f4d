#!/usr/bin/env python3
"""Every table and figure of the paper from the cells of its experiments; see scripts/reproduce --help.

The items are listed in experiments/paper/items.toml. Finished cells are kept compressed in experiments/cells, one line of JSON each, with the commit that made them; `bocs experiment`
works on their unpacked form in experiments/results. docs/results.md holds, between two marks for every item, exactly what this program writes: --check writes it again from the
committed cells and compares.
"""

import argparse
import json
import lzma
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPERIMENTS = ROOT / "experiments"
CELLS = EXPERIMENTS / "cells"
RESULTS = EXPERIMENTS / "results"
PAGE = ROOT / "docs" / "results.md"
FIGURES = ROOT / "docs" / "figures" / "paper"
FEWEST = 5  # runs of a method in a table that is not finished
MOST_BYTES = 5_000_000  # of all compressed cells
INPUTS = ("kind", "problem", "method", "lambda", "penalty", "instance", "repeat", "seed", "trials", "initial", "test_points", "draws")


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


def folder_of(grid):
    """The name of the folder of its cells: grids may share one."""
    return tomllib.loads((EXPERIMENTS / grid).read_text()).get("results", pathlib.Path(grid).stem)


def wanted(grid):
    """How many cells the grid has at the published size."""
    grid = tomllib.loads((EXPERIMENTS / grid).read_text())
    count = grid.get("instances", 1) * grid.get("repeats", 1)
    for name in ("problems", "methods", "lambdas", "trials"):
        value = grid.get(name, [0])
        count *= len(value) if isinstance(value, list) else 1
    return count


def unpack(names, results):
    """The committed cells, and those that are there already."""
    for name in names:
        path = results / name / "cells.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        there = lines_of(path)
        lines = merged(there, lines_of(CELLS / f"{name}.jsonl.xz"))
        if len(lines) > len(there):
            path.write_text("".join(line + "\n" for line in lines))


def pack(names):
    """Returns how many cells each holds."""
    CELLS.mkdir(exist_ok=True)
    for name in names:
        packed = CELLS / f"{name}.jsonl.xz"
        before = lines_of(packed)
        lines = merged(before, lines_of(RESULTS / name / "cells.jsonl"))
        if lines and lines != before:
            packed.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=9 | lzma.PRESET_EXTREME))
    size = sum(path.stat().st_size for path in CELLS.glob("*.xz"))
    if size > MOST_BYTES:
        sys.exit(f"the compressed cells take {size} bytes, more than {MOST_BYTES}: keep hashes instead")


class Program:
    """The binary `bocs`."""

    def __init__(self, binary):
        self.binary = binary

    def experiment(self, command, grid, folder, *options):
        return subprocess.run([self.binary, "experiment", command, EXPERIMENTS / grid, "--out", folder, *options],
                              capture_output=True, text=True)

    def run(self, grid, folder, threads, seconds):
        """Runs what is missing, for so many seconds at most; 0: to the end. Returns the seconds it took."""
        command = [self.binary, "experiment", "run", EXPERIMENTS / grid, "--out", folder, "--threads", str(threads)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            process.wait(seconds or None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # keeps what is finished
            process.wait()
        return process.returncode


def commits(lines):
    counts = {}
    for line in lines:
        version = json.loads(line)["version"]
        counts[version] = counts.get(version, 0) + 1
    return ", ".join(f"{count} cells by {version}" for version, count in sorted(counts.items(), key=lambda x: -x[1]))


def used(grid, lines):
    """The cells of the folder that belong to the grid."""
    grid = tomllib.loads((EXPERIMENTS / grid).read_text())

    def listed(name, default):
        value = grid.get(name, default)
        return value if isinstance(value, list) else [value]

    first, instances = grid.get("first_instance", 0), grid.get("instances", 1)
    chosen = []
    for line in lines:
        cell = json.loads(line)
        if (cell["kind"] == grid.get("kind", "optimization") and cell["problem"] in grid["problems"] and cell["method"] in grid["methods"]
                and cell["lambda"] in listed("lambdas", [0]) and cell["trials"] in listed("trials", []) and cell["seed"] == grid.get("seed", 1)
                and first <= cell["instance"] < first + instances and cell["repeat"] < grid.get("repeats", 1)
                and cell.get("initial", 0) == grid.get("initial", 0)):
            chosen.append(line)
    return chosen


def most_runs(lines):
    """Of a method on a problem."""
    counts = {}
    for line in lines:
        cell = json.loads(line)
        row = (cell["problem"], cell["lambda"], cell["trials"], cell["method"])
        counts[row] = counts.get(row, 0) + 1
    return max(counts.values(), default=0)


def kept(folder, item, figures):
    """Copies the pictures of a folder to those of the page; returns the lines that show them."""
    text = []
    for path in sorted(pathlib.Path(folder).glob("*.svg")):
        name = f"{item['name']}_{path.name}"
        figures.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, figures / name)
        text += [f"![{item['title']}](figures/paper/{name})", ""]
    return text


def section(item, program, results, figures):
    """The text of an item of the page. Its pictures go to the folder `figures`."""
    text = [f"### {item['title']}", "", item["paper"].strip(), ""]
    if "script" in item:  # has its own results
        text += [subprocess.run([sys.executable, EXPERIMENTS / item["script"], "table"], capture_output=True, text=True, check=True).stdout]
    if "command" in item:  # needs no cells
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run([pathlib.Path(program.binary).resolve(), *item["command"]], cwd=place, capture_output=True, text=True, check=True)
            text += [f"`bocs {' '.join(item['command'])}`: {float(done.stdout.split()[0]):.4g}", ""]
            text += kept(place, item, figures)
    for grid in item.get("grids", []):
        folder = results / folder_of(grid)
        lines = used(grid, lines_of(folder / "cells.jsonl"))
        few = len(lines) < wanted(grid) and most_runs(lines) < FEWEST
        state = ": not run yet" if not lines else f" ({commits(lines)})" + (", too few to show" if few else "")
        text += [f"`experiments/{grid}`: {len(lines)} of {wanted(grid)} cells{state}.", ""]
        if few:
            continue
        table = program.experiment("table", grid, folder, "--format", "markdown")
        if table.returncode != 0:
            sys.exit(f"{grid}: {table.stderr}")
        rows = table.stdout.strip()
        if item.get("fold"):
            rows = f"<details><summary>Table</summary>\n\n{rows}\n\n</details>"
        text += [rows, ""]
        if item.get("figure"):
            with tempfile.TemporaryDirectory() as place:  # `plot` draws beside the cells
                target = pathlib.Path(place)
                shutil.copy(folder / "cells.jsonl", target)
                drawn = program.experiment("plot", grid, target, *item.get("plot", []))
                if drawn.returncode != 0:
                    sys.exit(f"{grid}: {drawn.stderr}")
                text += kept(target / "figures", item, figures)
    if item.get("note"):
        text += [item["note"].strip(), ""]
    return "\n".join(text)


def marks(name):
    return f"<!-- made by scripts/reproduce {name} -->\n", f"<!-- end of {name} -->\n"


def replaced(page, name, text):
    begin, end = marks(name)
    if begin not in page or end not in page:
        sys.exit(f"{PAGE}: the marks of {name} are missing")
    head, rest = page.split(begin, 1)
    return head + begin + text + end + rest.split(end, 1)[1]


def current(page, name):
    begin, end = marks(name)
    return page.split(begin, 1)[1].split(end, 1)[0] if begin in page and end in page else None


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def same_picture(a, b):
    """Coordinates have one decimal, and which way a half is rounded may differ between two builds."""
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b))
    return NUMBER.sub("", a) == NUMBER.sub("", b) and all(abs(float(x) - float(y)) < 0.15 for x, y in pairs)


def sections(items, program, figures):
    """Name and text of every item, from the packed cells alone; the pictures go to the folder."""
    with tempfile.TemporaryDirectory() as place:
        results = pathlib.Path(place)
        unpack({folder_of(grid) for item in items for grid in item.get("grids", [])}, results)
        for item in items:
            yield item["name"], section(item, program, results, figures)


def check(items, program):
    page = PAGE.read_text()
    wrong = []
    with tempfile.TemporaryDirectory() as place:
        figures = pathlib.Path(place)
        for name, text in sections(items, program, figures):
            if text != current(page, name):
                wrong.append(f"{name}: docs/results.md does not say what the cells say")
        for path in sorted(figures.glob("*.svg")):
            if not (FIGURES / path.name).exists() or not same_picture((FIGURES / path.name).read_text(), path.read_text()):
                wrong.append(f"docs/figures/paper/{path.name} is not the picture of its cells")
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{len(items)} sections of docs/results.md and their pictures are what the committed cells say")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/reproduce", description="Makes the tables and figures of the paper: runs the cells that are missing, keeps them in "
                                     "experiments/cells, and writes docs/results.md and its pictures from them. Stop it at any time; the same command goes on.")
    parser.add_argument("items", nargs="*", metavar="ITEM", help="all, if none is named")
    parser.add_argument("--list", action="store_true", help="name the items and how many of their cells are there")
    parser.add_argument("--check", action="store_true", help="run nothing: compare the page with the committed cells, exit code 1 if it differs")
    parser.add_argument("--write", action="store_true", help="run nothing: write the page from the cells that are there")
    parser.add_argument("--minutes", type=float, default=0, help="for each grid at most; 0: to the end")
    parser.add_argument("--threads", type=int, default=0, help="cells at the same time; 0: one per core. 1 for times that mean something")
    parser.add_argument("--binary", default=os.environ.get("BOCS", ROOT / "build" / "bocs"), help="the program; build/bocs if not given")
    arguments = parser.parse_args()
    items = tomllib.loads((EXPERIMENTS / "paper" / "items.toml").read_text())["item"]
    unknown = set(arguments.items) - {item["name"] for item in items}
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; allowed: {', '.join(item['name'] for item in items)}")
    everything = items
    items = [item for item in items if not arguments.items or item["name"] in arguments.items]
    program = Program(arguments.binary)
    if arguments.check:
        return check(items, program)
    names = sorted({folder_of(grid) for item in items for grid in item.get("grids", [])})
    unpack(names, RESULTS)
    if arguments.list:
        for item in items:
            parts = [f"{grid} {len(used(grid, lines_of(RESULTS / folder_of(grid) / 'cells.jsonl')))} of {wanted(grid)}" for grid in item.get("grids", [])]
            print(f"{item['name']:22} {'; '.join(parts)}")
        return 0
    for item in items:
        for grid in item.get("grids", []):
            if not arguments.write:
                print(f"{item['name']}: {grid}", flush=True)
                program.run(grid, RESULTS / folder_of(grid), arguments.threads, 60 * arguments.minutes)
        folders = {folder_of(grid) for grid in item.get("grids", [])}
        pack(folders)
        # Others show the same cells.
        shown = [other for other in everything if other is item or folders & {folder_of(grid) for grid in other.get("grids", [])}]
        for name, text in sections(shown, program, FIGURES):
            PAGE.write_text(replaced(PAGE.read_text(), name, text))
    page = PAGE.read_text()
    for path in FIGURES.glob("*.svg"):  # of what is no longer shown
        if path.name not in page:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())

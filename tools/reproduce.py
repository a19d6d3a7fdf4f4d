#!/usr/bin/env python3
"""Every table and figure of the paper, and those of README, from the cells of their experiments; see scripts/reproduce --help.

The items are listed in experiments/paper/items.toml. Finished cells are kept compressed in experiments/cells, one line of JSON each, with the commit that made them; `bocs experiment`
works on their unpacked form in experiments/results. docs/results.md, docs/paper.md and README.md hold, between two marks for every item, exactly what this program writes: --check writes it again
from the committed cells and compares. Outside of the marks these pages may have no table with a number and no number with an error.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import tomllib
from cell_files import grid_of, lines_of, outcome, pack, unpack

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPERIMENTS = ROOT / "experiments"
CELLS = EXPERIMENTS / "cells"
RESULTS = EXPERIMENTS / "results"
PAGES = (ROOT / "docs" / "results.md", ROOT / "docs" / "paper.md", ROOT / "README.md")
FIGURES = ROOT / "docs" / "figures" / "paper"
AXES = {"linear": [], "log": ["--log"]}  # options of `bocs experiment plot`
FEWEST = 5  # runs of a method in a table that is not finished


def read(grid):
    """The grid of a file, or those of a folder."""
    path = EXPERIMENTS / grid
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return [{"results": file.stem} | tomllib.loads(file.read_text()) for file in files]


def grids_of(item):
    return item.get("grids", []) + [row["grid"] for row in item.get("rows", [])]


def folder_of(grid):
    """The name of the folder of its cells: grids may share one."""
    return read(grid)[0]["results"]


def replications(grid):
    return max(part.get("instances", 1) * part.get("repeats", 1) for part in read(grid))


def wanted(grid):
    """How many cells the grid has at the published size."""
    total = 0
    for part in read(grid):
        count = part.get("instances", 1) * part.get("repeats", 1)
        for name in ("problems", "methods", "lambdas", "trials"):
            value = part.get(name, [0])
            count *= len(value) if isinstance(value, list) else 1
        total += count
    return total


class Program:
    """The binary `bocs`."""

    def __init__(self, binary):
        self.binary = binary

    def experiment(self, command, grid, folder, *options):
        return subprocess.run([self.binary, "experiment", command, EXPERIMENTS / grid, "--out", folder, *options],
                              capture_output=True, text=True)

    def run(self, grid, folder, threads, most, seconds):
        """Runs what is missing of the first `most` replications, for so many seconds at most if not None. Returns whether to go on: no, after Ctrl-C."""
        command = [self.binary, "experiment", "run", EXPERIMENTS / grid, "--out", folder, "--threads", str(threads), "--replications", str(most)]
        process = subprocess.Popen(command + ([] if seconds is None else ["--minutes", str(seconds / 60)]), stdout=subprocess.DEVNULL)
        try:
            return process.wait() != 130
        except KeyboardInterrupt:  # the program had it, too, and keeps what is finished
            process.wait()
            return False


def rounds(grids, program, threads, minutes):
    """The first replication of every grid, then the first two, four, ...: whenever it is stopped, the methods of a table have the same instances. Comes back after every round."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    most = 1
    while grids:
        for grid in grids:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return
            print(f"{grid}: the first {min(most, replications(grid))} of {replications(grid)} replications", flush=True)
            if not program.run(grid, RESULTS / folder_of(grid), threads, most, left):
                return
        yield
        grids = [grid for grid in grids if replications(grid) > most]
        most *= 2


def commits(lines):
    counts = {}
    for line in lines:
        version = json.loads(line)["version"]
        counts[version] = counts.get(version, 0) + 1
    return ", ".join(f"{count} cells by {version}" for version, count in sorted(counts.items(), key=lambda x: -x[1]))


def belongs(cell, grid):
    def listed(name):
        value = grid.get(name, 0)
        return value if isinstance(value, list) else [value]

    first, instances = grid.get("first_instance", 0), grid.get("instances", 1)
    return (cell["kind"] == grid.get("kind", "optimization") and cell["problem"] in grid["problems"] and cell["method"] in grid["methods"]
            and cell["lambda"] in listed("lambdas") and cell["trials"] in listed("trials") and cell["seed"] == grid.get("seed", 1)
            and first <= cell["instance"] < first + instances and cell["repeat"] < grid.get("repeats", 1)
            and cell.get("initial", 0) == grid.get("initial", 0))


def used(grid, lines):
    """The cells of the folder that belong to the grid."""
    parts = read(grid)
    return [line for line in lines if any(belongs(json.loads(line), part) for part in parts)]


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


def paired(grid, problem, methods, lines):
    """The cells of the problem in the replications that all these methods have, leaving out methods with few runs."""
    cells = {}
    for line in used(grid, lines):
        cell = json.loads(line)
        if cell["problem"] == problem and cell["method"] in methods:
            cells.setdefault(cell["method"], {})[cell["instance"], cell["repeat"]] = line
    cells = {method: runs for method, runs in cells.items() if len(runs) >= FEWEST}
    common = set.intersection(*map(set, cells.values())) if cells else set()
    return {method: [runs[replication] for replication in sorted(common)] for method, runs in cells.items()}


def headline(item, program, results):
    """A row for each problem, a column for each method: mean ± half of the 95 % interval, on the same replications. Rows without the first method are only named."""
    methods = list(item["columns"])
    text = ["| problem | " + " | ".join(item["columns"].values()) + " | runs |", "|---" * (len(methods) + 2) + "|"]
    lines, missing = [], []
    for row in item["rows"]:
        cells = paired(row["grid"], row["problem"], methods, lines_of(results / folder_of(row["grid"]) / "cells.jsonl"))
        if len(cells.get(methods[0], [])) < FEWEST:
            missing.append(row["label"])
            continue
        chosen = sum(cells.values(), [])
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "cells.jsonl").write_text("".join(line + "\n" for line in chosen))
            table = program.experiment("table", row["grid"], place, "--json")
        if table.returncode != 0:
            sys.exit(f"{row['grid']}: {table.stderr}")
        means = {entry["method"]: (entry["mean"], f"{entry['mean']:.3g} ± {entry['error']:.2g}") for entry in json.loads(table.stdout)["rows"]}
        best = min(mean for mean, _ in means.values())  # all rows are minimized
        numbers = [means.get(method, (None, "")) for method in methods]
        text.append(f"| {row['label']} | " + " | ".join(f"**{number}**" if mean == best else number for mean, number in numbers) + f" | {len(cells[methods[0]])} |")
        lines += chosen
    below = [f"Cells: {commits(lines)}."] if lines else []
    below += [f"Fewer than {FEWEST} runs of `{methods[0]}`, therefore not shown: {'; '.join(missing)}."] if missing else []
    return "\n".join([*(text if lines else []), "", *below, ""])


def curves(item):
    """A sentence on the last values of a CSV of seed, method, trial, best so far."""
    last = {}
    with (ROOT / item["curves"]).open() as file:
        for row in csv.DictReader(file):
            last.setdefault(row["method"], {})[row["seed"]] = float(row["best"])
    means = [f"{statistics.mean(values.values()):.4f} ± {2 * statistics.stdev(values.values()) / len(values) ** 0.5:.4f} with {method}" for method, values in last.items()]
    runs = {len(values) for values in last.values()}
    return f"{item['text']} {', '.join(means)} (mean of {' or '.join(map(str, runs))} runs ± 2 standard errors; {item['source']}).\n"


def section(item, program, results, figures):
    """The text of an item of the page. Its pictures go to the folder `figures`."""
    if "rows" in item:
        return headline(item, program, results)
    if "curves" in item:
        return curves(item)
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
        table = program.experiment("table", grid, folder, "--format", "markdown", *item.get("options", []))
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
                drawn = program.experiment("plot", grid, target, *AXES[item["figure"]])
                if drawn.returncode != 0:
                    sys.exit(f"{grid}: {drawn.stderr}")
                text += kept(target / "figures", item, figures)
    if item.get("note"):
        text += [item["note"].strip(), ""]
    return "\n".join(text)


def marks(name):
    return f"<!-- made by scripts/reproduce {name} -->\n", f"<!-- end of {name} -->\n"


def page_of(name):
    """The page that has the marks of the item."""
    for path in PAGES:
        if all(mark in path.read_text() for mark in marks(name)):
            return path
    sys.exit(f"the marks of {name} are in no page")


def replace(name, text):
    begin, end = marks(name)
    path = page_of(name)
    head, rest = path.read_text().split(begin, 1)
    path.write_text(head + begin + text + end + rest.split(end, 1)[1])


def without_source(text, names):
    """The lines outside of the marks that have a table with a number, or a number with an error."""
    for begin, end in map(marks, names):
        if begin in text and end in text:
            head, rest = text.split(begin, 1)
            text = head + rest.split(end, 1)[1]
    return [line for line in text.splitlines() if re.match(r"\s*\|.*\d", line) or re.search(r"\d\s*±|±\s*\d+\.", line)]


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def same_picture(a, b):
    """Coordinates have one decimal, and which way a half is rounded may differ between two builds."""
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b))
    return NUMBER.sub("", a) == NUMBER.sub("", b) and all(abs(float(x) - float(y)) < 0.15 for x, y in pairs)


def sections(items, program, figures):
    """Name and text of every item, from the packed cells alone; the pictures go to the folder."""
    with tempfile.TemporaryDirectory() as place:
        results = pathlib.Path(place)
        unpack({folder_of(grid) for item in items for grid in grids_of(item)}, CELLS, results)
        for item in items:
            yield item["name"], section(item, program, results, figures)


def check(items, program, everything):
    wrong = []
    with tempfile.TemporaryDirectory() as place:
        figures = pathlib.Path(place)
        for name, text in sections(items, program, figures):
            begin, end = marks(name)
            if begin + text + end not in page_of(name).read_text():
                wrong.append(f"{name}: {page_of(name).name} does not say what the cells say")
        for path in sorted(figures.glob("*.svg")):
            if not (FIGURES / path.name).exists() or not same_picture((FIGURES / path.name).read_text(), path.read_text()):
                wrong.append(f"docs/figures/paper/{path.name} is not the picture of its cells")
    for page in PAGES:
        wrong += [f"{page.name}: has no source: {line}" for line in without_source(page.read_text(), [item["name"] for item in everything])]
    for line in wrong:
        print(line)
    if not wrong:
        print(f"{len(items)} sections of docs/results.md, docs/paper.md and README.md and their pictures are what the committed cells say")
    return 1 if wrong else 0


def again(folders, program, count):
    """Runs so many of the committed cells once more, picked by chance from the first repeats. Returns whether one differs."""
    pool = [line for name in folders for line in lines_of(CELLS / f"{name}.jsonl.xz") if json.loads(line)["repeat"] == 0]
    different = False
    for line in random.sample(pool, min(count, len(pool))):
        with tempfile.TemporaryDirectory() as place:
            grid = pathlib.Path(place) / "grid.toml"
            grid.write_text(grid_of(line))
            done = program.experiment("run", grid, place)
            lines = lines_of(pathlib.Path(place) / "cells.jsonl")
            if len(lines) != 1:
                sys.exit(f"{grid_of(line)}: {done.stderr}")
        same = outcome(lines[0]) == outcome(line)
        different = different or not same
        cell = json.loads(line)
        print(f"{'same   ' if same else 'DIFFERS'} {cell['problem']} {cell['method']}, λ = {cell['lambda']}, {cell['trials']} points, instance {cell['instance']}: {cell['version']}", flush=True)
    return different


def write(items, program):
    for name, text in sections(items, program, FIGURES):
        replace(name, text)
    pages = "".join(page.read_text() for page in PAGES)
    for path in FIGURES.glob("*.svg"):  # of what is no longer shown
        if path.name not in pages:
            path.unlink()


def main():
    parser = argparse.ArgumentParser(prog="scripts/reproduce", description="Makes the tables and figures of the paper and of README: runs the cells that are missing, all grids in "
                                     "turns, keeps them in experiments/cells, and writes docs/results.md, docs/paper.md and README.md from them. Stop it at any time; the same command goes on.")
    parser.add_argument("items", nargs="*", metavar="ITEM", help="all, if none is named")
    parser.add_argument("--list", action="store_true", help="name the items and how many of their cells are there")
    parser.add_argument("--check", action="store_true", help="run nothing: compare the page with the committed cells, exit code 1 if it differs")
    parser.add_argument("--again", type=int, metavar="N", help="run N committed cells picked by chance once more: exit code 1 if one is not the same to the last digit (processors of another kind may differ)")
    parser.add_argument("--write", action="store_true", help="run nothing: write the page from the cells that are there")
    parser.add_argument("--minutes", type=float, help="at most; to the end if not given")
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
        return check(items, program, everything)
    grids = list(dict.fromkeys(grid for item in items for grid in grids_of(item)))
    folders = sorted({folder_of(grid) for grid in grids})
    if arguments.again:
        return 1 if again(folders, program, arguments.again) else 0
    unpack(folders, CELLS, RESULTS)
    if arguments.list:
        for item in items:
            parts = [f"{grid} {len(used(grid, lines_of(RESULTS / folder_of(grid) / 'cells.jsonl')))} of {wanted(grid)}" for grid in grids_of(item)]
            print(f"{item['name']:22} {'; '.join(parts)}")
        return 0
    shown = [item for item in everything if item in items or set(folders) & {folder_of(grid) for grid in grids_of(item)}]  # others show the same cells
    if not arguments.write:
        for _ in rounds(grids, program, arguments.threads, arguments.minutes):
            pack(folders, CELLS, RESULTS)
    pack(folders, CELLS, RESULTS)
    write(shown, program)
    return 0


if __name__ == "__main__":
    sys.exit(main())

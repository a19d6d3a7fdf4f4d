"""tools/reproduce.py on a repository of one small grid. The argument is the path of the `bocs` binary."""

import collections
import json
import lzma
import os
import pathlib
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv[1])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import cell_files  # noqa: E402
import reproduce  # noqa: E402

GRID = """
problems = ["bqp:d=6,lc=10"]
methods = ["random", "annealing"]
instances = 5
trials = [8, 12]
results = "shared"

[paper]
columns = { random = "RS" }
rows = [ { RS = [1000, 1] } ]
"""
ITEMS = """
[[item]]
name = "small"
title = "A small table"
paper = "What the paper says."
grids = ["small.toml"]
figure = "linear"

[[item]]
name = "first"
columns = { annealing = "SA", random = "RS", absent = "other" }
rows = [ { label = "a problem", grid = "other.toml", problem = "bqp:d=6,lc=10" } ]

[[item]]
name = "curve"
curves = "curves.csv"
text = "The value is"
source = "a program"
"""


class Reproduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, path in (("EXPERIMENTS", "experiments"), ("CELLS", "experiments/cells"), ("RESULTS", "experiments/results"),
                           ("ROOT", "."), ("FIGURES", "docs/figures/paper")):
            self.addCleanup(setattr, reproduce, name, getattr(reproduce, name))
            setattr(reproduce, name, root / path)
        (root / "experiments" / "paper").mkdir(parents=True)
        (root / "docs").mkdir()
        (root / "experiments" / "paper" / "items.toml").write_text(ITEMS)
        (root / "experiments" / "small.toml").write_text(GRID)
        (root / "experiments" / "other.toml").write_text(GRID.replace("[8, 12]", "8"))
        self.addCleanup(setattr, reproduce, "PAGES", reproduce.PAGES)
        self.page, self.readme = root / "docs" / "results.md", root / "README.md"
        reproduce.PAGES = (self.page, self.readme)
        self.page.write_text("# Page\n\n<!-- made by scripts/reproduce small -->\n<!-- end of small -->\n\nThe end.\n")
        self.readme.write_text("".join(f"<!-- made by scripts/reproduce {name} -->\n<!-- end of {name} -->\n" for name in ("first", "curve")))
        (root / "curves.csv").write_text("seed,method,trial,best\n1,ours,1,3\n1,ours,2,1\n2,ours,1,3\n")

    def call(self, *arguments):
        sys.argv = ["reproduce", "--binary", BINARY, *arguments]
        return reproduce.main()

    def packed(self):
        return lzma.open(reproduce.CELLS / "shared.jsonl.xz", "rt").read().splitlines()

    def test_runs_writes_and_checks(self):
        self.assertEqual(self.call("--check"), 1)  # the page is empty
        self.assertEqual(self.call("--write"), 0)
        self.assertIn("therefore not shown: a problem.", self.readme.read_text())
        self.assertEqual(self.call("small", "curve", "--threads", "1"), 0)
        page = self.page.read_text()
        for word in ("A small table", "20 of 20 cells", "| 1000 ± 1 | no, lower |", "figures/paper/small_", "The end."):
            self.assertIn(word, page)
        self.assertEqual(len(self.packed()), 20)
        self.assertEqual(self.call("--check"), 0)
        # The mean of a row, from the cells.
        cells = [cell for cell in map(json.loads, self.packed()) if (cell["method"], cell["trials"]) == ("random", 8)]
        mean = sum(cell["optimum"] - cell["best"][-1][1] for cell in cells) / 5
        self.assertIn(f"{mean:.4g} ±", page)

    def test_a_changed_number_or_picture_or_cell_is_found(self):
        self.call("--threads", "1")
        page = self.page.read_text()
        self.page.write_text(page.replace("5 on 5", "6 on 6", 1))
        self.assertEqual(self.call("--check"), 1)
        self.page.write_text(page)
        self.assertEqual(self.call("--check"), 0)
        picture = next(iter(reproduce.FIGURES.glob("*.svg")))
        before = picture.read_bytes()
        picture.write_bytes(before.replace(b"<polyline", b"<polygon", 1) + b" ")
        self.assertEqual(self.call("--check"), 1)
        picture.write_bytes(before)
        lines = self.packed()
        cell = json.loads(lines[0])
        cell["best"][-1][1] += 0.5
        (reproduce.CELLS / "shared.jsonl.xz").write_bytes(lzma.compress("".join(line + "\n" for line in [json.dumps(cell), *lines[1:]]).encode()))
        self.assertEqual(self.call("--check"), 1)

    def test_the_axis_of_a_picture_is_the_one_its_item_says(self):
        self.call("small", "--threads", "1")
        linear = {path.name: path.read_bytes() for path in reproduce.FIGURES.glob("*.svg")}
        (reproduce.EXPERIMENTS / "paper" / "items.toml").write_text(ITEMS.replace('"linear"', '"log"'))
        self.assertEqual(self.call("--check"), 1)
        self.call("--write")
        for name, picture in linear.items():
            self.assertNotEqual((reproduce.FIGURES / name).read_bytes(), picture)

    def test_a_row_of_the_first_page_is_recomputed(self):
        self.call("--threads", "1")
        cells = [cell for cell in map(json.loads, self.packed()) if (cell["method"], cell["trials"]) == ("random", 8)]
        mean = sum(cell["optimum"] - cell["best"][-1][1] for cell in cells) / 5
        readme = self.readme.read_text()
        self.assertRegex(readme, r"\| a problem \| .* \| \**" + f"{mean:.3g}" + r" ± [\d.]+\** \|  \| 5 \|")
        self.assertIn("The value is 2.0000 ± 2.0000 with ours (mean of 2 runs", readme)  # 1 and 3
        self.assertEqual(self.call("--check"), 0)
        methods = ["random", "annealing"]
        lines = [line for line in self.packed() if json.loads(line)["trials"] == 8]
        fewer = [line for line in lines if (json.loads(line)["method"], json.loads(line)["instance"]) != ("random", 3)]
        for have, shown in ((lines, {"random": 5, "annealing": 5}), (fewer, {"annealing": 5})):
            found = reproduce.paired("other.toml", "bqp:d=6,lc=10", methods, have)
            self.assertEqual({method: len(runs) for method, runs in found.items()}, shown)
        self.addCleanup(setattr, reproduce, "FEWEST", reproduce.FEWEST)
        reproduce.FEWEST = 4
        found = reproduce.paired("other.toml", "bqp:d=6,lc=10", methods, fewer)
        for runs in found.values():  # the same replications for both
            self.assertEqual([json.loads(line)["instance"] for line in runs], [0, 1, 2, 4])
        reproduce.FEWEST = 5
        self.readme.write_text(readme.replace("| 5 |", "| 60 |"))
        self.assertEqual(self.call("--check"), 1)

    def test_a_number_without_a_source_is_found(self):
        self.call("--threads", "1")
        page = self.page.read_text()
        for line, code in (("It was 0.1 ± 0.02.", 1), ("| ours | 7 |", 1), ("± 2 standard errors of 60 runs", 0), ("| ours | theirs |", 0)):
            self.page.write_text(page + line + "\n")
            self.assertEqual(self.call("--check"), code, line)

    def test_grids_take_turns_until_the_time_is_up(self):
        self.assertEqual(self.call("--minutes", "0"), 0)
        self.assertFalse((reproduce.CELLS / "shared.jsonl.xz").exists())
        program = reproduce.Program(BINARY)
        turns = reproduce.rounds(["small.toml", "other.toml"], program, 1, None)
        for counts in ({0: 4}, {0: 4, 1: 4}):
            next(turns)
            cells = map(json.loads, reproduce.lines_of(reproduce.RESULTS / "shared" / "cells.jsonl"))
            self.assertEqual(collections.Counter(cell["instance"] for cell in cells), counts)

    def test_goes_on_from_the_committed_cells_alone(self):
        self.call("--threads", "1")
        before = self.packed()
        page = self.page.read_text()
        (reproduce.RESULTS / "shared" / "cells.jsonl").unlink()  # another machine, another session
        self.assertEqual(self.call("--threads", "1"), 0)
        self.assertEqual(self.packed(), before)  # the times, too: nothing was run again
        self.assertEqual(self.page.read_text(), page)
        self.assertEqual(self.call("--list"), 0)

    def test_committed_cells_give_the_same_again(self):
        self.call("--threads", "1")
        self.assertEqual(self.call("--again", "4"), 0)
        cells = [json.loads(line) for line in self.packed()]
        for cell in cells:
            cell["best"][-1][1] += 1e-9
        (reproduce.CELLS / "shared.jsonl.xz").write_bytes(lzma.compress("".join(json.dumps(cell) + "\n" for cell in cells).encode()))
        self.assertEqual(self.call("--again", "1"), 1)

    def test_packed_cells_keep_every_value_and_three_digits_of_times(self):
        self.call("--threads", "1")
        ran = {cell_files.key(line): json.loads(line) for line in (reproduce.RESULTS / "shared" / "cells.jsonl").read_text().splitlines()}
        for line in self.packed():
            kept, before = json.loads(line), ran[cell_files.key(line)]
            self.assertEqual(kept["optimum"], before["optimum"])
            self.assertEqual([step[:2] for step in kept["best"]], [step[:2] for step in before["best"]])
            self.assertEqual(float(f"{before['seconds']:.2e}"), kept["seconds"])
        predictions = json.loads(cell_files.rounded('{"truth":[1.23456789012],"predicted":[-0.00123456789],"deviation":[2]}'))
        self.assertEqual(predictions, {"truth": [1.234568], "predicted": [-0.001234568], "deviation": [2.0]})

    def test_an_unknown_item_is_named(self):
        with self.assertRaises(SystemExit):
            self.call("large")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

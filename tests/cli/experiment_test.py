"""End-to-end tests of `bocs experiment`.

usage: experiment_test.py PATH_OF_BOCS
"""

import csv
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from study_support import BOCS, PATIENCE, shown_on_a_terminal, wait_until

GRID = """
problems = ["bqp:d=8"]
methods = ["bocs:order=2", "rs"]
lambdas = [0, 0.1]
instances = 3
repeats = 2
trials = 20
initial = 8

[quick]
instances = 2
repeats = 1
"""

SECONDS = ("seconds", "suggest_seconds_mean")


class Experiment(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="bocs_experiment_")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def grid(self, text=GRID):
        with open(self.path("small.toml"), "w") as file:
            file.write(text)
        return self.path("small.toml")

    def call(self, *arguments, **more):
        return subprocess.run([BOCS, "experiment", *arguments], capture_output=True, text=True, timeout=PATIENCE, **more)

    def run_json(self, *arguments):
        done = self.call("run", *arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])["rows"]

    def test_folder_of_grids_is_run_and_ranked(self):
        os.mkdir(self.path("suite"))
        for name, trials in (("a", 12), ("b", 14)):
            with open(self.path("suite", name + ".toml"), "w") as file:
                file.write(f'problems = ["bqp:d=6"]\nmethods = ["ols", "rs"]\ninstances = 3\ntrials = {trials}\nresults = "all"\n')
        done = self.call("run", self.path("suite"), "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.path("suite", "results", "all", "cells.jsonl")))
        ranks = json.loads(self.call("table", self.path("suite"), "--ranks", "--json").stdout)
        self.assertEqual([p["trials"] for p in ranks["problems"]], [12, 14])
        for line in ranks["problems"]:
            self.assertEqual(line["replications"], 3)
            self.assertAlmostEqual(sum(line["ranks"].values()), 3)
        self.assertAlmostEqual(sum(ranks["average"].values()), 3)
        text = self.call("table", self.path("suite"), "--ranks", "--format", "markdown").stdout
        self.assertIn("| average |", text)
        # Duels say the same as the rows of the table, from the other side.
        rows = json.loads(self.call("table", self.path("suite"), "--against", "rs", "--json").stdout)
        rows = rows["rows"] if isinstance(rows, dict) else rows
        duels = self.call("table", self.path("suite"), "--against", "rs", "--duels", "--format", "markdown").stdout.splitlines()
        for row in rows:
            if row["method"] == "ols":
                line = next(duel for duel in duels if f"| {row['trials']} |" in duel)
                self.assertIn(f"| {row['worse']}:{row['better']}", line)
        self.assertIn("problems clearly won:lost", "\n".join(duels))
        anytime = self.call("table", self.path("suite"), "--against", "rs", "--anytime").stdout
        self.assertRegex(anytime, r"method +30 +60 +100 +200 +end +area")
        for row in rows:  # the last but one column is the table's
            self.assertIn(f"{row['mean']:.4g}", anytime)
        for wrong in (("--duels",), ("--duels", "--against", "rs", "--json"), ("--duels", "--ranks", "--against", "rs"), ("--anytime", "--json"), ("--anytime", "--at", "5")):
            self.assertNotEqual(self.call("table", self.path("suite"), *wrong).returncode, 0, wrong)
        done = self.call("run", self.path("suite"), "-q", "--method", "rs", "--instances", "1", "--first-instance", "7", "--out", self.path("other"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("other", "cells.jsonl")) as file:
            cells = [json.loads(line) for line in file]
        found = sorted((c["method"], c["instance"], c["trials"]) for c in cells)  # written as they end
        self.assertEqual(found, [("rs", 7, 12), ("rs", 7, 14)])
        os.mkdir(self.path("empty"))
        self.refused(64, ["no grid"], "run", self.path("empty"))

    def refused(self, exit_code, words, *arguments, **more):
        done = self.call(*arguments, **more)
        self.assertEqual(done.returncode, exit_code, (arguments, done.stdout, done.stderr))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def cells(self, *folder):
        with open(self.path(*folder, "cells.jsonl")) as file:
            return [json.loads(line) for line in file]

    def wait_for_a_cell(self):
        file = self.path("results", "small", "cells.jsonl")
        wait_until(lambda: os.path.exists(file) and os.path.getsize(file) > 0, "the first cell is finished")

    @staticmethod
    def timeless(rows):
        return [{key: value for key, value in row.items() if key not in SECONDS} for row in rows]


class Run(Experiment):
    def test_one_line_form(self):
        line = ("--problem", "bqp:d=8,lc=10", "--method", "bocs:order=2,model=bayes,rs", "--method", "bocs",
                "--lambda", "0,1e-4", "--instances", "3", "--repeats", "2", "--trials", "24", "--initial", "8",
                "--seed", "1", "--out", self.path("out"))
        rows = self.run_json(*line)
        self.assertEqual([(r["method"], r["lambda"]) for r in rows],
                         [(m, x) for x in (0, 1e-4) for m in ("bocs:order=2,model=bayes", "rs", "bocs")])
        for row in rows:
            self.assertEqual(row["problem"], "bqp:d=8,lc=10")
            self.assertEqual((row["n"], row["instances"], row["trials"]), (6, 3, 24))
            self.assertEqual(row["metric"], "regret")
            self.assertGreaterEqual(row["mean"], 0)
            self.assertGreaterEqual(row["error"], 0)
            self.assertGreater(row["best_mean"], 0)
            self.assertGreaterEqual(row["suggest_seconds_mean"], 0)
        # The numbers of the rows, from the cells.
        cells = [c for c in self.cells("out") if c["method"] == "rs" and c["lambda"] == 0]
        regrets = [c["optimum"] - c["best"][-1][1] for c in cells]
        self.assertAlmostEqual(rows[1]["mean"], sum(regrets) / 6)
        self.assertAlmostEqual(rows[1]["best_mean"], sum(c["best"][-1][1] for c in cells) / 6)
        # Nothing is run again; a larger grid only adds cells.
        before = self.cells("out")
        self.assertEqual(self.run_json(*line), rows)
        self.assertEqual(self.cells("out"), before)
        more = [("4" if word == "3" else word) for word in line]
        self.run_json(*more)
        self.assertEqual(self.cells("out")[:len(before)], before)
        self.assertEqual(len(self.cells("out")), 4 * 2 * 2 * 3)

    def test_the_table_does_not_depend_on_the_threads(self):
        grid = self.grid()
        rows = [self.run_json(grid, "--threads", n, "--out", self.path(n)) for n in ("1", "2")]
        self.assertEqual(self.timeless(rows[0]), self.timeless(rows[1]))

    def test_results_are_beside_the_grid(self):
        done = self.call("run", self.grid(), "--scale", "quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("8/8 cells", done.stderr)  # a line per tenth: this is a pipe
        self.assertEqual(len(self.cells("results", "small")), 8)
        self.assertIn("± ", done.stdout)
        done = self.call("table", self.path("small.toml"))
        self.assertIn("8 of 24 cells are finished", done.stderr)
        self.call("run", self.path("small.toml"), "-q")
        self.assertEqual(len(self.cells("results", "small")), 24)

    def test_reproduce_runs_prints_and_draws(self):
        file = self.grid(GRID + """
[paper]
columns = { rs = "RS" }
rows = [ { RS = [1000, 1] } ]
[table]
against = "rs"
""")
        cells = self.path("results", "small", "cells.jsonl")
        figures = self.path("results", "small", "figures")

        def replications():
            with open(cells) as lines:
                return sorted((cell["repeat"], cell["instance"]) for cell in map(json.loads, lines))

        done = self.call("run", file, "--replications", "1", "--method", "bocs:order=2", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("minus rs", done.stdout)  # has not run yet
        done = self.call("reproduce", file, "--replications", "1", "-q")
        self.assertIn("minus rs", done.stdout)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(replications(), 4 * [(0, 0)])  # two methods, two lambdas
        self.assertIn("1000 ± 1", done.stdout)
        self.assertEqual(len([name for name in os.listdir(figures) if name.endswith(".svg")]), 2)
        done = self.call("run", file, "--replications", "4", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(replications(), sorted(4 * [(0, 0), (0, 1), (0, 2), (1, 0)]))
        shutil.rmtree(figures)
        done = self.call("reproduce", file, "--minutes", "0")  # runs nothing, shows what there is
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(replications()), 16)
        self.assertIn("stopped: 16 of 24 cells", done.stderr)
        self.assertIn("4 on 3", done.stdout)
        self.assertEqual(len([name for name in os.listdir(figures) if name.endswith(".svg")]), 2)
        self.assertEqual(self.call("reproduce", self.path("nothing.toml")).returncode, 64)

    def test_bar_on_a_terminal_before_the_first_cell_ends(self):
        shown = shown_on_a_terminal("experiment", "run", self.grid(), "--scale", "quick")
        for word in (b"[" + 30 * b"." + b"] 0/8 cells\r", b"[" + 30 * b"#" + b"] 8/8 cells, 0 s left"):
            self.assertIn(word, shown)

    def test_killed_at_random_moments(self):
        grid = self.grid(GRID.replace("instances = 3", "instances = 30"))
        total = 2 * 2 * 30 * 2
        chance = random.Random(1)
        kills = 0
        kept = []
        for _ in range(200):
            child = subprocess.Popen([BOCS, "experiment", "run", grid, "-q"], stdout=subprocess.DEVNULL)
            try:
                child.wait(timeout=chance.uniform(0.01, 0.12))
                self.assertEqual(child.returncode, 0)
                break
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                kills += 1
            if not os.path.exists(self.path("results", "small", "cells.jsonl")):  # killed before it made the file
                self.assertEqual(kept, [])
                continue
            with open(self.path("results", "small", "cells.jsonl")) as file:
                lines = [line for line in file if line.endswith("\n")]
            self.assertEqual(lines[:len(kept)], kept)  # nothing finished is lost
            kept = lines
            if chance.random() < 0.3:  # what a kill within a write leaves behind
                with open(self.path("results", "small", "cells.jsonl"), "a") as file:
                    file.write('{"kind":"optimization","prob')
        else:  # on a slow machine no run was left alone for long enough
            self.call("run", grid, "-q")
        self.assertGreater(kills, 0)
        finished = self.cells("results", "small")
        inputs = {(c["method"], c["lambda"], c["instance"], c["repeat"]) for c in finished}
        self.assertEqual((len(finished), len(inputs)), (total, total))  # nothing is repeated
        whole = self.run_json(grid, "-q", "--out", self.path("whole"))
        parts = json.loads(self.call("table", grid, "--json").stdout)["rows"]
        self.assertEqual(self.timeless(whole), self.timeless(parts))

    def test_interrupt(self):
        grid = self.grid(GRID.replace("trials = 20", "trials = 200").replace("d=8", "d=14").replace("s = 3", "s = 300"))
        child = subprocess.Popen([BOCS, "experiment", "run", grid], stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        self.wait_for_a_cell()
        child.send_signal(signal.SIGINT)
        _, words = child.communicate(timeout=PATIENCE)
        self.assertEqual(child.returncode, 130, words)
        self.assertIn("the same command goes on", words)
        self.assertIn(f"{len(self.cells('results', 'small'))} of 2400 cells", words)

    def test_two_at_a_time_are_refused(self):
        grid = self.grid(GRID.replace("trials = 20", "trials = 200").replace("d=8", "d=14").replace("s = 3", "s = 300"))
        first = subprocess.Popen([BOCS, "experiment", "run", grid, "-q"])
        try:
            self.wait_for_a_cell()
            self.refused(69, ["in use", "cells.jsonl"], "run", grid)
        finally:
            first.kill()
            first.wait()

    def test_mistakes(self):
        grid = self.grid("colour = 1" + GRID)
        self.refused(64, ["small.toml:1:", "'colour'", "problems"], "run", grid)
        self.refused(64, ["none.toml"], "run", self.path("none.toml"))
        self.refused(64, ["--problem"], "run")
        self.refused(64, ["--out"], "run", "--problem", "bqp")
        self.refused(64, ["'bogus'", "bocs", "random"], "run", "--problem", "bqp", "--method", "rs,bogus", "--out",
                     self.path("x"))
        self.refused(64, ["--lambda", "'-1'"], "run", "--problem", "bqp", "--lambda", "0,-1", "--out", self.path("x"))
        self.refused(64, ["--problem"], "run", self.grid(), "--problem", "bqp")
        self.refused(64, ["'--bogus'", "--instances"], "run", "--bogus")
        self.refused(64, ["table", "plot"], "bogus")
        self.refused(65, ["no finished cell"], "table", self.grid())
        self.assertFalse(os.path.exists(self.path("x")))


class Show(Experiment):
    def setUp(self):
        super().setUp()
        self.file = self.grid()
        self.assertEqual(self.call("run", self.file, "-q").returncode, 0)

    def rows(self, *options):
        done = self.call("table", self.file, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])["rows"]

    def test_formats_agree(self):
        rows = self.rows()
        table = list(csv.DictReader(io.StringIO(self.call("table", self.file, "--format", "csv").stdout)))
        self.assertEqual([(r["method"], float(r["mean"]), int(r["n"])) for r in table],
                         [(r["method"], r["mean"], r["n"]) for r in rows])
        text = self.call("table", self.file).stdout
        markdown = self.call("table", self.file, "--format", "markdown").stdout
        for row in rows:
            shown = f"{row['mean']:.4g} ± {row['error']:.2g}"
            self.assertIn(shown, text)
            self.assertIn(f"**{shown}**" if row["best"] else f"| {shown} |", markdown)
        folder = json.loads(self.call("table", self.path("results", "small"), "--json").stdout)["rows"]
        self.assertEqual(self.timeless(folder), self.timeless(rows))

    def test_options(self):
        self.assertEqual(self.rows("--metric", "value")[0]["mean"], self.rows()[0]["best_mean"])
        self.assertAlmostEqual(self.rows("--scale-by", "10")[1]["mean"], 10 * self.rows()[1]["mean"])
        # Both methods have drawn the same 8 points.
        first, second = self.rows("--at", "8")[:2]
        self.assertEqual(first["mean"], second["mean"])
        compared = self.rows("--against", "rs")[0]
        self.assertAlmostEqual(compared["difference"], self.rows()[0]["mean"] - self.rows()[1]["mean"])
        self.assertLessEqual(compared["better"] + compared["worse"], 3)
        reached = self.rows("--until", "-1000")[0]
        self.assertEqual((reached["metric"], reached["reached"], reached["n"]), ("seconds", 1, 6))
        self.assertEqual(self.rows("--until", "1000")[0]["reached"], 0)
        self.refused(64, ["bogus"], "table", self.file, "--against", "bogus")

    def test_plot(self):
        done = self.call("plot", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = done.stdout.splitlines()
        self.assertEqual(len(files), 2)  # two lambdas
        svg = xml.etree.ElementTree.parse(files[0]).getroot()
        self.assertEqual(svg.tag, "{http://www.w3.org/2000/svg}svg")
        text = list(svg.itertext())
        for word in ("evaluations", "regret", "bocs:order=2", "rs"):
            self.assertIn(word, text)
        self.assertTrue(os.path.exists(self.path("results", "small", "figures", "bqp-d=8_lambda=0_trials=20.csv")))

    def test_nothing_in_a_results_file_is_run(self):
        with open(self.path("results", "small", "cells.jsonl")) as file:
            lines = [json.loads(line) for line in file]
        os.mkdir(self.path("hostile"))
        for key in ("method", "problem"):
            lines[0][key] = "random\n!touch '" + self.path("pwned") + "' #"
            with open(self.path("hostile", "cells.jsonl"), "w") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
            self.refused(64, ["cells.jsonl:1", "control"], "plot", self.path("hostile"))
        self.assertFalse(os.path.exists(self.path("pwned")))


class Validation(Experiment):
    def test_run_table_and_plot(self):
        grid = self.grid('kind = "validation"\nproblems = ["bqp:d=6"]\nmethods = ["mle", "bayes"]\n'
                         "trials = [10, 40]\ninstances = 2\ntest_points = 10\n")
        rows = self.run_json(grid)
        self.assertEqual([(r["method"], r["trials"]) for r in rows],
                         [("mle", 10), ("bayes", 10), ("mle", 40), ("bayes", 40)])
        self.assertLess(rows[2]["mean"], 1e-9)  # 22 coefficients, 40 exact values
        self.assertEqual({r["metric"] for r in rows}, {"test error"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

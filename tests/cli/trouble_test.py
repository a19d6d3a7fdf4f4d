"""What must not lose or corrupt a user's data: many processes at once, processes that end at the wrong moment, files and
databases that others have written.

usage: trouble_test.py PATH_OF_BOCS
"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import unittest

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, wait_until, write_study

BITS = 8


def row(bits, value):
    return ",".join(bits) + f",{value}\n"


HEAD = ",".join(f"x[{i}]" for i in range(BITS)) + ",value\n"


class PastData(WithFolder):
    def test_many_processes_at_once_import_it_once(self):
        for attempt in range(5):
            rows = [row(f"{i:08b}", i) for i in range(200)]
            self.write("past.csv", HEAD + "".join(rows))
            file = write_study(self.path, f"s{attempt}.toml", bits=BITS, trials=10, study="data = \"past.csv\"")
            processes = [subprocess.Popen([BOCS, "create", file], stdout=subprocess.DEVNULL) for _ in range(6)]
            self.assertEqual([process.wait(timeout=PATIENCE) for process in processes], [0] * 6)
            values = [trial["value"] for trial in json_lines("trials", file, "--json")]
            self.assertEqual(values, list(range(200)))
            self.assertEqual(json_lines("create", file, "--json")[0]["trials"], 210)

    def test_rows_that_come_later_are_imported_whatever_else_was_told(self):
        self.write("past.csv", HEAD + row("11110000", 1) + row("11100000", 2))
        file = write_study(self.path, bits=BITS, trials=10, study="data = \"past.csv\"")
        run("create", file)
        point = {f"x[{i}]": 1 for i in range(BITS)}
        run("tell", file, input=json.dumps({"point": point, "value": 9}))
        self.write("more.csv", HEAD + row("10101010", 7))
        run("import", file, "--data", self.file("more.csv"))
        self.write("past.csv", self.read("past.csv") + row("00010000", 3) + row("00110000", 4))
        for _ in range(2):
            created = json_lines("create", file, "--json")[0]
            self.assertEqual((created["begun"], created["trials"]), (6, 16))
        trials = json_lines("trials", file, "--json")
        self.assertEqual([trial["value"] for trial in trials], [1, 2, 9, 7, 3, 4])
        self.assertEqual([trial["origin"] for trial in trials], ["imported"] * 2 + ["told"] + ["imported"] * 3)
        self.assertEqual(json_lines("run", file, "--json")[-1]["told"], 10)

    def test_data_named_after_points_were_told_is_imported(self):
        file = write_study(self.path, bits=BITS, trials=5)
        run("create", file)
        for i in range(3):
            point = {f"x[{j}]": int(j == i) for j in range(BITS)}
            run("tell", file, input=json.dumps({"point": point, "value": i}))
        self.write("past.csv", HEAD + "".join(row(f"{i:08b}", 10 * i) for i in range(1, 4)))
        write_study(self.path, bits=BITS, trials=5, study="data = \"past.csv\"")
        self.assertEqual(json_lines("create", file, "--json")[0]["begun"], 6)

    def test_exports_can_be_imported_whatever_the_variables_are_called(self):
        names = ["number", "state", "value", "total", "seconds", "error", "loss", "bocs:value"]
        variables = "".join(f"[[variables]]\nname = \"{name}\"\ntype = \"integer\"\nlow = 0\nhigh = 50\n" for name in names)
        text = ("[study]\ntrials = 6\n{}" + variables +
                "[objective]\ncommand = [\"sh\", \"-c\", \"echo '{{\\\"value\\\": '$((1000 + BOCS_NUMBER))', \\\"loss\\\": 3}}'\"]\n"
                "[method]\nspec = \"random\"\n")
        first = self.write("first.toml", text.format(""))
        run("run", first)
        run("export", first, "-o", self.file("out.csv"))
        second = self.write("second.toml", text.format("data = \"out.csv\"\n"))
        run("create", second)
        expected = [(trial["point"], trial["value"]) for trial in json_lines("trials", first, "--json")]
        self.assertEqual([(t["point"], t["value"]) for t in json_lines("trials", second, "--json")], expected)
        self.assertEqual([value - point["number"] for point, value in expected], [1000] * 6)

    def test_a_needed_column_that_is_there_twice_is_refused(self):
        self.write("past.csv", HEAD.replace("value", "x[0],value") + row("000000001", 2))
        file = write_study(self.path, bits=BITS, study="data = \"past.csv\"")
        for command in ("check", "create", "run"):
            self.refused(65, ["past.csv:1:", "'x[0]'", "twice"], command, file)


class Ask(WithFolder):
    def slow_study(self, **parts):
        """A study whose next proposal, that of trial 10, takes long enough to be hit while it is thought about."""
        slow = {"bits": 300, "trials": 12, "method": "bocs:initial=10,order=2,model.sweeps=1000000"}
        file = write_study(self.path, **slow)
        for asked in json_lines("ask", file, "--count", 10):
            run("tell", file, "--trial", asked["number"], "--value", asked["number"] * 0.1)
        return write_study(self.path, **slow, **parts)

    def thinking(self, attempts):
        """True while trial 10 has no point and is in the hands of so many-th process."""
        database = sqlite3.connect(self.file("study.db"), timeout=PATIENCE)
        (count,) = database.execute("SELECT COUNT(*) FROM bocs_trial WHERE number = 10 AND state = 'running' "
                                    "AND point IS NULL AND attempts = ?", (attempts,)).fetchone()
        database.close()
        return count == 1

    def end_while_it_thinks(self, command, file, attempts):
        process = subprocess.Popen([BOCS, command, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.thinking(attempts) or process.poll() is not None, "it thinks")
        self.assertIsNone(process.poll(), "it ended by itself")
        process.kill()
        self.assertEqual(process.communicate(timeout=PATIENCE)[0], b"")
        self.assertTrue(self.thinking(attempts), "it was hit too late")

    def test_one_that_ends_while_it_thinks_leaves_nothing_behind(self):
        file = self.slow_study(objective="parallel = 1")
        self.end_while_it_thinks("ask", file, attempts=1)
        self.refused(64, ["10", "no point"], "tell", file, "--trial", 10, "--value", 3)
        (released,) = json_lines("tell", file, "--trial", 10, "--release", "--json")
        self.assertEqual((released["number"], released["state"], released["point"]), (10, "waiting", None))
        self.end_while_it_thinks("ask", file, attempts=1)  # what was released does not count
        self.end_while_it_thinks("run", file, attempts=2)  # and what was not is taken over at once: nobody waits for it
        self.end_while_it_thinks("ask", file, attempts=3)

    def test_a_line_that_could_not_be_printed_is_not_handed_over(self):
        file = write_study(self.path, trials=3)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([BOCS, "ask", file], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("could not be written", done.stderr)
        self.assertEqual([trial["state"] for trial in json_lines("trials", file, "--json")], ["waiting"])
        self.assertEqual([asked["number"] for asked in json_lines("ask", file, "--count", 5)], [0, 1, 2])

    def test_what_was_printed_stays_with_the_person(self):
        file = write_study(self.path, trials=3, objective="parallel = 1")
        (asked,) = json_lines("ask", file)
        done = bocs("ask", file)  # the first process has ended long ago, the person has not
        self.assertEqual((done.returncode, done.stdout), (75, ""))  # nothing for now
        run("tell", file, "--trial", asked["number"], "--value", 2)
        self.assertEqual([a["number"] for a in json_lines("ask", file)], [1])


class Output(WithFolder):
    def test_what_cannot_be_written_is_an_error_of_every_command(self):
        file = write_study(self.path, trials=3)
        run("run", file)
        url = "sqlite:" + self.file("study.db")
        for arguments in (["export", file], ["export", file, "--format", "json"], ["best", file], ["trials", file],
                          ["trials", file, "--json"], ["studies", "--store", url], ["check", file], ["create", file],
                          ["run", file], ["worker", file, "--json"], ["methods"], ["problems"], ["--help"],
                          ["instance", "--problem", "bqp:d=6"], ["evaluate", "--problem", "bqp:d=6", "--x", "010101"],
                          ["solve", "bqp:d=4", "--trials", "3"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([BOCS, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=PATIENCE)
            self.assertEqual(done.returncode, 74, (arguments, done.stderr))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_messages_that_cannot_be_written_end_no_command(self):
        """stderr on a full disk, closed, or a pipe that nobody reads: exit codes and results are as always."""
        def pipe_without_a_reader():
            read, write = os.pipe()
            os.close(read)
            os.dup2(write, 2)

        ways = ({"stderr": open("/dev/full", "w", encoding="utf-8")},
                {"preexec_fn": lambda: os.close(2)}, {"preexec_fn": pipe_without_a_reader})
        self.addCleanup(ways[0]["stderr"].close)
        for number, way in enumerate(ways):
            file = write_study(self.path, f"s{number}.toml", trials=5)
            failing = write_study(self.path, f"f{number}.toml", trials=9, command=["false"])
            for exit_code, *arguments in ((0, "run", file), (0, "run", file, "--verbose"), (65, "check", "nofile.toml"),
                                          (78, "run", failing), (64, "best", file, "--nonsense"),
                                          (69, "studies", "--store", "sqlite:" + self.file("none.db")),
                                          (0, "compare", file, "--method", "random,annealing", "--repeats", "1")):
                done = subprocess.run([BOCS, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                      cwd=self.path, timeout=PATIENCE, **way)
                self.assertEqual(done.returncode, exit_code, (number, arguments, done.stdout))
            self.assertEqual(len(json_lines("trials", file, "--json")), 5)


class Strangers(WithFolder):
    """Others can write into the database, too."""

    def setUp(self):
        super().setUp()
        self.study = self.write("study.toml", """
[study]
trials = 8
[[variables]]
name = "depot"
type = "categorical"
levels = ["north", "south"]
[[variables]]
name = "x"
type = "binary"
count = 5
[objective]
command = ["sh", "-c", "echo $BOCS_X_0"]
[method]
spec = "annealing"
""")
        run("run", self.study)

    def test_points_that_the_space_does_not_have(self):
        for column, value in (("point", "[100000,0,0,0,0,0]"), ("point", "[-7,0,0,0,0,0]"), ("point", "[0,0,0,0,0,200000000]"),
                              ("point", "[0,0,0]"), ("point", "[1.7,0,0,0,0,0]"), ("point", "[4294967297,0,0,0,0,0]"),
                              ("point", "[2e20,0,0,0,0,0]"), ("point", "{\"a\": 1}"), ("point", "x"), ("value", "abc"),
                              ("value", None), ("info", "3"), ("metrics", "3"), ("origin", "nowhere")):
            database = sqlite3.connect(self.file("study.db"))
            (kept,) = database.execute(f"SELECT {column} FROM bocs_trial WHERE number = 3").fetchone()
            change = f"UPDATE bocs_trial SET {column} = ? WHERE number = 3"
            with database:
                database.execute(change, (value,))
            for command in (["best"], ["export"], ["trials"], ["trials", "--verify"], ["run"], ["ask"]):
                self.refused(69, [], command[0], self.study, *command[1:])
            with database:
                database.execute(change, (kept,))
            database.close()
        run("best", self.study)


class Workers(WithFolder):
    def test_a_late_result_is_kept_and_told(self):
        # The program waits for the file `go`; meanwhile somebody else tells the trial.
        file = write_study(self.path, trials=1, command=["sh", "-c", "touch begun; until test -e go; do sleep 0.02; done; echo 5"])
        process = subprocess.Popen([BOCS, "run", file, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: os.path.exists(self.file("begun")), "the evaluation begins")
        run("tell", file, "--trial", 0, "--value", 3)
        self.write("go", "")
        out, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((len(lines), lines[-1]["told"], lines[-1]["trials"]), (1, 0, 1))  # the other's value is not ours
        self.assertIn("trial 0", errors)
        self.assertIn("late", errors)
        (trial,) = json_lines("trials", file, "--json")
        self.assertEqual(trial["value"], 3)
        self.assertEqual([late["value"] for late in trial["late"]], [5])
        self.assertIn("too late: value 5", run("trials", file))
        run("delete", file, "--yes")

    def test_threads_that_cannot_be_made_are_said_in_a_line(self):
        file = write_study(self.path, trials=5)
        run("create", file)

        def limited(arguments):
            command = f"ulimit -v 700000; exec '{BOCS}' {arguments}"
            return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)

        if limited("--version").returncode != 0:
            self.skipTest("this program, with a sanitizer in it, does not start with so little memory")
        done = limited(f"worker '{file}' --parallel 300 -q")
        self.assertIn(done.returncode, (0, 69), done.stderr)  # 0: the machine has room for all
        self.assertNotIn("terminate", done.stderr)
        if done.returncode == 69:
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("start", done.stderr)


class Limits(WithFolder):
    """What the system does not give is called by its name."""

    def limited(self, limits, *arguments):
        def apply():
            for kind, value in limits.items():
                resource.setrlimit(kind, (value, value))
            if resource.RLIMIT_NPROC in limits and os.getuid() == 0:  # root has no such limit
                os.setuid(54321)

        os.chmod(self.path, 0o777)
        program = shutil.copy(BOCS, self.path)  # where every user finds it
        return subprocess.run([program, *arguments], cwd=self.path, capture_output=True, text=True, preexec_fn=apply,
                              timeout=PATIENCE, stdin=subprocess.DEVNULL)

    def test_processes(self):
        file = write_study(self.path, trials=3, command=["sh", "-c", "echo 1"])
        os.chmod(file, 0o644)
        for most in (1, 2):
            done = self.limited({resource.RLIMIT_NPROC: most}, "try", file)
            self.assertIn("too many processes", done.stdout + done.stderr, most)

    def test_files(self):
        file = write_study(self.path, trials=3, method="random")
        run("run", file)
        seen = set()
        for most in range(4, 24):
            done = self.limited({resource.RLIMIT_NOFILE: most}, "best", file)
            if "error while loading" in done.stderr:  # said by the system: it did not get as far as main
                continue
            seen.add(done.returncode)
            self.assertIn(done.returncode, (0, 69), (most, done.stderr))
            self.assertTrue(done.returncode == 0 or "too many" in done.stderr.lower(), (most, done.stderr))
        self.assertEqual(seen, {0, 69})

    def test_memory(self):
        file = write_study(self.path, trials=3, method="random")
        for megabytes in range(10, 60, 5):
            done = self.limited({resource.RLIMIT_AS: megabytes << 20}, "run", file)
            self.assertNotIn("internal error", done.stderr, megabytes)
            self.assertNotIn(done.returncode, (70, -signal.SIGSEGV, -signal.SIGABRT), (megabytes, done.stderr))

    def test_an_answer_without_an_end(self):
        script = "while read line; do head -c 50000000 /dev/zero | tr '\\0' a; done"
        file = write_study(self.path, trials=1, command=["sh", "-c", script], objective="keep_alive = true")
        bocs("run", file)
        self.assertIn("longer than", json_lines("trials", file, "--json")[0]["error"])


class Metrics(WithFolder):
    def test_a_metric_that_is_no_number_keeps_the_value(self):
        line = '{"value": 1.5, "loss": NaN, "up": -Infinity, "large": 1e309, "mass": 2, "text": "NaN \\" 1e309"}'
        file = write_study(self.path, trials=2, command=["echo", line.replace("{", "{{")])
        run("run", file)
        for trial in json_lines("trials", file, "--json"):
            self.assertEqual((trial["state"], trial["value"], trial["metrics"]), ("complete", 1.5, {"mass": 2}))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""End-to-end tests of the `bocs` binary: what it prints, and with which exit code.

usage: cli_test.py PATH_OF_BOCS DATA_FOLDER
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from study_support import BOCS, PATIENCE, bocs, wait_until

DATA = os.path.abspath(sys.argv[2])


def run_json(*arguments):
    done = bocs("solve", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def golden(name):
    with open(os.path.join(DATA, name)) as file:
        return json.load(file)["cases"]


def catches(pid, number):
    """True when the process has installed its handler of a signal."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        (mask,) = [line.split()[1] for line in status if line.startswith("SigCgt")]
    return int(mask, 16) >> (number - 1) & 1 == 1


class Usage(unittest.TestCase):
    def refused(self, exit_code, words, *arguments):
        done = bocs(*arguments)
        self.assertEqual(done.returncode, exit_code, (arguments, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_unknown_names(self):
        self.refused(64, ["'--bogus'", "PROBLEM", "--trials"], "solve", "bqp", "--bogus", "3")
        self.refused(64, ["'bogus'", "run", "evaluate"], "bogus")
        self.refused(64, ["'bogus'", "run", "evaluate"], "bogus", "--help")
        self.refused(64, ["'bogus'", "bqp", "ising"], "solve", "bogus")
        self.refused(64, ["'bogus'", "bocs", "random"], "solve", "bqp", "--method", "bogus")
        self.refused(64, ["'colour'", "order"], "solve", "bqp", "--method", "bocs:colour=red")
        self.refused(64, ["'colour'", "sweeps"], "solve", "bqp", "--method", "bocs:model.colour=red")
        self.refused(64, ["PROBLEM"], "solve", "--trials", "3")

    def test_problems_were_a_part_of_run(self):
        for old in (("--problem", "bqp"), ("--problem=bqp", "--seed", "3"), ("--seed", "3", "--problem", "bqp", "--json")):
            self.refused(64, ["bocs solve PROBLEM"], "run", *old)

    def test_values_out_of_bounds(self):
        run = ("solve", "bqp")
        self.refused(64, ["--lambda", "'-1'", "at least 0"], *run, "--lambda", "-1")
        self.refused(64, ["--lambda", "'nan'", "finite"], *run, "--lambda", "nan")
        self.refused(64, ["--lambda", "'inf'", "finite"], *run, "--lambda", "inf")
        self.refused(64, ["--lambda", "'much'", "number"], *run, "--lambda", "much")
        self.refused(64, ["--trials", "'0'", "from 1 to"], *run, "--trials", "0")
        self.refused(64, ["--trials", "'1.5'", "whole number"], *run, "--trials", "1.5")
        self.refused(64, ["--trials", "'99999999999'", "2147483647"], *run, "--trials", "99999999999")
        self.refused(64, ["--seed", "'-4'", "from 0 to"], *run, "--seed", "-4")
        self.refused(64, ["--threads", "'0'", "from 1 to"], *run, "--threads", "0")
        self.refused(64, ["--penalty", "l3", "l1"], *run, "--penalty", "l3")
        self.refused(64, ["order=9"], *run, "--method", "bocs:order=9")

    def test_sdp_asked_for_what_it_cannot_treat(self):
        self.refused(64, ["sdp"], "solve", "bqp", "--method", "bocs-sdp:order=3")
        names = [problem["name"] for problem in json.loads(bocs("problems", "--json").stdout)]
        if "pest" in names:  # the one with categories
            self.refused(64, ["sdp"], "solve", "pest", "--method", "bocs-sdp")

    def test_points_outside_the_space_are_bad_data(self):
        evaluate = ("evaluate", "--problem", "bqp:d=4", "--x")
        self.refused(65, ["'01'", "2 entries", "4 variables"], *evaluate, "01")
        self.refused(65, ["x2", "'2'", "0 (false)"], *evaluate, "0120")
        self.refused(65, ["4 variables"], *evaluate, "0110", "--x", "011010")

    def test_points_against_the_constraints_are_bad_data(self):
        evaluate = ("evaluate", "--problem", "subset:d=5,k=2", "--x")
        self.assertEqual(bocs(*evaluate, "01010").returncode, 0)
        self.refused(65, ["01110", "violates", "exactly 2 of x0=1"], *evaluate, "01110")

    def test_help_and_version(self):
        self.assertRegex(bocs("--version").stdout, r"^bocs \d+\.\d+\.\d+ \(\w+\+?\)\n$")
        self.assertIn("bocs solve ising", bocs("solve", "--help").stdout)
        self.assertIn("--lambda", bocs("solve", "--help").stdout)
        for command in [(), ("run",), ("evaluate",), ("methods",), ("problems",)]:
            self.assertEqual(bocs(*command, "--help").returncode, 0)


class Lists(unittest.TestCase):
    def test_methods(self):
        methods = {method["name"]: method for method in json.loads(bocs("methods", "--json").stdout)}
        self.assertIn("random", methods)
        self.assertIn("bocs-sdp = bocs:minimizer=sdp", methods["bocs"]["shorthands"])
        options = {option["name"]: option for option in methods["bocs"]["options"]}
        self.assertEqual(options["order"]["default"], "auto")
        self.assertIn("model.sweeps", options)
        text = bocs("methods", "bocs").stdout
        for name in options:
            self.assertIn(name, text)

    def test_problems(self):
        problems = {problem["name"]: problem for problem in json.loads(bocs("problems", "--json").stdout)}
        self.assertIn("bqp", problems)
        self.assertIn("ising", problems)
        self.assertIn("ising", bocs("problems").stdout)


class Instance(unittest.TestCase):
    def test_written_and_read_back_to_the_bit(self):
        points = [f"{17 * k:012b}" for k in range(1, 40)]
        arguments = [part for x in points for part in ("--x", x)]
        with tempfile.TemporaryDirectory(prefix="bocs_cli_") as folder:
            file = os.path.join(folder, "instance.json")
            for spec in ("ising:rows=3,columns=3", "bqp:d=12", "contamination:d=12,samples=30"):
                with open(file, "w") as stream:
                    stream.write(bocs("instance", "--problem", spec, "--instance", "7").stdout)
                drawn = bocs("evaluate", "--problem", spec, "--instance", "7", *arguments)
                read = bocs("evaluate", "--problem", f"{spec.split(':')[0]}:instance={file}", *arguments)
                self.assertEqual((drawn.returncode, read.stdout), (0, drawn.stdout))

    def test_problems_without_one_say_who_has(self):
        done = bocs("instance", "--problem", "labs")
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        for word in ("labs", "bqp, ising, contamination"):
            self.assertIn(word, done.stderr)


class Evaluate(unittest.TestCase):
    def values(self, problem, lam, points):
        arguments = [part for x in points for part in ("--x", x)]
        done = bocs("evaluate", "--problem", problem, "--lambda", str(lam), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [float(line) for line in done.stdout.splitlines()]

    def test_golden_ising(self):
        for number, case in enumerate(golden("ising.json")):
            spec = f"ising:instance={DATA}/ising.json,case={number}"
            points = case["x"][:10]
            for lam in (0, 0.01):
                values = self.values(spec, lam, points)
                self.assertEqual(len(values), len(points))
                for x, kl, value in zip(points, case["kl"], values):
                    self.assertAlmostEqual(value, kl + lam * x.count("1"), delta=1e-10)

    def test_golden_bqp(self):
        for number, case in enumerate(golden("bqp.json")):
            spec = f"bqp:instance={DATA}/bqp.json,case={number}"
            for optimum in case["optimum"]:
                (value,) = self.values(spec, optimum["lam"], [optimum["x"]])
                self.assertAlmostEqual(value, optimum["value"], delta=1e-10)

    def test_penalties_agree_on_binary_variables(self):
        common = ("evaluate", "--problem", "bqp:d=6", "--lambda", "0.5", "--x", "110110")
        self.assertEqual(bocs(*common).stdout, bocs(*common, "--penalty", "l2").stdout)
        (plain,), (penalized,) = self.values("bqp:d=6", 0, ["110110"]), self.values("bqp:d=6", 0.5, ["110110"])
        self.assertAlmostEqual(penalized, plain - 2)  # maximized: minus lambda |x|_1

    def test_digits_round_trip(self):
        done = bocs("evaluate", "--problem", "bqp:d=8", "--x", "11011011")
        self.assertEqual(repr(float(done.stdout)), done.stdout.strip())
        self.assertEqual(bocs("evaluate", "--problem", "bqp:d=4", "--x", "0000").stdout, "0\n")  # maximized: not -0

    def test_marginals(self):
        arguments = ("evaluate", "--problem", "aerostruct", "--x", "000011100000000000110", "--marginals")
        with tempfile.TemporaryDirectory(prefix="bocs_cli_") as folder:
            done = bocs(*arguments, os.path.join(folder, "wing"))
            self.assertEqual(done.returncode, 0, done.stderr)
            svg = xml.etree.ElementTree.parse(os.path.join(folder, "wing.svg"))
            text = " ".join(svg.getroot().itertext())
            for word in ("reference", "simplified", "lift coefficient", "fuel burn", "failure", "95 %"):
                self.assertIn(word, text)
            open(os.path.join(folder, "file"), "w").close()
            done = bocs(*arguments, os.path.join(folder, "file", "wing"))  # no folder can be made there
            self.assertEqual(done.returncode, 69, done.stderr)
            self.assertIn("cannot be made", done.stderr)


class Solve(unittest.TestCase):
    def test_json_has_what_is_promised_and_it_is_true(self):
        arguments = ("bqp:d=8", "--trials", "40", "--initial", "10", "--lambda", "0.1", "--seed", "3")
        out = run_json(*arguments, "--instance", "7")
        self.assertEqual((out["trials"], out["seed"], out["instance"]), (40, 3, 7))
        self.assertGreater(out["seconds"], 0)
        self.assertGreaterEqual(out["suggest_seconds_mean"], 0)
        evaluate = ("evaluate", "--problem", "bqp:d=8", "--lambda", "0.1", "--instance", "7", "--x")
        for key in ("best", "recommended", "optimum"):
            self.assertAlmostEqual(float(bocs(*evaluate, out[key]["x"]).stdout), out[key]["value"], delta=1e-9)
        self.assertEqual(len({trial["x"] for trial in out["history"]}), 40)
        self.assertEqual(out["best"]["value"], max(trial["value"] for trial in out["history"]))
        self.assertAlmostEqual(out["best"]["value"], out["optimum"]["value"], delta=1e-9)

    def test_trials_do_not_depend_on_threads(self):
        arguments = ("ising:rows=3,columns=3", "--trials", "32", "--initial", "8", "--batch", "4")
        runs = [run_json(*arguments, "--threads", str(threads))["history"] for threads in (1, 2, 8)]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])

    def test_names_of_the_paper(self):
        for method in ("bocs-sdp", "bocs-sa", "mle-sa", "rs", "bocs-sa:order=2", "bocs:model=bayes,minimizer=tabu"):
            out = run_json("bqp:d=6", "--method", method, "--trials", "16", "--initial", "8")
            self.assertEqual(out["trials"], 16, method)

    def test_small_space_ends_cleanly(self):
        out = run_json("bqp:d=4", "--trials", "100")
        self.assertEqual(out["trials"], 16)
        self.assertEqual(out["stopped_because"], "the whole space has been evaluated")
        self.assertAlmostEqual(out["best"]["value"], out["optimum"]["value"], delta=1e-12)

    def test_limits(self):
        out = run_json("bqp:d=8", "--method", "rs", "--trials", "100000", "--target", "-1000")
        self.assertEqual(out["trials"], 1)
        out = run_json("bqp:d=20", "--method", "rs", "--trials", "100000000", "--seconds", "0.2")
        self.assertEqual(out["stopped_because"], "the time is up")

    def test_report_for_people(self):
        done = bocs("solve", "ising:rows=3,columns=3", "--trials", "30", "--initial", "10")
        self.assertEqual((done.returncode, done.stderr), (0, ""))  # no progress on a pipe
        for word in ("best", "value", "optimum", "regret", "recommended", "evaluations  30", "per suggestion", "next"):
            self.assertIn(word, done.stdout)

    def test_interrupt_still_prints_the_result(self):
        command = [BOCS, "solve", "bqp:d=20", "--trials", "100000", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            wait_until(lambda: catches(process.pid, signal.SIGINT), "it listens for interrupts")
            process.send_signal(signal.SIGINT)
            stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        out = json.loads(stdout.splitlines()[-1])
        self.assertLess(out["trials"], 100000)
        self.assertEqual(out["stopped_because"], "it was interrupted")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

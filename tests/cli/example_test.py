"""The examples of studies: examples/compiler_flags, with few trials, examples/kernel_tuning,
examples/production, and examples/keep_alive.

usage: example_test.py PATH_OF_BOCS
"""

import itertools
import json
import os
import shutil
import subprocess
import sys
import unittest

from study_support import bocs, folder, json_lines, run

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")


class CompilerFlags(unittest.TestCase):
    def test_runs_and_is_deterministic(self):
        with folder() as path:
            copy = shutil.copytree(os.path.join(EXAMPLES, "compiler_flags"), os.path.join(path, "compiler_flags"))
            file = os.path.join(copy, "flags.toml")
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
            self.assertIn("trials = 60\ninitial = 20", text)
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text.replace("trials = 60\ninitial = 20", "trials = 5\ninitial = 3"))
            self.assertNotIn("warning", run("check", file))
            bocs("run", file)  # exit code 78 where nothing can be evaluated
            trials = json_lines("trials", file, "--json")
            if any("ptrace" in (trial["error"] or "") for trial in trials):
                self.skipTest("single steps are not allowed here")
            self.assertEqual(len(trials), 5)
            for trial in trials:  # fast-math may be refused, because it changes the result
                self.assertTrue(trial["state"] == "complete" or trial["point"]["fast-math"] == 1, trial["error"])
            complete = [trial for trial in trials if trial["state"] == "complete"]
            self.assertGreaterEqual(len(complete), 1)
            for trial in complete:
                self.assertGreater(trial["value"], 1000)
                self.assertGreater(trial["metrics"]["bytes"], 100)
            again = subprocess.run([sys.executable, os.path.join(copy, "evaluate.py")], check=True, text=True,
                                   input=json.dumps(complete[0]["point"]), stdout=subprocess.PIPE)
            self.assertEqual(json.loads(again.stdout)["value"], complete[0]["value"])


class KernelTuning(unittest.TestCase):
    def test_runs_and_keeps_the_rules(self):
        with folder() as path:
            copy = shutil.copytree(os.path.join(EXAMPLES, "kernel_tuning"), os.path.join(path, "kernel_tuning"))
            file = os.path.join(copy, "kernel.toml")
            check = run("check", file)
            self.assertIn("16384*block_m*block_k <= 2**20", check)
            self.assertIn("forbidden: the 2 rows of broken.csv", check)
            powers = [2**k for k in range(7)]
            allowed = [
                (m, n, k, warps, layout)
                for m in powers for n in powers for k in powers for warps in (1, 2, 4, 8)
                for layout in ("row", "column", "swizzled")
                if m * k <= 64 and n == 2 * m and (layout != "swizzled" or (k >= 4 and warps != 1))
                and (warps, layout) not in ((8, "column"), (1, "row"))
            ]
            self.assertIn(f"points       {len(allowed)}\n", check)
            result = json_lines("run", file, "--json")[-1]
            self.assertEqual((result["trials"], result["failures"]), (40, 0))
            points = [tuple(trial["point"].values()) for trial in json_lines("trials", file, "--json")]
            self.assertEqual([p for p in points if p not in allowed], [])


class Production(unittest.TestCase):
    def test_counts_its_plans_and_keeps_the_rules(self):
        with folder() as path:
            file = os.path.join(shutil.copytree(os.path.join(EXAMPLES, "production"), os.path.join(path, "production")), "plan.toml")
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text.replace("trials = 80", "trials = 30"))
            routes = 120 // 2  # a before e
            crews = [set(c) for k in (1, 2, 3) for c in itertools.combinations(("ann", "ben", "eva", "kim"), k)]
            blends = [(r, s, 20 - r - s) for r in range(21) for s in range(21 - r) if 0 in (r, s, 20 - r - s)]
            pairs = sum(1 for crew in crews for blend in blends if "ann" not in crew or blend[2] <= 10)
            self.assertEqual(json.loads(run("check", file, "--json"))["points"], routes * pairs * 6 * (1 + 5))
            result = json_lines("run", file, "--json")[-1]
            self.assertEqual((result["trials"], result["failures"]), (30, 0))
            for trial in json_lines("trials", file, "--json"):
                x = trial["point"]
                self.assertLess(x["route"].index("a"), x["route"].index("e"))
                self.assertIn(set(x["crew"]), crews)
                self.assertAlmostEqual(sum(x["blend"].values()), 1)
                self.assertTrue("ann" not in x["crew"] or x["blend"].get("lime", 0) <= 0.5)
                self.assertEqual("speed" in x, x["tool"] == "laser")
            self.assertIn("> ", run("best", file))
            self.assertIn("30 proposals are the same again, 0 differ", run("trials", file, "--verify"))


class KeepAlive(unittest.TestCase):
    def setUp(self):
        context = folder()
        path = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        self.copy = shutil.copytree(os.path.join(EXAMPLES, "keep_alive"), os.path.join(path, "keep_alive"))

    def test_in_python(self):
        file = os.path.join(self.copy, "features.toml")
        result = json_lines("run", file, "--json")[-1]
        self.assertEqual((result["trials"], result["failures"]), (60, 0))
        chosen = {name for name, value in result["best"]["point"].items() if value == 1}
        self.assertEqual(chosen, {"feature[age]", "feature[pressure]", "feature[sugar]"})  # as the data were made
        self.assertEqual(result["best"]["metrics"], {"features": 3})
        self.assertIn("feature: age pressure sugar", run("best", file))

    def test_in_shell(self):
        file = os.path.join(self.copy, "pumps.toml")
        result = json_lines("run", file, "--json")[-1]
        self.assertEqual((result["trials"], result["failures"]), (16, 1))  # all points there are; without a pump: no water
        self.assertEqual(result["reasons"], [{"error": "no water", "count": 1, "last": result["reasons"][0]["last"]}])
        self.assertEqual(result["best"]["value"], 3)  # pumps 0, 2 and 3


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

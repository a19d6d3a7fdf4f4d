"""examples/compiler_flags, with few trials: a real program optimized from a study file.

usage: example_test.py PATH_OF_BOCS
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from study_support import folder, json_lines, run

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/compiler_flags")


class CompilerFlags(unittest.TestCase):
    def test_runs_and_is_deterministic(self):
        with folder() as path:
            copy = shutil.copytree(EXAMPLE, os.path.join(path, "compiler_flags"))
            file = os.path.join(copy, "flags.toml")
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
            self.assertIn("trials = 60\ninitial = 20", text)
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text.replace("trials = 60\ninitial = 20", "trials = 5\ninitial = 3"))
            self.assertNotIn("warning", run("check", file))
            run("run", file)
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

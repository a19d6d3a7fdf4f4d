"""`bocs run` is killed at random moments: nothing that was told is lost or evaluated again, and the points are the same
as without any interruption.

usage: kill_test.py PATH_OF_BOCS [NUMBER_OF_KILLS]
"""

import collections
import os
import random
import subprocess
import sys
import time
import unittest

from study_support import BOCS, PATIENCE, folder, json_lines, run, write_study

KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
TRIALS = 40
# The log says which trials were begun. Slow enough to be hit while it runs.
SCRIPT = "echo $BOCS_TRIAL >> log; sleep 0.02; echo $((BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 * BOCS_X_4))"


def finished(file):
    return {trial["number"]: trial for trial in json_lines("trials", file, "--json") if trial["state"] == "complete"}


class Kill(unittest.TestCase):
    def begun(self, path):
        log = os.path.join(path, "log")
        if not os.path.exists(log):
            return collections.Counter()
        with open(log, encoding="utf-8") as stream:
            return collections.Counter(int(line) for line in stream)

    def run_with_kills(self, path, file, generator, kills):
        """Runs the study to its end, killing it up to `kills` times; returns how often it was killed."""
        killed, before, stuck = 0, {}, 0
        begun_before = collections.Counter()
        while True:
            process = subprocess.Popen([BOCS, "run", file, "-q"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if killed < kills:
                try:
                    process.wait(timeout=generator.uniform(0, 0.15 * 4**stuck))
                except subprocess.TimeoutExpired:
                    process.kill()
                    killed += 1
            _, stderr = process.communicate(timeout=PATIENCE)
            if process.returncode == 0:
                return killed
            self.assertEqual((process.returncode, stderr), (-9, b""))
            begun = self.begun(path)
            # A trial that is cut off ten times has failed: let one that gets nowhere, as on a loaded machine, run longer.
            stuck = 0 if len(begun) > len(begun_before) else stuck + 1
            for number in before:
                self.assertEqual(begun[number], begun_before[number])  # nothing told is evaluated again
            if begun and (killed % 5 == 0 or killed == kills):  # before the first trial there may not even be a study
                done = finished(file)
                for number, trial in before.items():
                    self.assertEqual(done[number], trial)  # nor is it lost, nor does it change
                before = done
            begun_before = begun

    def test_nothing_is_lost_or_repeated_and_the_points_are_the_same(self):
        with folder() as path:
            whole = write_study(path, "whole.toml", trials=TRIALS, command=["sh", "-c", SCRIPT])
            run("run", whole, "-q")
            expected = [(trial["number"], trial["point"], trial["value"]) for trial in json_lines("trials", whole, "--json")]
        self.assertEqual(len(expected), TRIALS)
        generator = random.Random(1)
        killed, studies = 0, 0
        start = time.monotonic()
        while killed < KILLS:
            with folder() as path:
                file = write_study(path, trials=TRIALS, command=["sh", "-c", SCRIPT])
                killed_here = self.run_with_kills(path, file, generator, KILLS - killed)
                trials = json_lines("trials", file, "--json", "--verify")
                self.assertEqual([(trial["number"], trial["point"], trial["value"]) for trial in trials], expected)
                self.assertTrue(all(trial["verified"] for trial in trials))
                # Whatever was begun more than once was cut off by a kill.
                self.assertLessEqual(sum(self.begun(path).values()), TRIALS + killed_here)
                killed += killed_here
                studies += 1
        print(f"{killed} kills in {studies} studies of {TRIALS} trials, {time.monotonic() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

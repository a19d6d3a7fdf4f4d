"""Studies that bocs 0.1 and 0.2 made (tests/data): looking at them changes nothing; upgraded, they verify and go on.

usage: upgrade_test.py PATH_OF_BOCS
"""

import collections
import json
import os
import re
import shutil
import sqlite3
import sys
import unittest

from study_support import WithFolder, bocs, json_lines, run

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/store_0.1")
DATA_0_2 = os.path.join(os.path.dirname(DATA), "store_0.2")
# Since 0.2 the chains of the regression start from anchors and the search of expected improvement at other points: seeds
# of methods with a model changed meaning.
CHANGED = ("default", "sdp", "noise", "mixed", "ei", "smac")
SAME = ("annealing",)


class Upgrade(WithFolder):
    def unpack(self, name, data=DATA):
        """The study's file and database as 0.1 left them; returns the file, and number -> (state, point, value)."""
        for file in (name + ".toml", "past.csv"):
            shutil.copy(os.path.join(data, file), self.path)
        database = sqlite3.connect(self.file(name + ".db"))
        with open(os.path.join(data, name + ".sql"), encoding="utf-8") as stream:
            database.executescript(stream.read())
        rows = database.execute("SELECT number, state, point, value FROM bocs_trial WHERE point IS NOT NULL").fetchall()
        database.close()
        return self.file(name + ".toml"), {row[0]: row[1:] for row in rows}

    def more_trials(self, name, count):
        text = self.read(name + ".toml")
        trials = int(re.search(r"trials = (\d+)", text).group(1))
        self.write(name + ".toml", text.replace(f"trials = {trials}", f"trials = {trials + count}"))

    def files(self):
        """Every file of the folder, byte by byte."""
        found = {}
        for name in os.listdir(self.path):
            with open(self.file(name), "rb") as stream:
                found[name] = stream.read()
        return found

    def stored(self, name):
        database = sqlite3.connect(self.file(name + ".db"))
        rows = database.execute("SELECT number, state, point, value FROM bocs_trial").fetchall()
        database.close()
        return {row[0]: row[1:] for row in rows}

    def verify(self, file):
        """All trials; proposals of this program, or of 0.1 with seeds that still mean the same, are found again."""
        done = bocs("trials", file, "--json", "--verify")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_looking_changes_no_byte_and_says_the_same_as_after_the_upgrade(self):
        for name in ("default", "noise"):
            file, _ = self.unpack(name)
            database = self.file(name + ".db")
            for journal in ("DELETE", "WAL"):
                connection = sqlite3.connect(database)
                connection.execute("PRAGMA journal_mode = " + journal)
                connection.close()
                files = self.files()
                looks = [["best", file, "--json"], ["best", database], ["trials", file, "--json"],
                         ["explain", file, "--json"], ["export", file], ["check", file, "--json"],
                         ["report", file, "--json"], ["studies", "--store", "sqlite:" + database, "--json"]]
                seen = [run(*look) for look in looks]
                self.assertEqual(self.files(), files)
                self.assertIn("bocs upgrade", seen[5])
            for command in (["run", file], ["worker", file], ["ask", file], ["create", file], ["pause", file],
                            ["tell", file, "--trial", "1", "--value", "1"], ["retry", file, "--trial", "7"],
                            ["import", file, "--data", self.file("past.csv")], ["delete", file, "--yes"],
                            ["enqueue", file, "--point", json.dumps(json.loads(seen[2].splitlines()[0])["point"])]):
                if name == "noise" and command[0] == "import":
                    continue  # the rows are those of another study
                if name == "noise" and command[0] == "create":
                    continue  # nothing to change
                self.refused(69, ["older", "bocs upgrade --store sqlite:"], *command)
            self.assertEqual(self.files(), files)
            (upgraded,) = json_lines("upgrade", file, "--json")
            self.assertEqual((upgraded["from"], upgraded["to"]), (2, 7))
            with open(upgraded["backup"], "rb") as stream:
                self.assertEqual(len(stream.read()), len(files[name + ".db"]))
            self.assertEqual(upgraded["backup"], self.file(name + ".version2.db"))
            self.assertIn("already", run("upgrade", "--store", "sqlite:" + database))
            again = [run(*look) for look in looks]
            for look in (0, 1, 2, 3, 4):
                self.assertEqual(again[look], seen[look], looks[look])
            self.assertNotIn("bocs upgrade", again[5])
            kept = [json.loads(line) for line in run("trials", upgraded["backup"], "--json").splitlines()]
            self.assertEqual(kept, [json.loads(line) for line in seen[2].splitlines()])

    def test_an_older_store_that_may_only_be_read_can_be_looked_at(self):
        if os.getuid() == 0 and not hasattr(os, "setresuid"):
            self.skipTest("needs to become somebody else")
        file, before = self.unpack("default")
        os.chmod(self.file("default.db"), 0o444)
        os.chmod(self.path, 0o555)
        self.addCleanup(os.chmod, self.path, 0o755)

        def nobody():
            if os.getuid() == 0:
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)

        files = self.files()
        for journal in (None, "WAL"):
            if journal:
                os.chmod(self.path, 0o755)
                os.chmod(self.file("default.db"), 0o644)
                connection = sqlite3.connect(self.file("default.db"))
                connection.execute("PRAGMA journal_mode = WAL")
                connection.close()
                os.chmod(self.file("default.db"), 0o444)
                os.chmod(self.path, 0o555)
                files = self.files()
            trials = json_lines("trials", self.file("default.db"), "--json", preexec_fn=nobody)
            self.assertEqual([trial["number"] for trial in trials], sorted(before))
            self.assertIn("value", run("best", file, preexec_fn=nobody))
            self.refused(69, [], "pause", file, preexec_fn=nobody)
            self.refused(69, [], "upgrade", file, preexec_fn=nobody)
            self.assertEqual(self.files(), files)

    def test_every_proposal_of_0_2_is_found_again(self):
        names = sorted(name[:-4] for name in os.listdir(DATA_0_2) if name.endswith(".sql"))
        self.assertEqual(len(names), 11)
        for name in names:
            with self.subTest(name):
                file, before = self.unpack(name, DATA_0_2)
                run("upgrade", file)
                trials = self.verify(file)
                self.assertEqual([trial["number"] for trial in trials], sorted(before))
                others = [trial["number"] for trial in trials if not trial["verified"]]
                self.assertEqual(others, [0, 1, 2, 3] if name == "default" else [])  # past data

    def test_every_study_opens_verifies_and_goes_on(self):
        for name in CHANGED + SAME:
            with self.subTest(name):
                file, before = self.unpack(name)
                trials = self.verify(file)
                run("upgrade", file)
                self.assertEqual(self.verify(file), trials)
                self.assertEqual([trial["number"] for trial in trials], sorted(before))
                self.assertEqual(sum(trial["origin"] == "imported" for trial in trials), 4 if name == "default" else 0)
                for trial in trials:
                    if trial["origin"] == "imported":
                        self.assertIsNone(trial["verified"])
                    elif trial["origin"] == "initial" or name in SAME:
                        self.assertTrue(trial["verified"], trial)
                    else:  # what was found again is said; what was not is another version's
                        self.assertIsNot(trial["verified"], False, trial)
                self.more_trials(name, 4)
                more = json_lines("run", file, "--json")[-1]
                self.assertEqual((more["trials"], more["told"]), (len(before) + 4, 4))
                after = self.stored(name)
                self.assertEqual({number: after[number] for number in before}, before)
                if name != "noise":  # which measures points again
                    self.assertEqual(len({row[1] for row in after.values()}), len(before) + 4)
                for trial in self.verify(file):
                    if trial["number"] not in before:
                        self.assertTrue(trial["verified"], trial)

    def test_where_the_trials_came_from(self):
        file, _ = self.unpack("default")
        counts = collections.Counter((t["origin"], t["member"]) for t in json_lines("trials", file, "--json"))
        self.assertEqual(counts, {("imported", None): 4, ("initial", None): 6, ("proposed", "ei"): 5,
                                  ("proposed", "order 2"): 5, ("proposed", "order 4"): 8})
        file, _ = self.unpack("noise")
        counts = collections.Counter((t["origin"], t["member"]) for t in json_lines("trials", file, "--json"))
        self.assertEqual(counts, {("initial", None): 6, ("proposed", "ei"): 4, ("proposed", "again"): 3,
                                  ("proposed", "order 2"): 4, ("proposed", "order 4"): 3})

    def test_past_data_is_not_imported_again_but_what_it_grew_by_is(self):
        file, before = self.unpack("default")
        run("upgrade", file)
        self.assertEqual(json_lines("create", file, "--json")[0]["begun"], len(before))
        # One of the four told trials was told by hand: 0.1 would take the next row for it.
        self.write("past.csv", self.read("past.csv") + "1,1,1,1,1,1,0,0,17\n")
        for _ in range(2):
            created = json_lines("create", file, "--json")[0]
            self.assertEqual((created["begun"], created["trials"]), (len(before) + 1, len(before) + 1))
        self.assertEqual(json_lines("trials", file, "--json")[-1]["value"], 17)

    def test_a_trial_that_an_ask_of_then_left_behind_is_done(self):
        file, before = self.unpack("sdp")
        run("upgrade", file)
        self.more_trials("sdp", 1)
        run("run", file, "--quiet")  # it sees the silence since 1970
        after = self.stored("sdp")
        self.assertEqual(set(after) - set(before), {16})
        self.assertIn(after[16][0], ("complete", "failed"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""End-to-end tests of studies: the study file, and every command about studies.

usage: study_test.py PATH_OF_BOCS
"""

import csv
import io
import json
import os
import re
import sqlite3
import sys
import unittest

from study_support import WithFolder, bocs, json_lines, run, write_study


def value(point):
    x = [point[f"x[{i}]"] for i in range(6)]
    return 3 * x[0] - 2 * x[1] * x[2] + x[3] - x[4] * x[5]


class Files(WithFolder):
    def test_the_example_works_at_once(self):
        run("init", "a study.toml", cwd=self.path)
        file = self.file("a study.toml")
        self.refused(65, ["already there"], "init", file)
        text = run("check", file)
        for word in ("12: 10 binary, 1 integer, 1 categorical", "constraints  3", "sqlite:", "not there yet"):
            self.assertIn(word, text)
        self.assertNotIn("warning", text)
        checked = json.loads(run("check", file, "--json"))
        self.assertEqual((checked["variables"], checked["trials"], checked["warnings"]), (12, 60, []))
        done = bocs("run", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("best", "value", "evaluations  60 of 60 (60 in this run, ", "), 0 failed"):
            self.assertIn(word, done.stdout)
        self.assertTrue(os.path.exists(self.file("a study.db")))
        points = gaps = 0
        for trial in json_lines("trials", file, "--json"):
            point = trial["point"]
            stations = [point[f"station[{i}]"] for i in range(10)]
            self.assertLessEqual(sum(stations), 5)
            self.assertTrue(point["depot"] != "river" or stations[3] == 1)
            self.assertLessEqual(2 * sum(stations) + 3 * point["crew"], 17)
            points += 1
            if trial["origin"] == "proposed" and trial["member"].startswith("order"):
                self.assertGreaterEqual(trial["gap"], 0)
                self.assertAlmostEqual(abs(trial["predicted"] - trial["bound"]), trial["gap"])
                gaps += 1
            elif trial["origin"] == "initial":
                self.assertIsNone(trial["gap"])
        self.assertEqual(points, 60)
        self.assertGreater(gaps, 0)
        self.assertIn("gap", run("trials", file).splitlines()[0])

    def test_check_counts_points_and_warns(self):
        file = write_study(self.path, bits=6, trials=100, command=["no-such-program-here"],
                           tail="[[constraints]]\nexactly = 2\nof = \"x\"\n")
        done = bocs("check", file, "--json")
        self.assertEqual(done.returncode, 65, done.stderr)
        checked = json.loads(done.stdout)
        self.assertEqual(checked["points"], 15)
        self.assertEqual((len(checked["warnings"]), len(checked["problems"])), (1, 1))
        self.assertIn("no-such-program-here", checked["problems"][0])
        self.assertIn("no-such-program-here", done.stderr)
        self.refused(65, ["no-such-program-here"], "run", file)
        self.assertFalse(any(trial for trial in json_lines("trials", file, "--json")))

    def test_the_variables_and_constraints_of_the_documentation(self):
        here = os.path.dirname(os.path.abspath(__file__))
        blocks = re.findall(r"^```toml\n(.*?)^```$", self.read(os.path.join(here, "../../docs/studies.md")), re.MULTILINE | re.DOTALL)
        (variables,) = [block for block in blocks if block.startswith("[[variables]]")]
        run("check", self.write("variables.toml", variables))
        (constraints,) = [block for block in blocks if block.startswith("[[constraints]]")]
        file = self.write("documented.toml", self.read(os.path.join(here, "../data/stations.toml")) + constraints)
        checked = json.loads(run("check", file, "--json"))
        self.assertEqual(len(checked["constraints"]), constraints.count("[[constraints]]"))

    def test_mistakes_are_bad_data_with_file_and_line(self):
        file = write_study(self.path, study="trails = 3")
        for command in ("check", "run", "create", "ask", "best"):
            self.refused(65, ["study.toml:4:", "'trails'", "did you mean 'trials'?"], command, file)
        self.refused(65, ["none.toml"], "check", self.file("none.toml"))
        file = write_study(self.path, command=["sh", "-c", "echo {x[9]}"])
        for command in ("check", "run", "create"):
            self.refused(65, ["study.toml:10:", "{x[9]}"], command, file)
        file = write_study(self.path, tail="[store]\nurl = \"study.db\"\n")
        self.refused(65, ["study.toml:15:", "'study.db'", "sqlite:FILE"], "check", file)

    def test_wrong_usage(self):
        file = write_study(self.path)
        self.refused(64, ["FILE", "bocs solve"], "run", "--json")
        self.refused(64, ["`bocs run` takes no --seed", "seed = ... under [study]"], "run", file, "--seed", "3")
        self.refused(64, ["seed = ... under [study]"], "run", "--seed=3", file)
        self.refused(64, ["bocs solve PROBLEM"], "run", file, "--problem", "bqp")
        self.refused(64, ["'--instance'", "--trials"], "run", file, "--instance", "2")
        self.refused(64, ["spec = \"...\" under [method]"], "run", file, "--method", "ei")
        self.refused(64, ["FILE", "--store"], "best")
        self.refused(64, ["FILE", "--store"], "best", file, "--store", "sqlite:a.db")
        self.refused(64, ["mysql"], "studies", "--store", "mysql:a")
        for command in ("init", "check", "try", "run", "solve", "compare", "create", "ask", "tell", "enqueue", "retry", "worker", "best",
                        "trials", "explain", "simplify", "report", "dashboard", "pause", "resume", "export", "import", "studies", "delete",
                        "completion", "man"):
            self.assertEqual(bocs(command, "--help").returncode, 0)

    def test_names_and_levels_are_only_text(self):
        evil = "'; DROP TABLE bocs_trial; --"
        file = self.write("evil.toml", f"""
[study]
name = "{evil}"
trials = 4
[[variables]]
name = "{evil}"
type = "categorical"
levels = ["$(touch owned)", "`touch owned`; touch owned", "ü \\u001b[31m"]
[[variables]]
name = "b"
type = "binary"
count = 3
[objective]
command = ["sh", "-c", "test \\"$1\\" = \\"$2\\" && echo 1", "sh", "{{{evil}}}", "$(touch owned)"]
[method]
spec = "random"
""")
        run("run", file)
        self.assertFalse(os.path.exists(self.file("owned")))
        trials = json_lines("trials", file, "--json")
        self.assertEqual(len(trials), 4)
        for trial in trials:
            expected = "complete" if trial["point"][evil] == "$(touch owned)" else "failed"
            self.assertEqual(trial["state"], expected)
        self.assertNotIn("\x1b", run("trials", file))


class Commands(WithFolder):
    def test_run_resumes_and_takes_a_larger_budget(self):
        file = write_study(self.path, trials=20)
        first = json_lines("run", file, "--json")
        self.assertEqual(len(first), 21)  # a line per trial, and the result
        self.assertEqual((first[-1]["trials"], first[-1]["told"]), (20, 20))
        for trial in first[:-1]:
            self.assertEqual(trial["value"], value(trial["point"]))
        again = json_lines("run", file, "--json")
        self.assertEqual((len(again), again[-1]["told"]), (1, 0))
        self.assertEqual(again[-1]["stopped_because"], "trial budget reached")
        write_study(self.path, trials=33)
        self.assertEqual(json_lines("run", file, "--json")[-1]["told"], 13)
        whole = write_study(self.path, "whole.toml", trials=33)
        run("run", whole, "-q")
        self.assertEqual([trial["point"] for trial in json_lines("trials", file, "--json")],
                         [trial["point"] for trial in json_lines("trials", whole, "--json")])

    def test_another_study_of_the_same_name_is_refused(self):
        file = write_study(self.path, trials=3, bits=6)
        run("run", file)
        write_study(self.path, trials=3, bits=7, study="seed = 4")
        self.refused(65, ["other variables (x[6] is new), seed (was 1, is 4)"], "run", file)
        self.assertIn("other variables (x[6] is new), seed (was 1, is 4)", bocs("check", file).stdout)
        self.refused(64, ["--yes", "3 trials"], "delete", "--store", "sqlite:" + self.file("study.db"), "--study", "study")
        (deleted,) = json_lines("delete", file, "--yes", "--json")
        self.assertEqual((deleted["study"], deleted["removed"]), ("study", 3))
        run("run", file)

    def test_best_trials_studies_and_verify(self):
        file = write_study(self.path, trials=30, study="direction = \"maximize\"\nlambda = 0.25")
        run("run", file)
        trials = json_lines("trials", file, "--json", "--verify")
        self.assertTrue(all(trial["verified"] for trial in trials))
        self.assertEqual([trial["number"] for trial in trials], list(range(30)))
        for trial in trials:
            self.assertAlmostEqual(trial["total"], value(trial["point"]) - 0.25 * sum(trial["point"].values()))
        best = json.loads(run("best", file, "--json"))
        self.assertEqual(best["best"]["total"], max(trial["total"] for trial in trials))
        self.assertEqual(list(best["best"]["point"]), [f"x[{i}]" for i in range(8)])  # in the order of the variables
        self.assertIsNone(best["recommended"])  # nothing is random: the best trial is the answer
        for command in ("best", "run", "trials"):
            self.assertIn("with penalty", run(command, file))
        self.assertIn("30 proposals are the same again, 0 differ", run("trials", file, "--verify"))
        studies = json_lines("studies", "--store", "sqlite:" + self.file("study.db"), "--json")
        self.assertEqual([(s["study"], s["complete"], s["trials"]) for s in studies], [("study", 30, 30)])
        self.assertIn("study", run("studies", "--store", "sqlite:" + self.file("study.db")))
        database = sqlite3.connect(self.file("study.db"))  # somebody meddles with a point
        point = json.loads(database.execute("SELECT point FROM bocs_trial WHERE number = 29").fetchone()[0])
        with database:
            database.execute("UPDATE bocs_trial SET point = ? WHERE number = 29",
                             (json.dumps([1 - level for level in point]),))
        database.close()
        done = bocs("trials", file, "--verify")
        self.assertEqual(done.returncode, 65)
        self.assertIn("29 proposals are the same again, 1 differ", done.stdout)

    def test_ask_and_tell(self):
        file = write_study(self.path, trials=6, study="direction = \"maximize\"")
        asked = json_lines("ask", file, "--count", 3)
        self.assertEqual([a["number"] for a in asked], [0, 1, 2])
        self.assertEqual(list(asked[0]["point"]), [f"x[{i}]" for i in range(8)])
        run("tell", file, "--trial", 1, "--value", "-2.5")
        self.refused(64, ["already finished"], "tell", file, "--trial", 1, "--value", 3)
        self.refused(64, ["99"], "tell", file, "--trial", 99, "--value", 3)
        self.refused(64, ["99"], "tell", file, "--trial", 99, "--release")
        self.refused(65, ["number"], "tell", file, input=json.dumps({"number": 2**32, "value": 3}))  # not trial 0
        self.refused(64, ["--value"], "tell", file, "--trial", 0)
        self.refused(64, ["finite"], "tell", file, "--trial", 0, "--value", "nan")
        run("tell", file, "--trial", 0, "--failed", "the mesh has a hole")
        (released,) = json_lines("tell", file, "--trial", 2, "--release", "--json")
        self.assertEqual((released["state"], released["point"]), ("waiting", asked[2]["point"]))
        self.assertEqual(json_lines("ask", file, "--json"), [asked[2]])
        (told,) = json_lines("tell", file, "--json", input='{"number": 2, "value": 4, "mass": 2.5, "note": "x"}\n\n')
        self.assertEqual((told["number"], told["total"]), (2, 4))
        self.refused(65, ["error"], "tell", file, input='{"number": 2}\n')
        self.refused(65, ["x[1]"], "tell", file, input='{"point": {"x[0]": 1}, "value": 3}\n')
        point = {f"x[{i}]": 1 for i in range(8)}
        run("tell", file, input=json.dumps({"point": point, "value": 9}))
        trials = json_lines("trials", file, "--json")
        self.assertEqual([trial["state"] for trial in trials], ["failed", "complete", "complete", "complete"])
        self.assertEqual(trials[0]["error"], "the mesh has a hole")
        self.assertEqual((trials[2]["value"], trials[2]["metrics"]), (4, {"mass": 2.5}))
        self.assertEqual(json.loads(run("best", file, "--json"))["best"]["point"], point)
        last = json_lines("ask", file, "--count", 10)
        self.assertEqual(len(last), 3)  # what was told unasked is on top of the budget
        self.assertIn("asked for by hand", run("trials", file))
        errors = ["no licence", {"code": 3}]
        lines = [json.dumps({"number": a["number"], "error": error}) for a, error in zip(last, errors)]
        told = json_lines("tell", file, "--json", input="\n".join(lines))
        self.assertEqual([(t["state"], t["error"]) for t in told], [("failed", "no licence"), ("failed", '{"code":3}')])

    def test_a_store_of_several_studies_asks_which(self):
        for name in ("first", "second"):
            run("create", write_study(self.path, name + ".toml", tail='[store]\nurl = "sqlite:both.db"'))
        self.refused(64, ["several studies", "--study", "first, second"], "best", "--store", "sqlite:" + self.file("both.db"))

    def test_check_says_that_the_store_cannot_be_used(self):
        file = write_study(self.path)
        self.write("study.db", "this is no database, " * 100)
        done = bocs("check", file)
        self.assertEqual(done.returncode, 69)
        self.assertIn("not usable", done.stdout)
        self.assertIn("not a database of SQLite", done.stderr)

    def test_export_and_import(self):
        file = write_study(self.path, trials=25, study="direction = \"maximize\"",
                           command=["sh", "-c", "test $BOCS_TRIAL -ne 3 && echo '{\"value\": '$BOCS_X_0.5', \"m\": 2}'"])
        run("run", file)
        rows = list(csv.DictReader(io.StringIO(run("export", file))))
        self.assertEqual(len(rows), 25)
        self.assertEqual([row["state"] for row in rows].count("failed"), 1)
        self.assertEqual({float(row["m"]) for row in rows if row["m"]}, {2.0})
        self.assertEqual(len(json.loads(run("export", file, "--format", "json"))), 25)
        run("export", file, "--output", self.file("past.csv"))
        new = write_study(self.path, "new.toml", trials=10, study="direction = \"maximize\"\ndata = \"past.csv\"")
        self.assertIn("24 evaluations, 1 rows", run("check", new))
        self.assertEqual(json_lines("run", new, "--json")[-1]["told"], 10)
        trials = json_lines("trials", new, "--json", "--verify")
        self.assertEqual(len(trials), 34)
        self.assertEqual([trial["value"] for trial in trials[:24]], [float(row["value"]) for row in rows if row["value"]])
        self.assertEqual([trial["verified"] for trial in trials], [None] * 24 + [True] * 10)
        self.assertEqual(json_lines("import", new, "--data", self.file("past.csv"), "--json"),
                         [{"added": 0, "known": 24, "skipped": 1, "moved": 0}])
        self.assertEqual(json_lines("import", new, "--data", self.file("past.csv"), "--again", "--json")[0]["added"], 24)
        self.assertEqual(len(json_lines("trials", new, "--json")), 58)
        self.write("wrong.csv", "x[0],value\n1,2\n")
        self.refused(65, ["wrong.csv:1:", "x[1]"], "import", new, "--data", self.file("wrong.csv"))

    def test_a_paused_study_gives_nothing_out(self):
        file = write_study(self.path, trials=3)
        run("create", file)
        self.assertEqual(json_lines("pause", file, "--json"), [{"study": "study", "paused": True}])
        done = bocs("ask", file)
        self.assertEqual(done.stdout, "")
        self.assertIn("the study is paused; bocs resume", done.stderr)
        self.assertIn("goes on", run("resume", file))
        self.assertEqual(json_lines("ask", file)[0]["number"], 0)

    def test_explain_finds_the_polynomial(self):
        file = write_study(self.path, trials=60, study="direction = \"maximize\"", method="random")
        run("run", file)
        lines = json_lines("explain", file, "--json", "--top", 4)
        # -2 b c = -2 (b - 1/2) (c - 1/2) - (b - 1/2) - (c - 1/2) + 1/2: what the pair does is divided equally.
        variance = [9 / 4, 1 / 4 + 1 / 8, 1 / 4 + 1 / 8, 1 / 4, 1 / 16 + 1 / 32, 1 / 16 + 1 / 32, 0, 0]
        shares = {line["variable"]: line["share"] for line in lines if "variable" in line}
        for i, of in enumerate(variance):
            self.assertAlmostEqual(shares[f"x[{i}]"], of / sum(variance), delta=0.02)
        effects = [line for line in lines if "names" in line]
        found = {tuple(effect["names"]): effect for effect in effects}
        for names, coefficient in {("x[0]",): 3, ("x[1]", "x[2]"): -2, ("x[3]",): 1, ("x[4]", "x[5]"): -1}.items():
            self.assertAlmostEqual(found[names]["mean"], coefficient, delta=0.1)
            self.assertGreater(found[names]["probability"], 0.99)
        text = run("explain", file, "--top", 3)
        self.assertTrue(text.splitlines()[1].startswith("x[0]"), text)  # first one line per variable
        self.assertIn("x[1] * x[2]", text)
        self.assertIn("a polynomial of order 2, 60 trials", text)
        few = run("explain", file).splitlines()
        self.assertLess(len(few), 20)  # 36 terms, of which four matter
        self.assertIn("none of them sure", few[-2])
        self.assertEqual({len(line["names"]) for line in json_lines("explain", file, "--json", "--order", 1)
                          if "names" in line}, {1})

    def test_explain_says_when_nothing_is_sure(self):
        file = write_study(self.path, trials=3, method="random")
        run("run", file)
        self.assertIn("No effect is sure yet", run("explain", file))

    def test_explain_shows_the_model_of_the_method(self):
        file = write_study(self.path, trials=30, method="bocs:order=1,extra=x[1]*x[2],exclude=x[0]")
        run("run", file)
        found = [line["names"] for line in json_lines("explain", file, "--json", "--top", 0) if "names" in line]
        self.assertEqual(sorted(found), sorted([[f"x[{i}]"] for i in range(1, 8)] + [["x[1]", "x[2]"]]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

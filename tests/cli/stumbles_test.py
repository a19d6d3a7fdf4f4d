"""Where new users stumbled: what they tried, and what the program does and says about it.

usage: stumbles_test.py PATH_OF_BOCS
"""

import json
import subprocess
import sys
import unittest

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, write_study

MIXED = """
[study]
trials = 14
{study}
[[variables]]
name = "pitch"
type = "real"
low = 0.2
high = 1.2
steps = 100
[[variables]]
name = "tubes"
type = "integer"
low = 20
high = 60
step = 5
[[variables]]
name = "mat"
type = "categorical"
levels = ["cu", "steel"]
[[variables]]
name = "b"
type = "binary"
count = 4
{tail}
"""
COLUMNS = "pitch,tubes,mat,b[0],b[1],b[2],b[3],value\n"


class Mixed(WithFolder):
    def study(self, name="mixed.toml", study="", tail="[method]\nspec = \"random\"\n"):
        return self.write(name, MIXED.format(study=study, tail=tail))


class Asking(WithFolder):
    def test_the_natural_loop_ends(self):
        file = write_study(self.path, trials=3)
        loop = (f"while line=$('{BOCS}' ask '{file}'); do n=$(echo $line | tr -cd '0-9:,' | cut -d: -f2 | cut -d, -f1); "
                f"'{BOCS}' tell '{file}' --trial $n --value 1; done; echo ended")
        done = subprocess.run(["bash", "-c", loop], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.stdout, "ended\n", done.stderr)
        self.assertEqual(len(json_lines("trials", file, "--json")), 3)

    def test_nothing_left_and_nothing_for_now_have_codes_of_their_own(self):
        file = write_study(self.path, trials=2)
        self.assertEqual(len(json_lines("ask", file, "--count", 5)), 2)  # some is not none
        self.refused(1, ["all 2 trials"], "ask", file)
        run("pause", file)
        self.refused(75, ["paused"], "ask", file)
        for page in ("ask --help", "man"):
            self.assertIn("75", run(*page.split()))

    def test_what_was_told_on_top_is_not_counted_as_given_out(self):
        file = write_study(self.path, bits=4, trials=2)
        run("create", file)
        run("tell", file, input=json.dumps({"point": {"x": [1, 0, 1, 0]}, "value": 3}))
        run("ask", file, "--count", 9)
        self.refused(1, ["all 2 trials"], "ask", file)


class Telling(Mixed):
    POINT = {"pitch": 0.5, "tubes": 30, "mat": "cu", "b": [0, 1, 0, 1]}

    def test_an_evaluation_that_nobody_asked_for_keeps_all_it_says(self):
        file = self.study()
        run("create", file)
        lines = [{"point": self.POINT, "value": 2, "mass": 7}, {"point": self.POINT, "error": "no licence"}]
        told = json_lines("tell", file, "--json", input="\n".join(map(json.dumps, lines)))
        self.assertEqual([trial["origin"] for trial in told], ["told"] * 2)
        self.assertEqual((told[0]["value"], told[0]["metrics"]), (2, {"mass": 7}))
        self.assertEqual((told[1]["state"], told[1]["error"]), ("failed", "no licence"))
        created = json_lines("create", file, "--json")[0]
        self.assertEqual((created["trials"], created["past"]), (16, 2))

    def test_a_point_takes_an_array_as_a_list(self):
        file = self.study(tail="[objective]\ncommand = [\"sh\", \"-c\", \"echo $BOCS_TUBES\"]\n")
        self.assertIn("value        30", run("try", file, "--point", json.dumps(self.POINT)))
        (waiting,) = json_lines("enqueue", file, "--json", "--point", json.dumps(self.POINT))
        self.assertEqual([waiting["point"][f"b[{i}]"] for i in range(4)], [0, 1, 0, 1])
        for wrong, words in (({"b": [0, 1]}, ["b: found 2 values", "4 elements"]), ({"c": [1]}, ["'c'"]),
                             ({"b[0]": 1}, ["two values for 'b[0]'"])):
            self.refused(65, words, "try", file, "--point", json.dumps({**self.POINT, **wrong}))


class PastData(Mixed):
    def test_the_same_file_twice_is_recognized(self):
        file = self.study()
        run("create", file)
        rows = "".join(f"0.{i},30,cu,0,0,0,1,{i}\n" for i in range(2, 10))
        data = self.write("past.csv", COLUMNS + rows)
        self.assertEqual(json_lines("import", file, "--data", data, "--json")[0]["added"], 8)
        text = run("import", file, "--data", data)
        self.assertEqual(text, "0 evaluations added; 8 rows are already in the study; --again adds them again\n")
        self.write("past.csv", COLUMNS + rows + "0.2,35,cu,0,0,0,1,2\n")
        again = json_lines("import", file, "--data", data, "--json")[0]
        self.assertEqual((again["added"], again["known"]), (1, 8))
        self.assertEqual(json_lines("import", file, "--data", data, "--again", "--json")[0]["added"], 9)
        self.assertEqual(len(json_lines("trials", file, "--json")), 18)

    def test_past_ones_are_counted_apart(self):
        self.write("past.csv", COLUMNS + "".join(f"0.{i},30,cu,0,0,0,1,{i}\n" for i in range(2, 7)))
        file = self.study(study='data = "past.csv"',
                          tail="[objective]\ncommand = [\"sh\", \"-c\", \"echo $BOCS_TUBES\"]\n[method]\nspec = \"random\"\n")
        self.assertIn("0 of 14 + 5 past trials", run("create", file))
        done = bocs("run", file)
        self.assertIn("evaluations  14 of 14 + 5 past (14 in this run, ", done.stdout)
        self.assertIn("evaluations  14 of 14 + 5 past, 0 failed", run("best", file))
        self.assertIn("14 + 5 past", run("studies", self.file("mixed.db")))

    def test_values_between_those_of_a_grid(self):
        data = self.write("past.csv", COLUMNS + "0.437,47,cu,0,0,0,1,5\n0.203,61,steel,1,0,0,1,6\n")
        file = self.study()
        run("create", file)
        self.refused(65, ["past.csv:2:", "past.csv:3:"], "import", file, "--data", data)  # all that is wrong, at once
        self.assertEqual(json_lines("import", file, "--data", data, "--nearest", "--json")[0]["moved"], 4)
        points = [trial["point"] for trial in json_lines("trials", file, "--json")]
        self.assertEqual([(p["pitch"], p["tubes"]) for p in points], [(0.44, 45), (0.2, 60)])
        other = self.study("other.toml", study='data = "past.csv"\nnearest = true')
        self.assertIn("4 values moved to the grid", run("check", other))
        self.assertEqual(json_lines("create", other, "--json")[0]["begun"], 2)
        self.write("past.csv", COLUMNS + "9.9,47,cu,0,0,0,1,5\n")  # not near at all
        self.refused(65, ["9.9"], "import", file, "--data", data, "--nearest")

    def test_many_wrong_rows_are_counted(self):
        data = self.write("past.csv", COLUMNS + "0.2,31,cu,0,0,0,1,5\n" * 9)
        file = self.study()
        run("create", file)
        self.refused(65, ["past.csv:2:", "past.csv:6:", "and 4 other rows are wrong"], "import", file, "--data", data)

    def test_what_is_missing_is_said(self):
        file = self.study(study='data = "nothere.csv"')
        self.refused(65, ["mixed.toml:4:", "no such file: nothere.csv"], "check", file)
        self.write("past.csv", "pitch,tubes,mat,b_0,b_1,b_2,b_3,value\n")
        file = self.study(study='data = "past.csv"')
        self.refused(65, ["'b[0]' is missing", "the file has pitch, tubes, mat, b_0"], "check", file)


class Files(Mixed):
    def test_the_program_alone_is_the_help_screen(self):
        done = bocs()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, run("--help"))

    def test_a_database_where_a_study_file_is_meant(self):
        run("create", self.study(tail=""))
        database = self.file("mixed.db")
        self.assertIn("no trial is complete yet", run("best", database))
        self.assertEqual(len(json_lines("studies", database, "--json")), 1)
        self.refused(65, ["is a database", "bocs worker --store"], "run", database)
        run("create", self.study("second.toml", tail='[store]\nurl = "sqlite:mixed.db"\n'))
        self.refused(64, ["--study", "mixed, second"], "best", database)
        self.assertIn("no trial", run("best", database, "--study", "second"))
        self.refused(65, ["folder"], "run", self.path)

    def test_a_changed_file_is_told_what_changed_and_how_to_keep_the_results(self):
        file = self.study(tail="[[constraints]]\nat_most = 2\nof = \"b\"\n")
        run("create", file)
        text = self.read("mixed.toml")
        for before, now, words in (("high = 60", "high = 70", "tubes was integer 20 to 60 in 9 values, is integer 20 to 70"),
                                   ('"steel"]', '"steel", "ti"]', "mat was categorical cu, steel, is categorical cu, steel, ti"),
                                   ("count = 4", "count = 5", "b[4] is new"), ("at_most = 2", "at_most = 3", "at most 3 of b"),
                                   ("trials = 14", "trials = 14\nseed = 3", "seed (was 1, is 3)")):
            self.write("mixed.toml", text.replace(before, now))
            self.refused(65, [words, "bocs export", "past.csv", "bocs delete"], "create", file)
            done = bocs("check", file)
            self.assertEqual(done.returncode, 65)
            self.assertIn(words, done.stdout)

    def test_check_fails_where_run_would(self):
        file = self.study(tail='[store]\nurl = "sqlite:nowhere/x.db"\n')
        done = bocs("check", file)
        self.assertEqual(done.returncode, 69)
        self.assertIn("nowhere", done.stderr)
        file = self.study(tail='[objective]\ncommand = ["sh base.sh"]\n')
        done = bocs("check", file)
        self.assertEqual(done.returncode, 65)
        self.assertIn("texts of their own", done.stderr)

    def test_messages_name_what_is_meant(self):
        for study, tail, words in (("", '[[constraints]]\nat_most = -1\nof = "b"\n', ["at_most: found -1"]),
                                   ("", '[[constraints]]\nat_most = 1\nof = "b[9]"\n', ["'b' has the elements 0 to 3"]),
                                   ("", '[[constraints]]\nlinear = "tubes + b <= 3"\n', ["a table of weights", "crew = 2"]),
                                   ("timeout = 3", "", ["'timeout'", "belongs under [objective]"]),
                                   ("", '[[variables]]\nname = "c"\ntype = "categorical"\nchoices = ["u", "v"]\n',
                                    ["did you mean 'levels'?"])):
            self.refused(65, words, "check", self.study(study=study, tail=tail))
        self.refused(65, ["[[variables]]"], "check", self.write("v.toml", '[variables]\nname = "a"\n[variables]\nname = "b"\n'))
        file = self.study(tail='[[constraints]]\nat_most = 1\nof = "c"\n')
        self.assertNotIn("did you mean", bocs("check", file).stderr)  # at one letter that is silly

    def test_fewer_trials_than_have_begun_are_said(self):
        file = write_study(self.path, trials=6)
        run("run", file)
        write_study(self.path, trials=4)
        self.assertIn("trials = 4, but 6 have begun", bocs("run", file).stderr)


class Programs(WithFolder):
    def test_try_sends_two_points_to_a_program_that_stays_up(self):
        script = "read line; echo 3; read line; exit 4"  # answers once
        file = write_study(self.path, command=["sh", "-c", script], objective="keep_alive = true")
        done = bocs("try", file)
        self.assertEqual(done.returncode, 78, done.stdout)
        self.assertIn("a line for every line", done.stdout)
        file = write_study(self.path, command=["sh", "-c", "while read line; do echo 3; done"], objective="keep_alive = true")
        self.assertIn("value        3", run("try", file))

    def test_methods_to_compare_are_written_as_elsewhere(self):
        file = write_study(self.path, bits=3, trials=4)
        run("compare", file, "--method", "rs,repeats=true,annealing", "--repeats", 1, "-q")
        names = [study["study"] for study in json_lines("studies", self.file("study-compare.db"), "--json")]
        self.assertEqual(len(names), 2, names)

    def test_trials_are_numbered_alike(self):
        arguments = ["solve", "bqp:d=6", "--trials", "12", "-q"]
        best = json_lines(*arguments, "--json")[-1]["best"]["trial"]
        self.assertIn(f"at trial {best}\n", run(*arguments))

    def test_the_dashboard_of_a_study_that_was_never_run(self):
        file = write_study(self.path)
        with subprocess.Popen([BOCS, "dashboard", file], stdout=subprocess.PIPE, text=True) as server:
            url = server.stdout.readline()
            server.terminate()
        self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/#token=\w+&study=\w+\n$")
        self.assertIn("no trial is complete yet", run("best", file))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

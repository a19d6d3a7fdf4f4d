"""End-to-end tests of a day with a study: programs that are broken, answers that are read, verbs.

usage: daily_test.py PATH_OF_BOCS
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, shown_on_a_terminal, wait_until, write_study

FAILING = 78


class BrokenPrograms(WithFolder):
    def states(self, file):
        return [trial["state"] for trial in json_lines("trials", file, "--json")]

    def test_a_program_that_always_fails_does_not_burn_the_study(self):
        broken = {"trials": 30, "command": ["sh", "judge.sh"]}
        file = write_study(self.path, **broken)
        self.write("judge.sh", "echo 'Traceback' >&2; echo \"NameError: line $BOCS_TRIAL\" >&2; exit 1\n")
        done = bocs("run", file)
        self.assertEqual(done.returncode, FAILING)
        self.assertEqual(self.states(file), ["failed"] * 5)
        self.assertIn("failures     5 × exit code ...: NameError: line ... (trial 4)", done.stdout)
        self.assertNotIn("Traceback", done.stdout)
        for words in ("the first 5 evaluations failed", "bocs try", "bocs retry", "keep_going"):
            self.assertIn(words, done.stderr)
        self.assertIn("Traceback", json_lines("trials", file, "--json")[0]["error"])  # the details are kept

        self.write("judge.sh", "echo $((3 * BOCS_X_0 - BOCS_X_1))\n")  # mended
        self.assertIn("5 trials wait to be evaluated again; next: bocs run", run("retry", file))
        self.assertEqual(self.states(file), ["waiting"] * 5)
        run("run", file)
        self.assertEqual(self.states(file), ["complete"] * 30)
        self.assertIn("0 differ", run("trials", file, "--verify"))
        self.assertIn("no trial has failed", run("retry", file))
        self.refused(64, ["trial 3 has not failed"], "retry", file, "--trial", 3)

    def test_a_retried_trial_is_forgotten_as_a_failure_and_verified_all_the_same(self):
        script = "if [ $BOCS_TRIAL = 9 ] && [ ! -e mended ]; then exit 1; fi; echo $((3 * BOCS_X_0 - BOCS_X_1 * BOCS_X_2))"
        file = write_study(self.path, trials=14, command=["sh", "-c", script])
        run("run", file)
        self.assertEqual(self.states(file).count("failed"), 1)
        self.write("mended", "")
        self.assertEqual(json_lines("retry", file, "--trial", 9, "--json"), [{"waiting": [9]}])
        run("run", file, "--trials", 18)
        trials = json_lines("trials", file, "--json", "--verify")
        self.assertEqual(len(trials), 18)
        self.assertTrue(all(trial["verified"] for trial in trials))
        self.assertEqual(trials[9]["state"], "complete")

    def test_keep_going_uses_the_budget_and_still_is_no_success(self):
        file = write_study(self.path, trials=8, command=["false"], objective="keep_going = true")
        done = bocs("run", file)
        self.assertEqual((done.returncode, self.states(file)), (FAILING, ["failed"] * 8))
        self.assertIn("all 8 evaluations failed", done.stderr)

    def test_trouble_of_the_machine_costs_no_trial(self):
        self.write("judge", "#!/bin/sh\necho $BOCS_X_0\n")
        os.chmod(self.file("judge"), 0o755)
        # The third evaluation takes the program away; we bring it back when bocs says that it is missing.
        file = write_study(self.path, trials=6, command=["./judge"])
        self.write("judge", "#!/bin/sh\n[ $BOCS_TRIAL = 2 ] && [ ! -e gone ] && touch gone && mv judge hidden\necho $BOCS_X_0\n")
        process = subprocess.Popen([BOCS, "run", file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if "could not be started" in line:
                self.assertIn("No such file", line)
                break
        os.rename(self.file("hidden"), self.file("judge"))
        process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, self.states(file)), (0, ["complete"] * 6))

        run("delete", file, "--yes")
        os.unlink(self.file("gone"))
        done = bocs("run", file, "--patience", "0.5", "-q")  # nobody brings it back
        self.assertEqual(done.returncode, 69)
        self.assertIn("./judge", done.stderr)
        self.assertIn("the finished trials (3 of 6) are kept", done.stderr)
        self.assertEqual(self.states(file), ["complete"] * 3 + ["waiting"])

    def test_try_shows_everything_and_stores_nothing(self):
        file = write_study(self.path, command=["sh", "-c", "cat; echo hello >&2; echo $((7 + BOCS_X_0))", "sh", "{x[1]}"])
        text = run("try", file)
        for words in ("point        x:", "stdin        {\"x[0]\":", "BOCS_TRIAL=0", "stderr       hello", "value        ",
                      "nothing is stored; next: bocs run"):
            self.assertIn(words, text)
        self.assertFalse(os.path.exists(self.file("study.db")))
        point = {f"x[{i}]": 1 for i in range(8)}
        tried = json.loads(run("try", file, "--point", json.dumps(point), "--json"))
        self.assertEqual((tried["point"], tried["value"]), (point, 8))
        self.assertEqual(json.loads(tried["runs"][0]["stdin"]), point)
        self.refused(65, ["x[0]"], "try", file, "--point", "{}")
        file = write_study(self.path, command=["sh", "-c", "echo no licence >&2; exit 3"])
        done = bocs("try", file)
        self.assertEqual(done.returncode, FAILING)
        self.assertIn("failed       exit code 3: no licence", done.stdout)

    def test_a_program_that_stays_up(self):
        script = "echo x >> starts; while read -r line; do case $line in *'\"trial\":3,'*) exit 4;; esac; echo 2; done"
        file = write_study(self.path, trials=8, command=["sh", "-c", script], objective="keep_alive = true")
        self.assertIn("(stays up)", run("check", file))
        self.assertIn("stdin        {\"trial\":0,\"point\":{\"x[0]\":", run("try", file))
        os.unlink(self.file("starts"))
        run("run", file)
        self.assertEqual([trial["error"] for trial in json_lines("trials", file, "--json")],
                         [None] * 3 + ["exit code 4 instead of an answer"] + [None] * 4)
        self.assertEqual(self.read("starts"), "x\nx\n")

    def test_a_program_that_prints_a_line_too_many_stores_nothing_and_no_point_is_charged(self):
        script = "while read -r line; do echo 1; sleep 0.05; echo 101; done"
        file = write_study(self.path, trials=8, command=["sh", "-c", script], objective="keep_alive = true")
        done = bocs("run", file)
        self.assertEqual(done.returncode, 69)
        self.assertIn("around trial 0 it printed '1 | 101'", done.stderr)
        self.assertFalse([trial for trial in json_lines("trials", file, "--json")
                          if trial["state"] in ("complete", "failed")])


class Answers(WithFolder):
    def named(self, **parts):
        file = write_study(self.path, bits=3, **parts)
        text = self.read("study.toml").replace("count = 3", 'names = ["mean radius", "größe", "worst area"]')
        self.write("study.toml", text)
        return file

    def test_the_answer_is_what_is_switched_on_by_name(self):
        file = self.named(trials=8, study="direction = \"maximize\"", method="random",
                          command=["sh", "-c", "echo $((BOCS_X_MEAN_RADIUS - 4 * {x[größe]} + 2 * BOCS_X_WORST_AREA - 3))"])
        done = bocs("run", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("best         x: mean radius, worst area\n", done.stdout)
        self.assertIn("value        0  at trial", done.stdout)  # not -0
        text = run("best", file)
        self.assertIn("best         x: mean radius, worst area\n", text)
        self.assertNotIn("größe", text)
        self.assertIn("x[größe]: 0\n", run("best", file, "--all"))
        self.assertNotIn("-0", run("trials", file))
        lines = run("trials", file, "--top", 3).splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual([line.split()[2] for line in lines[1:]], ["0", "-1", "-2"])
        top = json_lines("trials", file, "--top", 2, "--json")
        self.assertEqual([trial["value"] for trial in top], [0, -1])

    def test_constraints_are_shown_as_the_file_has_them(self):
        weights = ", ".join(str(i) for i in range(12))
        file = write_study(self.path, bits=12, tail=f"[[constraints]]\nexactly = 2\nof = \"x\"\n[[constraints]]\n"
                           f"linear = {{ x = [{weights}] }}\n\"<=\" = 12\n")
        text = run("check", file)
        self.assertIn("             exactly 2 of x\n", text)
        self.assertIn("             [0 1 2 3 4 5 6 7 8 9 10 11] x <= 12\n", text)
        run("run", file, "--trials", 12)
        for trial in json_lines("trials", file, "--json"):
            self.assertEqual(sum(trial["point"].values()), 2)
            self.assertLessEqual(sum(i * trial["point"][f"x[{i}]"] for i in range(12)), 12)

    def test_under_noise_the_recommendation_is_shown_and_the_best_single_one_below_it(self):
        # Chance from the number of the trial: an eighth of the points is good, all are noisy.
        script = "echo $(( 4 * BOCS_X_0 - 4 * BOCS_X_1 + 2 * BOCS_X_2 + (BOCS_TRIAL * 7919 + 13) % 11 - 5 ))"
        file = write_study(self.path, bits=3, trials=40, command=["sh", "-c", script], method="bocs:initial=8,noise=true")
        text = run("run", file)
        found = re.search(r"value        (\S+) ± (\S+) \(95 % interval\), measured (\d+) times\n", text)
        self.assertTrue(found, text)
        self.assertIn("recommended  x: 1\n", text)
        self.assertIn("best single", text)
        best = json.loads(run("best", file, "--json"))
        self.assertAlmostEqual(float(found[2]), 1.96 * best["recommended"]["error"], delta=0.05 * float(found[2]))
        measured = [t["value"] for t in json_lines("trials", file, "--json") if t["point"] == best["recommended"]["point"]]
        self.assertEqual(best["recommended"]["measurements"], len(measured))
        self.assertEqual(int(found[3]), len(measured))
        self.assertAlmostEqual(best["recommended"]["value"], sum(measured) / len(measured), delta=2)
        self.assertLess(best["best"]["value"], best["recommended"]["value"])
        self.assertEqual(run("best", file).splitlines()[:2], text.splitlines()[1:3])
        self.assertIn("ordered by single measurements", run("trials", file, "--top", 3))
        certain = write_study(self.path, "certain.toml", bits=3, trials=5)
        run("run", certain)
        self.assertNotIn("ordered by", run("trials", certain, "--top", 3))

    def test_the_end_says_whether_more_trials_may_help(self):
        file = write_study(self.path, trials=20, command=["sh", "-c", "echo $((-BOCS_TRIAL))"])
        self.assertIn("still improving at the last trials: raise trials", run("run", file))
        file = write_study(self.path, "flat.toml", trials=20, command=["sh", "-c", "echo $((BOCS_TRIAL == 3 ? 0 : 1))"])
        self.assertIn("last improvement 16 trials ago", run("run", file))

    def test_a_wrong_measurement_is_named_and_struck(self):
        values = "case $BOCS_TRIAL in 6) echo 1000;; *) echo $((BOCS_TRIAL % 5));; esac"
        file = write_study(self.path, trials=12, command=["sh", "-c", values], method="random")
        for output in [run("run", file), run("best", file)]:
            self.assertRegex(output, r"note +trial 6 is \d+ times outside the rest")
        self.assertIn("best is trial", run("strike", file, "--trial", "6", "--why", "the sensor was loose"))
        self.assertNotIn("outside the rest", run("best", file))
        trials = json_lines("trials", file, "--json")
        self.assertEqual([(t["number"], t["value"], t["error"]) for t in trials if t["state"] == "struck"],
                         [(6, 1000, "the sensor was loose")])
        best = json_lines("best", file, "--json")[0]["best"]["number"]
        (said,) = json_lines("strike", file, "--trial", best, "--why", "wrong, too", "--json")
        self.assertEqual(said["struck"], best)
        self.assertEqual(json_lines("best", file, "--json")[0]["best"]["number"], said["best"])
        self.assertNotEqual(said["best"], best)
        self.assertNotIn("differ", run("trials", file, "--verify").replace("0 differ", ""))
        for number, words in [("6", "trial 6"), ("12", "trial 12")]:  # struck already; there is none
            done = bocs("strike", file, "--trial", number, "--why", "again")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
        self.assertIn("--why", bocs("strike", file, "--trial", "1").stderr)

    def test_best_before_the_first_run(self):
        file = write_study(self.path)
        for command in ("best", "trials", "export"):
            self.refused(69, ["has not been run yet", "bocs run"], command, file)


class WhatIsLeft(WithFolder):
    PROGRAM = "echo $((20 - 5 * BOCS_X_0 - 3 * (1 - BOCS_X_3) - BOCS_X_5 * BOCS_X_6))"

    def study(self, extra, default=""):
        return self.write("left.toml", f"""
[study]
trials = 90
{extra}
[[variables]]
name = "x"
type = "binary"
count = 9
{default}
[objective]
command = ["sh", "-c", "{self.PROGRAM}"]
""")

    def test_best_says_what_is_left_and_a_run_ends_by_it(self):
        file = self.study('until = "gain < 0.9"')
        done = json.loads(run("run", file, "--json").splitlines()[-1])
        self.assertEqual(done["stopped_because"], "converged: hardly anything is left to gain")
        self.assertLess(done["trials"], 90)
        best = json_lines("best", file, "--json")[0]
        self.assertEqual(best["best"]["value"], 11)
        left = best["remaining"]
        self.assertLess(left["high"], 0.9)
        self.assertLessEqual(left["low"], left["mean"])
        self.assertRegex(run("best", file), r"remaining    .* may be left \(90 %: [0-9.e-]+ to [0-9.e-]+\); \d+ % that nothing is better\n")
        self.assertEqual(json.loads(run("run", file, "--json").splitlines()[-1])["told"], 0)  # it is still so
        self.refused(65, ["left.toml:4:", "gain < 0.01"], "check", self.study('until = "gain"'))

    def test_changes_from_the_default_are_counted_and_undone(self):
        default = "[default]\n" + "".join(f'"x[{i}]" = {i % 2}\n' for i in range(9))
        file = self.study("", default)
        run("run", file, "-q")
        first = json_lines("trials", file, "--json")[0]
        self.assertEqual([first["point"][f"x[{i}]"] for i in range(9)], [i % 2 for i in range(9)])
        changes = {change["name"] for change in json_lines("best", file, "--json")[0]["changes"]}
        self.assertLessEqual({"x[0]", "x[3]", "x[6]"}, changes)
        self.assertIn(f"changes      {len(changes)} from the default: x[0] 1 instead of 0", run("best", file))
        simple = json_lines("simplify", file, "--loss", "0.5", "--confirm", "12", "--json")[0]
        self.assertEqual({change["name"] for change in simple["changes"] if change["kept"]}, {"x[0]", "x[3]", "x[6]"})
        self.assertTrue(simple["measured"])
        self.assertEqual(simple["loss"], 0)
        self.assertEqual([change["cost"] for change in simple["changes"][:3]], [5, 3, 1])
        self.assertIn("keep         3 of", run("simplify", file, "--loss", "3%"))
        self.assertEqual(bocs("trials", file, "--verify").returncode, 0)
        other = self.study('name = "other"')
        run("run", other, "--trials", "12", "-q")
        self.refused(64, ["present setting", "[default]"], "simplify", other)


class Running(WithFolder):
    def test_a_pipe_gets_a_line_for_every_new_best(self):
        file = write_study(self.path, trials=9, command=["sh", "-c", "echo $((BOCS_TRIAL % 3 == 0 ? -BOCS_TRIAL : 0))"])
        done = bocs("run", file)
        self.assertEqual([line.split("  ")[:2] for line in done.stderr.splitlines()],
                         [["trial 0", "best 0"], ["trial 3", "best -3"], ["trial 6", "best -6"]])
        self.assertEqual(bocs("run", file, "-q").stderr, "")

    def test_a_narrow_terminal_gets_lines_that_do_not_wrap(self):
        file = write_study(self.path, trials=4)
        lines = shown_on_a_terminal("run", file, columns=24).decode().split("\r\x1b[K")
        self.assertEqual(max(len(line) for line in lines), 23)

    def test_of_many_ways_to_fail_the_first_are_shown(self):
        script = "echo $BOCS_TRIAL | tr 0-9 a-j >&2; exit 1"  # reasons that differ in numbers alone are one
        done = bocs("run", write_study(self.path, trials=8, command=["sh", "-c", script], objective="keep_going = true"))
        self.assertEqual(done.returncode, 78)
        self.assertEqual(done.stdout.count(" × "), 5)
        self.assertIn("and 3 other reasons", done.stdout)

    def test_a_terminal_sees_the_first_evaluation_run(self):
        file = write_study(self.path, trials=2, command=["sh", "-c", "until [ -e go ]; do sleep 0.02; done; echo 1"])
        main, terminal = os.openpty()
        self.addCleanup(os.close, main)
        process = subprocess.Popen([BOCS, "run", file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal)
        self.addCleanup(process.kill)
        os.close(terminal)
        shown = b""
        while not re.search(rb"trial 0 runs for 00:0[0-9]:[0-9][1-9]", shown):  # it moves while nothing ends
            shown += os.read(main, 65536)
        self.assertIn(b"0 of 2 finished", shown)
        self.write("go", "")
        stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertIn(b"evaluations  2 of 2", stdout)

    def test_after_an_interrupt_the_command_that_goes_on_is_named(self):
        file = write_study(self.path, trials=5, command=["sh", "-c", "touch begun; until [ -e go ]; do sleep 0.02; done; echo 1"])
        process = subprocess.Popen([BOCS, "run", file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        wait_until(lambda: os.path.exists(self.file("begun")), "the first evaluation begins")
        workers = json_lines("studies", "--store", "sqlite:" + self.file("study.db"), "--json")[0]["workers"]
        self.assertEqual([(worker["trial"], worker["evaluates"]) for worker in workers], [(0, True)])
        self.assertIn("evaluates trial 0", run("studies", "--store", "sqlite:" + self.file("study.db")))
        process.send_signal(signal.SIGINT)
        self.write("go", "")
        stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn(f"next         bocs run {file}\n", stdout)

    def test_trials_and_target_on_the_command_line(self):
        file = write_study(self.path, trials=5, command=["sh", "-c", "echo $((-BOCS_TRIAL))"])
        self.assertEqual(json_lines("run", file, "--json", "--trials", 8)[-1]["trials"], 8)
        self.assertEqual(json_lines("run", file, "--json")[-1]["trials"], 8)  # the file asks for fewer: it is finished
        result = json_lines("run", file, "--json", "--trials", 30, "--target", -12)[-1]
        self.assertEqual((result["trials"], result["stopped_because"]), (13, "the target has been reached"))
        (study,) = json_lines("studies", "--store", "sqlite:" + self.file("study.db"), "--json")
        self.assertEqual(study["trials"], 30)

    def test_check_says_what_is_left_for_the_model(self):
        file = write_study(self.path, trials=30)
        checked = json.loads(run("check", file, "--json"))
        self.assertEqual(checked["initial"], 8)
        self.assertGreater(checked["proposal_seconds"], 0)
        text = run("check", file)
        self.assertIn("initial      8 points before the model takes over", text)
        self.assertRegex(text, "proposal     takes (about|more than) .* after 8 trials")
        self.assertIn("bocs try", text)
        file = write_study(self.path, trials=8)
        self.assertIn("nothing is left for the model", run("check", file))
        file = write_study(self.path, bits=1, trials=8, tail="[[constraints]]\nrequired = \"x\"\n", method="random")
        self.assertIn("there is only 1 point: fewer than trials", run("check", file))


class Verbs(WithFolder):
    def test_enqueue(self):
        file = write_study(self.path, trials=6)
        point = {f"x[{i}]": i % 2 for i in range(8)}
        self.assertIn("trial 0 waits  x: 1 3 5 7", run("enqueue", file, "--point", json.dumps(point)))
        (waiting,) = json_lines("enqueue", file, "--point", json.dumps({**point, "x[0]": 1}), "--json")
        self.assertEqual((waiting["number"], waiting["state"], waiting["point"]["x[0]"]), (1, "waiting", 1))
        self.refused(65, ["x[3]"], "enqueue", file, "--point", json.dumps({**point, "x[3]": 2}))
        run("run", file)
        trials = json_lines("trials", file, "--json")
        self.assertEqual((len(trials), trials[0]["point"], trials[0]["origin"]), (6, point, "enqueued"))

    def test_compare_methods_on_ones_own_program(self):
        file = write_study(self.path, trials=12)
        options = ("--method", "random,bocs:initial=4,order=1", "--repeats", 2)
        (compared,) = json_lines("compare", file, *options, "--json")
        self.assertEqual([(row["method"], row["n"]) for row in compared["rows"]], [("random", 2), ("bocs:initial=4,order=1", 2)])
        store = "sqlite:" + self.file("study-compare.db")
        studies = json_lines("studies", "--store", store, "--json")
        self.assertEqual([s["complete"] for s in studies], [12] * 4)
        for row in compared["rows"]:
            best = [s["best"] for s in studies if row["method"] in s["study"]]
            self.assertAlmostEqual(row["mean"], sum(best) / 2)
        done = bocs("compare", file, *options)  # nothing is left to run
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("bocs:initial=4,order=1", done.stdout)
        with open(self.file("study-compare.svg"), encoding="utf-8") as stream:
            self.assertIn("<svg", stream.read())
        self.refused(64, ["'rondom'", "did you mean 'random'"], "compare", file, "--method", "rondom")

    def test_compare_ends_where_nothing_but_failures_come(self):
        file = write_study(self.path, "broken.toml", command=["sh", "-c", "exit 3"])
        done = bocs("compare", file, "--method", "random", "--repeats", 2)
        self.assertEqual(done.returncode, 78)
        self.assertIn(f"exit code 3; look at one with `bocs try {file}`", done.stderr.splitlines()[-1])

    def test_did_you_mean(self):
        self.refused(64, ["'chekc'", "did you mean 'check'?"], "chekc")
        file = write_study(self.path)
        self.refused(64, ["'--trails'", "did you mean '--trials'?"], "run", file, "--trails", 3)
        for spec, words in (("boc", "did you mean 'bocs'?"), ("bocs:ordr=2", "did you mean 'order'?")):
            self.refused(65, [words], "check", write_study(self.path, method=spec))
        self.refused(64, ["did you mean 'ei'?"], "methods", "eo")

    def test_methods_by_name(self):
        text = run("methods", "ei")
        self.assertIn("initial = 0", text)
        self.assertLessEqual(max(map(len, run("methods").splitlines() + text.splitlines())), 100)
        self.assertIn("bocs-sdp = bocs:minimizer=sdp", run("methods"))
        self.assertEqual([m["name"] for m in json.loads(run("methods", "bocs-sdp", "--json"))], ["bocs"])

    def test_the_help_fits_on_a_screen(self):
        lines = run("--help").splitlines()
        self.assertLessEqual(len(lines), 44)
        self.assertLessEqual(max(map(len, lines)), 80)
        for command in ("init", "try", "retry", "enqueue", "compare", "studies"):
            self.assertTrue(any(line.startswith(f"  {command} ") for line in lines), command)

    def test_completion_for_bash(self):
        script = self.write("complete.sh", run("completion", "bash"))

        def complete(*words):
            text = f'. {script}; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _bocs; echo "${{COMPREPLY[@]}}"'
            done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=PATIENCE, check=True)
            return done.stdout.split()

        self.assertEqual(complete("bocs", "ret"), ["retry"])
        self.assertEqual(complete("bocs", "run", "study.toml", "--tr"), ["--trials"])
        self.assertEqual(complete("bocs", "experiment", "ta"), ["table"])
        self.assertEqual(complete("bocs", "experiment", "table", "--form"), ["--format"])
        self.assertIn("#compdef bocs", run("completion", "zsh"))
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n", self.write("_bocs", run("completion", "zsh"))], check=True, timeout=PATIENCE)

    def test_the_man_page_names_every_command(self):
        page = run("man")
        for command in re.findall(r"^  (?!bocs)(\w+) ", run("--help"), re.MULTILINE):
            self.assertIn(f".SS {command}\n", page)
        self.assertIn("\\-\\-patience", page)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True,
                                  timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""End-to-end tests of what surrounds a study: programs that fail, hang and are interrupted, stores in trouble.

usage: objective_test.py PATH_OF_BOCS
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import unittest

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, shown_on_a_terminal, wait_until, write_study


def pending_signals(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        masks = dict(line.split(":\t") for line in status if line.startswith(("ShdPnd", "SigPnd")))
    return any(int(mask, 16) for mask in masks.values())


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"  # nor a zombie that nobody reaps
    except (FileNotFoundError, ProcessLookupError):
        return False


class Objectives(WithFolder):
    def states(self, file):
        return [trial["state"] for trial in json_lines("trials", file, "--json")]

    def test_failures_are_kept_and_the_study_goes_on(self):
        script = self.write("judge.sh", """#!/bin/sh
case $BOCS_TRIAL in
  0) echo oops >&2; exit 3 ;;
  1) kill -9 $$ ;;
  2) echo nan ;;
  3) echo hello ;;
  4) printf '\\377\\376' >&2; exit 1 ;;
  *) echo $BOCS_X_0 ;;
esac
""")
        os.chmod(script, 0o755)
        file = write_study(self.path, trials=8, command=["./judge.sh"], objective="keep_going = true")
        result = json_lines("run", file, "--json")[-1]
        self.assertEqual((result["trials"], result["failures"]), (8, 5))
        trials = json_lines("trials", file, "--json")
        for trial, words in zip(trials, (["exit code 3", "oops"], ["signal 9"], ["nan"], ["'hello'"], ["\ufffd"])):
            for word in words:
                self.assertIn(word, trial["error"])
        self.assertEqual(self.states(file), ["failed"] * 5 + ["complete"] * 3)

    def test_a_program_that_hangs_is_ended(self):
        file = write_study(self.path, trials=1, command=["sleep", "600"], objective="timeout = \"1s\"")
        self.assertEqual(bocs("run", file).returncode, 78)  # nothing but failures
        (trial,) = json_lines("trials", file, "--json")
        self.assertEqual(trial["state"], "failed")
        self.assertIn("within 1", trial["error"])

    def test_retries(self):
        file = write_study(self.path, trials=3, objective="retries = 1",
                           command=["sh", "-c", "echo x >> tried; test $(($(wc -l < tried) % 2)) = 0 && echo 1"])
        run("run", file)
        self.assertEqual(self.states(file), ["complete"] * 3)
        self.assertEqual(len(self.read("tried").splitlines()), 6)

    def test_attempts(self):
        # The first trial kills whoever evaluates it.
        study = {"trials": 3, "command": ["sh", "-c", "test $BOCS_TRIAL -ne 0 || { kill -9 $PPID; exec sleep 600; }; echo 1"]}
        file = write_study(self.path, objective="attempts = 2", **study)
        self.assertEqual([bocs("run", file).returncode for _ in range(2)], [-9, -9])
        write_study(self.path, objective="attempts = 3", **study)  # more than when the study was made
        self.assertEqual([bocs("run", file).returncode for _ in range(2)], [-9, 0])
        self.assertEqual(self.states(file), ["failed", "complete", "complete"])
        self.assertIn("3 workers", json_lines("trials", file, "--json")[0]["error"])

    def test_several_at_once(self):
        # Every evaluation waits until four run at the same time.
        script = "echo x > running.$BOCS_TRIAL; until [ $(ls running.* | wc -l) -ge 4 ]; do sleep 0.02; done; echo 1"
        file = write_study(self.path, trials=4, command=["sh", "-c", script], objective="parallel = 4\ntimeout = \"4min\"")
        run("run", file)
        self.assertEqual(self.states(file), ["complete"] * 4)

    def start_waiting(self, *arguments, script="echo $BOCS_TRIAL >> begun; until [ -e go ]; do sleep 0.02; done; echo 1",
                      stderr=subprocess.PIPE):
        file = write_study(self.path, trials=3, command=["sh", "-c", script])
        process = subprocess.Popen([BOCS, "run", file, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=stderr, text=True)
        self.addCleanup(process.kill)
        wait_until(lambda: os.path.exists(self.file("begun")), "the first evaluation begins")
        return file, process

    def interrupt(self, process, number):
        process.send_signal(number)
        wait_until(lambda: not pending_signals(process.pid), "the signal is delivered")

    def test_the_first_interrupt_finishes_what_runs(self):
        file, process = self.start_waiting("--json")
        self.interrupt(process, signal.SIGINT)
        self.write("go", "")
        stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(stdout.splitlines()[-1])["told"], 1)
        self.assertEqual(self.states(file), ["complete"])
        run("run", file)
        self.assertEqual(self.states(file), ["complete"] * 3)
        self.assertEqual(self.read("begun").split(), ["0", "1", "2"])

    def test_a_terminal_gets_an_answer_to_the_first_interrupt(self):
        main, terminal = os.openpty()
        self.addCleanup(os.close, main)
        _, process = self.start_waiting(stderr=terminal)
        os.close(terminal)
        process.send_signal(signal.SIGINT)
        shown = b""
        while b"Ctrl-C again ends them at once" not in shown:
            shown += os.read(main, 65536)
        self.write("go", "")
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)

    def test_the_second_interrupt_or_an_order_to_end_gives_it_back(self):
        for signals in ([signal.SIGINT, signal.SIGINT], [signal.SIGTERM]):
            with self.subTest(signals=signals):
                file, process = self.start_waiting("-q")
                for number in signals:  # two that wait together would arrive as one
                    self.interrupt(process, number)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 130)
                self.assertEqual(self.states(file), ["waiting"])
                run("delete", file, "--yes")
                os.unlink(self.file("begun"))

    def test_an_order_to_end_that_also_hits_the_program_is_no_failure(self):
        # As Slurm and systemd send it, to all processes of a job, and as timeout does, twice. While bocs is stopped, both wait.
        script = "test $BOCS_TRIAL -ne 0 || { echo 1; exit; }; echo $$ > pid; echo > begun; exec sleep 600"
        file, process = self.start_waiting("--json", script=script)
        process.send_signal(signal.SIGSTOP)
        os.kill(int(self.read("pid")), signal.SIGTERM)
        wait_until(lambda: not is_alive(int(self.read("pid"))), "the program ends")
        for number in (signal.SIGTERM, signal.SIGCONT, signal.SIGTERM):
            process.send_signal(number)
        stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(stdout.splitlines()[-1])["told"], 1)
        self.assertEqual(self.states(file), ["complete", "waiting"])

    def test_whatever_the_program_started_ends_with_bocs_even_by_kill_9(self):
        script = "trap '' TERM; sleep 1000 & echo $! > sleeper; sh -c 'sleep 1000; :' & echo $! > shell; echo > begun; wait"
        _, process = self.start_waiting("-q", script=script)
        descendants = [int(self.read(name)) for name in ("sleeper", "shell")]
        self.assertTrue(all(is_alive(number) for number in descendants))
        process.kill()
        process.communicate(timeout=PATIENCE)
        for number in descendants:
            wait_until(lambda number=number: not is_alive(number), "the processes of the program end")

    def test_progress_on_a_terminal_and_a_line_per_trial(self):
        file = write_study(self.path, trials=10, command=["sh", "-c", "test $BOCS_TRIAL -ne 4 && echo $BOCS_X_0"])
        shown = shown_on_a_terminal("run", file)
        for word in (b"10 of 10 finished", b"best 0", b"1 failed", b"left"):
            self.assertIn(word, shown)
        run("delete", file, "--yes")
        done = bocs("run", file, "-v")
        self.assertEqual(len(done.stderr.splitlines()), 10)
        self.assertIn("trial 4  x: ", done.stderr)
        self.assertIn("failed: exit code 1", done.stderr)
        self.assertIn("failures     1 × exit code 1 (trial 4)", done.stdout)
        self.assertEqual(bocs("run", file, "-q").stdout, "")

    def test_two_processes_share_one_file(self):
        file = write_study(self.path, bits=9, trials=60, command=["sh", "-c", "echo $BOCS_TRIAL >> log; echo $BOCS_X_0"])
        processes = [subprocess.Popen([BOCS, "run", file, "-q"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                     for _ in range(3)]
        for process in processes:
            _, stderr = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, stderr), (0, ""))
        trials = json_lines("trials", file, "--json", "--verify")
        self.assertEqual([trial["state"] for trial in trials], ["complete"] * 60)
        self.assertEqual(len({json.dumps(trial["point"]) for trial in trials}), 60)
        self.assertTrue(all(trial["verified"] for trial in trials))
        self.assertEqual(sorted(map(int, self.read("log").split())), list(range(60)))


class Stores(WithFolder):
    def test_trouble_with_the_file_is_explained(self):
        file = write_study(self.path, trials=2)
        url = "sqlite:" + self.file("study.db")
        self.refused(69, ["study.db"], "best", "--store", url, "--study", "study")
        run("run", file)
        self.refused(64, ["'other'", "study"], "best", "--store", url, "--study", "other")
        database = sqlite3.connect(self.file("study.db"))
        (version,) = database.execute("SELECT version FROM bocs_schema").fetchone()
        with database:
            database.execute("UPDATE bocs_schema SET version = 99")
        self.refused(69, ["99", "newer"], "run", file, "--patience", 1)
        with database:
            database.execute("UPDATE bocs_schema SET version = ?", (version,))
        database.close()
        run("best", file)
        self.write("study.db", "this is no database, but text that somebody wrote into the file\n" * 100)
        for suffix in ("-wal", "-shm"):
            if os.path.exists(self.file("study.db" + suffix)):
                os.unlink(self.file("study.db" + suffix))
        self.refused(69, ["study.db"], "run", file, "--patience", 1)
        self.assertIn("somebody wrote", self.read("study.db"))

    def test_a_folder_that_cannot_be_written(self):
        file = write_study(self.path, tail="[store]\nurl = \"sqlite:/proc/no/study.db\"\n")
        self.refused(69, ["/proc/no/study.db"], "run", file, "--patience", 1)

    def test_passwords_are_not_shown(self):
        url = "postgresql://me:s3cret@127.0.0.1:1/none"
        file = write_study(self.path, tail=f"[store]\nurl = \"{url}\"\n")
        for arguments in (("run", file, "--patience", 1), ("best", file), ("studies", "--store", url),
                          ("worker", "--store", url, "--study", "a", "--patience", 1)):
            done = bocs(*arguments)
            self.assertEqual(done.returncode, 69, (arguments, done.stderr))
            self.assertNotIn("s3cret", done.stdout + done.stderr)
        self.assertNotIn("s3cret", run("check", file))
        misplaced = write_study(self.path, "list.toml", tail=f"[store]\nurl = [\"{url}\"]\n")
        for arguments in (("studies", url), ("best", url), ("check", misplaced)):  # a slip of the person's
            done = bocs(*arguments)
            self.assertIn("postgresql://me:***@", done.stderr)
            self.assertNotIn("s3cret", done.stderr)

    def test_a_worker_runs_the_command_of_the_store(self):
        file = write_study(self.path, trials=8)
        self.assertIn("0 of 8", run("create", file))
        url = "sqlite:" + self.file("study.db")
        self.assertEqual(json_lines("worker", "--store", url, "--json", "--parallel", 2)[-1]["trials"], 8)
        self.assertEqual(len({trial["number"] for trial in json_lines("trials", "--store", url, "--json")}), 8)
        done = bocs("worker", "--store", url, "--study", "study")
        self.assertIn("trial budget reached", done.stdout)

    def test_workers_run_the_command_as_it_was_mended(self):
        file = write_study(self.path, trials=3, command=["false"])
        run("create", file)
        write_study(self.path, trials=3, command=["echo", "7"])
        self.assertEqual(json_lines("create", file, "--json")[0]["begun"], 0)
        trials = json_lines("worker", "--store", "sqlite:" + self.file("study.db"), "--json")[:-1]
        self.assertEqual([trial["value"] for trial in trials], [7] * 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

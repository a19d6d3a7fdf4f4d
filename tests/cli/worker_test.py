"""Many workers on one PostgreSQL server: workers are killed at random, the server is restarted under them. The study
must end with exactly its budget of finished trials, every point once, and every worker must end by itself.

usage: scripts/with_postgres python3 worker_test.py PATH_OF_BOCS
"""

import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from study_support import BOCS, PATIENCE, bocs, folder, run, wait_until, write_study

SERVER = os.environ["BOCS_TEST_POSTGRES"]
RESTART = os.environ["BOCS_TEST_POSTGRES_RESTART"]
WORKERS, TRIALS, BLOCK = 8, 100, 10


def insist(*arguments):
    """Runs bocs until the server is there to answer."""
    deadline = time.monotonic() + PATIENCE
    while True:
        done = bocs(*arguments)
        if done.returncode == 0:
            return done.stdout
        assert done.returncode == 69 and time.monotonic() < deadline, (arguments, done.returncode, done.stderr)
        time.sleep(0.1)


class Worker:
    """A worker process; what it says on stderr is kept in a file, so that it never blocks."""

    def __init__(self, path, study):
        self.errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
        self.process = subprocess.Popen([BOCS, "worker", "--store", SERVER, "--study", study, "-q"], cwd=path,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


class ManyWorkers(unittest.TestCase):
    def setUp(self):
        context = folder()
        self.path = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        self.workers = []
        self.addCleanup(lambda: [worker.kill() for worker in self.workers])

    def touch(self, name):
        with open(os.path.join(self.path, name), "w", encoding="utf-8"):
            pass

    def finished(self, name):
        (study,) = [s for s in map(json.loads, insist("studies", "--store", SERVER, "--json").splitlines())
                    if s["study"] == name]
        return study["complete"] + study["failed"]

    def test_workers_and_server_die_and_the_study_ends_as_planned(self):
        # The trials of a block end only when we say so: else a fast study would be over before it is disturbed, and a
        # slow one would be disturbed too often.
        script = f"""echo $BOCS_TRIAL >> log
            until [ -e go.$((BOCS_TRIAL / {BLOCK})) ]; do sleep 0.05; done
            sleep 0.1
            echo $((BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 * BOCS_X_4))"""
        file = write_study(self.path, "killed.toml", bits=10, trials=TRIALS, command=["sh", "-c", script],
                           tail=f"[store]\nurl = {json.dumps(SERVER)}\n")
        run("create", file)
        generator = random.Random(2)
        self.workers = [Worker(self.path, "killed") for _ in range(WORKERS)]
        restarts = {3: "fast", 6: "immediate"}
        killed = 0
        for block in range(TRIALS // BLOCK):
            self.touch(f"go.{block}")
            if block in restarts:
                subprocess.run([RESTART, restarts[block]], check=True, timeout=PATIENCE)
            for _ in range(2):
                time.sleep(generator.uniform(0, 0.2))  # any moment will do
                victim = generator.randrange(WORKERS)
                self.workers[victim].kill()
                self.workers[victim] = Worker(self.path, "killed")
                killed += 1
            wait_until(lambda done=BLOCK * (block + 1): self.finished("killed") == done, f"block {block} is finished")
        for worker in self.workers:  # none hangs, none fails
            self.assertEqual((worker.process.wait(timeout=PATIENCE), worker.said()), (0, ""))

        trials = [json.loads(line) for line in insist("trials", file, "--json", "--verify").splitlines()]
        self.assertEqual([trial["number"] for trial in trials], list(range(TRIALS)))
        self.assertEqual(collections.Counter(trial["state"] for trial in trials), {"complete": TRIALS})
        self.assertEqual(len({json.dumps(trial["point"]) for trial in trials}), TRIALS)
        self.assertTrue(all(trial["verified"] for trial in trials))
        with open(os.path.join(self.path, "log"), encoding="utf-8") as log:
            begun = collections.Counter(int(line) for line in log)
        self.assertEqual(set(begun), set(range(TRIALS)))
        self.assertLessEqual(sum(begun.values()), TRIALS + killed)  # begun again only because its worker was killed
        print(f"{killed} workers killed, {len(restarts)} restarts", file=sys.stderr)

    def test_a_worker_leaves_a_server_that_hangs(self):
        with open(os.path.join(os.path.dirname(RESTART), "server", "data", "postmaster.pid"), encoding="utf-8") as file:
            server = int(file.readline())
        for name, script in (("quick", "echo 1"), ("slow", f"touch {self.path}/begun; sleep 600")):
            run("create", write_study(self.path, name + ".toml", bits=20, trials=100000, method="random",
                                      command=["sh", "-c", script], study=f'name = "{name}"',
                                      tail=f"[store]\nurl = {json.dumps(SERVER)}\n"))
            worker = Worker(self.path, name)
            self.workers.append(worker)
            if name == "quick":
                wait_until(lambda: self.finished("quick") > 3, "some trials")
            else:
                wait_until(lambda: os.path.exists(f"{self.path}/begun"), "the first evaluation")
            with open(f"/proc/{server}/task/{server}/children", encoding="utf-8") as file:
                stopped = [int(pid) for pid in file.read().split()] + [server]
            try:
                for pid in stopped:
                    os.kill(pid, signal.SIGSTOP)
                begin = time.monotonic()
                worker.process.terminate()
                worker.process.wait(timeout=PATIENCE)
                seconds = time.monotonic() - begin
            finally:
                for pid in reversed(stopped):
                    os.kill(pid, signal.SIGCONT)
            self.assertLess(seconds, 10)  # 2.1 s where the machine has time

    def test_a_backup_is_left_to_the_server(self):
        run("create", write_study(self.path, "kept.toml", tail=f"[store]\nurl = {json.dumps(SERVER)}\n"))
        done = bocs("backup", "--store", SERVER, "--output", os.path.join(self.path, "copy.db"))
        self.assertEqual(done.returncode, 69)
        self.assertIn("pg_dump", done.stderr)

    def test_run_waits_for_a_server_that_is_away(self):
        file = write_study(self.path, "away.toml", trials=12, tail=f"[store]\nurl = {json.dumps(SERVER)}\n",
                           command=["sh", "-c", "echo $BOCS_TRIAL >> begun; until [ -e go ]; do sleep 0.02; done; echo 1"])
        process = subprocess.Popen([BOCS, "run", file, "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        wait_until(lambda: os.path.exists(os.path.join(self.path, "begun")), "the first evaluation begins")
        restart = subprocess.Popen([RESTART, "immediate"])  # the first result is told while the server starts
        self.touch("go")
        self.assertEqual(restart.wait(timeout=PATIENCE), 0)
        stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(json.loads(stdout.splitlines()[-1])["trials"], 12)
        with open(os.path.join(self.path, "begun"), encoding="utf-8") as begun:
            self.assertEqual(begun.read().split(), [str(number) for number in range(12)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

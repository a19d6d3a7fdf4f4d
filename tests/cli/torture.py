"""Kills random parts of studies at random moments, on both kinds of databases, and looks at what is left.

A study is worked on by `bocs run` (SQLite) or `bocs worker` (PostgreSQL) in three processes, while `bocs ask` takes points by
hand. At random moments a random one of them is killed (SIGKILL), stopped for a while (SIGSTOP), or, with PostgreSQL, the
server is restarted as after a crash. What must hold when the study has ended:

  lost        0   everything a process said it had told (--json), and every value told by hand, is in the store, unchanged
  repeated    0   no point twice
  budget          exactly as many trials as the budget, all complete
  hung        0   everybody ended by themselves within minutes
  verified        every proposal can be computed again (`bocs trials --verify`)

"again" counts evaluations that were cut off by a kill and made again; that is no fault.

usage: torture.py PATH_OF_BOCS [--kills N] [--seed S]      with BOCS_TEST_POSTGRES*, of scripts/with_postgres, both databases
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid

PATIENCE = 600  # seconds
CREW, TRIALS, KILLS_PER_STUDY = 3, 60, 25
METHODS = ["random", "local", "annealing", "bocs:initial=12,order=2,minimizer=annealing,polish=0"]
SCRIPT = "echo $BOCS_TRIAL >> log; sleep 0.03; echo $((BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 * BOCS_X_4))"


class Broken(Exception):
    pass


def value_of(point):
    x = [point[f"x[{i}]"] for i in range(5)]
    return x[0] - 2 * x[1] * x[2] + x[3] * x[4]


class Study:
    def __init__(self, bocs, path, server, generator):
        self.bocs, self.path, self.server, self.generator = bocs, path, server, generator
        self.restart = os.environ.get("BOCS_TEST_POSTGRES_RESTART") if server else None
        self.method = generator.choice(METHODS)
        self.name = "t" + uuid.uuid4().hex
        url = server or "sqlite:s.db"
        self.file = os.path.join(path, "s.toml")
        with open(self.file, "w", encoding="utf-8") as stream:
            stream.write(f"""
[study]
name = "{self.name}"
trials = {TRIALS}
[[variables]]
name = "x"
type = "binary"
count = 14
[objective]
command = ["sh", "-c", {json.dumps(SCRIPT)}]
attempts = 1000
[method]
spec = "{self.method}"
[store]
url = "{url}"
""")
        self.told = {}  # number -> value
        self.outputs = []
        self.crew = []
        self.counts = {"run": 0, "worker": 0, "ask": 0, "stop": 0, "server": 0}

    def command(self, *arguments):
        return [self.bocs, *arguments]

    def insist(self, *arguments, allowed=()):
        """Until the store is there to answer."""
        deadline = time.monotonic() + PATIENCE
        while True:
            done = subprocess.run(self.command(*arguments), cwd=self.path, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
            if done.returncode == 0 or done.returncode in allowed:
                return done
            if done.returncode != 69 or time.monotonic() > deadline:
                raise Broken(f"{arguments} ended with {done.returncode}: {done.stderr.strip()}")
            time.sleep(0.2)

    def start(self):
        output = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
        self.outputs.append(output)
        arguments = ["worker", "--store", self.server, "--study", self.name] if self.server else ["run", self.file]
        return subprocess.Popen(self.command(*arguments, "--json"), cwd=self.path, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.DEVNULL)

    def reap(self, process, code=None):
        try:
            ended = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise Broken("hung: it did not end by itself") from error
        if code is not None and ended != code:
            raise Broken(f"a worker ended with {ended}")

    def ask_by_hand(self):
        """Killed in the middle, or not; a point that arrived is told."""
        process = subprocess.Popen(self.command("ask", self.file), cwd=self.path, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            process.wait(timeout=self.generator.uniform(0, 0.2))
        except subprocess.TimeoutExpired:
            process.kill()
            self.counts["ask"] += 1
        output, _ = process.communicate(timeout=PATIENCE)
        for line in output.splitlines(keepends=True):
            if not line.endswith("\n"):
                continue
            trial = json.loads(line)
            value = value_of(trial["point"])
            # 64: killed between its line and its last word, so that another has the trial now, or has told it.
            done = self.insist("tell", self.file, "--trial", str(trial["number"]), "--value", str(value), allowed=(64, 65))
            if done.returncode == 0:
                self.told[trial["number"]] = value

    def hurt(self):
        kinds = ["crew"] * 5 + ["ask"] * 2 + ["stop"] + (["server"] if self.restart else [])
        kind = self.generator.choice(kinds)
        place = self.generator.randrange(CREW)
        if kind == "crew":
            self.crew[place].kill()
            self.crew[place].wait()
            self.counts["worker" if self.server else "run"] += 1
            self.crew[place] = self.start()
        elif kind == "stop":
            self.crew[place].send_signal(signal.SIGSTOP)
            time.sleep(self.generator.uniform(0, 0.3))
            self.crew[place].send_signal(signal.SIGCONT)
            self.counts["stop"] += 1
        elif kind == "ask":
            self.ask_by_hand()
        else:
            subprocess.run([self.restart, "immediate"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=PATIENCE)
            self.counts["server"] += 1

    def torture(self, kills):
        self.insist("create", self.file)
        self.crew = [self.start() for _ in range(CREW)]
        try:
            while sum(self.counts.values()) < kills:
                time.sleep(self.generator.uniform(0, 0.15))
                self.hurt()
                if all(process.poll() is not None for process in self.crew):
                    break  # the budget is used up
            # A point that was printed, and whose `ask` was killed before we could read it, is a person's: given back.
            for process in self.crew:
                self.reap_when_done(process)
        finally:
            for process in self.crew:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        return self.look()

    def reap_when_done(self, process):
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None:
            if time.monotonic() > deadline:
                raise Broken("hung: a worker did not end by itself")
            time.sleep(0.1)
        if process.returncode not in (0, -signal.SIGKILL):
            raise Broken(f"a worker ended with {process.returncode}")

    def look(self):
        for trial in self.trials():
            if trial["state"] in ("running", "waiting"):  # of an `ask` that was killed after its line went into the pipe
                self.insist("tell", self.file, "--trial", str(trial["number"]), "--release", allowed=(64, 65))
        last = self.start()
        self.reap(last, 0)
        trials = self.trials("--verify")
        for output in self.outputs:
            output.seek(0)
            for line in output.read().splitlines(keepends=True):
                said = json.loads(line) if line.endswith("\n") else {}
                if said.get("state") == "complete" and "number" in said:
                    self.told.setdefault(said["number"], said["value"])
        by_number = {trial["number"]: trial for trial in trials}
        lost = [n for n, value in self.told.items() if n not in by_number or by_number[n]["value"] != value]
        points = [json.dumps(trial["point"], sort_keys=True) for trial in trials]
        with open(os.path.join(self.path, "log"), encoding="utf-8") as log:
            begun = len(log.read().splitlines())
        found = {"lost": len(lost), "repeated": len(points) - len(set(points)), "trials": len(trials),
                 "complete": sum(trial["state"] == "complete" for trial in trials),
                 "wrong": sum(trial["value"] != value_of(trial["point"]) for trial in trials),
                 "unverified": sum(not trial.get("verified", True) for trial in trials), "begun": begun}
        expected = {"lost": 0, "repeated": 0, "trials": TRIALS, "complete": TRIALS, "wrong": 0, "unverified": 0}
        for key, value in expected.items():
            if found[key] != value:
                raise Broken(f"{key}: {found[key]} instead of {value}; method {self.method}, counts {self.counts}")
        return found

    def trials(self, *options):
        return [json.loads(line) for line in self.insist("trials", self.file, "--json", *options).stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bocs")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    generator = random.Random(seed)
    print(f"seed {seed}", flush=True)
    servers = [""] + ([os.environ["BOCS_TEST_POSTGRES"]] if "BOCS_TEST_POSTGRES" in os.environ else [])
    totals = {}
    start = time.monotonic()
    done = studies = 0
    while done < arguments.kills:
        server = servers[studies % len(servers)]
        studies += 1
        with tempfile.TemporaryDirectory(prefix="bocs-torture-") as path:
            study = Study(os.path.abspath(arguments.bocs), path, server, generator)
            try:
                found = study.torture(min(KILLS_PER_STUDY, arguments.kills - done))
            except Broken as error:
                print(f"torture: BROKEN in study {studies} ({'postgresql' if server else 'sqlite'}): {error}", flush=True)
                return 1
        row = totals.setdefault("postgresql" if server else "sqlite",
                                {"studies": 0, "trials": 0, "again": 0, **dict.fromkeys(study.counts, 0)})
        row["studies"] += 1
        row["trials"] += found["trials"]
        row["again"] += max(0, found["begun"] - found["trials"])
        for key, value in study.counts.items():
            row[key] += value
        done += max(1, sum(study.counts.values()))
    print(f"{'':<12}{'studies':>8}{'trials':>8}{'run':>6}{'worker':>8}{'ask':>6}{'stop':>6}{'server':>8}{'again':>7}"
          "   lost repeated hung unverified")
    for name, row in totals.items():
        print(f"{name:<12}{row['studies']:>8}{row['trials']:>8}{row['run']:>6}{row['worker']:>8}{row['ask']:>6}"
              f"{row['stop']:>6}{row['server']:>8}{row['again']:>7}      0        0    0          0")
    print(f"{sum(row[key] for row in totals.values() for key in ['run', 'worker', 'ask', 'stop', 'server'])} "
          f"interruptions, {time.monotonic() - start:.0f} s: nothing lost, nothing repeated, nobody hung, all verified")
    return 0


if __name__ == "__main__":
    sys.exit(main())

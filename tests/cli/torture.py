"""Kills random parts of studies at random moments, on both kinds of databases, and looks at what is left.

A study is worked on by `bocs run` (SQLite) or `bocs worker` (PostgreSQL) in three processes, while `bocs ask` takes points by
hand. Half of the studies have two goals and a limit on an outcome. The program stays up (keep_alive) in half of the
studies: then it prints a line too many, before or after its answer,
or ends, at every third trial. At random moments a random one of them is killed (SIGKILL) or stopped for a while (SIGSTOP);
the file of a store is moved away and back; the server is restarted as after a crash, or stopped (SIGSTOP) while a worker
is asked to end (SIGTERM). What must hold when the study has ended:

  lost        0   everything a process said it had told (--json), and every value told by hand, is in the store, unchanged
  repeated    0   no point twice
  budget          exactly as many trials as the budget, all complete
  wrong       0   every value is that of its point
  hung        0   everybody ended by themselves within minutes, and within seconds of SIGTERM ("leaves": the longest)
  verified        every proposal can be computed again (`bocs trials --verify`)

"again" counts evaluations that were cut off by a kill and made again; that is no fault. "odd": trials at which the program
was out of step. Of every store of SQLite copies are damaged, a few random bytes each ("damaged"): a command must refuse
("refused") or show all trials; a value that differs ("differs") is counted, since nothing promises to notice that.

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
GOALS_METHODS = ["random", "bocs:initial=12"]
GOALS = """
[[goals]]
name = "cost"
[[goals]]
name = "gain"
direction = "maximize"
"""
GOALS_SCRIPT = """echo $BOCS_TRIAL >> log; sleep 0.03
cost=$((BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 * BOCS_X_4))
echo '{"cost": '$cost', "gain": '$((3 * BOCS_X_1 + BOCS_X_3))', "heat": '$((BOCS_X_0 + BOCS_X_2))'}'"""
SCRIPT = "echo $BOCS_TRIAL >> log; sleep 0.03; echo $((BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 * BOCS_X_4))"
KEPT = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    number, x = asked["trial"], [asked["point"][f"x[{i}]"] for i in range(5)]
    with open("log", "a") as log:
        print(number, file=log)
    time.sleep(0.03)
    odd = number % 3 == 0 and not os.path.exists(f"odd.{number}")  # once: the next start is in step
    if odd:
        open(f"odd.{number}", "w").close()
    value = x[0] - 2 * x[1] * x[2] + x[3] * x[4]
    if len(sys.argv) > 1:  # goals
        value = json.dumps({"cost": value, "gain": 3 * x[1] + x[3], "heat": x[0] + x[2]})
    print(*([1000] if odd and number % 2 else []), value, *([2000] if odd and not number % 2 else []), sep="\\n", flush=True)
    if number % 7 == 5:
        sys.exit()
"""
LEAVES = 20  # seconds, on a busy machine; alone it is 2
DAMAGED = 4  # copies of a store
SEEN = ["odd", "damaged", "refused", "differs"]
COUNTS = ["run", "worker", "ask", "stop", "moved", "server", "hang"]


class Broken(Exception):
    pass


def value_of(point):
    x = [point[f"x[{i}]"] for i in range(5)]
    return x[0] - 2 * x[1] * x[2] + x[3] * x[4]


def metrics_of(point):
    x = [point[f"x[{i}]"] for i in range(5)]
    return {"cost": value_of(point), "gain": 3 * x[1] + x[3], "heat": x[0] + x[2]}


class Study:
    def __init__(self, bocs, path, server, generator):
        self.bocs, self.path, self.server, self.generator = bocs, path, server, generator
        self.restart = os.environ.get("BOCS_TEST_POSTGRES_RESTART") if server else None
        self.leaves = 0.0
        self.goals = generator.random() < 0.5
        self.method = generator.choice(GOALS_METHODS if self.goals else METHODS)
        self.name = "t" + uuid.uuid4().hex
        url = server or "sqlite:s.db"
        self.file = os.path.join(path, "s.toml")
        self.kept = generator.random() < 0.5
        script = GOALS_SCRIPT if self.goals else SCRIPT
        command = [sys.executable, "kept.py", *(["goals"] if self.goals else [])] if self.kept else ["sh", "-c", script]
        with open(os.path.join(path, "kept.py"), "w", encoding="utf-8") as stream:
            stream.write(KEPT)
        with open(self.file, "w", encoding="utf-8") as stream:
            stream.write(f"""
[study]
name = "{self.name}"
trials = {TRIALS}
{'outcomes = ["heat <= 1"]' if self.goals else ""}
{GOALS if self.goals else ""}
[[variables]]
name = "x"
type = "binary"
count = 14
[objective]
command = {json.dumps(command)}
attempts = 1000
keep_alive = {json.dumps(self.kept)}
[method]
spec = "{self.method}"
[store]
url = "{url}"
""")
        self.told = {}  # number -> value
        self.outputs = []
        self.crew = []
        self.counts = dict.fromkeys(COUNTS, 0)

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
            metrics = metrics_of(trial["point"]) if self.goals else {}
            numbers = [part for name, metric in metrics.items() for part in ("--metric", f"{name}={metric}")]
            done = self.insist("tell", self.file, "--trial", str(trial["number"]), *(numbers or ["--value", str(value)]),
                               allowed=(64, 65))
            if done.returncode == 0:
                self.told[trial["number"]] = value

    def hurt(self):
        kinds = ["crew"] * 5 + ["ask"] * 2 + ["stop"] + (["server", "hang"] if self.server else ["moved"])
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
        elif kind == "moved":
            self.move_away()
        elif kind == "hang":
            self.leave_a_server_that_hangs(place)
        else:
            subprocess.run([self.restart, "immediate"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=PATIENCE)
            self.counts["server"] += 1

    def move_away(self):
        """Whoever writes meanwhile ends, and says why; nothing is written into another file."""
        store = os.path.join(self.path, "s.db")
        if not os.path.exists(store + "-wal"):
            return  # nobody has opened it: who begins now may well make a new one
        os.rename(store, store + ".away")
        time.sleep(self.generator.uniform(0, 0.2))
        if os.path.exists(store):
            raise Broken("a new store was made where one was moved away")
        os.rename(store + ".away", store)
        self.counts["moved"] += 1

    def leave_a_server_that_hangs(self, place):
        folder = os.path.join(os.path.dirname(self.restart), "server", "data")
        with open(os.path.join(folder, "postmaster.pid"), encoding="utf-8") as file:
            server = int(file.readline())
        with open(f"/proc/{server}/task/{server}/children", encoding="utf-8") as file:
            stopped = [int(pid) for pid in file.read().split()] + [server]
        for pid in stopped:
            send(pid, signal.SIGSTOP)
        try:
            begin = time.monotonic()
            self.crew[place].send_signal(signal.SIGTERM)
            try:
                self.crew[place].wait(timeout=LEAVES)
            except subprocess.TimeoutExpired as error:
                raise Broken(f"hung: not gone {LEAVES} s after SIGTERM") from error
            self.leaves = max(self.leaves, time.monotonic() - begin)
        finally:
            for pid in reversed(stopped):
                send(pid, signal.SIGCONT)
        self.counts["hang"] += 1
        self.crew[place] = self.start()

    def torture(self, kills):
        self.insist("create", self.file)
        self.crew = [self.start() for _ in range(CREW)]
        try:
            while sum(self.counts.values()) < kills:
                time.sleep(self.generator.uniform(0, 0.15))
                self.hurt()
                self.crew = [self.start() if process.poll() == 69 else process for process in self.crew]
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
        self.reap(process)
        if process.returncode not in (0, 69, -signal.SIGKILL):  # 69: its store was moved away
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
                 "wrong": sum(self.is_wrong(trial) for trial in trials),
                 "unverified": sum(not trial.get("verified", True) for trial in trials), "begun": begun,
                 "odd": sum(name.startswith("odd.") for name in os.listdir(self.path))}
        expected = {"lost": 0, "repeated": 0, "trials": TRIALS, "complete": TRIALS, "wrong": 0, "unverified": 0}
        for key, value in expected.items():
            if found[key] != value:
                raise Broken(f"{key}: {found[key]} instead of {value}; method {self.method}, counts {self.counts}")
        found |= {"damaged": 0, "refused": 0, "differs": 0}
        for _ in range(0 if self.server else DAMAGED):
            self.damage(found, trials)
        return found

    def is_wrong(self, trial):
        metrics = metrics_of(trial["point"])
        odd = self.goals and (trial["metrics"] != metrics or trial["allowed"] != (metrics["heat"] <= 1))
        return odd or trial["value"] != value_of(trial["point"])

    def damage(self, found, trials):
        with open(os.path.join(self.path, "s.db"), "rb") as file:
            data = bytearray(file.read())
        for _ in range(self.generator.randint(1, 4)):
            data[self.generator.randrange(len(data))] = self.generator.randrange(256)
        with open(os.path.join(self.path, "damaged.db"), "wb") as file:
            file.write(data)
        done = subprocess.run(self.command("trials", "--store", "sqlite:damaged.db", "--study", self.name, "--json"),
                              cwd=self.path, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                              check=False)
        found["damaged"] += 1
        if done.returncode in (64, 65, 69) and len(done.stderr.splitlines()) == 1:
            found["refused"] += 1
            return
        shown = [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []
        if len(shown) != len(trials):
            raise Broken(f"a damaged store: exit code {done.returncode}, {len(shown)} of {len(trials)} trials: {done.stderr}")
        differs = any((a["value"], a["point"]) != (b["value"], b["point"]) for a, b in zip(shown, trials))
        found["differs"] += differs

    def trials(self, *options):
        return [json.loads(line) for line in self.insist("trials", self.file, "--json", *options).stdout.splitlines()]


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:  # it has just ended
        pass


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
                                dict.fromkeys(["studies", "trials", *COUNTS, *SEEN, "again"], 0) | {"leaves": 0.0})
        row["studies"] += 1
        row["trials"] += found["trials"]
        row["again"] += max(0, found["begun"] - found["trials"])
        row["leaves"] = max(row["leaves"], study.leaves)
        for key in SEEN:
            row[key] += found[key]
        for key, value in study.counts.items():
            row[key] += value
        done += max(1, sum(study.counts.values()))
    keys = ["studies", "trials", *COUNTS, "again", *SEEN]
    print(f"{'':<11}" + "".join(f"{key:>8}" for key in [*keys, "leaves"]))
    for name, row in totals.items():
        print(f"{name:<11}" + "".join(f"{row[key]:>8}" for key in keys) + f"{row['leaves']:>6.1f} s")
    print(f"{sum(row[key] for row in totals.values() for key in COUNTS)} interruptions, {time.monotonic() - start:.0f} s: "
          "nothing lost, repeated or wrong, nobody hung, all verified")
    return 0


if __name__ == "__main__":
    sys.exit(main())

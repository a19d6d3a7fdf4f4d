"""Text and files that somebody else has written, and machines that are not what they should be: nothing of it steers the
terminal, gets a secret, or is lost without a word.

usage: hostile_test.py PATH_OF_BOCS
"""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import unittest

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, write_study

# C0 and C1 control characters, line separators, and what changes the direction of writing (TR 36, CVE-2021-42574).
STEERING = {chr(c) for c in [*range(10), *range(11, 32), *range(127, 160), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029,
                             *range(0x202A, 0x202F), *range(0x2066, 0x206A)]}
EVIL_NAME = "a\u009b31mb\u202ec\u2066d\u061ce\u2028f\u0085h"  # names may not have control characters of ASCII
EVIL = EVIL_NAME + "\u001b]0;title\u0007"


def toml(text):
    return json.dumps(text)  # the same escapes


class Terminal(WithFolder):
    def setUp(self):
        super().setUp()
        script = self.write("fails.py", f"import sys\nsys.stderr.write({EVIL!r})\nsys.exit(1)\n")
        self.study = self.write("evil.toml", f"""
[study]
name = {toml(EVIL_NAME)}
trials = 3
[[variables]]
name = {toml("v" + EVIL_NAME)}
type = "categorical"
levels = [{toml("l" + EVIL_NAME)}, "ok", "fine"]
[objective]
command = [{toml(sys.executable)}, {toml(script)}]
[method]
spec = "random"
[store]
url = "sqlite:evil.db"
""")

    def test_nothing_that_is_shown_steers_the_terminal(self):
        store = "sqlite:" + self.file("evil.db")
        bocs("run", self.study)
        for arguments in [("run", self.study, "--verbose"), ("check", self.study), ("trials", self.study),
                          ("best", self.study), ("studies", "--store", store), ("create", self.study),
                          ("tell", self.study, "--trial", "0", "--value", EVIL), ("trials", self.study + EVIL)]:
            done = bocs(*arguments)
            shown = set(done.stdout + done.stderr)
            self.assertFalse(shown & STEERING, (arguments, done.stdout, done.stderr))
            self.assertTrue(done.stdout + done.stderr, arguments)

    def test_data_is_exact_in_files_and_pipes_and_harmless_on_a_terminal(self):
        bocs("run", self.study)
        exported = json.loads(run("export", self.study, "--format", "json"))
        self.assertIn("v" + EVIL_NAME, exported[0]["point"])
        for kind in ["csv", "json"]:
            main, terminal = os.openpty()
            process = subprocess.Popen([BOCS, "export", self.study, "--format", kind], stdout=terminal,
                                       stdin=subprocess.DEVNULL)
            os.close(terminal)
            shown = b""
            try:
                while block := os.read(main, 65536):
                    shown += block
            except OSError:
                pass
            os.close(main)
            self.assertEqual(process.wait(timeout=PATIENCE), 0)
            self.assertFalse(set(shown.decode().replace("\r\n", "\n")) & STEERING, shown)
            self.assertIn(b"fine" if kind == "csv" and b"fine" in shown else b"number", shown)


class Objective(WithFolder):
    def test_the_password_of_the_store_is_not_the_objectives_business(self):
        file = write_study(self.path, trials=1, command=["sh", "-c", "test -z \"$PGPASSWORD\" && echo 1"],
                           method="random")
        run("run", file, env={**os.environ, "PGPASSWORD": "secret"})
        self.assertEqual(json_lines("trials", file, "--json")[0]["value"], 1)

    def test_points_too_large_for_the_environment_go_through_stdin(self):
        program = self.write("count.py", "import json, os, sys\npoint = json.load(sys.stdin)\n"
                             "print(json.dumps({'value': len(point), 'named': 'BOCS_X_0' in os.environ,"
                             " 'environment': int('BOCS_X_0' in os.environ)}))\n")
        for bits, in_environment in [(1000, 1), (40000, 0)]:
            file = write_study(self.path, f"{bits}.toml", bits=bits, trials=1, command=[sys.executable, program],
                               method="random")
            run("run", file)
            trial = json_lines("best", file, "--json")[0]["best"]
            self.assertEqual(trial["value"], bits)
            self.assertEqual(trial["metrics"]["environment"], in_environment)

    def test_names_without_an_ascii_letter_need_no_environment(self):
        self.write("s.toml", """
[study]
trials = 4
[[variables]]
name = "温度"
type = "binary"
[[variables]]
name = "压力"
type = "binary"
[objective]
command = ["sh", "-c", "echo $(({温度} + 2 * {压力}))"]
[method]
spec = "random"
""")
        run("run", self.file("s.toml"))
        values = sorted(trial["value"] for trial in json_lines("trials", self.file("s.toml"), "--json"))
        self.assertEqual(values, [0, 1, 2, 3])


class Files(WithFolder):
    def test_a_database_that_is_moved_away_is_noticed_at_the_next_trial(self):
        mover = f"test $BOCS_TRIAL = 3 && mv {self.file('s.db')} {self.file('moved.db')}; echo $BOCS_X_0"
        file = write_study(self.path, trials=20, command=["sh", "-c", mover], method="random",
                           tail='[store]\nurl = "sqlite:s.db"')
        done = bocs("run", file, "--json")
        self.assertEqual(done.returncode, 69, (done.stdout, done.stderr))
        self.assertIn("moved", done.stderr)
        self.assertEqual([json.loads(line)["number"] for line in done.stdout.splitlines()], [0, 1, 2])
        self.assertFalse(os.path.exists(self.file("s.db")))
        moved = json_lines("trials", "--store", "sqlite:" + self.file("moved.db"), "--json")  # without its -wal
        self.assertEqual([trial["state"] for trial in moved if trial["number"] < 3], ["complete"] * 3)
        os.rename(self.file("moved.db"), self.file("s.db"))  # and nothing is lost
        for suffix in ["-wal", "-shm"]:
            if os.path.exists(self.file("moved.db" + suffix)):
                os.rename(self.file("moved.db" + suffix), self.file("s.db" + suffix))
        self.assertEqual(len([t for t in json_lines("trials", file, "--json") if t["state"] == "complete"]), 3)

    def test_a_backup_of_a_running_study(self):
        file = write_study(self.path, trials=6, command=["sh", "-c", "sleep 0.1; echo $BOCS_X_0"], method="random",
                           tail='[store]\nurl = "sqlite:s.db"')
        run("create", file)
        running = subprocess.Popen([BOCS, "run", file, "--quiet"])
        self.assertIn("copy", run("backup", file, "--output", self.file("copy.db")))
        self.assertEqual(running.wait(timeout=PATIENCE), 0)
        run("backup", "--store", "sqlite:" + self.file("s.db"), "--output", self.file("whole.db"))
        whole = json_lines("trials", "--store", "sqlite:" + self.file("whole.db"), "--json")
        self.assertEqual(whole, json_lines("trials", file, "--json"))
        self.refused(69, ["there already"], "backup", file, "--output", self.file("copy.db"))
        self.refused(64, ["--store"], "backup", "--output", self.file("x.db"))
        with sqlite3.connect(self.file("copy.db")) as copy:
            self.assertEqual(copy.execute("PRAGMA integrity_check").fetchone()[0], "ok")

    def test_a_damaged_page_is_said_and_never_data(self):
        file = write_study(self.path, trials=60, method="random", tail='[store]\nurl = "sqlite:s.db"')
        run("run", file)
        with sqlite3.connect(self.file("s.db")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = run("export", file)
        size = os.path.getsize(self.file("s.db"))
        codes = set()
        for page in range(0, size, 4096):
            with open(self.file("s.db"), "r+b") as stream:
                stream.seek(page)
                kept = stream.read(4096)
                stream.seek(page)
                stream.write(bytes(255 - b for b in kept))
            done = bocs("export", file)
            codes.add(done.returncode)
            self.assertIn(done.returncode, [0, 69], (page, done.stderr))
            if done.returncode == 0:
                self.assertEqual(done.stdout, before, page)
            else:
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            with open(self.file("s.db"), "r+b") as stream:
                stream.seek(page)
                stream.write(kept)
        self.assertIn(69, codes)  # most pages: those that hold nothing may be anything
        self.assertEqual(run("export", file), before)

    def test_a_trial_that_is_missing_in_an_index_is_damage(self):
        file = write_study(self.path, trials=6, method="random", tail='[store]\nurl = "sqlite:s.db"')
        run("run", file)
        with sqlite3.connect(self.file("s.db")) as database:
            name = "bocs_trial_revision"
            (text,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            database.execute(f"DROP INDEX {name}")
            database.execute(f"{text} WHERE number <> 5")
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, name))
        database.close()
        self.refused(69, ["damaged", name], "trials", file)

    def test_a_store_in_memory_is_refused(self):
        for url in ["sqlite::memory:", "sqlite:file:x.db?mode=memory"]:
            file = write_study(self.path, trials=3, method="random", tail=f'[store]\nurl = "{url}"')
            done = bocs("run", file)
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("lost with its process", done.stderr)

    def test_what_is_no_file_is_no_store(self):
        os.mkfifo(self.file("fifo"))
        os.mkdir(self.file("folder"))
        for place in ["/dev/null", "/dev/full", self.file("fifo"), self.file("folder")]:
            file = write_study(self.path, trials=3, method="random", tail=f'[store]\nurl = "sqlite:{place}"')
            for command in ["run", "best"]:
                self.refused(69, [place, "a store is a file"], command, file)

    def test_a_store_beside_an_orphaned_log_is_not_made_anew(self):
        file = write_study(self.path, trials=3, method="random", tail='[store]\nurl = "sqlite:s.db"')
        run("run", file)
        os.rename(self.file("s.db"), self.file("elsewhere.db"))
        self.write("s.db-wal", "trials")
        done = bocs("run", file)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("s.db-wal", done.stderr)
        self.assertFalse(os.path.exists(self.file("s.db")))

    def test_missing_trials_and_numbers_out_of_range_are_damage(self):
        file = write_study(self.path, trials=6, method="random", tail='[store]\nurl = "sqlite:s.db"')
        run("run", file)
        database = sqlite3.connect(self.file("s.db"))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        with open(self.file("s.db"), "rb") as stream:
            whole = stream.read()
        for damage in ["DELETE FROM bocs_trial WHERE number = 3", "UPDATE bocs_trial SET number = -5 WHERE number = 3",
                       "UPDATE bocs_trial SET number = 2147483648 WHERE number = 5", "UPDATE bocs_schema SET version = -123",
                       "UPDATE bocs_study SET extra = 9223372036854775807", "UPDATE bocs_study SET parallel = -7"]:
            database = sqlite3.connect(self.file("s.db"), isolation_level=None)
            database.execute(damage)
            database.close()
            for command in ["best", "trials", "export", "run", "ask"]:
                done = bocs(command, file)
                self.assertEqual(done.returncode, 69, (damage, command, done.stdout, done.stderr))
                self.assertIn("damaged", done.stderr)
            for end in ["-wal", "-shm"]:
                if os.path.exists(self.file("s.db" + end)):
                    os.remove(self.file("s.db" + end))
            with open(self.file("s.db"), "wb") as stream:
                stream.write(whole)
        run("best", file)

    def test_deep_nesting_is_refused_everywhere(self):
        file = write_study(self.path, trials=3, method="random", tail='[store]\nurl = "sqlite:s.db"')
        run("run", file)
        deep = "[" * 50_000 + "]" * 50_000
        for arguments, typed in [(("enqueue", file, "--point", deep), ""), (("enqueue", file, "--point", '{"a": ' + deep + "}"), ""),
                                 (("tell", file), '{"point": ' + deep + ', "value": 1}\n'),
                                 (("check", self.write("deep.toml", ".".join(["a"] * 50_000) + " = 1\n")), ""),
                                 (("check", self.write("list.toml", "a = " + deep + "\n")), "")]:
            done = bocs(*arguments, input=typed)
            self.assertIn(done.returncode, [64, 65], (arguments[0], done.stderr[:300]))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr[:300])
        for column in ["point", "metrics"]:
            with sqlite3.connect(self.file("s.db")) as database:
                kept = database.execute(f"SELECT {column} FROM bocs_trial WHERE number = 1").fetchone()[0]
                database.execute(f"UPDATE bocs_trial SET {column} = ? WHERE number = 1", [deep])
            for command in ["best", "trials", "export", "run"]:
                done = bocs(command, file)
                self.assertEqual(done.returncode, 69, (column, command, done.stderr[:300]))
            with sqlite3.connect(self.file("s.db")) as database:
                database.execute(f"UPDATE bocs_trial SET {column} = ? WHERE number = 1", [kept])
        run("best", file)

    def test_nothing_is_made_that_others_may_write(self):
        old = os.umask(0o022)
        self.addCleanup(os.umask, old)
        run("init", self.file("study.toml"))
        file = write_study(self.path, "s.toml", trials=2, method="random")
        run("run", file)
        run("export", file, "--output", self.file("s.csv"))
        for name in os.listdir(self.path):
            mode = stat.S_IMODE(os.stat(self.file(name)).st_mode)
            self.assertEqual(mode & 0o022, 0, (name, oct(mode)))

    def test_init_does_not_write_through_a_dangling_link(self):
        os.symlink(self.file("target"), self.file("link.toml"))
        done = bocs("init", self.file("link.toml"))
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(self.file("target")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

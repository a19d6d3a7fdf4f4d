"""What the tests of studies share. The first argument of a test is the path of the `bocs` binary."""

import contextlib
import fcntl
import json
import os
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

BOCS = os.path.abspath(sys.argv[1])
PATIENCE = 300  # seconds: longer than anything takes on a loaded machine, so that only a hang reaches it


def bocs(*arguments, **options):
    return subprocess.run([BOCS, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                          **{"stdin": subprocess.DEVNULL, **options} if "input" not in options else options)


def shown_on_a_terminal(*arguments, columns=200):
    """What the program writes to standard error when that is a terminal."""
    main, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([BOCS, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while block := os.read(main, 65536):
            shown += block
    except OSError:  # how a terminal ends
        pass
    os.close(main)
    assert process.wait(timeout=PATIENCE) == 0, shown
    return shown


def run(*arguments, **options):
    """Runs bocs, which must succeed; returns what it printed."""
    done = bocs(*arguments, **options)
    assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def json_lines(*arguments, **options):
    return [json.loads(line) for line in run(*arguments, **options).splitlines()]


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="bocs-cli-") as path:
        yield path


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.02)


def study_text(bits=8, trials=30, command=None, study="", objective="", method="bocs:initial=8", tail=""):
    """A study on `bits` binary variables x[i]; by default its value is a small polynomial of them, by the shell."""
    if command is None:
        command = ["sh", "-c", "echo $((3 * BOCS_X_0 - 2 * BOCS_X_1 * BOCS_X_2 + BOCS_X_3 - BOCS_X_4 * BOCS_X_5))"]
    return f"""
[study]
trials = {trials}
{study}
[[variables]]
name = "x"
type = "binary"
count = {bits}
[objective]
command = {json.dumps(command)}
{objective}
[method]
spec = "{method}"
{tail}
"""


def write_study(path, name="study.toml", **parts):
    file = os.path.join(path, name)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(study_text(**parts))
    return file


class WithFolder(unittest.TestCase):
    def setUp(self):
        context = folder()
        self.path = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return self.file(name)

    def read(self, name):
        with open(self.file(name), encoding="utf-8") as stream:
            return stream.read()

    def refused(self, exit_code, words, *arguments, **options):
        done = bocs(*arguments, **options)
        self.assertEqual(done.returncode, exit_code, (arguments, done.stdout, done.stderr))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

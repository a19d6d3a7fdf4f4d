"""Every session does the same with the same events: the scripts of tests/sessions, played in C++ and in Python."""

import concurrent.futures
import contextlib
import itertools
import os
import pickle
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bocs

ROOT = Path(__file__).parents[2]
PLAYER = Path(os.environ["BOCS_PROGRAM"]).parent / "tests" / "session_player"
SCRIPTS = sorted((ROOT / "tests" / "sessions").glob("*.script"))
SPACE = {"s": bocs.Binary(6), "depot": ["north", "river", "south"]}
METHOD = "bocs:initial=6"
GOALS: dict[str, Any] = {"goals": {"cost": "min", "gain": "max"}, "outcomes": ["heat <= 1"]}  # of a script with "task goals"
STATES = {"waiting": "w", "running": "r", "complete": "c", "failed": "f", "struck": "s"}


class Scripted(concurrent.futures.ThreadPoolExecutor):
    """Gives the evaluations their words in the order in which they are submitted."""

    def __init__(self, workers: int, words: list[str]) -> None:
        super().__init__(workers)
        self._words = iter(words)

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        word = next(self._words)
        return super().submit(fn, lambda x: outcome(word), *args[1:], **kwargs)


class Dying:
    """An objective for processes: which word is next, the files of a folder count."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self._folder, self._words = folder, words

    def __call__(self, x: Any) -> float | dict[str, float]:
        for i, word in enumerate(self._words):
            try:
                (self._folder / str(i)).touch(exist_ok=False)
            except FileExistsError:
                continue
            if word == "die":
                os._exit(9)
            return outcome(word)
        raise AssertionError("more evaluations than words")


class Raised(Exception):
    """The exception of `raise`, which is not caught."""


def reported(text: str) -> tuple[float, dict[str, float]]:
    """Of "1.5", or of "1.5,heat=2,gain=3"."""
    value, *parts = text.split(",")
    metrics = {name: float(number) for name, number in (part.split("=") for part in parts)}
    return float(value), {**metrics, "cost": float(value)} if metrics else {}


def outcome(word: str) -> float | dict[str, float]:
    if word == "raise":
        raise Raised
    if word == "interrupt":
        raise KeyboardInterrupt
    if word == "error":
        raise ValueError("scripted error")
    value, metrics = reported(word)
    return {"value": value, **metrics}


class Host:
    """The session under test, and what the players must do differently with it."""

    session: Any

    def tell_first(self, number: int, value: float, metrics: dict[str, float]) -> None:
        self.session.tell(number, value, metrics=metrics)

    def away(self) -> contextlib.AbstractContextManager[Any]:
        return contextlib.nullcontext()

    def reopen(self) -> None:
        raise NotImplementedError


class InMemory(Host):
    def __init__(self, choices: dict[str, Any]) -> None:
        self.session = bocs.Optimizer(SPACE, seed=3, method=METHOD, **choices)

    def reopen(self) -> None:
        self.session = pickle.loads(pickle.dumps(self.session))


class Stored(Host):
    def __init__(self, url: str, choices: dict[str, Any]) -> None:
        self._url = url
        self.session = bocs.Study(url, "script", SPACE, seed=3, method=METHOD, trials=0, **choices)

    def tell_first(self, number: int, value: float, metrics: dict[str, float]) -> None:
        bocs.Study(self._url, "script").tell(number, value, metrics=metrics)

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        if not self._url.startswith("sqlite:"):
            yield  # the servers of this test are shared: C++'s player cuts connections
            return
        locked = sqlite3.connect(self._url.removeprefix("sqlite:"), check_same_thread=False, isolation_level=None)
        locked.execute("BEGIN EXCLUSIVE")

        def unlock() -> None:
            time.sleep(0.3)
            locked.execute("ROLLBACK")
            locked.close()

        thread = threading.Thread(target=unlock)
        thread.start()
        yield
        thread.join()

    def reopen(self) -> None:
        self.session = bocs.Study(self._url, "script")


class Player:
    def __init__(self, host: Host, folder: Path) -> None:
        self._host = host
        self._folder = folder
        self._printed = 0
        self._pending: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
        self.transcript: list[str] = []
        self._runs = itertools.count()

    def play(self, line: str) -> None:
        words = line.split()
        if not words or words[0] in ("#", "=", "~", "^", "task"):
            return
        try:
            getattr(self, "_" + words[0])(*words[1:])
        except ValueError:  # refused: the states show that nothing changed
            pass
        self._print()

    @property
    def _session(self) -> Any:
        return self._host.session

    def _ask(self, count: str) -> None:
        self._session.ask(int(count))

    def _tell(self, number: str, text: str) -> None:
        value, metrics = reported(text)
        self._session.tell(int(number), value, metrics=metrics)

    def _fail(self, number: str, *text: str) -> None:
        self._session.tell(int(number), error=" ".join(text))

    def _release(self, number: str) -> None:
        self._session.release(int(number))

    def _enqueue(self, digits: str) -> None:
        self._session.enqueue(self._session.space.point([int(digit) for digit in digits]))

    def _told(self, digits: str, text: str) -> None:
        value, metrics = reported(text)
        self._session.tell(self._session.space.point([int(digit) for digit in digits]), value, metrics=metrics)

    def _overtaken(self, number: str, first: str, second: str) -> None:
        self._host.tell_first(int(number), *reported(first))
        value, metrics = reported(second)
        self._session.tell(int(number), value, metrics=metrics)

    def _strike(self, number: str) -> None:
        self._session.strike(int(number), "the scale was broken")

    def _away(self) -> None:
        self._pending = self._host.away()

    def _reopen(self) -> None:
        self._host.reopen()

    def _run(self, batch: str, *words: str) -> None:
        size = int(batch.removesuffix(":"))
        folder = self._folder / str(next(self._runs))
        folder.mkdir()
        dies = "die" in words
        options: dict[str, Any] = {"trials": len(words) - words.count("die"), "catch": ValueError, "batch": size}
        with self._pending, Scripted(size, list(words)) as pool:
            try:
                if dies:
                    how = self._session.optimize(
                        Dying(folder, list(words)), **{**options, "batch": None}, executor="processes", parallel=1
                    ).reason
                else:
                    how = self._session.optimize(lambda x: 0.0, **options, executor=pool).reason
            except Raised:
                how = "raised"
            except bocs.EvaluationError as error:
                how = error.result.reason
        self._pending = contextlib.nullcontext()
        self.transcript.append(f"~ {how}")

    def _print(self) -> None:
        trials = self._session.trials
        for trial in trials[self._printed :]:
            digits = "".join(str(level) for level in self._session.space.levels(trial.x))
            self.transcript.append(f"{trial.number} {digits}")
        self._printed = len(trials)
        self.transcript.append("= " + "".join("b" if t.state == "complete" and not t.allowed else STATES[t.state] for t in trials))
        values = "".join(f"{t.number}:{t.value:g} " for t in trials if t.state == "complete")
        self.transcript.append(values)
        if len(self._session.goals) > 1:
            self.transcript.append("^" + "".join(f" {trial.number}" for trial in self._session.front))


def expected(script: Path) -> list[str]:
    """What the script says must be so, line by line; spaces are for people."""
    lines = [line for line in script.read_text().splitlines() if line[:1] in ("=", "~", "^")]
    return [line if line[0] == "^" else line[:1] + " " + line[1:].replace(" ", "") for line in lines]


def played_by_cpp(script: Path, *url: str) -> list[str]:
    done = subprocess.run([PLAYER, script, *url], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def checked(transcript: list[str], script: Path) -> None:
    """The states and ends that the script expects, in its order."""
    found = iter(line for line in transcript if line[:1] in ("=", "~", "^"))
    for wanted in expected(script):
        assert any(line == wanted for line in found), (wanted, transcript)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_session_does_the_same(script: Path, tmp_path: Path) -> None:
    reference = played_by_cpp(script)
    checked(reference, script)
    assert played_by_cpp(script, f"sqlite:{tmp_path}/cpp.db") == reference
    server = os.environ.get("BOCS_TEST_POSTGRES")
    if server is not None:
        assert played_by_cpp(script, database(server, "cpp")) == reference
    choices = GOALS if "task goals" in script.read_text().splitlines() else {}
    hosts: list[Host] = [InMemory(choices), Stored(f"sqlite:{tmp_path}/python.db", choices)]
    if server is not None:
        hosts.append(Stored(database(server, "python"), choices))
    for i, host in enumerate(hosts):
        folder = tmp_path / str(i)
        folder.mkdir()
        player = Player(host, folder)
        for line in script.read_text().splitlines():
            player.play(line)
        assert player.transcript == reference, type(host).__name__


def database(server: str, name: str) -> str:
    """A new database on the server."""
    made = f"sessions_{name}_{os.getpid()}_{time.monotonic_ns()}"
    subprocess.run(["psql", "-q", server, "-c", f"CREATE DATABASE {made}"], check=True, capture_output=True)
    return server[: server.rindex("/") + 1] + made

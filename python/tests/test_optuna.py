"""The sampler for Optuna: Optuna's own test-suite, and what it does not test."""

import itertools
import json
import math
import multiprocessing
import pickle
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import optuna
import pytest
from bocs.optuna import BocsSampler
from conftest import PATIENCE
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import BasicSamplerTestCase, MultiObjectiveSamplerTestCase, RelativeSamplerTestCase

import bocs

optuna.logging.set_verbosity(optuna.logging.WARNING)


class TestOfficialSuite(BasicSamplerTestCase, RelativeSamplerTestCase, MultiObjectiveSamplerTestCase):
    @pytest.fixture
    def sampler(self) -> Callable[[], BaseSampler]:
        return lambda: BocsSampler(seed=1)


BITS = {f"x{i}": CategoricalDistribution([False, True]) for i in range(12)}


def energy(x: Sequence[bool]) -> float:
    return float(sum((-1) ** i * a * b for i, (a, b) in enumerate(zip(x, x[1:]))))


def couplings(trial: optuna.Trial) -> float:
    return energy([trial.suggest_categorical(name, [False, True]) for name in BITS])


def points(study: optuna.Study) -> list[tuple[Any, ...]]:
    return [tuple(trial.params.values()) for trial in study.trials]


def test_it_finds_the_optimum() -> None:
    study = optuna.create_study(sampler=BocsSampler(seed=1))
    study.optimize(couplings, n_trials=80)
    assert study.best_value == min(map(energy, itertools.product([False, True], repeat=12)))


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_direction(direction: str) -> None:
    sign = 1.0 if direction == "minimize" else -1.0
    study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=BITS), direction=direction)
    study.optimize(lambda t: sign * couplings(t), n_trials=60)
    mirror = optuna.create_study(sampler=BocsSampler(seed=1, search_space=BITS))
    mirror.optimize(couplings, n_trials=60)
    assert points(study) == points(mirror)


@pytest.mark.parametrize("method", ["bocs:initial=10", "bocs:order=2,initial=10", "ei:initial=10"])
def test_the_points_are_those_of_bocs_itself(method: str) -> None:
    study = optuna.create_study(sampler=BocsSampler(seed=3, search_space=BITS, method=method))
    study.optimize(couplings, n_trials=40)
    result = bocs.minimize(
        lambda x: couplings(optuna.trial.FixedTrial(x)), dict.fromkeys(BITS, bool), trials=40, seed=3, method=method
    )
    assert points(study) == [tuple(t.x.values()) for t in result.trials]


def test_what_a_sampler_remembers_changes_nothing() -> None:
    """One sampler for two studies in turns, and a new one for every trial: the same points."""
    kept = BocsSampler(seed=1, search_space=BITS, method="bocs:initial=6")
    studies = [optuna.create_study(sampler=kept, direction=d) for d in ("minimize", "maximize")]
    fresh = [optuna.create_study(direction=d) for d in ("minimize", "maximize")]
    for _ in range(15):
        for study, other in zip(studies, fresh):
            study.optimize(couplings, n_trials=1)
            other.sampler = pickle.loads(pickle.dumps(BocsSampler(seed=1, search_space=BITS, method="bocs:initial=6")))
            other.optimize(couplings, n_trials=1)
        kept = pickle.loads(pickle.dumps(kept))
    assert [points(study) for study in studies] == [points(study) for study in fresh]


def test_the_initial_design_is_at_most_a_fifth_of_the_trials() -> None:
    space = {f"x{i}": CategoricalDistribution([False, True]) for i in range(60)}  # its own design has 20 points

    def designed(**arguments: Any) -> int:
        study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=space, **arguments))
        study.optimize(lambda t: sum(t.suggest_categorical(name, [False, True]) for name in space), n_trials=25)
        return sum("initial design" in t.system_attrs["bocs:info"] for t in study.trials)

    assert designed() == 20 and designed(trials=30) == 6 and designed(trials=3) == 5
    assert designed(trials=30, method="bocs:initial=9") == 9 and designed(trials=1000) == 20


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "tpe"}, ["'tpe'", "there are bocs"]),
        ({"method": "bocs:order=9"}, ["order=9"]),
        ({"method": 3}, ["method=3", "text"]),
        ({"seed": "x"}, ["seed='x'", "whole number"]),
        ({"seed": -1}, ["seed=-1", "whole number"]),
        ({"trials": 2.5}, ["trials=2.5", "whole number"]),
        ({"trials": 0}, ["trials=0", "above 0"]),
        ({"independent_sampler": 3}, ["independent_sampler=3", "sampler of Optuna"]),
        ({"search_space": [1]}, ["search_space=[1]", "dict"]),
        ({"search_space": {"a": [1, 2]}}, ["search_space=", "distributions"]),
    ],
)
def test_mistakes_are_found_at_construction(arguments: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        BocsSampler(**arguments)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bocs:order=2", "bocs"])
def test_an_ask_costs_what_it_costs_without_optuna(method: str) -> None:
    """By ratio, in turns, the fastest of several tries: at d = 20 after 100 trials, besides what Optuna does for any sampler."""
    space = {f"x{i:02}": CategoricalDistribution([False, True]) for i in range(20)}
    weights = numpy.random.default_rng(0).normal(size=(20, 20))

    def value(x: Any) -> float:
        x = numpy.asarray(x, dtype=float)
        return float(x @ weights @ x)

    times: dict[str, list[list[float]]] = {"optimizer": [], "sampler": [], "random": []}
    for _ in range(3):
        optimizer = bocs.Optimizer(bocs.binary(20), seed=1, method=method)
        studies = {
            "sampler": optuna.create_study(sampler=BocsSampler(seed=1, method=method, search_space=space)),
            "random": optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1)),
        }
        for kind in times.values():
            kind.append([])
        for _ in range(130):
            start = time.process_time()
            asked = optimizer.ask()
            times["optimizer"][-1].append(time.process_time() - start)
            optimizer.tell(asked, value(asked.x))
            for kind, study in studies.items():
                start = time.process_time()
                trial = study.ask(space)
                times[kind][-1].append(time.process_time() - start)
                study.tell(trial, value([trial.params[name] for name in space]))
    asked_points = [[bool(v) for v in t.x] for t in optimizer.trials]
    assert [list(t.params.values()) for t in studies["sampler"].trials] == asked_points
    best = {name: float(numpy.min(tries, axis=0)[-30:].mean()) for name, tries in times.items()}
    print(method, {name: f"{1e3 * seconds:.2f} ms" for name, seconds in best.items()})
    assert best["sampler"] - best["random"] <= 1.3 * best["optimizer"], best


def test_resumed_is_as_uninterrupted() -> None:
    whole = optuna.create_study(sampler=BocsSampler(seed=5))
    whole.optimize(couplings, n_trials=40)
    storage = optuna.storages.InMemoryStorage()
    for n_trials in (17, 23):
        part = optuna.create_study(storage=storage, study_name="s", sampler=BocsSampler(seed=5), load_if_exists=True)
        part.optimize(couplings, n_trials=n_trials)
    assert points(part) == points(whole)


def test_mixed_parameters_and_an_exhausted_space() -> None:
    def f(trial: optuna.Trial) -> float:
        a = trial.suggest_int("a", 2, 6, step=2)
        b = trial.suggest_float("b", 0.0, 0.3, step=0.1)
        c = trial.suggest_categorical("c", ["x", None])
        assert a in (2, 4, 6) and any(abs(b - v) < 1e-9 for v in (0, 0.1, 0.2, 0.3)) and c in ("x", None)
        return a + b + (c is None)

    study = optuna.create_study(sampler=BocsSampler(seed=1))
    study.optimize(f, n_trials=30)
    assert len(study.trials) == 30 and study.best_value == 2
    assert len(set(points(study))) == 3 * 4 * 2  # all there are, then Optuna's sampler repeats some


def test_steps_and_logarithms_are_grids_of_their_values() -> None:
    space = {
        "depth": IntDistribution(0, 100, step=25),
        "share": FloatDistribution(0.1, 0.7, step=0.2),
        "trees": IntDistribution(1, 100000, log=True),
    }
    study = optuna.create_study(
        sampler=BocsSampler(seed=1, search_space=space, constraints=["depth <= 50", "share <= 0.3"])
    )
    study.enqueue_trial({"depth": 25, "share": 0.1, "trees": 12345})  # not on the grid, yet data
    study.optimize(
        lambda t: abs(t.suggest_int("depth", 0, 100, step=25) - 60)
        + t.suggest_float("share", 0.1, 0.7, step=0.2)
        + abs(math.log10(t.suggest_int("trees", 1, 100000, log=True)) - 3),
        n_trials=60,
    )
    assert all(t.params["depth"] <= 50 and t.params["share"] < 0.31 for t in study.trials)
    assert study.best_params["depth"] == 50 and study.best_params["share"] == 0.1
    assert 500 <= study.best_params["trees"] <= 2000


def test_too_many_steps_and_what_is_not_yet_explained_go_to_the_independent_sampler() -> None:
    class Recorder(optuna.samplers.RandomSampler):
        names: set[str] = set()

        def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> Any:
            if trial.number > 0:
                self.names.add(param_name)
            return super().sample_independent(study, trial, param_name, param_distribution)

    def f(trial: optuna.Trial) -> float:
        value = trial.suggest_float("rate", 0, 1, step=1e-6) + trial.suggest_int("n", 0, 9)
        return value + (trial.suggest_int("deep", 0, 3) if trial.suggest_categorical("c", [0, 1]) else 0.0)

    study = optuna.create_study(sampler=BocsSampler(seed=1, independent_sampler=Recorder(seed=1)))
    study.optimize(f, n_trials=25)
    assert Recorder.names == {"rate", "deep"}
    assert study.best_trial.params["n"] == 0 and study.best_trial.params.get("deep", 0) == 0


def test_floats_are_proposed_with_the_others_and_told_ones_need_no_grid() -> None:
    def f(trial: optuna.Trial) -> float:
        x, rate = trial.suggest_float("x", -5, 10), trial.suggest_float("rate", 1e-5, 1, log=True)
        shift = 0.3 if trial.suggest_categorical("c", ["a", "b"]) == "a" else 0.6
        return (x / 10 - shift) ** 2 + (math.log10(rate) + 2.5) ** 2 + shift

    study = optuna.create_study(sampler=BocsSampler(seed=1, trials=60))
    study.enqueue_trial({"x": 1 / 3, "rate": 0.1234567890123, "c": "b"})
    study.optimize(f, n_trials=60)
    assert study.trials[0].params == {"x": 1 / 3, "rate": 0.1234567890123, "c": "b"}
    assert study.best_value < 0.301
    proposed = [trial for trial in study.trials if trial.system_attrs]
    assert len(proposed) >= 55 and len({trial.params["x"] for trial in proposed}) > 40


def test_failed_and_infeasible_trials_are_avoided() -> None:
    def f(trial: optuna.Trial) -> float:
        x = [trial.suggest_categorical(name, [False, True]) for name in BITS]
        if x[0]:
            raise RuntimeError("broken")
        if hasattr(trial, "set_constraint"):
            trial.set_constraint("weight", 1.0 if x[1] else -1.0)
        return -float(sum(x))

    study = optuna.create_study(sampler=BocsSampler(seed=1, search_space=BITS))
    study.optimize(f, n_trials=80, catch=RuntimeError)
    last = [trial.params for trial in study.trials[40:]]
    assert sum(p["x0"] for p in last) <= 20 and sum(p["x1"] for p in last) <= 20  # by chance, 40 of 80 would be
    assert study.best_trial.params == {name: name not in ("x0", "x1") for name in BITS}


def test_known_constraints_are_never_violated() -> None:
    space = {**BITS, "n": IntDistribution(1, 5)}
    sampler = BocsSampler(seed=1, search_space=space, constraints=[bocs.at_most(3, of=list(BITS)), "n + 2*x0 <= 4"])
    study = optuna.create_study(sampler=sampler, direction="maximize")
    study.optimize(lambda t: t.suggest_int("n", 1, 5) + sum(t.suggest_categorical(n, [False, True]) for n in BITS), n_trials=40)
    for trial in study.trials:
        bits = sum(trial.params[name] for name in BITS)
        assert bits <= 3 and trial.params["n"] + 2 * trial.params["x0"] <= 4
    assert study.best_value == 4 + 3
    with pytest.raises(ValueError, match="search_space"):
        BocsSampler(constraints=["n <= 4"])


# Studies of bocs in Optuna's storage


def broken(x: dict[str, Any]) -> float:
    if x["crew"] == 3:
        raise RuntimeError("three is a crowd")
    return x["crew"] + float(sum(x["site"])) - 2 * (x["depot"] is None)


def make_study(path: Path) -> bocs.Study:
    return bocs.Study(path, space={"crew": range(1, 6), "site": bocs.Binary(3), "depot": ["hill", None]}, trials=20, l1=0.5)


def test_a_study_goes_into_optunas_storage(tmp_path: Path) -> None:
    study = make_study(tmp_path / "s.db")
    url = f"sqlite:///{tmp_path}/optuna.db"
    study.optimize(broken, trials=7)
    study.to_optuna(url)
    study.optimize(broken)
    theirs = study.to_optuna(url)
    assert [t.user_attrs["number"] for t in theirs.trials] == list(range(20))
    assert study.best is not None and theirs.best_value == study.best.total
    assert theirs.best_trial.params["crew"] == study.best.x["crew"]
    assert theirs.best_trial.params["depot"] is study.best.x["depot"]
    assert [t.state.name.lower().replace("fail", "failed") for t in theirs.trials] == [t.state for t in study.trials]


def test_goals_and_limits_go_into_optunas_storage(tmp_path: Path) -> None:
    choices: dict[str, Any] = {"goals": {"worth": "max", "items": bocs.Goal("min", known="sum(take)")}, "outcomes": ["weight <= 5"]}
    study = bocs.Study(tmp_path / "s.db", space={"take": bocs.Binary(5)}, trials=20, **choices)
    study.optimize(lambda x: {"worth": x["take"] @ [5, 4, 3, 2, 1], "weight": x["take"] @ [1, 2, 3, 2, 1]})
    theirs = study.to_optuna(f"sqlite:///{tmp_path}/o.db")
    assert theirs.directions == [optuna.study.StudyDirection.MAXIMIZE, optuna.study.StudyDirection.MINIMIZE]
    assert sorted(tuple(t.values) for t in theirs.best_trials) == sorted(tuple(t.goals.values()) for t in study.front)


def test_exporting_again_adds_nothing_whatever_metrics_are_called(tmp_path: Path) -> None:
    study = bocs.Study(tmp_path / "s.db", space={"a": bool, "b": bool}, method="random", trials=4)
    study.optimize(lambda x: {"value": 1.0 * x["a"], "number": 77.0, "how": 1.0, "error": 2.0, "speed": 3.0})
    for _ in range(3):
        trials = study.to_optuna(f"sqlite:///{tmp_path}/o.db").trials
        assert [t.user_attrs["number"] for t in trials] == [0, 1, 2, 3]
    attributes = trials[0].user_attrs
    assert attributes["bocs:number"] == 77.0 and attributes["bocs:how"] == 1.0 and attributes["bocs:error"] == 2.0
    assert attributes["speed"] == 3.0 and attributes["value"] == study.trials[0].value


def test_the_dashboard_shows_a_study(tmp_path: Path) -> None:
    study = make_study(tmp_path / "s.db")
    best = study.optimize(broken).best
    url = f"sqlite:///{tmp_path}/optuna.db"
    python = [sys.executable, "-m"]
    done = subprocess.run([*python, "bocs.optuna", str(tmp_path / "s.db"), url], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == f"s: 20 trials in {url}\n", done.stderr
    missing = subprocess.run([*python, "bocs.optuna", "nothing.db", url], capture_output=True, text=True, cwd=tmp_path)
    assert missing.returncode == 1 and "nothing.db" in missing.stderr and "Traceback" not in missing.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = f"import optuna_dashboard; optuna_dashboard.run_server({url!r}, host='127.0.0.1', port={port})"
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        (summary,) = get_json(f"http://127.0.0.1:{port}/api/studies")["study_summaries"]
        shown = get_json(f"http://127.0.0.1:{port}/api/studies/{summary['study_id']}?after=0")
        assert summary["study_name"] == "s" and len(shown["trials"]) == 20
        values = {t["number"]: t["values"][0] for t in shown["trials"] if t["state"] == "Complete"}
        assert min(values.values()) == best.total == values[best.number]
    finally:
        server.kill()
        server.wait()


def get_json(url: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


# No point twice, however many propose at the same time.

REPEATS = 20


@pytest.mark.parametrize("repeats", [1, pytest.param(REPEATS, marks=pytest.mark.slow)])
def test_threads_get_no_point_twice(repeats: int) -> None:
    for repeat in range(repeats):
        study = optuna.create_study(sampler=BocsSampler(seed=repeat, method="bocs:order=2,polish=0", search_space=BITS))
        study.optimize(couplings, n_trials=200, n_jobs=8)
        assert len(set(points(study))) == 200


def _storage(folder: str, repeat: int) -> optuna.storages.JournalStorage:
    backend = optuna.storages.journal.JournalFileBackend(f"{folder}/{repeat}.log")
    return optuna.storages.JournalStorage(backend)


def _work(folder: str, repeats: int, n_trials: int, together: Any, known: bool) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    for repeat in range(repeats):
        # A method that is soon sure: without care, two processes often want the same point.
        method = "bocs:order=1,initial=5,polish=0"
        sampler = BocsSampler(seed=repeat, method=method, search_space=BITS if known else None)
        study = optuna.load_study(study_name="s", storage=_storage(folder, repeat), sampler=sampler)
        together.wait()
        study.optimize(couplings, n_trials=n_trials)


@pytest.mark.parametrize(
    ("repeats", "n_trials", "known"), [(1, 10, True), (1, 10, False), pytest.param(REPEATS, 50, True, marks=pytest.mark.slow)]
)
def test_processes_get_no_point_twice(repeats: int, n_trials: int, known: bool, tmp_path: Path) -> None:
    """All with the same seed. Without a known search space, the first trial of each is Optuna's independent sampler's."""
    studies = [optuna.create_study(storage=_storage(str(tmp_path), r), study_name="s") for r in range(repeats)]
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(4)
    workers = [context.Process(target=_work, args=(str(tmp_path), repeats, n_trials, together, known)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    for study in studies:
        assert len(study.trials) == len(set(points(study))) == 4 * n_trials

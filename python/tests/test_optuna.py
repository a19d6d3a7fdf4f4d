"""The sampler for Optuna: Optuna's own test-suite, and what it does not test."""

import itertools
import json
import math
import multiprocessing
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.testing.pytest_samplers import BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase

import bocs
from bocs.optuna import BocsSampler
from conftest import PATIENCE

optuna.logging.set_verbosity(optuna.logging.WARNING)


class TestOfficialSuite(BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase):
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


def test_the_points_are_those_of_bocs_itself() -> None:
    study = optuna.create_study(sampler=BocsSampler(seed=3, search_space=BITS))
    study.optimize(couplings, n_trials=40)
    result = bocs.minimize(
        lambda x: couplings(optuna.trial.FixedTrial(x)), {name: bool for name in BITS}, trials=40, seed=3
    )
    assert points(study) == [tuple(t.x.values()) for t in result.trials]


def test_resumed_is_as_uninterrupted() -> None:
    whole = optuna.create_study(sampler=BocsSampler(seed=5))
    whole.optimize(couplings, n_trials=40)
    storage = optuna.storages.InMemoryStorage()
    for n_trials in (17, 23):
        part = optuna.create_study(storage=storage, study_name="s", sampler=BocsSampler(seed=5), load_if_exists=True)
        if len(part.trials) == 0:  # the first trial is Optuna's own sampler's, which does have a state
            part.add_trial(whole.trials[0])
            n_trials -= 1
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


def test_floats_and_conditional_parameters_go_to_the_independent_sampler() -> None:
    class Recorder(optuna.samplers.RandomSampler):
        names: set[str] = set()

        def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> Any:
            if trial.number > 0:
                self.names.add(param_name)
            return super().sample_independent(study, trial, param_name, param_distribution)

    def f(trial: optuna.Trial) -> float:
        value = trial.suggest_float("rate", 0, 1) + trial.suggest_int("n", 0, 9)
        return value + (trial.suggest_int("deep", 0, 3) if trial.suggest_categorical("c", [0, 1]) else 0.0)

    study = optuna.create_study(sampler=BocsSampler(seed=1, independent_sampler=Recorder(seed=1)))
    study.optimize(f, n_trials=25)
    assert Recorder.names == {"rate", "deep"}
    assert study.best_trial.params["n"] == 0 and study.best_trial.params["c"] == 0


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


def test_a_wrong_method_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="boc"):
        BocsSampler(method="boc", search_space=BITS)


def test_several_objectives_are_refused() -> None:
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=BocsSampler())
    with pytest.raises(ValueError, match="several objectives"):
        study.optimize(lambda t: (t.suggest_int("a", 0, 3), 1.0), n_trials=2)


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


# No point twice, whoever proposes at the same time.

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


def _work(folder: str, repeats: int, n_trials: int, together: Any) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    for repeat in range(repeats):
        # A method that is soon sure: without care, two processes often want the same point.
        sampler = BocsSampler(seed=repeat, method="bocs:order=1,initial=5,polish=0", search_space=BITS)
        study = optuna.load_study(study_name="s", storage=_storage(folder, repeat), sampler=sampler)
        together.wait()
        study.optimize(couplings, n_trials=n_trials)


@pytest.mark.parametrize(("repeats", "n_trials"), [(1, 10), pytest.param(REPEATS, 50, marks=pytest.mark.slow)])
def test_processes_get_no_point_twice(repeats: int, n_trials: int, tmp_path: Path) -> None:
    studies = [optuna.create_study(storage=_storage(str(tmp_path), r), study_name="s") for r in range(repeats)]
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(4)
    workers = [context.Process(target=_work, args=(str(tmp_path), repeats, n_trials, together)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    for study in studies:
        assert len(study.trials) == len(set(points(study))) == 4 * n_trials

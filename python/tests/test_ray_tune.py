"""The searcher of Ray Tune, with the real package. `scripts/test --slow` has it."""

from __future__ import annotations

import pytest

import bocs

pytestmark = pytest.mark.slow
tune = pytest.importorskip("ray.tune")


def cost(x):
    if x["crew"] == 8:
        raise RuntimeError("too many people")
    return (x["crew"] - 5) ** 2 + sum(x["station"])


def same(a, b):
    return a["crew"] == b["crew"] and list(a["station"]) == list(b["station"])


SPACE = {"crew": range(1, 9), "station": bocs.Binary(4)}


def searcher(**arguments):
    from bocs.ray_tune import BocsSearch

    return BocsSearch(SPACE, seed=3, trials=40, constraints=["station[0] + station[1] >= 1"], **arguments)


def test_finds_the_optimum_as_the_optimizer_does():
    search = searcher(metric="cost", mode="min")
    points = []
    for i in range(40):
        config = search.suggest(str(i))
        points.append(config)
        try:
            search.on_trial_complete(str(i), {"cost": cost(config)})
        except RuntimeError:
            search.on_trial_complete(str(i), error=True)
    optimizer = bocs.Optimizer(SPACE, seed=3, trials=40, constraints=["station[0] + station[1] >= 1"])
    for point in points:
        trial = optimizer.ask()
        assert same(trial.x, point)
        try:
            optimizer.tell(trial, cost(trial.x))
        except RuntimeError:
            optimizer.tell(trial, error="failed")
    assert optimizer.best.value == 1


def test_goes_on_from_a_checkpoint(tmp_path):
    search, other = searcher(metric="cost", mode="min"), searcher(metric="cost", mode="min")
    for i in range(15):
        search.on_trial_complete(str(i), {"cost": cost(search.suggest(str(i)) | {"crew": 5})})
    search.save(str(tmp_path / "state"))
    other.restore(str(tmp_path / "state"))
    assert same(other.suggest("next"), search.suggest("next"))


def test_is_driven_by_ray(tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        tuner = tune.Tuner(
            lambda config: {"cost": cost(config)},
            tune_config=tune.TuneConfig(search_alg=searcher(metric="cost", mode="min"), num_samples=12, max_concurrent_trials=2),
            run_config=tune.RunConfig(storage_path=str(tmp_path), verbose=0),
        )
        assert len(tuner.fit()) == 12
    finally:
        ray.shutdown()

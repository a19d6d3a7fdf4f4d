"""Callbacks of trackers, with the real packages, offline. Skipped where a package is missing; `scripts/test --slow` has them."""

from __future__ import annotations

import math

import bocs.trackers
import pytest

import bocs

SPACE = {"pump": bool, "crew": range(1, 9), "depot": ["north", None]}
pytestmark = pytest.mark.slow


def cost(x):
    if x["crew"] == 8:
        raise RuntimeError("too many people")
    return {"value": x["crew"] - x["pump"], "mass": 2.5}


def run(callback):
    return bocs.minimize(cost, SPACE, trials=12, seed=1, callback=callback, progress=False, start=[{"pump": True, "crew": 8, "depot": None}])


def test_mlflow_has_a_run_per_trial(tmp_path):
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    with mlflow.start_run() as parent:
        result = run(bocs.trackers.to_mlflow())
    runs = mlflow.search_runs(filter_string=f"tags.mlflow.parentRunId = '{parent.info.run_id}'", output_format="list")
    by_name = {each.info.run_name: each for each in runs}
    assert len(runs) == len(result.trials) == 12
    for trial in result.trials:
        each = by_name[f"trial {trial.number}"]
        assert each.data.params == {name: str(level) for name, level in trial.x.items()}
        if trial.state == "complete":
            assert each.data.metrics["value"] == trial.value and each.data.metrics["mass"] == 2.5
            assert each.info.status == "FINISHED"
        else:
            assert each.info.status == "FAILED" and "too many people" in each.data.tags["error"]


def test_wandb_has_a_step_per_trial(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    for name, value in {"WANDB_MODE": "offline", "WANDB_DIR": str(tmp_path), "WANDB_SILENT": "true"}.items():
        monkeypatch.setenv(name, value)
    with wandb.init(project="test", mode="offline", dir=str(tmp_path)) as session:
        rows = []
        monkeypatch.setattr(session, "log", lambda row, log=session.log: (rows.append(row), log(row)))
        result = run(bocs.trackers.to_wandb(session))
    assert [row["trial"] for row in rows] == [trial.number for trial in result.trials]
    assert [row.get("value", math.nan) for row in rows] == pytest.approx([t.value for t in result.trials], nan_ok=True)
    assert rows[0]["depot"] == "None"


def test_tensorboard_has_a_scalar_per_trial(tmp_path):
    tensorboard = pytest.importorskip("tensorboardX")
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with tensorboard.SummaryWriter(str(tmp_path)) as writer:
        result = run(bocs.trackers.to_tensorboard(writer))
    events = reader.EventAccumulator(str(tmp_path))
    events.Reload()
    values = {event.step: event.value for event in events.Scalars("value")}
    assert values == pytest.approx({t.number: t.value for t in result.trials if t.state == "complete"})

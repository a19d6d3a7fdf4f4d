"""Callbacks that send every finished trial to an experiment tracker.

    bocs.minimize(f, space, callback=bocs.trackers.to_mlflow())

    to_mlflow       a nested run of MLflow per trial, below the active run
    to_wandb        a step of a run of Weights & Biases per trial
    to_tensorboard  scalars of TensorBoard, one step per trial

Each needs its tracker's package. They only report: what a run proposes does not depend on them. To send a study that is
there already, call one with each of ``study.trials``.
"""

from __future__ import annotations

import atexit
from typing import Any

from ._run import Callback
from ._trial import Trial

__all__ = ["to_mlflow", "to_tensorboard", "to_wandb"]


def _parameters(trial: Trial) -> dict[str, Any]:
    """The point with a name per variable; a vector of ``bocs.binary(n)`` as ``x[0]``, ``x[1]``, ..."""
    if isinstance(trial.x, dict):
        return dict(trial.x)
    return {f"x[{i}]": level for i, level in enumerate(trial.x.tolist())}


def _numbers(trial: Trial) -> dict[str, float]:
    """What the trial gave; of a failed one nothing."""
    if trial.state != "complete":
        return {}
    return {"value": trial.value, "total": trial.total, "seconds": trial.seconds, **trial.metrics}


def to_mlflow(**run: Any) -> Callback:
    """``run``: arguments of ``mlflow.start_run`` for each trial's run, such as ``experiment_id`` or ``tags``."""
    import mlflow

    def report(trial: Trial) -> None:
        status = "FINISHED" if trial.state == "complete" else "FAILED"
        with mlflow.start_run(run_name=f"trial {trial.number}", nested=True, **run) as active:
            mlflow.log_params(_parameters(trial))
            mlflow.log_metrics(_numbers(trial))
            mlflow.set_tags({"how": trial.how, "state": trial.state, **({"error": trial.error[:5000]} if trial.error else {})})
        mlflow.tracking.MlflowClient().set_terminated(active.info.run_id, status)

    return report


def to_wandb(run: Any = None) -> Callback:
    """``run``: what ``wandb.init`` returned; without it, a new run of the project ``bocs``."""
    import wandb

    run = wandb.init(project="bocs") if run is None else run

    def report(trial: Trial) -> None:
        point = {name: v if isinstance(v, (bool, int, float, str)) else str(v) for name, v in _parameters(trial).items()}
        run.log({"trial": trial.number, "state": trial.state, "how": trial.how, **point, **_numbers(trial)})

    return report


def to_tensorboard(writer: Any) -> Callback:
    """``writer``: a folder (needs tensorboardX), or a ``SummaryWriter`` of tensorboardX or PyTorch."""
    if not hasattr(writer, "add_scalar"):
        from tensorboardX import SummaryWriter

        writer = SummaryWriter(str(writer), flush_secs=1)
        atexit.register(writer.close)  # its last numbers are written by a thread

    def report(trial: Trial) -> None:
        for name, number in _numbers(trial).items():
            writer.add_scalar(name, number, trial.number)
        writer.add_text("point", str(_parameters(trial)), trial.number)
        writer.flush()

    return report

"""bocs as a search algorithm of Ray Tune.

    tuner = ray.tune.Tuner(trainable, tune_config=ray.tune.TuneConfig(
        search_alg=bocs.ray_tune.BocsSearch(space, metric="error", mode="min"), num_samples=60))

Ray runs the trials, as many at once as it has room for; bocs proposes them.
"""

from __future__ import annotations

import pickle
from typing import Any

from ray.tune.search import Searcher

from ._core import SpaceExhausted
from ._optimizer import Optimizer
from ._space import SpaceLike
from ._trial import Trial

__all__ = ["BocsSearch"]


class BocsSearch(Searcher):
    """``space``: of bocs, with names. Further arguments are those of ``bocs.Optimizer``, such as ``constraints``."""

    def __init__(self, space: SpaceLike, metric: str | None = None, mode: str | None = None, **arguments: Any) -> None:
        super().__init__(metric=metric, mode=mode)
        self._arguments = {"space": space, **arguments}
        self._optimizer: Optimizer | None = None
        self._running: dict[str, Trial] = {}
        if metric and mode:
            self._start()

    def _start(self) -> None:
        direction = {"min": "minimize", "max": "maximize"}[self.mode]
        self._optimizer = Optimizer(direction=direction, **self._arguments)  # type: ignore[arg-type]

    def set_search_properties(self, metric: str | None, mode: str | None, config: dict[str, Any], **spec: Any) -> bool:
        """Ray calls this with what TuneConfig says; the space stays that of bocs."""
        if self._optimizer is not None or config:
            return False
        self._metric, self._mode = metric, mode
        self._start()
        return True

    def suggest(self, trial_id: str) -> Any:
        if self._optimizer is None:
            raise RuntimeError("BocsSearch needs metric= and mode=, here or in TuneConfig")
        try:
            trial = self._optimizer.ask()
        except SpaceExhausted:
            return Searcher.FINISHED
        self._running[trial_id] = trial
        if not isinstance(trial.x, dict):
            raise TypeError("BocsSearch needs a space with names, such as {'x': bocs.Binary(8)}")
        return dict(trial.x)

    def on_trial_complete(self, trial_id: str, result: dict[str, Any] | None = None, error: bool = False) -> None:
        trial = self._running.pop(trial_id, None)
        if trial is None or self._optimizer is None:
            return
        if error or not result or self.metric not in result:
            self._optimizer.tell(trial, error="the trial of Ray ended without a result")
        else:
            self._optimizer.tell(trial, result[self.metric])

    def save(self, checkpoint_path: str) -> None:
        with open(checkpoint_path, "wb") as file:
            pickle.dump((self._optimizer, self._running), file)

    def restore(self, checkpoint_path: str) -> None:
        with open(checkpoint_path, "rb") as file:
            self._optimizer, self._running = pickle.load(file)

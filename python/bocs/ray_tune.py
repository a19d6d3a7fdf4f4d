"""bocs as a search algorithm of Ray Tune.

    search = bocs.ray_tune.BocsSearch(space, metric="error", mode="min", trials=60)
    tuner = ray.tune.Tuner(trainable, tune_config=ray.tune.TuneConfig(search_alg=search, num_samples=60))

Ray runs the trials, as many at once as it has room for; bocs proposes them.
"""

from __future__ import annotations

import pickle
from typing import Any

from ray.tune.search import Searcher

from ._core import SpaceExhausted
from ._optimizer import Optimizer
from ._space import Space
from ._trial import Trial

__all__ = ["BocsSearch"]


class BocsSearch(Searcher):
    """``space``: of bocs, with names; it is not Ray's ``param_space``. Further arguments are those of ``bocs.Optimizer``."""

    def __init__(self, space: Any, metric: str, mode: str, **arguments: Any) -> None:
        super().__init__(metric=metric, mode=mode)
        if Space(space).is_vector:
            raise ValueError("BocsSearch needs a space with names, such as {'x': bocs.Binary(8)}")
        self._optimizer = Optimizer(space, direction="minimize" if mode == "min" else "maximize", **arguments)
        self._running: dict[str, Trial] = {}

    def suggest(self, trial_id: str) -> Any:
        try:
            trial = self._optimizer.ask()
        except SpaceExhausted:
            return Searcher.FINISHED
        self._running[trial_id] = trial
        return dict(trial.x)

    def on_trial_complete(self, trial_id: str, result: dict[str, Any] | None = None, error: bool = False) -> None:
        trial = self._running.pop(trial_id, None)
        if trial is None:
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

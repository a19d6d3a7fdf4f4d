"""The picture of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._trial import Trial

if TYPE_CHECKING:
    import matplotlib.axes


def plot_trials(trials: list[Trial], direction: str, ax: matplotlib.axes.Axes | None) -> matplotlib.axes.Axes:
    if ax is None:
        import matplotlib.pyplot

        ax = matplotlib.pyplot.subplots()[1]
    complete = [t for t in trials if t.state == "complete"]
    numbers = [t.number for t in complete]
    best: list[float] = []
    better = min if direction == "minimize" else max
    for t in complete:
        best.append(better(best[-1], t.total) if best else t.total)
    ax.plot(numbers, [t.total for t in complete], ".", color="0.6", label="trials")
    ax.step(numbers, best, where="post", label="best so far")
    failed = [t.number for t in trials if t.state == "failed"]
    if failed:
        ax.plot(failed, [ax.get_ylim()[0]] * len(failed), "x", color="tab:red", label="failed")
    ax.set_xlabel("trial")
    ax.set_ylabel("value")
    ax.legend()
    return ax

"""The picture of the README: bocs, Optuna's TPE and random subsets on feature selection, best value against evaluations.

Ridge regression on the standardized breast cancer data of scikit-learn, 30 features, to be kept or not. The value is the
5-fold cross-validated squared error of the 0/1 label over its variance, plus 0.001 per feature. Every method is run as it
comes, without settings, over the same seeds; TPE has its own initial points.

Usage: python experiments/feature_selection.py [seeds] [trials] [folder]
Writes feature_selection.csv (seed, method, trial, best so far) and feature_selection.svg into the folder (default
docs/figures), and prints the means at the end.
"""

import csv
import sys
import warnings
from pathlib import Path

import matplotlib
import numpy
import optuna
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import KFold

import bocs

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PER_FEATURE = 0.001
RIDGE = 1.0
X, Y = load_breast_cancer(return_X_y=True)
X, Y = (X - X.mean(0)) / X.std(0), (Y - Y.mean()) / Y.std()
FOLDS = [(X[train], Y[train], X[test], Y[test]) for train, test in KFold(5, shuffle=True, random_state=0).split(X)]


def error(keep) -> float:
    chosen = numpy.flatnonzero(keep)
    squares = 0.0
    for x, y, x_test, y_test in FOLDS:
        mean_x, mean_y = x[:, chosen].mean(0), y.mean()
        a = x[:, chosen] - mean_x
        beta = numpy.linalg.solve(a.T @ a + RIDGE * numpy.eye(len(chosen)), a.T @ (y - mean_y))
        squares += ((mean_y + (x_test[:, chosen] - mean_x) @ beta - y_test) ** 2).sum()
    return float(squares / len(Y) + PER_FEATURE * len(chosen))


def by_bocs(method: str, trials: int, seed: int) -> list[float]:
    space = {"keep": bocs.Binary(X.shape[1])}
    result = bocs.minimize(lambda x: error(x["keep"]), space, trials=trials, seed=seed, method=method, progress=False)
    return [trial.value for trial in result.trials]


def by_tpe(trials: int, seed: int) -> list[float]:
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(
        lambda trial: error([trial.suggest_categorical(f"keep{i}", [0, 1]) for i in range(X.shape[1])]), n_trials=trials
    )
    return [trial.value for trial in study.trials]


METHODS = {
    "bocs": ("#0072b2", "-", lambda trials, seed: by_bocs("bocs", trials, seed)),
    "Optuna TPE": ("#d55e00", "--", by_tpe),
    "random": ("#666666", ":", lambda trials, seed: by_bocs("random", trials, seed)),
}


def draw(runs: dict[str, numpy.ndarray], file: Path) -> None:
    plt.rcParams.update({"svg.hashsalt": "bocs", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for label, best in runs.items():
        colour, line, _ = METHODS[label]
        mean, spread = best.mean(0), 2 * best.std(0, ddof=1) / len(best) ** 0.5
        trials = numpy.arange(1, best.shape[1] + 1)
        axes.plot(trials, mean, line, color=colour)
        axes.fill_between(trials, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)
        axes.annotate(label, (trials[-1], mean[-1]), xytext=(5, 0), textcoords="offset points", color=colour, va="center")
    axes.set(xlabel="evaluations", ylabel="best error so far", xlim=(1, None))
    low = min(best.mean(0)[-1] for best in runs.values())
    axes.set_ylim(low - 0.004, low + 0.06)
    axes.set_title(f"Which of {X.shape[1]} features to keep: mean of {len(best)} runs, ± 2 standard errors", fontsize=10, loc="left")
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    trials = int(sys.argv[2]) if len(sys.argv) > 2 else 120
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else Path(__file__).parents[1] / "docs" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    runs = {}
    with open(folder / "feature_selection.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["seed", "method", "trial", "best"])
        for label, (_, _, method) in METHODS.items():
            values = numpy.array([method(trials, seed) for seed in range(1, seeds + 1)])
            runs[label] = numpy.minimum.accumulate(values, axis=1)
            for seed, best in enumerate(runs[label], 1):
                improved = [0, *numpy.flatnonzero(numpy.diff(best)) + 1]
                rows.writerows([seed, label, trial + 1, f"{best[trial]:.6f}"] for trial in improved)
            last = runs[label][:, -1]
            print(f"{label}: {last.mean():.5f} ± {2 * last.std(ddof=1) / seeds**0.5:.5f} (n = {seeds}, {trials} evaluations)", flush=True)
    draw(runs, folder / "feature_selection.svg")


main()

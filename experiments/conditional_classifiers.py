"""Choosing and tuning one of three classifiers of scikit-learn, each with settings of its own, all discrete.

Two data sets: digits (the first 500 images) and breast cancer. The value is the 3-fold cross-validated error in
percent. A scaler is always chosen, then logistic regression (2 settings), a support vector machine (3, and a degree for
one of its kernels) or a random forest (4). bocs gets the space with ``bocs.when``; the others find out trial by trial,
Optuna's define-by-run.

Usage: python experiments/conditional_classifiers.py FOLDER [seeds] [part of a data set's name]
Keeps evaluations and runs in FOLDER, so that all methods share them and a run that was stopped goes on. Writes
experiments/tables/conditional.md.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import optuna
from bocs.optuna import BocsSampler
from scipy.stats import t as student
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.svm import SVC

import bocs

TRIALS = 60
DATA = {"digits": load_digits, "breast cancer": load_breast_cancer}
TABLE = Path(__file__).parent / "tables" / "conditional.md"
SCALERS = {"none": FunctionTransformer, "unit": MinMaxScaler, "standard": StandardScaler}
SPACE = {
    "scaler": list(SCALERS),
    "model": ["logistic", "svm", "forest"],
    "log_c": bocs.when("model == logistic", range(-6, 7)),  # c = 10^(log_c / 2)
    "balanced": bocs.when("model == logistic", bool),
    "svm_c": bocs.when("model == svm", range(-4, 9)),
    "gamma": bocs.when("model == svm", range(-10, 3)),
    "kernel": bocs.when("model == svm", ["rbf", "poly"]),
    "degree": bocs.when("kernel == poly", range(2, 5)),
    "trees": bocs.when("model == forest", range(10, 41, 10)),
    "depth": bocs.when("model == forest", range(2, 11)),
    "features": bocs.when("model == forest", bocs.ordinal([1, 2, 4, 8, 16, 32])),
    "leaf": bocs.when("model == forest", range(1, 6)),
}


def suggested(trial: optuna.Trial) -> dict[str, Any]:
    x: dict[str, Any] = {
        "scaler": trial.suggest_categorical("scaler", list(SCALERS)),
        "model": trial.suggest_categorical("model", ["logistic", "svm", "forest"]),
    }
    if x["model"] == "logistic":
        x["log_c"] = trial.suggest_int("log_c", -6, 6)
        x["balanced"] = trial.suggest_categorical("balanced", [False, True])
    elif x["model"] == "svm":
        x["svm_c"] = trial.suggest_int("svm_c", -4, 8)
        x["gamma"] = trial.suggest_int("gamma", -10, 2)
        x["kernel"] = trial.suggest_categorical("kernel", ["rbf", "poly"])
        if x["kernel"] == "poly":
            x["degree"] = trial.suggest_int("degree", 2, 4)
    else:
        x["trees"] = trial.suggest_int("trees", 10, 40, step=10)
        x["depth"] = trial.suggest_int("depth", 2, 10)
        x["features"] = 2 ** trial.suggest_int("log features", 0, 5)
        x["leaf"] = trial.suggest_int("leaf", 1, 5)
    return x


def classifier(x: dict[str, Any]) -> Any:
    if x["model"] == "logistic":
        weight = "balanced" if x["balanced"] else None
        return LogisticRegression(C=10 ** (x["log_c"] / 2), class_weight=weight, max_iter=60)
    if x["model"] == "svm":
        numbers = {"C": 10 ** (x["svm_c"] / 2), "gamma": 10 ** (x["gamma"] / 2), "degree": x.get("degree", 3)}
        return SVC(kernel=x["kernel"], **numbers)
    settings = {"max_depth": x["depth"], "max_features": x["features"], "min_samples_leaf": x["leaf"]}
    return RandomForestClassifier(x["trees"], **settings, random_state=0)


class Evaluations:
    """Of points that were met before the file has the value."""

    def __init__(self, folder: Path, data: str) -> None:
        self._file = file = folder / f"{data}.jsonl"
        self._known = dict(map(json.loads, file.read_text().splitlines())) if file.exists() else {}
        self._x, self._y = (part[: 500 if data == "digits" else None] for part in DATA[data](return_X_y=True))
        self._folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(self._x, self._y))

    def __call__(self, x: dict[str, Any]) -> float:
        key = json.dumps({name: str(value) for name, value in x.items()}, sort_keys=True)
        if key not in self._known:
            pipeline = make_pipeline(SCALERS[x["scaler"]](), classifier(x))
            error = 1 - cross_val_score(pipeline, self._x, self._y, cv=self._folds).mean()
            self._known[key] = round(100 * float(error), 6)
            with self._file.open("a") as out:
                out.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]

    def best(self) -> tuple[float, int]:
        return min(self._known.values()), len(self._known)


def by_bocs(method: str) -> Callable[[Evaluations, int], list[float]]:
    def run(error: Evaluations, seed: int) -> list[float]:
        result = bocs.minimize(error, SPACE, trials=TRIALS, seed=seed, method=method, progress=False)
        return [trial.value for trial in result.trials]

    return run


def by_optuna(make: Callable[[int], optuna.samplers.BaseSampler]) -> Callable[[Evaluations, int], list[float]]:
    def run(error: Evaluations, seed: int) -> list[float]:
        study = optuna.create_study(sampler=make(seed))
        study.optimize(lambda trial: error(suggested(trial)), n_trials=TRIALS)
        return [trial.value for trial in study.trials]

    return run


METHODS = {
    "`bocs.minimize`, `bocs.when`": by_bocs("bocs"),
    "the same, method `ei`": by_bocs("ei"),
    "`BocsSampler`, define-by-run": by_optuna(lambda seed: BocsSampler(seed=seed, trials=TRIALS)),
    "Optuna TPE": by_optuna(lambda seed: optuna.samplers.TPESampler(seed=seed)),
    "Optuna TPE, multivariate, groups": by_optuna(
        lambda seed: optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)
    ),
    "random": by_bocs("random"),
}


def with_interval(values: Any) -> str:
    values = numpy.asarray(values)
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return f"{values.mean():.3f} ± {half:.3f}"


def table(data: str, runs: dict[str, dict[int, Any]], seeds: int, error: Evaluations) -> list[str]:
    best = {label: numpy.array([min(runs[label][seed]["values"]) for seed in range(1, seeds + 1)]) for label in METHODS}
    tpe, (least, points) = best["Optuna TPE"], error.best()
    lines = [
        f"{data}; the least error that any method met, among {points} points, is {least:.3f} %",
        "",
        "| method | best error, % | minus TPE | better:worse than TPE | CPU s per run without evaluations |",
        "| --- | --- | --- | --- | --- |",
    ]
    for label, found in best.items():
        seconds = numpy.mean([runs[label][seed]["seconds"] for seed in range(1, seeds + 1)])
        paired = "" if label == "Optuna TPE" else with_interval(found - tpe)
        counts = "" if label == "Optuna TPE" else f"{(found < tpe).sum()}:{(found > tpe).sum()}"
        lines.append(f"| {label} | {with_interval(found)} | {paired} | {counts} | {seconds:.1f} |")
    return [*lines, ""]


def run_all(data: str, folder: Path, seeds: int, evaluations: Evaluations) -> dict[str, dict[int, Any]]:
    """By method and seed."""
    file = folder / f"{data} runs.jsonl"
    runs: dict[str, dict[int, Any]] = {label: {} for label in METHODS}
    for line in file.read_text().splitlines() if file.exists() else []:
        run = json.loads(line)
        runs[run["method"]][run["seed"]] = run
    for seed in range(1, seeds + 1):
        for label, method in METHODS.items():
            if seed in runs[label]:
                continue
            spent = 0.0

            def error(x: dict[str, Any]) -> float:
                nonlocal spent
                start = time.process_time()
                value = evaluations(x)
                spent += time.process_time() - start
                return value

            start = time.process_time()
            values = method(error, seed)
            run = {"method": label, "seed": seed, "values": values, "seconds": time.process_time() - start - spent}
            runs[label][seed] = run
            with file.open("a") as out:
                out.write(json.dumps(run) + "\n")
    return runs


def main() -> None:
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder, seeds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    folder.mkdir(parents=True, exist_ok=True)
    command = " ".join(["python experiments/conditional_classifiers.py FOLDER", *sys.argv[2:]])
    lines = [
        "# Choosing and tuning a classifier",
        "",
        f"`{command}`: cross-validated error in percent, the best of {TRIALS} evaluations.",
        f"n = {seeds} seeds; ± is half the 95 % interval of the mean; *minus TPE* is paired by seed.",
        "",
    ]
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for data in filter(lambda name: wanted in name, DATA):
        evaluations = Evaluations(folder, data)
        lines += table(data, run_all(data, folder, seeds, evaluations), seeds, evaluations)
    TABLE.write_text("\n".join(lines))
    print(TABLE.read_text())


if __name__ == "__main__":
    main()

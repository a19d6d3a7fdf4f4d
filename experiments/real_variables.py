"""Real variables beside choices: bocs, Optuna's TPE and Optuna's Gaussian process, 80 evaluations.

Three problems, each with an instance per seed:
- branin, hartmann: Branin's function of 2 numbers and Hartmann's of 6, beside two categories of 3 levels. One pair of
  levels is free; the others cost something and shift the function. The value is the regret.
- ridge: kernel ridge regression on the diabetes data of scikit-learn. To be chosen: which of 10 features are used, the
  kernel, the degree of a polynomial, and two numbers over 6 and 5 powers of ten. The value is the cross-validated mean
  squared error over the variance; the seed draws the folds.

Usage: python experiments/real_variables.py FOLDER [instances] [part of a problem's name] [part of a method's name]
Keeps runs in FOLDER, so that a run that was stopped goes on. Writes experiments/tables/real.md. Optuna's Gaussian
process needs torch; without it the table goes without.
"""

import importlib.util
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import optuna
from scipy.stats import t as student
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

import bocs

TRIALS = 80
TABLE = Path(__file__).parent / "tables" / "real.md"
LEVELS = ["a", "b", "c"]
KERNELS = ["rbf", "laplacian", "polynomial"]
X, Y = load_diabetes(return_X_y=True)
X, Y = StandardScaler().fit_transform(X), (Y - Y.mean()) / Y.std()

Error = Callable[[dict[str, Any]], float]


class Problem(NamedTuple):
    space: dict[str, Any]
    make: Callable[[int], Error]  # of an instance
    what: str  # the value is


def branin(u: Any) -> float:
    x, y = 15 * u[0] - 5, 15 * u[1]
    bowl = (y - 5.1 / (4 * numpy.pi**2) * x * x + 5 / numpy.pi * x - 6) ** 2
    return float(bowl + 10 * (1 - 1 / (8 * numpy.pi)) * numpy.cos(x) + 10)


HARTMANN_A = numpy.array([[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]])
HARTMANN_P = 1e-4 * numpy.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann(u: Any) -> float:
    return -float(numpy.exp(-(HARTMANN_A * (numpy.asarray(u) - HARTMANN_P) ** 2).sum(1)) @ [1, 1.2, 3, 3.2])


def beside_choices(function: Callable[[Any], float], size: int, least: float, unit: float) -> Problem:
    def make(instance: int) -> Error:
        rng = numpy.random.default_rng(instance)
        costs = [unit * rng.permutation([0, 1, 2]) for _ in range(2)]
        shifts = rng.uniform(-0.15, 0.15, (2, 3, size))
        for cost, shift in zip(costs, shifts):
            shift[cost == 0] = 0

        def error(x: dict[str, Any]) -> float:
            chosen = [LEVELS.index(x[f"c{k}"]) for k in range(2)]
            u = numpy.array([x[f"x{i}"] for i in range(size)]) + sum(shifts[k][chosen[k]] for k in range(2))
            return function(numpy.clip(u, 0, 1)) + sum(costs[k][chosen[k]] for k in range(2)) - least

        return error

    numbers = {f"x{i}": bocs.real(0, 1) for i in range(size)}
    return Problem(numbers | {f"c{k}": LEVELS for k in range(2)}, make, "regret")


def make_ridge(instance: int) -> Error:
    folds = list(KFold(5, shuffle=True, random_state=instance).split(X, Y))

    def error(x: dict[str, Any]) -> float:
        used = [i for i in range(X.shape[1]) if x[f"use{i}"]]
        if not used:
            return 1.0
        model = KernelRidge(kernel=x["kernel"], alpha=x["alpha"], gamma=x["gamma"], degree=x["degree"])
        errors = []
        for train, test in folds:
            mean = Y[train].mean()
            predicted = model.fit(X[train][:, used], Y[train] - mean).predict(X[test][:, used]) + mean
            errors.append(((predicted - Y[test]) ** 2).mean())
        return min(float(numpy.mean(errors)), 10.0)

    return error


PROBLEMS = {
    "branin": beside_choices(branin, 2, 0.397887357729738, 10),
    "hartmann": beside_choices(hartmann, 6, -3.32236801141551, 0.5),
    "ridge": Problem(
        {f"use{i}": bool for i in range(X.shape[1])}
        | {
            "kernel": KERNELS,
            "alpha": bocs.real(1e-3, 1e3, log=True),
            "gamma": bocs.real(1e-4, 10, log=True),
            "degree": range(1, 5),
        },
        make_ridge,
        "error",
    ),
}


def suggested(trial: optuna.Trial, space: dict[str, Any]) -> dict[str, Any]:
    x: dict[str, Any] = {}
    for name, variable in space.items():
        if isinstance(variable, bocs.Real):
            x[name] = trial.suggest_float(name, variable.low, variable.high, log=variable.log)
        elif isinstance(variable, range):
            x[name] = trial.suggest_int(name, variable[0], variable[-1])
        else:
            x[name] = trial.suggest_categorical(name, [False, True] if variable is bool else variable)
    return x


def by_bocs(method: str) -> Callable[[Problem, int], list[float]]:
    def run(problem: Problem, seed: int) -> list[float]:
        error = problem.make(seed)
        result = bocs.minimize(error, problem.space, trials=TRIALS, seed=seed, method=method, progress=False)
        return [trial.value for trial in result.trials]

    return run


def by_optuna(make: Callable[[int], optuna.samplers.BaseSampler]) -> Callable[[Problem, int], list[float]]:
    def run(problem: Problem, seed: int) -> list[float]:
        error = problem.make(seed)
        study = optuna.create_study(sampler=make(seed))
        study.optimize(lambda trial: error(suggested(trial, problem.space)), n_trials=TRIALS)
        return [trial.value for trial in study.trials]

    return run


METHODS = {
    "bocs": by_bocs("bocs"),
    "Optuna TPE": by_optuna(lambda seed: optuna.samplers.TPESampler(seed=seed)),
    "Optuna GP": by_optuna(lambda seed: optuna.samplers.GPSampler(seed=seed)),
    "random": by_bocs("random"),
}


def with_interval(values: Any) -> str:
    values = numpy.asarray(values)
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return f"{values.mean():.4f} ± {half:.4f}"


def run_all(name: str, folder: Path, instances: int, wanted: str) -> dict[str, dict[int, Any]]:
    """By method and instance."""
    file = folder / f"{name}.jsonl"
    runs: dict[str, dict[int, Any]] = {label: {} for label in METHODS}
    for line in file.read_text().splitlines() if file.exists() else []:
        run = json.loads(line)
        runs[run["method"]][run["instance"]] = run
    for instance in range(instances):
        for label, method in METHODS.items():
            if instance in runs[label] or wanted not in label:
                continue
            if label == "Optuna GP" and importlib.util.find_spec("torch") is None:
                continue
            start = time.process_time()
            values = method(PROBLEMS[name], instance)
            run = {"method": label, "instance": instance, "values": values, "seconds": time.process_time() - start}
            runs[label][instance] = run
            with file.open("a") as out:
                out.write(json.dumps(run) + "\n")
    return runs


def table(name: str, runs: dict[str, dict[int, Any]], instances: int) -> list[str]:
    """Of a method that has not run on all instances those there are; n says how many."""
    lines = [f"{name}, {PROBLEMS[name].what} after {TRIALS} evaluations", ""]
    lines += ["| method | n | mean | median | bocs minus this | CPU s per run |", "| --- | --- | --- | --- | --- | --- |"]
    best = {label: {i: min(of[i]["values"]) for i in range(instances) if i in of} for label, of in runs.items()}
    for label, found in best.items():
        if len(found) < 2:
            continue
        values = list(found.values())
        both = [i for i in found if i in best["bocs"]]
        paired = with_interval([best["bocs"][i] - found[i] for i in both]) if label != "bocs" and len(both) > 1 else ""
        seconds = numpy.mean([runs[label][i]["seconds"] for i in found])
        numbers = f"{len(values)} | {with_interval(values)} | {numpy.median(values):.4f}"
        lines.append(f"| {label} | {numbers} | {paired} | {seconds:.1f} |")
    return [*lines, ""]


def main() -> None:
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder, instances = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    folder.mkdir(parents=True, exist_ok=True)
    wanted, method = [*sys.argv[3:], "", ""][:2]
    lines = [
        "# Real variables beside choices",
        "",
        f"`python experiments/real_variables.py FOLDER {instances}`: instances 0 to {instances - 1}, each with its seed;",
        "± is half the 95 % interval of the mean; *bocs minus this* is paired by instance.",
        "",
    ]
    for name in filter(lambda name: wanted in name, PROBLEMS):
        lines += table(name, run_all(name, folder, instances, method), instances)
    TABLE.write_text("\n".join(lines))
    print(TABLE.read_text())


if __name__ == "__main__":
    main()

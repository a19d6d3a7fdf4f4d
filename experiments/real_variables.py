"""bocs beside Optuna's TPE on a mixed problem with real variables: feature selection and the settings of a model at once.

Kernel ridge regression on scikit-learn's diabetes data. To be chosen: which of the 10 features are used (binary), the kernel
(categorical), the regularization and the width of the kernel (real, logarithmic over 6 and 5 powers of ten), the degree of a
polynomial kernel (ordinal). The value is the 5-fold cross-validated mean squared error over the variance of y. bocs sees the
real variables as grids of 100 steps; TPE gets them as continuous numbers, and once as the same grids.

Usage: python experiments/real_variables.py [seeds] [trials] [part of a method's name] > table.md
Prints a Markdown table: mean of the best value after all trials, plus or minus 2 standard errors over the seeds.
"""

import sys
import time
import warnings

import numpy
import optuna
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

import bocs

X, Y = load_diabetes(return_X_y=True)
X, Y = StandardScaler().fit_transform(X), (Y - Y.mean()) / Y.std()
FOLDS = list(KFold(5, shuffle=True, random_state=0).split(X))
KERNELS = ["rbf", "laplacian", "polynomial"]
SPACE = {
    "use": bocs.Binary(X.shape[1]),
    "kernel": KERNELS,
    "alpha": bocs.real(1e-3, 1e3, steps=100, log=True),
    "gamma": bocs.real(1e-4, 10, steps=100, log=True),
    "degree": bocs.ordinal([1, 2, 3, 4]),
}


def error(x) -> float:
    used = numpy.flatnonzero(x["use"])
    if len(used) == 0:
        return 1.0
    model = KernelRidge(kernel=x["kernel"], alpha=x["alpha"], gamma=x["gamma"], degree=x["degree"])
    errors = []
    for train, test in FOLDS:
        mean = Y[train].mean()
        predicted = model.fit(X[train][:, used], Y[train] - mean).predict(X[test][:, used]) + mean
        errors.append(((predicted - Y[test]) ** 2).mean())
    return min(float(numpy.mean(errors)), 10.0)


def by_bocs(method: str, trials: int, seed: int) -> float:
    return bocs.minimize(error, SPACE, trials=trials, seed=seed, method=method, progress=False).value


def by_optuna(sampler, grid: bool, trials: int, seed: int) -> float:
    values = {name: bocs.Space({name: SPACE[name]}).entries[0].values for name in ("alpha", "gamma")}

    def objective(trial: optuna.Trial) -> float:
        x = {
            "use": [trial.suggest_categorical(f"use{i}", [False, True]) for i in range(X.shape[1])],
            "kernel": trial.suggest_categorical("kernel", KERNELS),
            "degree": trial.suggest_int("degree", 1, 4),
        }
        for name, listed in values.items():
            if grid:
                x[name] = listed[trial.suggest_int(name, 0, len(listed) - 1)]
            else:
                x[name] = trial.suggest_float(name, listed[0], listed[-1], log=True)
        return error(x)

    study = optuna.create_study(sampler=sampler(seed=seed))
    study.optimize(objective, n_trials=trials)
    return study.best_value


def main() -> None:
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    trials = int(sys.argv[2]) if len(sys.argv) > 2 else 80
    methods = {
        "bocs": lambda seed: by_bocs("bocs", trials, seed),
        "bocs `ei`": lambda seed: by_bocs("ei", trials, seed),
        "bocs `random`": lambda seed: by_bocs("random", trials, seed),
        "Optuna TPE, continuous": lambda seed: by_optuna(optuna.samplers.TPESampler, False, trials, seed),
        "Optuna TPE, the same grids": lambda seed: by_optuna(optuna.samplers.TPESampler, True, trials, seed),
    }
    print(f"| method | best of {trials} | n | s per run |\n|---|---|---|---|")
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for label, method in methods.items():
        if wanted not in label:
            continue
        start = time.process_time()
        found = [method(seed) for seed in range(1, seeds + 1)]
        seconds = (time.process_time() - start) / seeds
        spread = 2 * numpy.std(found, ddof=1) / seeds**0.5
        print(f"| {label} | {numpy.mean(found):.4f} ± {spread:.4f} | {seeds} | {seconds:.1f} |", flush=True)


main()

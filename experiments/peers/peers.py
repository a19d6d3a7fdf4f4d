#!/usr/bin/env python3
"""Other people's optimizers on the same problems, instances, budgets and initial points as ours.

    python3 -m venv build/peers && build/peers/bin/pip install optuna nevergrad smac botorch scikit-learn
    PYTHONPATH=build/python build/peers/bin/python experiments/peers/peers.py run --problem ising:rows=4,columns=4 --l1 1e-4 --trials 170 --instances 5 --peer bocs --peer tpe
    python experiments/peers/peers.py table

`run` appends a line of JSON for every finished run to experiments/peers/results.jsonl and leaves out those that are there. A peer whose package is not installed is an error that
names it. All begin with the same 20 random points, those of `bocs` with the seed of the instance (but annealing, which walks from the first of them); a peer is told them, then asked for one point at a time. Seconds are those of asking
and telling, without the evaluations. Versions of the packages stand in every line.
"""

import argparse
import importlib.metadata
import json
import math
import pathlib
import statistics
import sys
import time

RESULTS = pathlib.Path(__file__).parent / "results.jsonl"


class Ours:
    """A method of bocs, by ask and tell. Its own initial design is the one that all others are given."""

    package = "bocs"
    method = "bocs"

    def __init__(self, problem, l1, seed, initial):
        import bocs

        self.optimizer = bocs.Optimizer(problem.space, method=self.method, seed=seed, l1=l1,
                                        direction="maximize" if problem.maximize else "minimize")
        self.sign = -1 if problem.maximize else 1
        self.l1 = l1

    def ask(self):
        self.trial = self.optimizer.ask()
        return self.trial.x

    def tell(self, x, total):
        self.optimizer.tell(self.trial, self.sign * (total - self.l1 * sum(x)))


class Tpe:
    package = "optuna"

    def __init__(self, problem, l1, seed, initial):
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.d = problem.space.dimension
        self.study = optuna.create_study(sampler=self.sampler(seed % 2**32, len(initial)))
        for x in initial:
            self.study.enqueue_trial({f"x{i}": int(value) for i, value in enumerate(x)})

    def sampler(self, seed, startup):
        import optuna

        return optuna.samplers.TPESampler(seed=seed, n_startup_trials=startup, multivariate=True)

    def ask(self):
        self.trial = self.study.ask()
        return [self.trial.suggest_categorical(f"x{i}", [0, 1]) for i in range(self.d)]

    def tell(self, x, total):
        self.study.tell(self.trial, total)


class OptunaGp(Tpe):
    def sampler(self, seed, startup):
        import optuna

        return optuna.samplers.GPSampler(seed=seed, n_startup_trials=startup)


class Nevergrad:
    package = "nevergrad"
    name = "DiscreteOnePlusOne"

    def __init__(self, problem, l1, seed, initial):
        import nevergrad
        import numpy

        variables = nevergrad.p.TransitionChoice([0, 1], repetitions=problem.space.dimension)
        variables.random_state = numpy.random.RandomState(seed % 2**32)
        self.optimizer = nevergrad.optimizers.registry[self.name](variables, budget=self.budget)
        self.initial = [tuple(int(value) for value in x) for x in reversed(initial)]

    def ask(self):
        if self.initial:  # told without having been asked for: suggestions of choices are only probable
            self.candidate = self.optimizer.parametrization.spawn_child(new_value=self.initial.pop())
        else:
            self.candidate = self.optimizer.ask()
        return list(self.candidate.value)

    def tell(self, x, total):
        self.optimizer.tell(self.candidate, total)


class NevergradAuto(Nevergrad):
    name = "NGOpt"


class Smac:
    package = "smac"

    def __init__(self, problem, l1, seed, initial):
        import tempfile

        import ConfigSpace
        import smac

        self.names = [f"x{i}" for i in range(problem.space.dimension)]
        space = ConfigSpace.ConfigurationSpace(seed=seed % 2**31)
        space.add([ConfigSpace.CategoricalHyperparameter(name, [0, 1]) for name in self.names])
        points = [ConfigSpace.Configuration(space, values=dict(zip(self.names, map(int, x)))) for x in initial]
        scenario = smac.Scenario(space, deterministic=True, n_trials=self.budget, seed=seed % 2**31, output_directory=pathlib.Path(tempfile.mkdtemp()))
        design = smac.HyperparameterOptimizationFacade.get_initial_design(scenario, n_configs=0, additional_configs=points)
        self.smac = smac.HyperparameterOptimizationFacade(scenario, lambda config, seed=0: 0.0, initial_design=design, logging_level=False)

    def ask(self):
        self.info = self.smac.ask()
        return [int(self.info.config[name]) for name in self.names]

    def tell(self, x, total):
        from smac.runhistory.dataclasses import TrialValue

        self.smac.tell(self.info, TrialValue(cost=total, time=0.0))


class BoTorch:
    """Expected improvement on a Gaussian process with BoTorch's kernel for categories, maximized by its local search over points not yet evaluated."""

    package = "botorch"

    def __init__(self, problem, l1, seed, initial):
        import torch

        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.d = problem.space.dimension
        self.initial = list(reversed(initial))
        self.points, self.values = [], []

    def ask(self):
        if self.initial:
            return self.initial.pop()
        import botorch
        import gpytorch
        import torch

        x = torch.tensor(self.points, dtype=torch.double)
        y = -torch.tensor(self.values, dtype=torch.double).unsqueeze(-1)
        model = botorch.models.MixedSingleTaskGP(x, y, cat_dims=list(range(self.d)))
        botorch.fit_gpytorch_mll(gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = botorch.acquisition.LogExpectedImprovement(model, best_f=y.max())
        choices = [torch.tensor([0.0, 1.0], dtype=torch.double)] * self.d
        point, _ = botorch.optim.optimize_acqf_discrete_local_search(acquisition, q=1, discrete_choices=choices, X_avoid=x)
        return point[0].tolist()

    def tell(self, x, total):
        self.points.append(x)
        self.values.append(total)


def ours(method):
    return type(method, (Ours,), {"method": method})


PEERS = {"tpe": Tpe, "optuna-gp": OptunaGp, "nevergrad-1+1": Nevergrad, "nevergrad-ngopt": NevergradAuto, "smac3": Smac, "botorch": BoTorch,
         "bocs": ours("bocs"), "ei": ours("ei"), "annealing": ours("annealing"), "random": ours("random")}


def run(problem, l1, trials, instance, name):
    import bocs

    f = bocs.problem(problem, instance)
    if not f.space.is_vector:
        sys.exit(f"{problem}: allowed are problems of binary variables")
    seed = 1000 + instance
    designer = bocs.Optimizer(f.space, method="random", seed=seed)
    initial = []
    for _ in range(20):
        trial = designer.ask()
        initial.append(list(map(int, trial.x)))
        designer.tell(trial, 0.0)
    kind = type(name, (PEERS[name],), {"budget": trials})
    sign = -1 if f.maximize else 1
    start = time.perf_counter()
    peer = kind(f, l1, seed, initial)
    seconds = time.perf_counter() - start
    best, distinct = math.inf, set()
    for number in range(trials):
        start = time.perf_counter()
        x = list(map(int, peer.ask()))
        seconds += time.perf_counter() - start
        if number < 20 and x != initial[number] and name != "annealing":
            sys.exit(f"{name}: initial point {number} is not the one that was given")
        total = sign * f(x) + l1 * sum(x)
        best = min(best, total)
        distinct.add(tuple(x))
        start = time.perf_counter()
        peer.tell(x, total)
        seconds += time.perf_counter() - start
    optimum = f.optimum(l1)
    version = f"{bocs.__version__} {bocs._core.commit}" if kind.package == "bocs" else importlib.metadata.version(kind.package)
    return {"problem": problem, "l1": l1, "trials": trials, "instance": instance, "peer": name, "version": version, "value": sign * best,
            "maximize": f.maximize, "regret": None if optimum is None else best - sign * optimum, "distinct": len(distinct), "seconds": seconds / trials}


def lines():
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


# 95 % of Student's t lies within these, by degrees of freedom.
STUDENT = [math.nan, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]


def half_width(values):
    """Half of the 95 % interval of the mean."""
    return STUDENT[min(len(values), len(STUDENT)) - 1] * statistics.stdev(values) / math.sqrt(len(values))


def interval(values):
    return f"{statistics.mean(values):.4g}" + (f" ± {half_width(values):.2g}" if len(values) > 1 else "")


def paired(of_peer, of_ours, metric, larger):
    """What the peer lost to bocs on each instance that both have: positive where bocs is better."""
    ours_by_instance = {line["instance"]: line[metric] for line in of_ours}
    sign = -1 if larger else 1
    return [sign * (line[metric] - ours_by_instance[line["instance"]]) for line in of_peer if line["instance"] in ours_by_instance]


def summary(blocks):
    """On how many problems bocs is clearly better or worse than each other optimizer, and on how many neither, of those with five instances or more."""
    verdicts = {}
    for metric, larger, peers in blocks:
        for name, of_peer in peers.items():
            losses = paired(of_peer, peers.get("bocs", []), metric, larger)
            if name == "bocs" or len(losses) < 5:
                continue
            clear = abs(statistics.mean(losses)) > half_width(losses)
            verdicts.setdefault(name, []).append("level" if not clear else "better" if statistics.mean(losses) > 0 else "worse")
    lines = [f"`{name}` {found.count('better')}:{found.count('level')}:{found.count('worse')}" for name, found in sorted(verdicts.items(), key=lambda entry: -len(entry[1]))]
    return f"Problems on which `bocs` is clearly better (the paired mean is beyond its 95 % interval), neither, and clearly worse: {', '.join(lines)}.\n"


def row(name, of_peer, of_ours, metric, larger):
    """A line of the table: what the peer reached, and its difference to bocs on the instances that both have."""
    values = {line["instance"]: line[metric] for line in of_peer}
    losses = paired(of_peer, of_ours, metric, larger)
    differences = [-loss for loss in losses] if larger else losses
    worse = sum(loss > 0 for loss in losses)
    better = sum(loss < 0 for loss in losses)
    compared = f"{interval(differences)} | {better}:{worse}" if differences and name != "bocs" else " | "
    cells = [f"`{name}`", interval(list(values.values())), f"{statistics.median(values.values()):.4g}", str(len(values)), compared, f"{statistics.mean(line['distinct'] for line in of_peer):.4g}",
             f"{statistics.mean(line['seconds'] for line in of_peer):.2g}", ", ".join(sorted({line["version"] for line in of_peer}))]
    return "| " + " | ".join(cells) + " |"


def table():
    """Markdown: a block for each problem, peers by their mean."""
    blocks = {}
    for line in lines():
        blocks.setdefault((line["problem"], line["l1"], line["trials"]), {}).setdefault(line["peer"], []).append(line)
    text, judged = [], []
    for (problem, l1, trials), peers in blocks.items():
        everything = sum(peers.values(), [])
        metric = "regret" if all(line["regret"] is not None for line in everything) else "value"
        larger = metric == "value" and any(line["maximize"] for line in everything)
        judged.append((metric, larger, peers))
        names = ["optimizer", "mean ± 95 %", "median", "runs", "minus bocs", "better:worse", "distinct points", "s/suggestion", "version"]
        text += [f"{problem}, λ = {l1:g}, {trials} evaluations: {metric}{', maximized' if larger else ''}", "", "| " + " | ".join(names) + " |", "| --- " * len(names) + "|"]
        order = sorted(peers, key=lambda name: statistics.mean(line[metric] for line in peers[name]), reverse=larger)
        text += [row(name, peers[name], peers.get("bocs", []), metric, larger) for name in order] + [""]
    return "\n".join([summary(judged), *text])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="run what is not finished yet")
    runner.add_argument("--problem", required=True)
    runner.add_argument("--l1", type=float, default=0.0)
    runner.add_argument("--trials", type=int, required=True)
    runner.add_argument("--instances", type=int, default=5, help="0, 1, ...")
    runner.add_argument("--peer", action="append", required=True, choices=list(PEERS))
    commands.add_parser("table", help="print the results as Markdown")
    arguments = parser.parse_args()
    if arguments.command == "table":
        print(table(), end="")
        return
    done = {(line["problem"], line["l1"], line["trials"], line["instance"], line["peer"]) for line in lines()}
    for instance in range(arguments.instances):
        for name in arguments.peer:
            if (arguments.problem, arguments.l1, arguments.trials, instance, name) in done:
                continue
            line = run(arguments.problem, arguments.l1, arguments.trials, instance, name)
            with RESULTS.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(f"{name} on instance {instance}: {line['value']:.6g}, {line['seconds']:.2g} s a suggestion", flush=True)


if __name__ == "__main__":
    main()

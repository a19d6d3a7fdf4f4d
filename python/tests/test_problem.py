"""The benchmark problems, against the command line and by enumeration."""

import itertools
import math
import os
import subprocess

import pytest

import bocs


def evaluate(spec, instance, x):
    command = [os.environ["BOCS_PROGRAM"], "evaluate", "--problem", spec, "--instance", str(instance), "--x", x]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]


def test_values_are_those_of_the_command_line():
    problem = bocs.problem("ising:rows=3,columns=3", 5)
    assert problem.space.dimension == 12 and not problem.maximize
    for x in ("101101011011", "000000000000"):
        assert problem([int(c) for c in x]) == pytest.approx(float(evaluate("ising:rows=3,columns=3", 5, x)), rel=1e-12)
    assert bocs.problem("ising:rows=3,columns=3", 6)([1] * 12) == 0


def test_optimum_is_that_of_all_points():
    problem = bocs.problem("bqp:d=8,lc=10", 2)
    assert problem.maximize
    values = [problem(x) for x in itertools.product((0, 1), repeat=8)]
    assert problem.optimum() == pytest.approx(max(values), rel=1e-12)


def test_the_optimizer_finds_it():
    problem = bocs.problem("bqp:d=8,lc=10", 2)
    result = bocs.maximize(problem, problem.space, trials=60, progress=False)
    assert result.value == pytest.approx(problem.optimum(), rel=1e-12)


def test_categories_and_mistakes():
    pest = bocs.problem("pest:stages=5", 1)
    assert pest.space.dimension == 5
    assert pest(pest.space.point([0, 1, 2, 3, 4])) != pest(pest.space.point([0, 0, 0, 0, 0]))
    with pytest.raises(ValueError):
        bocs.problem("no-such-problem")


def test_constraints_come_along():
    problem = bocs.problem("mixed:blocks=2", 3)
    assert problem.constraints
    result = bocs.minimize(problem, problem.space, constraints=problem.constraints, trials=60, progress=False)
    assert result.value == pytest.approx(problem.optimum(), rel=1e-9)  # better than it, where a constraint is broken
    levels = ",".join(str(result.x[name]) for name in problem.space.names)
    assert float(evaluate("mixed:blocks=2", 3, levels)) == pytest.approx(result.value, rel=1e-12)
    subset = bocs.problem("subset:d=8,k=3", 1)
    best = bocs.maximize(subset, subset.space, constraints=subset.constraints, trials=20, progress=False)
    assert all(sum(trial.x.values()) == 3 for trial in best.trials)


def test_trials_say_how_far_from_the_best_of_the_model_they_are():
    problem = bocs.problem("bqp:d=14,lc=10", 2)
    trials = bocs.maximize(problem, problem.space, trials=40, progress=False, method="bocs:order=2").trials
    proposed = [trial for trial in trials if trial.how.startswith("order")]
    assert proposed
    for trial in proposed:
        assert trial.bound >= trial.predicted - 1e-9  # maximizing: the bound is above
        assert trial.gap == abs(trial.bound - trial.predicted)
    assert all(math.isnan(trial.gap) for trial in trials if trial.how == "initial design")

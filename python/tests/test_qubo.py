"""Draws minimized by samplers of other people."""

from __future__ import annotations

import itertools
import json
import sys

import bocs.qubo
import numpy as np
import pytest

import bocs

SIZE = 10
WEIGHTS = np.random.default_rng(1).normal(size=(SIZE, SIZE))


def cost(x):
    return float(x @ WEIGHTS @ x)


POINTS = np.array(list(itertools.product((0, 1), repeat=SIZE)))


def perfect(draw):
    """The best 5 of all points."""
    energies = np.einsum("ki,ij,kj->k", POINTS, draw.A, POINTS) + POINTS @ draw.b + draw.c
    best = np.argsort(energies, kind="stable")[:5]
    assert draw.energy(POINTS[best[0]]) == pytest.approx(energies[best[0]])
    return POINTS[best]


def test_finds_the_optimum_and_shows_its_bound():
    result = bocs.minimize(cost, bocs.binary(SIZE), method=bocs.qubo.Machine(perfect), trials=70, seed=3, progress=False)
    assert result.value == pytest.approx(min(cost(x) for x in POINTS))
    drawn = [trial for trial in result.trials if "sampler" in trial.how]
    assert len(drawn) >= 40
    assert all(trial.bound <= trial.predicted + 1e-9 for trial in drawn)


@pytest.mark.parametrize("model", ["bocs:order=2", "fmqa"])
def test_keeps_rules_whatever_the_sampler_says(model):
    machine = bocs.qubo.Machine(perfect, model=model)
    space = {"x": bocs.Binary(SIZE)}
    result = bocs.minimize(
        lambda p: cost(np.asarray(p["x"])),
        space,
        constraints=[bocs.exactly(4, of="x")],
        method=machine,
        trials=60,
        seed=3,
        progress=False,
    )
    assert all(sum(trial.x["x"]) == 4 for trial in result.trials)
    values = sorted(cost(x) for x in POINTS if x.sum() == 4)  # 210 of them
    assert result.value <= values[0 if model == "bocs:order=2" else 5]


def test_an_external_program_is_a_sampler(tmp_path):
    script = tmp_path / "solver.py"
    script.write_text(
        "import itertools, json, sys\n"
        "form = json.load(sys.stdin)\n"
        "def energy(x):\n"
        "    return sum(b * v for b, v in zip(form['linear'], x)) + sum(w * x[i] * x[j] for i, j, w in form['quadratic'])\n"
        "best = min(itertools.product((0, 1), repeat=len(form['linear'])), key=energy)\n"
        "print(json.dumps({'samples': [best]}))\n"
    )
    small = bocs.qubo.program([sys.executable, str(script)])
    draw = bocs.qubo.Draw(WEIGHTS + WEIGHTS.T - np.diag(np.diag(WEIGHTS + WEIGHTS.T)), np.diag(WEIGHTS).copy(), 0.5, 7)
    assert draw.energy(small(draw)[0]) == pytest.approx(min(draw.energy(x) for x in POINTS))
    assert json.loads(json.dumps(draw.to_dict()))["seed"] == 7


def test_a_sampler_that_gives_no_points_is_named(tmp_path):
    broken = bocs.qubo.program([sys.executable, "-c", "print('hello')"])
    with pytest.raises(RuntimeError, match="printed 'hello'"):
        broken(bocs.qubo.Draw(np.zeros((2, 2)), np.zeros(2), 0.0, 1))
    with pytest.raises(ValueError, match="expected vectors of 10 numbers"):
        bocs.minimize(cost, bocs.binary(SIZE), method=bocs.qubo.Machine(lambda draw: [[0, 1]]), trials=30, progress=False)
    with pytest.raises(TypeError, match="allowed: an object with sample"):
        bocs.qubo.Machine(3)
    with pytest.raises(ValueError, match="binary"):
        bocs.minimize(lambda x: 0, {"a": ["x", "y", "z"]}, method=bocs.qubo.Machine(perfect), trials=30, progress=False)


@pytest.mark.slow
def test_samplers_of_dimod_repeat():
    samplers = pytest.importorskip("dwave.samplers")
    runs = []
    for _ in range(2):
        machine = bocs.qubo.Machine(samplers.SimulatedAnnealingSampler(), num_reads=10)
        runs.append(bocs.minimize(cost, bocs.binary(SIZE), method=machine, trials=40, seed=5, progress=False))
    assert [t.value for t in runs[0].trials] == [t.value for t in runs[1].trials]
    assert runs[0].value == pytest.approx(min(cost(x) for x in POINTS))
    assert runs[0].trials[-1].bound <= runs[0].trials[-1].predicted + 1e-9


@pytest.mark.slow
def test_a_draw_is_a_dimod_model():
    pytest.importorskip("dimod")
    draw = bocs.qubo.Draw(WEIGHTS + WEIGHTS.T - np.diag(np.diag(WEIGHTS + WEIGHTS.T)), np.diag(WEIGHTS).copy(), 0.5, 7)
    model = draw.to_dimod()
    for x in POINTS[::97]:
        assert model.energy(dict(enumerate(x))) == pytest.approx(draw.energy(x))

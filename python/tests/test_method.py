"""Methods and scores of one's own."""

import copy
import pathlib
import pickle
import subprocess
import sys

import bocs.testing
import numpy
import pytest

import bocs

SPACE = {"a": bool, "n": range(4), "kind": ["red", "green"]}


class Counting:
    """Points in the order of their codes."""

    def propose(self, task, history, number):
        for a in (False, True):
            for n in range(4):
                for kind in ("red", "green"):
                    x = {"a": a, "n": n, "kind": kind}
                    if task.allows(x) and x not in [trial.x for trial in history]:
                        return x
        raise bocs.SpaceExhausted("all counted")


class Random:
    def propose(self, task, history, number):
        return task.random()


def f(x):
    return x["n"] - 2 * x["a"] + (x["kind"] == "red")


def test_an_object_with_propose_is_a_method():
    result = bocs.minimize(f, SPACE, method=Counting(), trials=5, progress=False)
    assert [trial.x["n"] for trial in result.trials] == [0, 0, 1, 1, 2]
    assert {trial.how for trial in result.trials} == {"Counting"}
    largest = bocs.maximize(f, SPACE, method=Counting(), constraints="n <= 1", trials=50, progress=False)
    assert (len(largest.trials), largest.reason, largest.value) == (8, "exhausted", 2)
    assert repr(bocs.Optimizer(SPACE, method=Counting())).startswith("Optimizer(minimize, 3 variables, method='Counting'")


def test_what_a_method_sees():
    seen = []

    class Look(Random):
        def propose(self, task, history, number):
            seen.append((task, history, number))
            return super().propose(task, history, number)

    optimizer = bocs.Optimizer(SPACE, method=Look(), direction="maximize", constraints="n <= 2", l1=0.5)
    optimizer.tell(optimizer.ask(), 3.0)
    running = optimizer.ask()
    optimizer.ask()
    task, history, number = seen[2]
    assert (number, [trial.state for trial in history]) == (2, ["complete", "running"])
    assert history[0].value == -3.0 and history[1].x == running.x  # smaller is better
    assert task.space == bocs.Space(SPACE) and task.constraints == ("n <= 2",)
    assert task.allows({"a": True, "n": 2, "kind": "red"}) and not task.allows({"a": True, "n": 3, "kind": "red"})
    assert not task.allows({"a": True})
    assert task.random() not in [trial.x for trial in history]


def test_mistakes_of_a_method_are_said():
    def ask(answer):
        class Fixed:
            def propose(self, task, history, number):
                return answer()

        return bocs.Optimizer(SPACE, method=Fixed(), constraints="n <= 2").ask()

    def exhausted():
        raise bocs.SpaceExhausted("enough")

    with pytest.raises(ZeroDivisionError):
        ask(lambda: 1 / 0)
    with pytest.raises(KeyError, match="no value for 'n'"):
        ask(lambda: {"a": True})
    with pytest.raises(ValueError, match="n <= 2"):
        ask(lambda: {"a": True, "n": 3, "kind": "red"})
    with pytest.raises(bocs.SpaceExhausted, match="enough"):
        ask(exhausted)
    with pytest.raises(TypeError, match="propose"):
        bocs.Optimizer(SPACE, method=3)
    with pytest.raises(TypeError, match="as a text"):
        bocs.Study("never.db", space=SPACE, method=Counting())
    assert not pathlib.Path("never.db").exists()


def test_copies_and_pickles_go_on():
    optimizer = bocs.Optimizer(SPACE, method=Counting())
    optimizer.tell(optimizer.ask(), 1.0)
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert other.ask().x == {"a": False, "n": 0, "kind": "green"}


def test_a_function_of_mean_and_variance_is_a_score():
    calls = []

    def bound(mean, variance):
        assert isinstance(mean, numpy.ndarray) and mean.shape == variance.shape
        calls.append(len(mean))
        return 2 * numpy.sqrt(variance) - mean

    result = bocs.minimize(f, SPACE, method=bound, trials=14, progress=False)
    assert result.trials[-1].how == "bound" and max(calls) > 1
    assert result.value == -2
    with pytest.raises(ValueError, match="one value for each"):
        bocs.minimize(f, SPACE, method=lambda mean, variance: mean[:1], trials=14, progress=False)


def test_optuna_takes_both():
    optuna = pytest.importorskip("optuna")
    import bocs.optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    for method in (Random(), lambda mean, variance: variance - mean):
        study = optuna.create_study(sampler=bocs.optuna.BocsSampler(method=method, seed=1))
        study.optimize(lambda trial: trial.suggest_int("n", 0, 9) + trial.suggest_categorical("b", [0, 1]), n_trials=25)
        assert study.best_value <= 1


@pytest.mark.parametrize("promise", bocs.testing.PROMISES)
def test_promises_kept(promise):
    bocs.testing.check_promise(promise, lambda space: Random())


def test_promises_broken():
    class First:
        def propose(self, task, history, number):
            return task.space.point([0] * task.space.dimension)

    with pytest.raises(AssertionError, match="never_proposes_a_point_twice"):
        bocs.testing.check_method(lambda space: First())

    class Forgetful(Random):
        calls = 0

        def propose(self, task, history, number):
            Forgetful.calls += 1
            levels = [Forgetful.calls >> i & 1 for i in range(task.space.dimension)]
            return task.space.point(levels)

    with pytest.raises(AssertionError, match="resumed after"):
        bocs.testing.check_promise("is_a_function_of_the_history", lambda space: Forgetful())


def test_the_example():
    example = pathlib.Path(__file__).parents[2] / "examples" / "python" / "own_method.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("Climb 6.0\nlower_bound 6.0\n", "")

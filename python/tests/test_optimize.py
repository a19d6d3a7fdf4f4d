"""minimize, maximize and Optimizer: the loop, its limits, its failures, and that threads, processes and pickles change nothing."""

import copy
import itertools
import os
import pickle
import signal
import threading
import time
from typing import Any

import numpy
import pytest

import bocs

SPACE = {"pump": bool, "crew": range(1, 9), "depot": ["north", "south", "river"]}


def cost(x: dict[str, Any]) -> float:
    return float((x["crew"] - 5) ** 2 + 3 * (x["depot"] == "north") - 2 * x["pump"] * (x["depot"] == "river"))


def broken_at_night(x: dict[str, Any]) -> float:
    if x["pump"]:
        raise RuntimeError("the pump is broken")
    return cost(x)


def test_the_optimum_is_found() -> None:
    result = bocs.minimize(cost, SPACE, trials=40, seed=1)
    best = min(
        cost({"pump": p, "crew": c, "depot": d}) for p, c, d in itertools.product([0, 1], range(1, 9), SPACE["depot"])
    )
    assert best == -2
    assert result.value == result.total == -2
    assert result.x == {"pump": True, "crew": 5, "depot": "river"}
    assert len(result.trials) == 40 and result.reason == "trials"
    assert [t.number for t in result.trials] == list(range(40))
    points = [tuple(t.x.values()) for t in result.trials]
    assert len(set(points)) == 40
    assert all(t.value == cost(t.x) and t.state == "complete" for t in result.trials)


def test_maximize_mirrors_minimize() -> None:
    down = bocs.minimize(cost, SPACE, trials=30, seed=3, l1=0.25)
    up = bocs.maximize(lambda x: -cost(x), SPACE, trials=30, seed=3, l1=0.25)
    assert [t.x for t in up.trials] == [t.x for t in down.trials]
    assert up.total == -down.total and up.value == -down.value
    size = down.x["pump"] + down.x["crew"]
    assert down.total == pytest.approx(cost(down.x) + 0.25 * size)


def test_vectors() -> None:
    seen = []

    def f(x: numpy.ndarray) -> float:
        seen.append(x.copy())
        return float(numpy.abs(numpy.diff(x)).sum())

    result = bocs.maximize(f, bocs.binary(10), trials=60, seed=1)
    assert result.value == 9
    assert isinstance(result.x, numpy.ndarray) and set(result.x) == {0, 1}
    assert all(x.shape == (10,) for x in seen)


def test_limits() -> None:
    assert len(bocs.minimize(cost, SPACE).trials) == 48  # of 100 trials, all points that there are
    assert bocs.minimize(cost, SPACE).reason == "exhausted"
    result = bocs.minimize(cost, SPACE, target=1.0)
    assert result.reason == "target" and result.total <= 1 < min([t.total for t in result.trials[:-1]], default=9)
    result = bocs.maximize(cost, SPACE, target=16)
    assert result.reason == "target" and result.total >= 16
    result = bocs.minimize(lambda x: time.sleep(0.2) or 0.0, SPACE, timeout=0.1)
    assert result.reason == "timeout" and len(result.trials) == 1
    told: list[bocs.Trial] = []
    result = bocs.minimize(cost, SPACE, trials=20, callback=lambda t: told.append(t) or len(told) == 7)
    assert result.reason == "stopped" and len(result.trials) == 7 and told[-1].value == cost(told[-1].x)


@pytest.mark.parametrize("wrong", [{"trials": 0}, {"timeout": -1}, {"batch": 0}, {"parallel": 0}, {"batch": 2, "parallel": 2}, {"n_jobs": 2, "parallel": 2},
     {"trials": 2.5}, {"executor": 4}, {"executor": "cluster"}])
def test_wrong_limits_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        bocs.minimize(cost, SPACE, **wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"method": "boc"}, "boc"),
        ({"method": "bocs:ordr=2"}, "ordr"),
        ({"seed": -1}, "seed"),
        ({"l1": -1.0}, "l1"),
        ({"direction": "up"}, "minimize"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bocs.Optimizer(SPACE, **wrong)


def test_an_exception_is_a_failed_trial_with_its_traceback() -> None:
    result = bocs.minimize(broken_at_night, SPACE, trials=30, seed=1)
    failed = [t for t in result.trials if t.state == "failed"]
    assert failed and all(t.x["pump"] for t in failed)
    assert failed[0].error.splitlines()[0] == "RuntimeError: the pump is broken"
    assert "in broken_at_night" in failed[0].error
    assert not result.x["pump"]


def test_catch_decides_what_is_raised() -> None:
    with pytest.raises(RuntimeError, match="the pump is broken"):
        bocs.minimize(broken_at_night, SPACE, trials=30, seed=1, catch=())
    with pytest.raises(RuntimeError):
        bocs.minimize(broken_at_night, SPACE, trials=30, seed=1, catch=ValueError)


def test_values_that_are_none() -> None:
    result = bocs.minimize(lambda x: float("nan") if x["pump"] else 1.0, SPACE, trials=20)
    assert {t.state for t in result.trials if t.x["pump"]} == {"failed"}
    with pytest.raises(TypeError, match="returned None"):
        bocs.minimize(lambda x: None, SPACE, trials=20, catch=())
    with pytest.raises(bocs.EvaluationError, match="returned None"):
        bocs.minimize(lambda x: None, SPACE, trials=20)
    result = bocs.minimize(lambda x: 1 / 0, SPACE, trials=3)
    with pytest.raises(bocs.Error, match="ZeroDivisionError"):
        result.x


def test_metrics_and_numpy_numbers() -> None:
    result = bocs.minimize(lambda x: {"value": numpy.float32(x["crew"]), "mass": 2 * x["crew"]}, SPACE, trials=10)
    assert all(t.metrics == {"mass": 2 * t.x["crew"]} and t.value == t.x["crew"] for t in result.trials)
    assert bocs.minimize(lambda x: numpy.array([2.5]), SPACE, trials=2).value == 2.5


def test_keyboard_interrupt_in_f_ends_the_run_and_is_no_trial() -> None:
    def f(x: Any) -> float:
        if len(calls) == 5:
            raise KeyboardInterrupt
        calls.append(x)
        return cost(x)

    calls: list[Any] = []
    result = bocs.minimize(f, SPACE, trials=20)
    assert result.reason == "interrupted" and len(result.trials) == 5
    assert all(t.state == "complete" for t in result.trials)


def test_a_signal_ends_the_run() -> None:
    def f(x: Any) -> float:
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(600)
        calls.append(x)
        return 0.0

    calls: list[Any] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a script in the background ignores it
    try:
        result = bocs.minimize(f, SPACE, trials=20)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.reason == "interrupted" and len(result.trials) == 3


def test_system_exit_passes() -> None:
    def f(x: Any) -> float:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        bocs.minimize(f, SPACE, trials=20)


# ask and tell


def test_strike_takes_a_measurement_out_of_models_and_answers(tmp_path: Any) -> None:
    optimizer = bocs.Optimizer(SPACE, seed=1)
    optimizer.optimize(cost, trials=12)
    wrong = optimizer.tell({"pump": True, "crew": 8, "depot": "south"}, -100.0)
    assert optimizer.best is not None and optimizer.best.number == wrong.number
    optimizer.strike(wrong.number, "the scale was broken")
    assert optimizer.best.number != wrong.number
    struck = optimizer.trial(wrong.number)
    assert struck.state == "struck" and struck.value == -100.0 and struck.error == "the scale was broken"
    clean = bocs.Optimizer(SPACE, seed=1)
    clean.optimize(cost, trials=12)
    assert optimizer.explain()[0] == clean.explain()[0]
    for number, words in ((wrong.number, "no value"), (99, "no trial")):
        with pytest.raises(ValueError, match=words):
            optimizer.strike(number, "again")
    study = optimizer.save(tmp_path / "kept.db")
    assert [t.state for t in study.trials] == [t.state for t in optimizer.trials]
    assert [t.value for t in study.trials] == [t.value for t in optimizer.trials]
    assert str(study.ask().x) == str(optimizer.ask().x)
    page = optimizer.report(tmp_path / "page.html").read_text()
    assert "the scale was broken" in page


def test_ask_and_tell_in_any_order() -> None:
    optimizer = bocs.Optimizer(SPACE, seed=4)
    first, second, third = optimizer.ask(3)
    optimizer.tell(third, 3.0)
    assert optimizer.tell(first.number, 1.0, seconds=2.5, metrics={"mass": 7.0}).metrics == {"mass": 7.0}
    assert optimizer.tell(second, error="crashed").state == "failed"
    added = optimizer.tell({"pump": True, "crew": 8, "depot": "south"}, 0.5)
    assert added.number == optimizer.best.number == 3
    assert [t.state for t in optimizer.trials] == ["complete", "failed", "complete", "complete"]
    for wrong in (lambda: optimizer.tell(first, 2.0), lambda: optimizer.tell(99, 2.0)):
        with pytest.raises(ValueError):
            wrong()
    running = optimizer.ask()
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError):
            optimizer.tell(running, value)
    with pytest.raises(ValueError):
        optimizer.tell(running)
    assert optimizer.trial(running.number).state == "running"


def test_ask_for_more_than_there_are() -> None:
    optimizer = bocs.Optimizer({"a": bool, "b": bool})
    assert len(optimizer.ask(9)) == 4
    with pytest.raises(bocs.SpaceExhausted):
        optimizer.ask()
    with pytest.raises(bocs.SpaceExhausted):
        optimizer.ask(2)


@pytest.mark.parametrize("copied", [lambda o: pickle.loads(pickle.dumps(o)), copy.deepcopy])
def test_a_copy_goes_on_as_the_original(copied: Any) -> None:
    optimizer = bocs.Optimizer(
        {**SPACE, "s": bocs.Binary(6)}, direction="maximize", seed=5, l1=0.1, constraints=[bocs.at_most(3, of="s")]
    )
    for i in range(25):
        trial = optimizer.ask()
        if i % 7 == 3:
            optimizer.tell(trial, error="no")
        elif i % 7 != 5:  # some stay running
            optimizer.tell(trial, -cost(trial.x) + trial.x["s"].sum())
    twin = copied(optimizer)
    assert str(twin.trials) == str(optimizer.trials)
    for _ in range(5):
        ours, theirs = optimizer.ask(), twin.ask()
        assert str(ours.x) == str(theirs.x)
        for session, trial in ((optimizer, ours), (twin, theirs)):
            session.tell(trial, cost(trial.x))


def test_threads_share_an_optimizer() -> None:
    optimizer = bocs.Optimizer({"s": bocs.Binary(12)}, seed=1)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                trial = optimizer.ask()
                optimizer.best, optimizer.trials
                optimizer.tell(trial, float(trial.x["s"].sum()))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len({tuple(t.x["s"]) for t in optimizer.trials}) == len(optimizer) == 80


def test_other_threads_run_while_it_thinks() -> None:
    optimizer = bocs.Optimizer(bocs.binary(60), seed=1, method="bocs:initial=10")
    generator = numpy.random.default_rng(0)
    for _ in range(60):
        trial = optimizer.ask()
        optimizer.tell(trial, float(generator.normal()))
    ended = threading.Event()
    ticks = 0

    def ask() -> None:
        for _ in range(5):
            optimizer.tell(optimizer.ask(), 0.0)
        ended.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not ended.wait(0.0005):
        ticks += 1
    thread.join()
    assert ticks >= 5  # with the lock held, there would be a tick or two between the asks


# What was learnt


def planted(x: dict[str, Any]) -> float:
    return 3.0 * x["s"][0] - 2.0 * x["s"][1] * x["s"][4] + 0.5


def test_explain_finds_the_planted_terms() -> None:
    result = bocs.minimize(planted, {"s": bocs.Binary(6)}, trials=50, seed=1, method="bocs:order=2")
    effects = result.explain()
    assert [e.name for e in effects[:2]] == ["s[0]", "s[1] * s[4]"]
    assert effects[0].low <= 3 <= effects[0].high and effects[1].low <= -2 <= effects[1].high
    assert effects[0].probability > 0.99
    assert "s[1] * s[4]" in repr(effects) and "<td>s[0]</td>" in effects._repr_html_()
    frame = effects.to_frame()
    assert list(frame.columns) == ["effect", "mean", "low", "high", "probability"] and len(frame) == len(effects)
    assert all(len(e.names) == 1 for e in result.explain(order=1))
    hostile = bocs.minimize(lambda x: float(x["<b>"]), {"<b>": bool, "d": bool}, trials=4).explain()
    assert "<b>" not in hostile._repr_html_()


def test_recommend_is_a_good_point_under_noise() -> None:
    generator = numpy.random.default_rng(1)

    def f(x: dict[str, Any]) -> float:
        return planted(x) + generator.normal() * 0.3

    result = bocs.minimize(f, {"s": bocs.Binary(6)}, trials=60, seed=1, method="bocs:noise=true")
    assert planted(result.recommend()) == -1.5


def test_frame_and_plot() -> None:
    import matplotlib

    matplotlib.use("Agg")
    result = bocs.minimize(broken_at_night, {**SPACE, "s": bocs.Binary(2)}, trials=20, l1=0.5)
    frame = result.to_frame()
    assert list(frame.columns) == ["number", "state", "pump", "crew", "depot", "s[0]", "s[1]", "value", "total", "seconds", "error"]
    assert len(frame) == 20 and frame["total"].min() == result.total
    assert (frame["state"] == "failed").sum() == frame["value"].isna().sum()
    axes = result.plot()
    steps = axes.lines[1].get_ydata()
    assert min(steps) == steps[-1] == result.total
    assert "value" in repr(result) and "total" in repr(result) and "<pre>" in result._repr_html_()


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    bocs.minimize(cost, SPACE, trials=5)
    assert capsys.readouterr().err == ""
    bocs.minimize(cost, SPACE, trials=5, progress=True)
    assert "5/5" in capsys.readouterr().err

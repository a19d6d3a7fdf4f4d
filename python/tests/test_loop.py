"""The loop: executors, processes that die, batches, failures that end a run, the log, past data."""

import concurrent.futures
import itertools
import os
import threading
import time
from typing import Any

import pytest

import bocs

SPACE = {"pump": bool, "crew": range(1, 9), "depot": ["north", "south", "river"]}


def cost(x: dict[str, Any]) -> float:
    return float((x["crew"] - 5) ** 2 + 3 * (x["depot"] == "north") - 2 * x["pump"] * (x["depot"] == "river"))


def broken_at_night(x: dict[str, Any]) -> float:
    if x["pump"]:
        raise RuntimeError("the pump is broken")
    return cost(x)


def interrupted(x: dict[str, Any]) -> float:
    raise KeyboardInterrupt


def test_batches_do_not_depend_on_who_is_faster() -> None:
    def slow(x: dict[str, Any]) -> float:
        time.sleep(0.01 * (x["crew"] % 3))
        return cost(x)

    alone = bocs.minimize(cost, SPACE, trials=24, seed=2, batch=4)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        threads = bocs.minimize(slow, SPACE, trials=24, seed=2, batch=4, executor=pool)
    assert [t.x for t in alone.trials] == [t.x for t in threads.trials]
    assert alone.value == threads.value


def test_threads_keep_all_workers_busy() -> None:
    everybody = threading.Barrier(3, timeout=300)  # passes only if three evaluations run at once

    def f(x: dict[str, Any]) -> float:
        everybody.wait()
        return cost(x)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        result = bocs.minimize(f, SPACE, trials=24, executor=pool)
    assert len({tuple(t.x.values()) for t in result.trials}) == 24


def test_processes() -> None:
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        result = bocs.minimize(broken_at_night, SPACE, trials=12, executor=pool)
        assert {t.state for t in result.trials} == {"complete", "failed"}
        assert "the pump is broken" in next(t.error for t in result.trials if t.state == "failed")
        with pytest.raises(RuntimeError, match="the pump is broken"):
            bocs.minimize(broken_at_night, SPACE, trials=48, executor=pool, catch=())


def test_keyboard_interrupt_in_a_thread_is_no_trial() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        result = bocs.minimize(interrupted, SPACE, trials=12, executor=pool)
    assert result.reason == "interrupted" and result.trials == []


def test_an_executor_that_does_not_tell_its_size() -> None:
    class Plain(concurrent.futures.Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
            future: concurrent.futures.Future[Any] = concurrent.futures.Future()
            future.set_result(fn(*args, **kwargs))
            return future

    with pytest.raises(ValueError, match="parallel"):
        bocs.minimize(cost, SPACE, trials=5, executor=Plain())
    assert len(bocs.minimize(cost, SPACE, trials=5, executor=Plain(), parallel=2).trials) == 5


def test_an_exception_in_a_batch_loses_no_other_result() -> None:
    optimizer = bocs.Optimizer(SPACE, seed=1)
    calls = itertools.count()

    def f(x: dict[str, Any]) -> float:
        if next(calls) == 0:
            raise RuntimeError("the first of the batch")
        return cost(x)

    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.raises(RuntimeError):
        optimizer.optimize(f, trials=4, batch=4, executor=pool, catch=())
    assert [t.state for t in optimizer.trials] == ["waiting", "complete", "complete", "complete"]
    result = optimizer.optimize(cost, trials=2)
    assert [t.state for t in optimizer.trials] == ["complete"] * 5 and result.reason == "trials"


def dies_at_crew_3(x: dict[str, Any]) -> float:
    if x["crew"] == 3:
        os._exit(7)
    return cost(x)


def test_a_process_that_dies_fails_its_trial_and_no_other() -> None:
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        result = bocs.minimize(dies_at_crew_3, SPACE, trials=12, seed=3, executor=pool)
    failed = [t for t in result.trials if t.state == "failed"]
    assert len(result.trials) == 12 and failed
    assert all(t.x["crew"] == 3 and "process" in t.error for t in failed)
    assert all(t.x["crew"] != 3 for t in result.trials if t.state == "complete")


def test_joblibs_executor_needs_no_other_argument() -> None:
    from joblib.externals.loky import get_reusable_executor

    with get_reusable_executor(max_workers=2) as pool:
        result = bocs.minimize(dies_at_crew_3, SPACE, trials=12, seed=3, executor=pool)
    assert len(result.trials) == 12 and all(t.x["crew"] == 3 for t in result.trials if t.state == "failed")


def test_n_jobs_and_named_executors() -> None:
    everybody = threading.Barrier(3, timeout=300)

    def f(x: dict[str, Any]) -> float:
        everybody.wait()
        return cost(x)

    assert len(bocs.minimize(f, SPACE, trials=12, n_jobs=3).trials) == 12
    assert len(bocs.minimize(f, SPACE, trials=12, parallel=3, executor="threads").trials) == 12
    assert len(bocs.minimize(cost, SPACE, trials=6, n_jobs=2, executor="processes").trials) == 6

    class Client:
        def nthreads(self) -> dict[str, int]:
            return {"tcp://one": 2, "tcp://two": 1}

    class ClientExecutor(concurrent.futures.Executor):  # as Dask's: it does not say how many workers it has
        def __init__(self, inner: concurrent.futures.Executor) -> None:
            self._client, self._inner = Client(), inner

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
            return self._inner.submit(fn, *args, **kwargs)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert len(bocs.minimize(f, SPACE, trials=12, executor=ClientExecutor(pool)).trials) == 12


def test_a_mistake_in_f_ends_the_run_after_five_failures(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(bocs.EvaluationError, match="(?s)first 5 evaluations failed: KeyError: 'aa'.*Traceback") as caught:
        bocs.minimize(lambda x: x["aa"], SPACE, trials=30)
    assert len(caught.value.result.trials) == 5 and caught.value.result.reason == "failing"
    assert sum("failed: KeyError" in message for message in caplog.messages) == 5
    with pytest.raises(bocs.Error, match="none of 12"):
        bocs.minimize(lambda x: x["aa"], SPACE, trials=12, keep_going=True).x


def test_the_log_has_a_line_per_new_best(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="bocs")
    result = bocs.minimize(cost, SPACE, trials=15, seed=1)
    totals = [t.total for t in result.trials]
    best = sum(total < min(totals[:i], default=99) for i, total in enumerate(totals))
    assert sum("best so far" in message for message in caplog.messages) == best


def test_start_points_and_past_data() -> None:
    start = [{"pump": True, "crew": 2, "depot": "river"}, {"pump": False, "crew": 7, "depot": "south"}]
    known = bocs.minimize(cost, SPACE, trials=10, seed=9)
    for data in (known.to_frame(), [(t.x, t.value) for t in known.trials]):
        result = bocs.minimize(cost, SPACE, trials=8, start=start, data=data)
        assert len(result.trials) == 18 and [t.x for t in result.trials[10:12]] == start
        assert [t.value for t in result.trials[:10]] == [t.value for t in known.trials]
    with pytest.raises(ValueError, match="row 0"):
        bocs.minimize(cost, SPACE, trials=8, data=[3.0])
    with pytest.raises(ValueError, match="no column 'depot'"):
        bocs.minimize(cost, SPACE, trials=8, data=known.to_frame().drop(columns="depot"))


def test_threads_share_the_trials_of_one_call() -> None:
    optimizer = bocs.Optimizer(SPACE, seed=1)
    begin = threading.Barrier(8, timeout=300)

    def work() -> None:
        begin.wait()
        optimizer.optimize(lambda x: time.sleep(0.02) or cost(x), trials=25)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(optimizer) == 25


def test_a_large_space_is_not_searched_at_random_alone(caplog: pytest.LogCaptureFixture) -> None:
    result = bocs.minimize(lambda x: float(x[:5].sum()), bocs.binary(150), trials=30, seed=1)
    assert [t.how == "initial design" for t in result.trials].index(False) == 6
    assert not caplog.messages
    bocs.Optimizer(bocs.binary(150)).optimize(lambda x: float(x.sum()), trials=15)
    assert any("initial design" in message for message in caplog.messages)


def test_a_study_can_do_what_the_commands_can(url: str, name: str) -> None:
    study = bocs.Study(url, name, SPACE, trials=4)
    study.optimize(lambda x: 1 / 0, keep_going=True)
    assert study.finished and study.retry(0) == 1 and study.retry() == 3
    study.optimize(lambda x: float(x["crew"]))
    assert [t.state for t in study.trials] == ["complete"] * 4
    assert len(study.optimize(lambda x: float(x["crew"]), trials=3).trials) == 7 and study.budget == 7
    study.budget = 9
    study.pause()
    with pytest.raises(bocs.AllRunning, match="paused"):
        study.ask()
    study.resume()
    study.optimize(lambda x: float(x["crew"]))
    assert len(study) == 9 and bocs.Study(url, name, trials=12).budget == 12
    with pytest.raises(ValueError, match="trials"):
        bocs.Study(url, name, trials=2.5)
    study.strike(3, "wrong")
    assert bocs.Study(url, name).trial(3).state == "struck"
    study.delete()
    with pytest.raises(ValueError, match=name):
        bocs.Study(url, name)

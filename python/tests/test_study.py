"""Studies: the same for Python and for the command line, shared by processes, resumed, never a point twice."""

import concurrent.futures
import json
import multiprocessing
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, CommandLine

import bocs

SPACE = {"pump": bool, "crew": range(1, 9), "depot": ["north", "river"], "station": bocs.Binary(5)}


def cost(x: dict[str, Any]) -> float:
    return float(sum(x["station"]) - 2 * x["pump"] * (x["depot"] == "river") + abs(x["crew"] - 4))


def test_a_study_is_made_run_and_opened_again(url: str, name: str) -> None:
    study = bocs.Study(url, name, SPACE, trials=30, seed=3)
    assert study.budget == 30 and not study.finished and len(study) == 0 and study.best is None
    half = study.optimize(cost, trials=12)
    assert half.reason == "trials" and len(half.trials) == 12
    again = bocs.Study(url, name)
    assert again.space == bocs.Space({**SPACE, "depot": ("north", "river")}) or again.space.names == study.space.names
    result = again.optimize(cost)
    assert result.reason == "trials" and again.finished and len(study) == 30
    assert study.best is not None and study.best.value == result.value
    alone = bocs.minimize(cost, SPACE, trials=30, seed=3)
    assert [str(t.x) for t in study.trials] == [str(t.x) for t in alone.trials]
    assert study.recommend()["station"].sum() == result.x["station"].sum()
    assert len(study.explain()) > 0 and len(study.to_frame()) == 30


TYPED: dict[str, Any] = {
    "batch": [16, 32, 64],
    "drop": [None, 0.5],
    "flag": [True, "True story", "1,5"],
    "whole": bocs.real(0, 100),
    "even": range(0, 11, 2),
    "loud": bocs.Categorical([1, 2.0, None], count=2),
    "named": bocs.Binary(names=["radius", "mean texture"]),
}


def types(x: Any) -> Any:
    return [(k, [type(v) for v in value] if isinstance(value, list) else type(value)) for k, value in x.items()]


def test_values_keep_their_types_when_a_study_is_opened_again(url: str, name: str) -> None:
    study = bocs.Study(url, name, TYPED, trials=30, method="random")
    study.optimize(lambda x: float(x["batch"]) + (x["drop"] or 0), trials=15)
    first = study.trials
    for again in (bocs.Study(url, name), bocs.Study(url, name, TYPED, method="random"), pickle.loads(pickle.dumps(study))):
        for before, after in zip(first, again.trials):
            assert str(before.x) == str(after.x) and types(before.x) == types(after.x)
            assert again.space.levels(after.x) == study.space.levels(before.x)
    result = bocs.Study(url, name).optimize(lambda x: float(x["batch"]) + (x["drop"] or 0))
    assert not [t for t in result.trials if t.state != "complete"]
    assert all(t.value == t.x["batch"] + (t.x["drop"] or 0) for t in result.trials)  # 'None' would be true


@pytest.mark.parametrize(
    "space",
    [
        bocs.binary(4),
        bocs.binary(names=["a", "b c"]),
        {"x": bocs.Binary(4)},
        {"x": bocs.Binary(1), "n": bocs.Integer(1, 3, count=2)},
        {"x[0]": bool, "x[1]": bool},
        {"w[kg]": bool, "w[g]": bool, "b": bocs.Binary(2)},
        {"w": bocs.Binary(names=["kg"])},
    ],
)
def test_points_keep_their_form_when_a_study_is_opened_again(space: Any, tmp_path: Path) -> None:
    trial = bocs.Study(tmp_path / "s.db", space=space, method="random").ask()
    again = bocs.Study(tmp_path / "s.db")
    assert repr(again.trial(0).x) == repr(trial.x) and again.space == bocs.Space(space)


def test_levels_that_differ_in_type_only_are_other_levels(tmp_path: Path) -> None:
    bocs.Study(tmp_path / "s.db", space={"batch": [16, 64]})
    for other in (["16", "64"], [16.0, 64.0], [16, "64"]):
        with pytest.raises(ValueError, match="variables"):
            bocs.Study(tmp_path / "s.db", space={"batch": other})


def test_programs_and_the_command_line_see_types(tmp_path: Path, command_line: CommandLine) -> None:
    study = bocs.Study(tmp_path / "s.db", space={"batch": [16, 64], "drop": [None, 0.5], "on": [True, "no"]}, trials=9)
    study.tell({"batch": 64, "drop": None, "on": True}, 1.0)
    where = ("--store", f"sqlite:{tmp_path}/s.db")
    assert json.loads(command_line("best", *where, "--json"))["best"]["point"] == {"batch": 64, "drop": None, "on": True}
    assert "64,None,True" in command_line("export", *where)
    command_line("enqueue", *where, "--point", '{"batch": 16, "drop": null, "on": "no"}')
    command_line("enqueue", *where, "--point", '{"batch": "16", "drop": "0.5", "on": "True"}')
    assert [t.x for t in study.trials[1:]] == [
        {"batch": 16, "drop": None, "on": "no"},
        {"batch": 16, "drop": 0.5, "on": True},
    ]


def double(x: float) -> float:
    return 2 * x


def half(x: float) -> float:
    return x / 2


def test_objects_are_found_again_in_the_space_given(tmp_path: Path) -> None:
    space = {"f": [double, half], "shape": [(1, 2), (2, 1)], "n": range(4)}
    study = bocs.Study(tmp_path / "s.db", space=space, trials=12)
    study.optimize(lambda x: x["f"](x["n"]) + x["shape"][0], trials=6)
    with pytest.raises(ValueError, match="'<function double>'.*space="):
        bocs.Study(tmp_path / "s.db")
    program = (
        "import bocs, test_study as t\n"  # another process, where functions have other addresses
        "space = {'f': [t.double, t.half], 'shape': [(1, 2), (2, 1)], 'n': range(4)}\n"
        f"r = bocs.Study({str(tmp_path / 's.db')!r}, space=space).optimize(lambda x: x['f'](x['n']) + x['shape'][0])\n"
        "print(len(r.trials), r.value, r.x['f'] is t.double or r.x['f'] is t.half)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["12", "1.0", "True"], done.stderr
    pickled = pickle.loads(pickle.dumps(study))
    assert pickled.trials[0].x["f"] in (double, half)


def test_a_study_of_version_0_2_has_texts_unless_the_space_is_given(tmp_path: Path) -> None:
    space = {"batch": [16, 64], "drop": [None, 0.5], "depot": ["north", "a,b"]}
    study = bocs.Study(tmp_path / "s.db", space=space, trials=5, constraints=[bocs.forbidden("batch == 16", "depot == 'a,b'")])
    study.optimize(lambda x: 1.0, trials=3)
    written = [t.x for t in study.trials]
    as_0_2_wrote_it = {"batch": ["16", "64"], "drop": ["None", "0.5"], "depot": ["north", "a;b"]}
    with sqlite3.connect(tmp_path / "s.db") as database:
        ((key, text),) = database.execute("SELECT name, spec FROM bocs_study").fetchall()
        spec = json.loads(text)
        for variable in spec["task"]["variables"]:
            del variable["levels"]
            variable["labels"] = as_0_2_wrote_it[variable["name"]]
        terms = [{"variable": "batch", "is": "16", "weight": 1}, {"variable": "depot", "is": "a;b", "weight": 1}]
        spec["task"]["constraints"] = [{"terms": terms, "low": "-inf", "high": 1, "text": "forbidden: batch=16 and depot=a;b"}]
        database.execute("UPDATE bocs_study SET spec = ? WHERE name = ?", (json.dumps(spec), key))
    database.close()
    with pytest.warns(UserWarning, match="batch: bocs 0.2 stored its levels as texts.*space="):
        texts = bocs.Study(tmp_path / "s.db")
    assert [t.x for t in texts.trials] == [
        {"batch": str(x["batch"]), "drop": str(x["drop"]), "depot": x["depot"].replace(",", ";")} for x in written
    ]
    again = bocs.Study(tmp_path / "s.db", space=space, constraints=[bocs.forbidden("batch == 16", "depot == 'a,b'")])
    assert [t.x for t in again.trials] == written
    again.optimize(lambda x: float(x["batch"]))
    assert len(again) == 5 and again.trials[4].state == "complete"


def test_the_report_is_one_file_with_the_answer(tmp_path: Path) -> None:
    study = bocs.Study(tmp_path / "s.db", "</script><b>", SPACE, trials=12)
    study.optimize(cost)
    page = study.report(tmp_path / "s.html").read_text(encoding="utf-8")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    best = study.best
    assert best is not None and data["best"] == best.number and data["study"]["name"] == "</script><b>"
    assert data["trials"]["value"] == [t.value for t in study.trials]
    assert data["explanation"]["effects"][0][1] == study.explain()[0].mean
    frame = study._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "<script" not in frame and 'sandbox="allow-scripts' in frame


def test_opened_under_other_choices_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    bocs.Study(path, space=SPACE, seed=1)
    assert bocs.Study(path, space=SPACE, seed=1).budget == 100
    assert bocs.Study(path, space=SPACE, seed=1, trials=7).budget == 7
    for other in ({"seed": 2}, {"direction": "maximize"}, {"l1": 1.0}, {"constraints": ["crew <= 3"]}, {"method": "ei"}):
        with pytest.raises(ValueError, match="another name"):
            bocs.Study(path, space=SPACE, **{"seed": 1, **other})
    with pytest.raises(ValueError, match="'t'.*s"):
        bocs.Study(path, "t")


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(bocs.StoreError, match="nothing.db"):
        bocs.Study(tmp_path / "nothing.db")
    with pytest.raises(ValueError, match="redis"):
        bocs.Study("redis://localhost", "s")
    with pytest.raises(ValueError, match="name"):
        bocs.Study("postgresql://nobody@localhost/x", space=SPACE)


def test_ask_tell_enqueue_release(url: str, name: str) -> None:
    study = bocs.Study(url, name, SPACE, direction="maximize", trials=5)
    wanted = {"pump": True, "crew": 8, "depot": "river", "station": [1, 0, 1, 0, 1]}
    study.enqueue(wanted)
    first, second = study.ask(2)
    assert first.x["crew"] == 8 and list(first.x["station"]) == [1, 0, 1, 0, 1]
    study.tell(first, 4.0, seconds=1.5, metrics={"mass": 2.0})
    study.tell(second, error="crashed")
    assert study.trial(first.number).metrics == {"mass": 2.0}
    third = study.ask()
    study.release(third.number)
    assert str(study.ask().x) == str(third.x)
    study.tell({**wanted, "crew": 1}, 9.0)
    assert study.best is not None and study.best.value == 9.0
    assert study.budget == 6  # a point of one's own comes on top
    study.ask(2)
    with pytest.raises((bocs.AllRunning, bocs.BudgetReached)):
        study.ask()


def test_failed_trials_and_executors(url: str, name: str) -> None:
    def f(x: dict[str, Any]) -> float:
        if x["pump"]:
            raise RuntimeError("broken")
        return cost(x)

    study = bocs.Study(url, name, SPACE, trials=20)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        result = study.optimize(f, executor=pool)
    assert len(result.trials) == 20
    assert all((t.state == "failed") == t.x["pump"] for t in result.trials)
    assert "RuntimeError: broken" in next(t.error for t in result.trials if t.state == "failed")


def test_an_interrupted_trial_is_given_back(url: str, name: str) -> None:
    def f(x: dict[str, Any]) -> float:
        if len(calls) == 3:
            raise KeyboardInterrupt
        calls.append(x)
        return cost(x)

    calls: list[Any] = []
    study = bocs.Study(url, name, SPACE, trials=8)
    assert study.optimize(f).reason == "interrupted"
    assert [t.state for t in study.trials] == ["complete"] * 3 + ["waiting"]
    study.optimize(cost)
    alone = bocs.minimize(cost, SPACE, trials=8)
    assert [str(t.x) for t in study.trials] == [str(t.x) for t in alone.trials]


def test_an_exception_that_is_not_caught_gives_the_trial_back(tmp_path: Path) -> None:
    study = bocs.Study(tmp_path / "s.db", space=SPACE, trials=8)
    with pytest.raises(ZeroDivisionError):
        study.optimize(lambda x: 1 / 0, catch=())
    assert [t.state for t in study.trials] == ["waiting"]


def _work(url: str, name: str) -> None:
    bocs.Study(url, name).optimize(lambda x: time.sleep(0.01) or cost(x))


def test_processes_share_a_study(url: str, name: str) -> None:
    study = bocs.Study(url, name, SPACE, trials=40, method="bocs:order=2,initial=10")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_work, args=(url, name)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    assert study.finished and len(study) == 40
    assert len({str(t.x) for t in study.trials}) == 40
    assert all(t.value == cost(t.x) for t in study.trials)


def test_a_study_is_pickled(tmp_path: Path) -> None:
    study = bocs.Study(tmp_path / "s.db", space={**SPACE, "depot": [None, 3.5]}, trials=8)
    study.ask()
    again = pickle.loads(pickle.dumps(study))
    assert str(again.trials) == str(study.trials) and again.trials[0].x["depot"] in (None, 3.5)


def test_python_and_the_command_line_work_on_one_study(tmp_path: Path, command_line: CommandLine) -> None:
    url = f"sqlite:{tmp_path}/s.db"
    study = bocs.Study(url, "s", SPACE, trials=30, seed=2, constraints=[bocs.at_most(3, of="station"), "crew + pump <= 6"])
    study.optimize(cost, trials=25)
    asked = json.loads(command_line("ask", "--store", url))
    study.tell(asked["number"], 0.5)
    assert study.trial(asked["number"]).x["crew"] == asked["point"]["crew"]
    trial = study.ask()
    command_line("tell", "--store", url, "--trial", trial.number, "--value", "1.25")
    assert study.trial(trial.number).value == 1.25
    assert "27 proposals are the same again, 0 differ" in command_line("trials", "--store", url, "--verify")
    best = json.loads(command_line("best", "--store", url, "--json"))["best"]
    assert study.best is not None and best["value"] == study.best.value


def test_a_study_file_proposes_the_same_to_both(tmp_path: Path, command_line: CommandLine) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        """
        [study]
        trials = 28
        seed = 5
        direction = "maximize"
        lambda = 0.25
        [[variables]]
        name = "site"
        type = "binary"
        count = 6
        [[variables]]
        name = "crew"
        type = "integer"
        low = -2
        high = 3
        [[variables]]
        name = "depot"
        type = "categorical"
        levels = ["hill", "river"]
        [[constraints]]
        at_most = 4
        of = "site"
        [[constraints]]
        if = "site[0]"
        then = "depot=river"
        [objective]
        command = ["sh", "-c", "echo $(( BOCS_SITE_1 * BOCS_CREW - BOCS_SITE_2 + 2 * BOCS_SITE_5 ))"]
        """
    )
    command_line("run", file, "--quiet")

    def f(x: dict[str, Any]) -> float:
        return float(x["site"][1] * x["crew"] - x["site"][2] + 2 * x["site"][5])

    theirs = bocs.Study(file)
    ours = bocs.maximize(
        f,
        {"site": bocs.Binary(6), "crew": range(-2, 4), "depot": ["hill", "river"]},
        trials=28,
        seed=5,
        l1=0.25,
        constraints=[bocs.at_most(4, of="site"), bocs.if_("site[0]", then="depot == 'river'")],
    )
    assert [str(t.x) for t in theirs.trials] == [str(t.x) for t in ours.trials]
    assert theirs.best is not None and theirs.best.total == ours.total
    assert all(f(t.x) == t.value for t in theirs.trials)


def test_sigint_ends_a_worker_process(tmp_path: Path) -> None:
    program = f"""
import bocs, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a script in the background ignores it
study = bocs.Study({str(tmp_path / "s.db")!r}, space={{"a": bool, "b": range(9)}}, trials=5)
def f(x):
    if len(study) > 2:
        print("waiting", flush=True)
        time.sleep(600)
    return 1.0
print(study.optimize(f).reason)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None and process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert out == "interrupted\n" and process.returncode == 0
    assert [t.state for t in bocs.Study(tmp_path / "s.db").trials] == ["complete", "complete", "waiting"]


def test_without_libpq_only_postgresql_is_missing(tmp_path: Path) -> None:
    (tmp_path / "libpq.so.5").write_text("not a library")
    program = """
import bocs
bocs.Study("s.db", space={"a": bool})
try:
    bocs.Study("postgresql://nobody@127.0.0.1/nothing", "s")
except bocs.StoreError as error:
    print(error)
"""
    env = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert "libpq.so.5 cannot be loaded: install libpq" in done.stdout, done.stderr

"""Trials as tables: every column has a name of its own, in frames as in the CSV files of the command line."""

import csv
from pathlib import Path
from typing import Any

from conftest import CommandLine

import bocs

SPACE = {"value": range(5), "state": bool, "crew": range(3), "site": bocs.Binary(2)}


def f(x: dict[str, Any]) -> dict[str, float]:
    return {"value": 100.0 + x["value"], "crew": -1.0, "number": 7.0, "speed": 2.0}


def test_no_column_of_a_frame_is_overwritten(tmp_path: Path, command_line: CommandLine) -> None:
    study = bocs.Study(tmp_path / "s.db", space=SPACE, method="random", trials=6)
    frame = study.optimize(f).to_frame()
    exported = command_line("export", "--store", f"sqlite:{tmp_path}/s.db").splitlines()
    assert list(frame.columns) == next(csv.reader(exported[:1])) and len(set(frame.columns)) == len(frame.columns)
    for trial, (_, row) in zip(study.trials, frame.iterrows()):
        assert (row["value"], row["state"], row["crew"]) == (trial.x["value"], trial.x["state"], trial.x["crew"])
        assert (row["bocs:value"], row["bocs:state"]) == (trial.value, "complete")
        assert (row["bocs:crew"], row["bocs:number"], row["speed"]) == (-1.0, 7.0, 2.0)


def test_a_frame_is_past_data_of_another_run() -> None:
    space: dict[str, Any] = {"value": range(5), "state": bool, "drop": [None, 0.5, 1], "site": bocs.Binary(2)}
    first = bocs.minimize(lambda x: 100.0 + x["value"], space, trials=8, method="random")
    frame = first.to_frame()
    assert [type(v) for v in frame["drop"]] == [type(t.x["drop"]) for t in first.trials]
    second = bocs.Optimizer(space, method="random")
    assert second.add(frame) == 8
    assert [(str(t.x), t.value) for t in second.trials] == [(str(t.x), t.value) for t in first.trials]


def test_elements_of_arrays_are_0_and_1_as_in_points() -> None:
    optimizer = bocs.Optimizer({"pump": bool, "site": bocs.Binary(2)}, method="random")
    assert list(optimizer.to_frame().columns)[:5] == ["number", "state", "pump", "site[0]", "site[1]"]
    trials = optimizer.ask(5)
    frame = optimizer.to_frame()
    assert [type(v) for v in frame["pump"].tolist()] == [bool] * 5
    assert [[a, b] for a, b in zip(frame["site[0]"].tolist(), frame["site[1]"].tolist())] == [t.x["site"].tolist() for t in trials]
    assert {type(v) for v in frame["site[0]"].tolist()} == {int}

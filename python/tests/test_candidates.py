"""A table of the only points: from frames, lists of dicts and files, in memory and in stores."""

import copy
import pickle

import pandas as pd
import pytest

import bocs

ROWS = [{"id": f"r{k}", "ligand": "abcdef"[k % 6], "celsius": 20 + 10 * (k // 6), "parts": 0.05 * (k % 4)} for k in range(60)]


def cost(x):
    return abs(x["celsius"] - 70) / 10 + (x["ligand"] != "c") + x["parts"]


def is_row(x):
    return any(all(row[name] == value for name, value in x.items()) for row in ROWS)


def test_only_rows_are_proposed_and_the_rest_is_carried_along():
    result = bocs.minimize(cost, candidates=pd.DataFrame(ROWS), trials=40, seed=2)
    assert all(is_row(trial.x) for trial in result.trials)
    assert len({tuple(trial.x.items()) for trial in result.trials}) == 40
    assert result.value == min(map(cost, ROWS))
    best = next(row for row in ROWS if row["id"] == result.best.carried["id"])
    assert {name: best[name] for name in result.x} == result.x
    frame = result.to_frame()
    assert list(frame.columns[:6]) == ["number", "state", "ligand", "celsius", "parts", "id"]
    assert frame["id"].nunique() == 40


def test_frames_dicts_and_files_are_the_same_table(tmp_path):
    pd.DataFrame(ROWS).to_csv(tmp_path / "library.csv", index=False)
    tables = [bocs.Candidates(table) for table in (pd.DataFrame(ROWS), ROWS, tmp_path / "library.csv", str(tmp_path / "library.csv"))]
    assert all(table == tables[0] and len(table) == 60 for table in tables)
    assert repr(tables[0]) == "Candidates(60 rows, ligand, celsius, parts)"
    for twin in (pickle.loads(pickle.dumps(tables[0])), copy.deepcopy(tables[0])):
        assert twin == tables[0] and twin.carried_names == ["id"]


def test_a_space_says_what_the_columns_are():
    space = {"ligand": ["f", "e", "d", "c", "b", "a"], "celsius": range(121)}
    rows = [row for row in ROWS if row["parts"] == 0]
    table = bocs.Candidates(rows, space)
    assert table.carried_names == ["id", "parts"]
    optimizer = bocs.Optimizer(candidates=table, seed=3, trials=15)
    for _ in range(len(rows)):
        trial = optimizer.ask()
        assert (trial.x["ligand"], trial.x["celsius"]) in {(row["ligand"], row["celsius"]) for row in rows}
        optimizer.tell(trial, float(trial.number % 7))
    with pytest.raises(bocs.SpaceExhausted):
        optimizer.ask()


def test_with_constraints_batches_goals_and_points_of_ones_own():
    optimizer = bocs.Optimizer(candidates=ROWS, constraints=["celsius <= 80"], goals={"cost": "min", "parts": "max"}, outcomes=["cost <= 5"], trials=40)
    for _ in range(8):
        for trial in optimizer.ask(4):
            assert is_row(trial.x) and trial.x["celsius"] <= 80
            optimizer.tell(trial, metrics={"cost": cost(trial.x), "parts": trial.x["parts"]})
    assert optimizer.front
    with pytest.raises(ValueError, match="one of the 60 candidates"):
        optimizer.enqueue({"ligand": "a", "celsius": 30, "parts": 0.05})


def test_a_study_keeps_its_table(tmp_path):
    where = tmp_path / "lab.db"
    study = bocs.Study(where, candidates=ROWS, trials=20)
    study.optimize(cost, trials=12, progress=False)
    again = bocs.Study(where)
    assert isinstance(again.space, bocs.Candidates) and again.space == study.space
    assert [t.carried for t in again.trials] == [t.carried for t in study.trials]
    again.optimize(cost, progress=False)
    assert all(is_row(trial.x) for trial in again.trials)
    assert '"candidates"' in study._core.report()
    with pytest.raises(ValueError, match="candidates"):
        bocs.Study(where, candidates=ROWS[:50])
    saved = bocs.Optimizer(candidates=ROWS).save(tmp_path / "other.db")
    assert saved.space == study.space


@pytest.mark.parametrize(
    ("table", "carry", "message"),
    [
        ([], [], "allowed: a DataFrame, a list of dicts"),
        ([{"a": 1}, {"b": 1}], [], "row 2: found the keys b"),
        ([{"a": 1, "b": None}, {"a": 2, "b": 1}], [], "the column 'b' is empty"),
        ([{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 2, "b": 2}], [], "rows 1 and 2 are the same point"),
        ([{"a": 1}, {"a": 2}], ["c"], "there is no column 'c' to carry"),
        ("missing.csv", [], "there is no such file"),
    ],
)
def test_what_is_wrong_is_named(table, carry, message):
    with pytest.raises(ValueError, match=message):
        bocs.Candidates(table, carry=carry)
    with pytest.raises(ValueError, match="candidates="):
        bocs.Optimizer()

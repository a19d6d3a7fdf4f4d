"""Described levels, batches with rules, and their sheets."""

import copy
import pickle

import pandas as pd
import pytest

import bocs

CONE = pd.DataFrame({"cone": [145.0, 170, 182, 210], "same": 1.0}, index=["PPh3", "PCy3", "PtBu3", "XPhos"])
SPACE = {
    "ligand": bocs.Categorical(list(CONE.index), describe=CONE),
    "celsius": range(20, 41),
    "solvent": ["THF", "DMF, dry", "water"],
}


def measured(x):
    return 100 - abs(CONE.loc[x["ligand"], "cone"] - 180) - abs(x["celsius"] - 33) - 5 * (x["solvent"] != "THF")


def test_descriptions_are_kept(tmp_path):
    study = bocs.Study(tmp_path / "lab.db", space=SPACE, direction="maximize", trials=25)
    study.optimize(measured, progress=False)
    again = bocs.Study(tmp_path / "lab.db")
    assert again.space.variables["ligand"].describe.names == ("cone",)  # what never changes tells nothing apart
    assert [t.x for t in again.trials] == [t.x for t in study.trials]
    plain = bocs.Optimizer({**SPACE, "ligand": list(CONE.index)}, direction="maximize", trials=25)
    plain.optimize(measured, trials=25, progress=False)
    assert [t.x for t in plain.trials] != [t.x for t in study.trials]
    for twin in (pickle.loads(pickle.dumps(study.space)), copy.deepcopy(study.space)):
        assert twin == study.space
    dicts = bocs.Categorical(list(CONE.index), describe={name: {"cone": row["cone"], "same": 1.0} for name, row in CONE.iterrows()})
    assert dicts == SPACE["ligand"]


@pytest.mark.parametrize(
    ("describe", "message"),
    [
        (CONE.drop(index="XPhos"), "'XPhos' is not described"),
        (CONE.assign(name="x"), "not described by numbers alone"),
        (CONE.assign(cone=float("nan")), "has no 'cone'"),
        (CONE[["same"]], "the same for all levels"),
        ([1, 2, 3, 4], "allowed: a DataFrame"),
    ],
)
def test_what_is_wrong_with_a_description_is_named(describe, message):
    with pytest.raises(ValueError, match=message):
        bocs.Space({"ligand": bocs.Categorical(list(CONE.index), describe=describe)})


@pytest.fixture(params=["optimizer", "study"])
def session(request, tmp_path):
    if request.param == "optimizer":
        return bocs.Optimizer(SPACE, direction="maximize", trials=60)
    return bocs.Study(tmp_path / "lab.db", space=SPACE, direction="maximize", trials=60)


def test_a_week_of_plates(session, tmp_path):
    for day in range(4):
        trials = session.ask_plate(8, same="celsius", block=4, at_most={"solvent": 2}, distance=1, csv=tmp_path / "plate.csv")
        assert len(trials) == 8
        for block in (trials[:4], trials[4:]):
            assert len({t.x["celsius"] for t in block}) == 1
        assert len({t.x["solvent"] for t in trials}) <= 2
        differing = [sum(a.x[k] != b.x[k] for k in a.x) for i, a in enumerate(trials) for b in trials[:i]]
        assert min(differing) >= 1
        sheet = pd.read_csv(tmp_path / "plate.csv")
        assert list(sheet.columns) == ["number", "ligand", "celsius", "solvent", "value", "remark"]
        assert list(sheet["number"]) == [t.number for t in trials]
        sheet["value"] = [measured(t.x) for t in trials]
        sheet["remark"] = sheet["remark"].astype(object)
        sheet.loc[1, "remark"] = "cloudy"
        part = sheet.astype({"value": object}).copy()
        part.loc[3, "value"] = "broken"
        part.loc[5, "value"] = None
        assert session.tell_plate(part.sample(frac=1, random_state=day)) == {"told": 7, "failed": 1, "known": 0, "open": 1, "added": 0}
        part.loc[5, "value"] = sheet.loc[5, "value"]
        assert session.tell_plate(part) == {"told": 1, "failed": 0, "known": 7, "open": 0, "added": 0}
        assert session.trial(trials[1].number).remark == "cloudy"
        assert session.trial(trials[3].number).error == "broken"
        with pytest.raises(ValueError, match="another result"):
            session.tell_plate(sheet.assign(value=1.5))
    assert len(session) == 32 and session.best.value > 80


def test_rules_that_make_no_sense(session):
    with pytest.raises(ValueError, match="there is no variable 'celcius'; did you mean 'celsius'"):
        session.ask_plate(4, same="celcius")
    with pytest.raises(ValueError, match="distance: found 7"):
        session.ask_plate(4, distance=7)
    assert len(session) == 0

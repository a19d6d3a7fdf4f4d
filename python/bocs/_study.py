"""Studies in SQLite or PostgreSQL: the same that the command line makes, reads and runs."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._candidates import Candidates, Table, as_space
from ._constraints import Constraints
from ._goals import Goals, Outcomes, to_sense
from ._optimizer import Optimizer, SpaceLike, make_task
from ._run import Direction, Driver, Limits, Objective
from ._session import Session, _Calls
from ._space import Point, Space
from ._stored import layout, to_space

if TYPE_CHECKING:
    import optuna


_PATIENCE = 600.0  # seconds that the store may be away during a run


class Study(Session):
    """An optimization that outlives its process and is shared by any number of them.

    >>> study = bocs.Study("stations.db", space={"pump": bool, "crew": range(1, 9)}, trials=200)  # made, or opened again
    >>> study.optimize(f)                    # here, and at the same time in as many processes and machines as you like
    >>> bocs.Study("stations.db").best       # from anywhere else, also: bocs best --store sqlite:stations.db

        where        a SQLite file, "sqlite:FILE", "postgresql://USER@HOST/DATABASE", or a study file (study.toml)
        name         of the study; default: the file's name without its ending, or the only study there is
        space        makes the study unless it is there; without it the study must be there
        trials       the budget: evaluations of all processes together; 100 for a new study, 0: no limit. Given for a study
                     that is there, it becomes its budget

    The others are those of ``minimize``. Opening a study under other choices than it was made with raises ValueError.
    """

    def __init__(
        self,
        where: str | os.PathLike[str],
        name: str | None = None,
        space: SpaceLike | None = None,
        *,
        candidates: Table | None = None,
        direction: Direction = "minimize",
        constraints: Constraints = (),
        l1: float = 0.0,
        l2: float = 0.0,
        method: str = "bocs",
        seed: int = 1,
        trials: int | None = None,
        goals: Goals = (),
        outcomes: Outcomes = (),
        stop: str | None = None,
        default: Point | None = None,
    ) -> None:
        url, default_name = _place(where)
        if trials is not None and (isinstance(trials, bool) or not isinstance(trials, int) or trials < 0):
            raise ValueError(f"found trials={trials!r}; allowed: a whole number, 0 for no limit, or None")
        made: Space | None = None
        if url is None:
            self._core = _core.study_of_file(os.fspath(where))
        elif space is None and candidates is None:
            self._core = _core.open_study(url, name)
        else:
            if name is None and default_name is None:
                raise ValueError(f"found no name for a new study in {where}; allowed: name='...'")
            made = as_space(space, candidates)
            task = make_task(made, constraints, l1, l2, seed, 0, goals, outcomes, direction, default)
            sense = task.goals[0].sense if task.goals else to_sense(direction)
            budget = 100 if trials is None else trials
            spec = _core.StudySpec(name or default_name or "", task, _stored(method), sense, budget)
            spec.labels = layout(made)
            if stop is not None:
                spec.until = stop
            self._core = _core.make_study(url, spec)
        self._describe(made)
        if trials is not None and trials != self._core.spec().trials:
            self._core.set_budget(trials)

    def _describe(self, space: Space | None) -> None:
        spec = self._core.spec()
        self.name: str = spec.name
        self.method: str = spec.method
        self.direction = "minimize" if spec.sense == _core.Sense.minimize else "maximize"
        self.space = space or to_space(spec.variables, spec.labels)
        if spec.candidates is not None and not isinstance(self.space, Candidates):
            self.space = Candidates._of(self.space, spec.candidates)
        self._read_goals()
        self._calls = _Calls()

    @property
    def budget(self) -> int:
        """Trials in all; 0: no limit."""
        return int(self._core.budget())

    @budget.setter
    def budget(self, trials: int) -> None:
        self._core.set_budget(trials)

    @property
    def finished(self) -> bool:
        """True when the budget is used up and every trial has ended."""
        return bool(self._core.finished())

    @property
    def paused(self) -> bool:
        """True: no trial is handed out."""
        return bool(self._core.paused())

    def pause(self) -> None:
        """Hands out no more trials, to whatever process; running evaluations finish and are stored."""
        self._core.pause(True)

    def resume(self) -> None:
        """Ends a pause."""
        self._core.pause(False)

    def retry(self, number: int | None = None) -> int:
        """Queues a failed trial again, or all of them; returns how many. Fix the objective first."""
        numbers = [t.number for t in self.trials if t.state == "failed"] if number is None else [number]
        return sum(bool(self._core.retry(n)) for n in numbers)

    def delete(self) -> None:
        """Removes the study with all its trials from the store. This cannot be undone."""
        _core.delete_study(self._core.url, self.name)

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes one HTML file that shows the study: the answer, how it was found, what was learnt, every trial.

        Returns its path; by default NAME.report.html in the current folder. It needs no network. The same as ``bocs report``.
        """
        file = Path(path if path is not None else re.sub(r"[/\\\x00-\x1f]", "-", self.name) + ".report.html")
        file.write_text(self._core.report(), encoding="utf-8")
        return file

    def _repr_html_(self) -> str:
        # A document of its own, so that neither its styles nor its program meet those of the notebook.
        page = html.escape(self._core.report(), quote=True)
        return f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" style="width:100%;height:720px;border:0"></iframe>'

    def to_optuna(self, url: str) -> optuna.Study:
        """Writes the finished trials into a storage of Optuna, such as "sqlite:///optuna.db", under the study's name.

        Optuna's dashboard then shows them. Called again, it adds those that are new.
        """
        from .optuna import export

        return export(self, url, self.name)

    def _make_loop(self, limits: Limits) -> _core.Loop:
        if limits.trials is not None:
            self._core.allow(limits.trials)
        loop: _core.Loop = super()._make_loop(limits)
        return loop

    def _stop_of(self, limits: Limits) -> str | None:
        return limits.stop or self._core.spec().until or None

    def _work(self, f: Objective, limits: Limits, loop: _core.Loop) -> str:
        worker = _core.Worker(self._core.url, self.name, _PATIENCE)
        try:
            return Driver(self, worker, loop, f, limits).run()
        finally:
            worker.close()

    def __getstate__(self) -> dict[str, Any]:
        return {"url": self._core.url, "name": self.name, "space": self.space}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._core = _core.open_study(saved["url"], saved["name"])
        self._describe(saved["space"])

    def __repr__(self) -> str:
        return f"Study({self.name!r}, {self.direction}, {self.space.dimension} variables, {len(self)} of {self.budget} trials)"


def _stored(method: object) -> str:
    if isinstance(method, str):
        return method
    raise TypeError(
        f"found the method {method!r}; a study stores its method as a text, so that every process can go on with it; "
        "allowed: a text such as 'bocs'. A method of your own runs in bocs.Optimizer"
    )


def save(
    optimizer: Optimizer, task: _core.Task, trials: int, where: str | os.PathLike[str], name: str | None
) -> Study:
    url, default_name = _place(where)
    if url is None or (name is None and default_name is None):
        raise ValueError(f"found the place {os.fspath(where)!r}; allowed: a SQLite file, or the URL of a store and name='...'")
    spec = _core.StudySpec(name or default_name or "", task, _stored(optimizer.method), to_sense(optimizer.direction), trials)
    spec.labels = layout(optimizer.space)
    study = Study.__new__(Study)
    study._core = _core.save_study(url, spec, optimizer._core)
    study._describe(optimizer.space)
    return study


def upgrade(where: str | os.PathLike[str], is_backed_up: bool = False) -> str:
    """Brings a store that an older bocs wrote to today's tables, after a copy of it; returns the copy's path.

    A PostgreSQL store is not copied: make a backup with pg_dump, then give ``is_backed_up=True``.
    """
    url, _ = _place(where)
    if url is None:
        raise ValueError(f"found {os.fspath(where)!r}; allowed: a SQLite file or the URL of a store")
    return str(_core.upgrade_store(url, is_backed_up))


def _place(where: str | os.PathLike[str]) -> tuple[str | None, str | None]:
    """URL of the store and the name of a study there; no URL: a study file."""
    text = os.fspath(where)
    if text.endswith(".toml"):
        return None, None
    if re.match(r"[a-z]+:", text):
        file = text.removeprefix("sqlite:")
        return text, Path(file).stem if file != text else None
    return f"sqlite:{text}", Path(text).stem

"""Parameters of Optuna as variables of bocs, and the conditions under which they exist."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState

from ._space import Binary, Categorical, Integer, Ordinal, Real, Space, Variable, level_text, when
from ._variables import FineValues

_MOST_VALUES = 1_000_000  # of an integer variable in bocs
_MOST_LISTED = 10_001  # of one with a step
_REPEATS = 3  # trials a condition must explain, not counting the first trial with each value


class SearchSpace(dict[str, BaseDistribution]):
    """Distributions that bocs searches, by name, and the conditions of those parameters that exist only sometimes."""

    def __init__(self, distributions: Mapping[str, BaseDistribution], conditions: Mapping[str, str]) -> None:
        super().__init__({name: d for name, d in distributions.items() if is_searched(d)})
        self.conditions = {name: text for name, text in conditions.items() if name in self}

    def is_same(self, other: SearchSpace) -> bool:
        """By repr, since Optuna takes the choices 1 and True for equal."""
        if list(self) != list(other) or self.conditions != other.conditions:
            return False
        return all(d is other[name] or repr(d) == repr(other[name]) for name, d in self.items())

    def to_space(self) -> Space:
        variables: dict[str, Any] = {name: to_variable(d) for name, d in self.items()}
        return Space(variables | {name: when(text, variables[name]) for name, text in self.conditions.items()})


class SeenParameters:
    """The parameters of a study's complete trials. What some trials lack needs a condition that explains which."""

    def __init__(self) -> None:
        self._of: tuple[Any, int] | None = None
        self._trials: dict[int, FrozenTrial] = {}
        self._distributions: dict[str, BaseDistribution | None] = {}  # None: not the same in all trials
        self._found = SearchSpace({}, {})

    def search_space(self, study: optuna.Study) -> SearchSpace:
        """A function of the complete trials; distributions are compared once per trial."""
        complete = {t.number: t for t in study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))}
        of = study._storage, study._study_id
        if self._of != of or not complete.keys() >= self._trials.keys():
            self._of, self._trials, self._distributions, self._found = of, {}, {}, SearchSpace({}, {})
        new = [trial for number, trial in complete.items() if number not in self._trials]
        for trial in new:
            self._trials[trial.number] = trial
            for name, distribution in trial.distributions.items():
                if self._distributions.setdefault(name, distribution) != distribution:
                    self._distributions[name] = None
        if new:
            self._found = self._joint()
        return self._found

    def _joint(self) -> SearchSpace:
        trials = list(self._trials.values())
        known = sorted(self._distributions.items())
        usable = {name: d for name, d in known if d is not None and is_searched(d) and not d.single()}
        present = {name: [name in trial.params for trial in trials] for name in usable}
        conditions = {name: "" for name in usable if all(present[name])}
        missing = {name: d for name, d in usable.items() if name not in conditions and _may_be_absent(d)}
        parents = list(conditions)
        while missing and parents:  # the outermost first: what exists only sometimes may decide about others, too
            texts = {name: _texts(name, usable[name], trials) for name in parents}
            deciding = {name: column for name, column in texts.items() if column}
            found = {name: text for name in missing if (text := _condition(present[name], deciding))}
            conditions |= found
            missing = {name: d for name, d in missing.items() if name not in found}
            parents = list(found)
        joint = {name: d for name, d in usable.items() if name in conditions}
        return SearchSpace(joint, {name: text for name, text in conditions.items() if text})


def _condition(present: Sequence[bool], parents: Mapping[str, Sequence[str | None]]) -> str:
    """``NAME in {VALUES}`` that holds in exactly those trials, or nothing.

    Of several that fit, the one that has explained the most trials beyond the first with each value.
    """
    best, most = "", _REPEATS - 1
    for name, texts in parents.items():
        inside = {text for text, is_there in zip(texts, present) if is_there}
        outside = {text for text, is_there in zip(texts, present) if not is_there}
        repeats = sum(text is not None for text in texts) - len((inside | outside) - {None})
        if None not in inside and not inside & outside and repeats > most:
            values = ", ".join(_enclosed(text, "'") for text in sorted(filter(None, inside)))
            is_word = name.isidentifier() and name not in ("and", "or", "not", "if", "then", "in")
            best, most = f"{name if is_word else _enclosed(name, '`')} in {{{values}}}", repeats
    return best


def _texts(name: str, distribution: BaseDistribution, trials: Sequence[FrozenTrial]) -> list[str | None]:
    """By trial the value as a condition names it, None where there is none. Empty: no condition can be about it."""
    if isinstance(distribution, IntDistribution) and not distribution.log:
        texts, column = [name], [str(t.params[name]) if name in t.params else None for t in trials]
    elif isinstance(distribution, CategoricalDistribution):
        by_level = _level_texts(distribution)
        texts = [name, *by_level]
        levels = [_level_of_choice(distribution, t.params[name]) if name in t.params else None for t in trials]
        column = [None if level is None else by_level[level] for level in levels]
    else:
        return []
    return column if all(texts) else []


def _enclosed(text: str, quote: str) -> str:
    """As the rule language reads it, whatever the text is."""
    return quote + text.replace(quote, 2 * quote) + quote


def _may_be_absent(distribution: BaseDistribution) -> bool:
    return "absent" not in getattr(distribution, "choices", ())  # the text of no value


def is_searched(distribution: BaseDistribution) -> bool:
    if isinstance(distribution, FloatDistribution):
        if distribution.step is not None:
            return _count(distribution) <= _MOST_LISTED
        return is_wide(distribution.low, distribution.high)
    if isinstance(distribution, IntDistribution) and not distribution.log:
        return _count(distribution) <= (_MOST_VALUES if distribution.step == 1 else _MOST_LISTED)
    return isinstance(distribution, (CategoricalDistribution, IntDistribution))


def is_wide(low: float, high: float) -> bool:
    """A double tells enough numbers between the two apart; one number alone is no question."""
    return low == high or 1e-9 * max(abs(low), abs(high)) < high - low < math.inf


def _count(distribution: Any) -> int:
    """Values of an integer distribution, or of a float one with a step."""
    return 1 + int(round((distribution.high - distribution.low) / distribution.step))  # noqa: RUF046 (of NumPy)


def to_variable(distribution: BaseDistribution) -> Variable:
    if isinstance(distribution, CategoricalDistribution):
        if _is_bool(distribution):
            return Binary()
        is_distinct = len(set(map(level_text, distribution.choices))) == len(distribution.choices)
        return Categorical(distribution.choices if is_distinct else range(len(distribution.choices)))
    if isinstance(distribution, IntDistribution):
        step = None if distribution.step == 1 else distribution.step
        return Integer(distribution.low, distribution.high, step=step, log=distribution.log)
    low, high, step = distribution.low, distribution.high, distribution.step
    if step is None and low < high:
        return Real(low, high, log=distribution.log)
    if step is None:
        return Ordinal([low])
    return Ordinal([min(low + level * step, high) for level in range(_count(distribution))])


def _is_bool(distribution: CategoricalDistribution) -> bool:
    """[False, True], [1, 0]: the model is sparse in what is present, so that level 1 should be the one that is true."""
    return len(distribution.choices) == 2 and set(distribution.choices) == {0, 1}


def _level_texts(distribution: CategoricalDistribution) -> list[str]:
    if _is_bool(distribution):
        return ["0", "1"]
    return [level_text(level) for level in to_variable(distribution).levels]  # type: ignore[union-attr]


def _level_of_choice(distribution: CategoricalDistribution, choice: Any) -> int:
    return int(choice) if _is_bool(distribution) else distribution.choices.index(choice)


def level_of(distribution: Any, values: Sequence[Any], value: Any) -> int | None:
    """None: not of this distribution. Other samplers' values of a log distribution are moved to its coarse grid."""
    if isinstance(distribution, CategoricalDistribution):
        return _level_of_choice(distribution, value) if value in distribution.choices else None
    if not distribution.low <= value <= distribution.high:
        return None
    if isinstance(values, FineValues):
        return values.nearest(value)
    above = bisect.bisect_left(values, value)
    level = min((k for k in (above - 1, above) if 0 <= k < len(values)), key=lambda k: abs(values[k] - value))
    return level if distribution.log or math.isclose(values[level], value, abs_tol=1e-12) else None


def value_of(distribution: Any, values: Sequence[Any], level: int) -> Any:
    if isinstance(distribution, CategoricalDistribution):
        if _is_bool(distribution):
            return next(choice for choice in distribution.choices if choice == level)
        return distribution.choices[level]
    return values[level] if isinstance(distribution, IntDistribution) else float(values[level])

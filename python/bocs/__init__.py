"""Bayesian optimization of combinatorial structures: choose subsets, integers and categories when every try is expensive.

    import bocs

    def cost(x):  # x is a dict
        return 3 * x["crew"] + (5 if x["depot"] == "river" and not x["pump"] else 0)

    result = bocs.minimize(cost, {"pump": bool, "crew": range(1, 9), "depot": ["north", "river"]}, trials=30, seed=1)
    print(result.x, result.value)

    minimize, maximize      the whole loop; they return a Result
    Optimizer               the same by hand: ask, tell
    Study                   the same in SQLite or PostgreSQL: survives, is resumed, is shared by many processes and machines
    Space, Binary, Integer, Real, Ordinal, Categorical, binary, real, ordinal   what may be chosen: one value each
    Candidates              instead: a table whose rows are the only points
    subset, permutation, multiset, assignment, mixture   structures;  when   a variable that exists only sometimes
    exactly, at_most, at_least, exclusive, forbidden, required, if_, linear, and texts: "pump + 2*crew <= 10"   what is allowed
    problem                 benchmark functions with known answers
    Method, Task            a method of your own;  bocs.testing   what every method promises
    bocs.optuna             a sampler for Optuna;  bocs.sklearn   a feature selector and a search for scikit-learn
    bocs.qubo               Ising machines and annealers as minimizers of the draws
    bocs.ray_tune           a search algorithm of Ray Tune
    bocs.trackers           callbacks for MLflow, Weights & Biases and TensorBoard

Mistakes raise ValueError or KeyError; all exceptions of the library are of class Error.
"""

from ._candidates import Candidates
from ._constraints import Constraint, allowed, at_least, at_most, exactly, exclusive, forbidden, if_, linear, required
from ._core import (
    AllRunning,
    BudgetReached,
    Error,
    InvalidArgument,
    SpaceExhausted,
    StoreError,
    StoreUnavailable,
)
from ._core import version as __version__
from ._goals import Goal, hypervolume
from ._method import Method, Task
from ._optimizer import Optimizer, maximize, minimize
from ._problem import Problem, problem
from ._result import Result
from ._run import EvaluationError
from ._space import (
    Assignment,
    Binary,
    Categorical,
    Integer,
    Mixture,
    Multiset,
    Ordinal,
    Permutation,
    Real,
    Space,
    Subset,
    assignment,
    binary,
    mixture,
    multiset,
    ordinal,
    permutation,
    real,
    subset,
    when,
)
from ._study import Study, upgrade
from ._trial import ChangeFromDefault, Effect, Effects, Remaining, Simplification, Trial

__all__ = [
    "AllRunning",
    "Assignment",
    "Binary",
    "BudgetReached",
    "Candidates",
    "Categorical",
    "ChangeFromDefault",
    "Constraint",
    "Effect",
    "Effects",
    "Error",
    "EvaluationError",
    "Goal",
    "Integer",
    "InvalidArgument",
    "Method",
    "Mixture",
    "Multiset",
    "Optimizer",
    "Ordinal",
    "Permutation",
    "Problem",
    "Real",
    "Remaining",
    "Result",
    "Simplification",
    "Space",
    "SpaceExhausted",
    "StoreError",
    "StoreUnavailable",
    "Study",
    "Subset",
    "Task",
    "Trial",
    "__version__",
    "allowed",
    "assignment",
    "at_least",
    "at_most",
    "binary",
    "exactly",
    "exclusive",
    "forbidden",
    "hypervolume",
    "if_",
    "linear",
    "maximize",
    "minimize",
    "mixture",
    "multiset",
    "ordinal",
    "permutation",
    "problem",
    "real",
    "required",
    "subset",
    "upgrade",
    "when",
]

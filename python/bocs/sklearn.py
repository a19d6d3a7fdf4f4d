"""For scikit-learn: SubsetSelector chooses features, SearchCV chooses discrete hyperparameters."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import check_cv, cross_val_score
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._constraints import Constraints, at_least, at_most, exactly
from ._optimizer import Optimizer, maximize
from ._space import binary


def _seed(random_state: Any) -> int:
    if isinstance(random_state, (int, numpy.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _check_whole(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise ValueError(f"found {name}={value!r}; allowed: a whole number above 0")


class SubsetSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """Keeps the subset of features with which an estimator scores best in cross-validation.

    Subsets are tried as wholes, so that features that help only together are found, and ones that replace each other are
    not both kept.

    estimator      fitted to each subset that is tried
    n_features     keep exactly so many; or
    max_features   at most so many; neither: any number
    cost           subtracted from the score for every feature that is kept
    cv, scoring, n_jobs   as of cross_val_score
    trials         subsets that are tried, each with one cross-validation
    method         of bocs: "bocs", "ei", ...
    random_state   the same whole number gives the same subsets

    After ``fit``: ``support_``, a mask; ``best_score_``, the mean score of the subset, without the cost; ``result_``, the
    bocs.Result: ``result_.explain()`` says which features, and which pairs, matter.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_features: int | None = None,
        max_features: int | None = None,
        cost: float = 0.0,
        cv: Any = 5,
        scoring: str | Callable[..., float] | None = None,
        trials: int = 200,
        method: str = "bocs",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_features = n_features
        self.max_features = max_features
        self.cost = cost
        self.cv = cv
        self.scoring = scoring
        self.trials = trials
        self.method = method
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> SubsetSelector:
        """Chooses the features. ``groups`` are those of ``cv``."""
        tags = self.__sklearn_tags__()
        checks = {
            "accept_sparse": "csr" if tags.input_tags.sparse else False,
            "ensure_all_finite": not tags.input_tags.allow_nan,
            "ensure_min_samples": 2,
        }
        if y is None:
            X = validate_data(self, X, y, **checks)
        else:
            X, y = validate_data(self, X, y, multi_output=True, **checks)
        self._check_parameters()
        cv = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        splits = list(cv.split(X, y, groups))  # the same for every subset

        def score(x: numpy.ndarray[Any, Any]) -> float:
            scores = cross_val_score(
                clone(self.estimator), X[:, x == 1], y, cv=splits, scoring=self.scoring, n_jobs=self.n_jobs, error_score="raise"
            )
            return float(numpy.mean(scores))

        constraints = [at_least(1, of="x")]
        if self.n_features is not None and self.max_features is not None:
            raise ValueError("found both n_features and max_features; allowed: one of them")
        if self.n_features is not None:
            constraints = [exactly(self._checked("n_features", self.n_features), of="x")]
        if self.max_features is not None:
            constraints.append(at_most(self._checked("max_features", self.max_features), of="x"))
        self.result_ = maximize(
            score,
            binary(X.shape[1]),
            trials=int(self.trials),
            seed=_seed(self.random_state),
            constraints=constraints,
            l1=float(self.cost),
            method=self.method,
            catch=(),
        )
        if self.result_.reason == "interrupted":
            raise KeyboardInterrupt
        self.support_ = self.result_.x == 1
        self.best_score_ = self.result_.value
        return self

    def _check_parameters(self) -> None:
        if isinstance(self.cost, bool) or not isinstance(self.cost, numbers.Real) or not math.isfinite(self.cost):
            raise ValueError(f"found cost={self.cost!r}; allowed: a finite number")
        _check_whole("trials", self.trials)

    def _checked(self, name: str, count: int) -> int:
        if not isinstance(count, numbers.Integral) or not 1 <= count <= self.n_features_in_:
            raise ValueError(f"found {name}={count!r}; allowed: from 1 to the {self.n_features_in_} features there are")
        return int(count)

    def _get_support_mask(self) -> Any:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.target_tags.required = inner.target_tags.required
        return tags


class SearchCV(BaseSearchCV):
    """RandomizedSearchCV for discrete parameters, with bocs in place of chance.

    param_distributions   name -> bool, ``range(1, 9)``, a list of values, or bocs.Integer and bocs.Categorical
    n_iter                combinations that are tried
    constraints           as of ``bocs.minimize``, over the names of the parameters; never violated
    method                of bocs
    batch                 combinations that are tried at once, for ``n_jobs``; the results depend on it
    The rest is as of RandomizedSearchCV. The score that is maximized is the one that ``refit`` names. A batch of which no
    fit works counts as failed, unless ``error_score="raise"``, and is not in ``cv_results_``.
    """

    def __init__(
        self,
        estimator: Any,
        param_distributions: Mapping[str, Any],
        *,
        n_iter: int = 10,
        constraints: Constraints = (),
        method: str = "bocs",
        batch: int = 1,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = math.nan,
        return_train_score: bool = False,
    ) -> None:
        self.param_distributions = param_distributions
        self.n_iter = n_iter
        self.constraints = constraints
        self.method = method
        self.batch = batch
        self.random_state = random_state
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )

    def _run_search(self, evaluate_candidates: Callable[..., Any]) -> None:
        _check_whole("n_iter", self.n_iter)
        _check_whole("batch", self.batch)
        optimizer = Optimizer(
            self.param_distributions,
            direction="maximize",
            constraints=self.constraints,
            method=self.method,
            seed=_seed(self.random_state),
            trials=int(self.n_iter),
        )
        metric = self.refit if isinstance(self.refit, str) else "score"
        failure: ValueError | None = None
        while len(optimizer) < self.n_iter:
            try:
                trials = optimizer.ask(min(self.batch, self.n_iter - len(optimizer)))
            except _core.SpaceExhausted:
                break
            try:
                results = evaluate_candidates([trial.x for trial in trials])
            except ValueError as error:  # no fit of the batch worked; scikit-learn records nothing then
                if self.error_score == "raise":
                    raise
                failure = error
                for trial in trials:
                    optimizer.tell(trial, error=error)
                continue
            if f"mean_test_{metric}" not in results:
                raise ValueError("found several scores; allowed: with refit='NAME', the one to maximize")
            for trial, score in zip(trials, results[f"mean_test_{metric}"][-len(trials) :]):
                if math.isfinite(score):
                    optimizer.tell(trial, float(score))
                else:
                    optimizer.tell(trial, error="the score is not finite")
        if failure is not None and optimizer.best is None:
            raise failure

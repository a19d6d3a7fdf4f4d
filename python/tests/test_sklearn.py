"""SubsetSelector and SearchCV: scikit-learn's own checks, and optima known by enumeration."""

import itertools
from typing import Any

import numpy
import pytest
import sklearn.base
from bocs.sklearn import SearchCV, SubsetSelector
from sklearn.datasets import load_iris, make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import bocs


@parametrize_with_checks(
    [
        SubsetSelector(LinearRegression(), trials=3, cv=2),
        SubsetSelector(LogisticRegression(), trials=3, cv=2, max_features=1),
    ]
)
def test_scikit_learns_checks_of_the_selector(estimator: Any, check: Any) -> None:
    check(estimator)


@parametrize_with_checks([SearchCV(LogisticRegression(), {"C": [0.1, 1.0], "fit_intercept": bool}, n_iter=3, cv=2)])
def test_scikit_learns_checks_of_the_search(estimator: Any, check: Any) -> None:
    check(estimator)


X, Y = make_regression(60, 8, n_informative=3, noise=10.0, random_state=0)
SPLITS = list(KFold(5).split(X))


def score(columns: Any) -> float:
    return float(cross_val_score(Ridge(), X[:, list(columns)], Y, cv=SPLITS).mean())


def test_the_best_subset_of_a_size() -> None:
    selector = SubsetSelector(Ridge(), n_features=3, random_state=1).fit(X, Y)
    best = max(itertools.combinations(range(8), 3), key=score)
    assert tuple(numpy.flatnonzero(selector.support_)) == best  # 200 trials try all 56
    assert selector.best_score_ == pytest.approx(score(best))
    assert selector.transform(X).shape == (60, 3) and selector.get_support(indices=True).tolist() == list(best)


def test_at_most_and_cost() -> None:
    selector = SubsetSelector(Ridge(), max_features=4, cost=0.05, trials=300, random_state=1).fit(X, Y)
    subsets = [c for k in range(1, 5) for c in itertools.combinations(range(8), k)]
    best = max(subsets, key=lambda c: score(c) - 0.05 * len(c))
    assert tuple(numpy.flatnonzero(selector.support_)) == best
    assert all(1 <= t.x.sum() <= 4 for t in selector.result_.trials)


def test_mistakes_are_named() -> None:
    for wrong in ({"n_features": 9}, {"n_features": 0}, {"max_features": -1}, {"n_features": 2, "max_features": 2}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            SubsetSelector(Ridge(), **wrong).fit(X, Y)
    for wrong in ({"cost": "a"}, {"cost": float("nan")}, {"trials": 2.5}, {"trials": 0}, {"n_features": 2.5}):
        with pytest.raises(ValueError, match=f"found {next(iter(wrong))}=.*allowed: "):
            SubsetSelector(Ridge(), **wrong).fit(X, Y)
    for wrong in ({"n_iter": 2.5}, {"batch": 0}):
        with pytest.raises(ValueError, match=f"found {next(iter(wrong))}=.*allowed: "):
            SearchCV(Ridge(), {"alpha": [1.0, 2.0]}, **wrong).fit(X, Y)


def test_a_selector_leaves_trials_to_the_model() -> None:
    data = numpy.random.default_rng(0).normal(size=(20, 40))  # the method's own design has 32 points
    result = SubsetSelector(Ridge(), cv=2, trials=30, random_state=0).fit(data, data[:, 0]).result_
    assert sum(trial.how == "initial design" for trial in result.trials) == 6


def test_a_search_leaves_trials_to_the_model() -> None:
    space = {f"step{i}": bool for i in range(30)}  # its own design has 24 points
    search = SearchCV(Pretender(), space, n_iter=25, random_state=0, cv=2)
    found = search.fit(X, Y).cv_results_["params"]
    designed = bocs.Optimizer(space, method="bocs:initial=5", seed=0, direction="maximize")
    assert found[5:] != [] and len(found) == 25
    for params, score in zip(found, search.cv_results_["mean_test_score"]):
        trial = designed.ask()
        assert trial.x == params
        designed.tell(trial, float(score))


class Pretender(sklearn.base.RegressorMixin, sklearn.base.BaseEstimator):
    """An estimator whose score is made of its parameters."""

    def __init__(self, **parameters: Any) -> None:
        self.parameters = parameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self.parameters)

    def set_params(self, **parameters: Any) -> Any:
        self.parameters = {**self.parameters, **parameters}
        return self

    def fit(self, X: Any, y: Any) -> Any:
        self.fitted_ = True
        return self

    def predict(self, X: Any) -> Any:
        return numpy.zeros(len(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        return float(sum((-1) ** i * int(v) for i, v in enumerate(self.parameters.values())))


def test_in_a_pipeline_with_names_and_clones() -> None:
    frame = load_iris(as_frame=True)
    selector = SubsetSelector(LogisticRegression(max_iter=500), n_features=2, trials=6, random_state=0)
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), sklearn.base.clone(selector), LogisticRegression())
    pipeline.fit(frame.data, frame.target)
    names = pipeline[:-1].get_feature_names_out()
    assert len(names) == 2 and set(names) <= set(frame.data.columns)
    assert pipeline.score(frame.data, frame.target) > 0.9
    twice = [sklearn.base.clone(selector).fit(frame.data, frame.target).get_support() for _ in range(2)]
    assert (twice[0] == twice[1]).all()


def test_search_finds_what_a_grid_finds() -> None:
    data, target = load_iris(return_X_y=True)
    space = {"max_depth": range(1, 7), "criterion": ["gini", "entropy"], "min_samples_leaf": [1, 2, 4, 8]}
    tree = DecisionTreeClassifier(random_state=0)
    search = SearchCV(tree, space, n_iter=1000, random_state=0, batch=4).fit(data, target)
    grid = [dict(zip(space, values)) for values in itertools.product(*space.values())]
    assert len(search.cv_results_["params"]) == len(grid) == 48
    best = max(cross_val_score(sklearn.base.clone(tree).set_params(**p), data, target).mean() for p in grid)
    assert search.best_score_ == pytest.approx(best)
    assert search.predict(data).shape == target.shape
    limited = SearchCV(tree, space, n_iter=10, constraints=["max_depth <= 2"], random_state=0).fit(data, target)
    assert {p["max_depth"] for p in limited.cv_results_["params"]} == {1, 2}
    assert len(limited.cv_results_["params"]) == 10


def test_search_with_several_scores_and_failures() -> None:
    data, target = load_iris(return_X_y=True)
    space = {"kernel": ["linear", "no such kernel"], "C": [0.1, 1.0, 10.0]}
    search = SearchCV(SVC(), space, n_iter=6, scoring=["accuracy", "f1_macro"], refit="f1_macro").fit(data, target)
    assert search.best_params_["kernel"] == "linear" and len(search.cv_results_["params"]) == 3
    with pytest.raises(ValueError, match="no such kernel"):
        SearchCV(SVC(), space, n_iter=6, error_score="raise").fit(data, target)
    with pytest.raises(ValueError, match="All the 5 fits failed"):
        SearchCV(SVC(), {"kernel": ["no such kernel", "nor this"]}).fit(data, target)
    with pytest.raises(ValueError, match="refit"):
        SearchCV(SVC(), {"C": [1.0, 2.0]}, scoring=["accuracy", "f1_macro"], refit=False).fit(data, target)
    with pytest.raises(ValueError, match="C"):
        SearchCV(SVC(), {"C": float}).fit(data, target)



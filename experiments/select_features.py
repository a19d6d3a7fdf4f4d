"""SubsetSelector beside SequentialFeatureSelector, RFE and random subsets, on data the selection never saw.

Nested cross-validation: the outer folds only score. In each outer training set every selector chooses k features by the
5-fold score of the same estimator; SubsetSelector and the random subsets get as many evaluations as forward selection
makes. Prints a Markdown table: mean held-out score, plus or minus 2 standard errors over the outer folds, and below it
the score that was optimized.

Usage: python experiments/select_features.py [repeats of the 5 outer folds]
"""

import sys
import warnings

import numpy
from bocs.sklearn import SubsetSelector
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.feature_selection import RFE, SequentialFeatureSelector
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import RepeatedKFold, cross_val_score
from sklearn.preprocessing import PolynomialFeatures, StandardScaler


def data_sets():
    x, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer, 8 of 30", x, y, RidgeClassifier(), 8
    x, y = load_digits(return_X_y=True)
    x = x[:, x.std(0) > 0]
    yield "digits 3 or 8, 6 of 61", x[(y == 3) | (y == 8)], y[(y == 3) | (y == 8)], RidgeClassifier(), 6
    x, y = load_diabetes(return_X_y=True)
    x = PolynomialFeatures(2, include_bias=False).fit_transform(StandardScaler().fit_transform(x))
    yield "diabetes with products, 6 of 65", x, y, Ridge(), 6


def selectors(estimator, k, d, seed):
    evaluations = sum(d - i for i in range(k))
    yield "SubsetSelector", SubsetSelector(estimator, n_features=k, trials=evaluations, random_state=seed)
    yield "SubsetSelector, ei", SubsetSelector(estimator, n_features=k, trials=evaluations, method="ei", random_state=seed)
    yield "forward selection", SequentialFeatureSelector(estimator, n_features_to_select=k)
    yield "RFE", RFE(estimator, n_features_to_select=k)
    yield "random subsets", SubsetSelector(estimator, n_features=k, trials=evaluations, method="random", random_state=seed)


def main():
    warnings.simplefilter("ignore")
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    print("| data, k of d | selector | held out | optimized | n |\n|---|---|---|---|---|")
    for name, x, y, estimator, k in data_sets():
        scores = {}
        for seed, (train, test) in enumerate(RepeatedKFold(n_splits=5, n_repeats=repeats, random_state=0).split(x)):
            scaler = StandardScaler().fit(x[train])
            inside, outside = scaler.transform(x[train]), scaler.transform(x[test])
            for label, selector in selectors(estimator, k, x.shape[1], seed):
                chosen = selector.fit(inside, y[train]).get_support()
                held_out = estimator.fit(inside[:, chosen], y[train]).score(outside[:, chosen], y[test])
                optimized = cross_val_score(estimator, inside[:, chosen], y[train]).mean()
                scores.setdefault(label, []).append((held_out, optimized))
        for label, pairs in scores.items():
            mean, error = numpy.mean(pairs, axis=0), 2 * numpy.std(pairs, axis=0, ddof=1) / len(pairs) ** 0.5
            shown = " | ".join(f"{m:.4f} ± {e:.4f}" for m, e in zip(mean, error))
            print(f"| {name} | {label} | {shown} | {len(pairs)} |", flush=True)


main()

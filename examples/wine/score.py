"""Which grower made the wine? Prints the cross-validated error of a classifier that sees only the chosen measurements.

It stays up: a line {"trial": 0, "point": {"measure[alcohol]": 1, ...}} on stdin is answered by a line {"value": 0.1}.
"""

import json
import sys

from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

X, Y = load_wine(return_X_y=True)
FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)

for line in sys.stdin:
    chosen = [i for i, on in enumerate(json.loads(line)["point"].values()) if on]
    value = 2 / 3  # guessing
    if chosen:
        value = 1 - cross_val_score(LinearDiscriminantAnalysis(), X[:, chosen], Y, cv=FOLDS).mean()
    print(json.dumps({"value": round(value, 6)}), flush=True)

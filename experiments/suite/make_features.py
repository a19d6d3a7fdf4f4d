"""Writes src/bocs/problem/features_data.cpp: what least squares needs of two data sets of scikit-learn.

Breast cancer Wisconsin (diagnostic), 569 x 30, and Optical recognition of handwritten digits, 1797 x 64, both of the UCI
repository, CC BY 4.0. Kept are the correlations of the columns that vary, upper triangle row by row, and of each column
with each target (malignant or not; one digit against the others), in millionths. Values of the problem by numpy, for its
test, go to stderr.

Usage: python experiments/suite/make_features.py > src/bocs/problem/features_data.cpp
"""

import sys

import numpy
from sklearn.datasets import load_breast_cancer, load_digits

RIDGE = 1e-3


def data_sets():
    bunch = load_breast_cancer()
    yield "cancer", [str(n).replace(" ", "_") for n in bunch.feature_names], bunch.data, bunch.target[:, None] == 0
    bunch = load_digits()
    names = [f"pixel_{i // 8}_{i % 8}" for i in range(64)]
    vary = bunch.data.std(0) > 0
    targets = bunch.target[:, None] == numpy.arange(10)
    yield "digits", [n for n, v in zip(names, vary) if v], bunch.data[:, vary], targets


def value(x, y, chosen):
    """From the data themselves: log of (mean square error + ridge |b|^2), all standardized, plus |S| log(n) / n."""
    n, size = len(x), len(chosen)
    rows = numpy.vstack([x[:, chosen] / n**0.5, RIDGE**0.5 * numpy.eye(size)])
    wanted = numpy.concatenate([y / n**0.5, numpy.zeros(size)])
    b = numpy.linalg.lstsq(rows, wanted, rcond=None)[0]
    return numpy.log(numpy.sum((wanted - rows @ b) ** 2)) + size * numpy.log(n) / n


def lines(values, width=114):
    line = ""
    for text in values:
        if len(line) + len(text) + 2 > width:
            yield line
            line = ""
        line += (" " if line else "") + text + ","
    yield line


def array(kind, name, values):
    print(f"constexpr {kind} {name}[] = {{")
    for line in lines(values):
        print("    " + line)
    print("};\n")


print("// Made by experiments/suite/make_features.py; the data sets and their licence are named there.")
print('#include "bocs/problem/features_data.hpp"\n\n// clang-format off\nnamespace bocs {\nnamespace {\n')
entries = []
for name, columns, x, y in data_sets():
    x, y = (x - x.mean(0)) / x.std(0), (y - y.mean(0)) / y.std(0)
    n, d = x.shape
    upper = (x.T @ x / n)[numpy.triu_indices(d, 1)]
    title = name.capitalize()
    array("const char*", f"k{title}Names", [f'"{c}"' for c in columns])
    array("int", f"k{title}Columns", [str(round(1e6 * v)) for v in upper])
    array("int", f"k{title}Targets", [str(round(1e6 * v)) for v in (x.T @ y / n).T.ravel()])
    entries.append(f'{{"{name}", {n}, k{title}Names, k{title}Columns, k{title}Targets}}')
    for target in range(min(2, y.shape[1])):
        for chosen in ([0], [1, 4, 7], list(range(0, d, 3)), list(range(d))):
            print(name, target, chosen, repr(value(x, y[:, target], chosen)), file=sys.stderr)
print("constexpr FeatureData kData[] = {\n    " + ",\n    ".join(entries) + ",\n};\n\n}  // namespace\n")
print("std::span<const FeatureData> feature_data() { return kData; }\n\n}  // namespace bocs")

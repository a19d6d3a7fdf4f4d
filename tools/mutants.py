"""Do the tests see it? Makes one small wrong change of the library after the other, builds, and runs the test that is there
for it, which must fail; then restores the file, and the test must pass.

usage: mutants.py BUILD [WORD...]     BUILD: a configured build folder of this tree; WORD: only mutants whose name has it

Prints the table of docs/reliability.md. Changes files of the working tree while it runs, and puts them back.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "src/bocs"

# name | file | text | what it becomes | test program | its test
MUTANTS = [
    ("the tail of the normal distribution without its rejection", "numeric/rng.cpp",
     "while (2 * exponential() < tail * tail);", "while (exponential() < 0);",
     "core", "Rng.NormalHasItsTail"),
    ("a flat intercept costs no degree of freedom", "regress/horseshoe.cpp",
     "(intercept == Intercept::flat ? 1 : 0)", "(intercept == Intercept::flat ? 0 : 0)",
     "regress", "Horseshoe.TheDefaultIsCalibrated"),
    ("tabu search without aspiration", "minimize/tabu.cpp",
     "if (walker.value() + best.anywhere < found.value())",
     "if (walker.value() + best.anywhere < found.value() && steps < 0)",
     "minimize", "Tabu.AVariableThatIsTabuMovesWhereThatGivesANewIncumbent"),
    ("the bound of the relaxation without its margin for rounding", "minimize/diagonal_sdp.cpp",
     "smallest_eigenvalue(S) - rounding", "smallest_eigenvalue(S) - 0 * rounding",
     "minimize", "DiagonalSdp.BoundsAreBelowTheTruthToTheLastDigit"),
    ("the bound of branch and bound without its shift", "minimize/branch_and_bound.cpp",
     "base_ -= static_cast<double>(n) * shift;", "base_ -= 0 * shift;",
     "minimize", "BranchAndBound.TheBoundKnowsAnExcludedPointThatIsBetterInTheLastDigits"),
    ("a walker never recomputes", "poly/walker.cpp",
     "kMovesBetweenRecomputations = 1 << 14", "kMovesBetweenRecomputations = 1 << 30",
     "poly", "Walker.ErrorsThatPileUpAreSweptAway"),
    ("the Gaussian process without its prior", "model/gaussian_process.cpp",
     "- (logs - center) / (kPriorScale * kPriorScale)", "- 0 * (logs - center) / (kPriorScale * kPriorScale)",
     "model", "FitGaussianProcess.FewDataDoNotMoveManyWeights"),
    ("the noise of the Gaussian process without its floor", "model/gaussian_process.cpp",
     "std::log(1e-6)", "std::log(1e-30)",
     "model", "FitGaussianProcess.EqualValuesOfEqualPointsLeaveSomeNoise"),
    ("a point of the initial design may be one that was seen", "acquire/initial.cpp",
     "if (!design.repeats && history.seen().contains(y)) return x;",
     "if (!design.repeats && history.seen().contains(y)) return y;",
     "acquire", "DesignPoint.IsNeverOneThatWasSeen"),
    ("a trial is taken from a worker that has beaten meanwhile", "store/trial_table.cpp",
     "($6 = 1 OR beat = $7)", "($6 = 1 OR beat = $7 OR beat <> $7)",
     "store", "Store/TrialTableTest.AHeartbeatBetweenLookingAndTakingSavesTheTrial/sqlite"),
    ("after an outage everybody is dead", "study/worker.cpp",
     "steady_seconds() > last_trouble_ + options_.silent_seconds", "steady_seconds() > 0 * last_trouble_",
     "store", "Store/WorkerTest.AfterAnOutageTheOthersGetTimeToBeat/sqlite"),
    ("a program inherits that broken pipes are ignored", "study/command_child.cpp",
     "signal(SIGPIPE, SIG_DFL);", "signal(SIGPIPE, SIG_IGN);",
     "run", "Command.AProgramIsEndedByABrokenPipe"),
]


def passes(build, program, test):
    """Builds the test program; whether the test, which must exist, passes."""
    subprocess.run(["ninja", "-C", build, "-j1", f"test_{program}"], check=True, stdout=subprocess.DEVNULL)
    run = subprocess.run([f"{build}/tests/test_{program}", f"--gtest_filter={test}"], capture_output=True, text=True)
    if "[  PASSED  ] 0 tests" in run.stdout and "FAILED" not in run.stdout:
        sys.exit(f"there is no test {test}, or it was skipped")
    return run.returncode == 0


def main():
    build, *words = sys.argv[1:]
    survivors = 0
    print("| mutant | file | test | seen to fail |\n|---|---|---|---|")
    for name, file, old, new, program, test in MUTANTS:
        if not all(word in name for word in words):
            continue
        path = ROOT / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file} does not have '{old}' once")
        try:
            path.write_text(text.replace(old, new))
            failed = not passes(build, program, test)
        finally:
            path.write_text(text)
        seen = "yes" if failed and passes(build, program, test) else "no"
        survivors += seen == "no"
        short = test.removeprefix("Store/").removesuffix("/sqlite")
        print(f"| {name} | `{file}` | `{short}` | {seen} |", flush=True)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()

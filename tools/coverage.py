"""What scripts/coverage prints: the share of lines that were run per folder of src/bocs and cli, from gcov's counters in a
build folder, and the lines that were not run of some folders.

usage: coverage.py BUILD [FOLDER...]
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def counters(build):
    """{file: {line: how often it was run}}, files relative to the repository; a header is in many objects: the sum."""
    notes = sorted(path.resolve() for path in pathlib.Path(build).rglob("*.gcno"))
    lines = collections.defaultdict(collections.Counter)
    for begin in range(0, len(notes), 50):
        command = ["gcov", "--json-format", "--stdout", *map(str, notes[begin : begin + 50])]
        answer = subprocess.run(command, cwd=build, check=True, capture_output=True, text=True).stdout
        for document in filter(None, answer.splitlines()):
            for file in json.loads(document)["files"]:
                path = (ROOT / file["file"]).resolve()
                if path.is_relative_to(ROOT):
                    for line in file["lines"]:
                        lines[str(path.relative_to(ROOT))][line["line_number"]] += line["count"]
    return lines


def folder_of(file):
    """The folder's name as docs/developing.md has it; None for what is not ours to cover (tests, generated)."""
    parts = pathlib.PurePath(file).parts
    if parts[0] == "cli":
        return "cli"
    if parts[:2] in (("src", "bocs"), ("include", "bocs")):
        return parts[2] if len(parts) > 3 else "bocs"
    return None


def ranges(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    groups = []
    for number in numbers:
        if groups and number == groups[-1][1] + 1:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in groups)


def main():
    build, *wanted = sys.argv[1:]
    total = collections.Counter()
    missed = collections.Counter()
    missing = []
    for file, lines in sorted(counters(build).items()):
        folder = folder_of(file)
        if folder is None:
            continue
        never = sorted(number for number, count in lines.items() if count == 0)
        for name in (folder, "all"):
            total[name] += len(lines)
            missed[name] += len(never)
        if folder in wanted and never:
            missing.append(f"{file}: {ranges(never)}")
    for folder in sorted(total, key=lambda name: (name == "all", name)):
        share = 100 * (1 - missed[folder] / total[folder])
        print(f"{folder:<12}{total[folder]:6d} lines {share:6.1f} % run, {missed[folder]} not")
    print("\nnot run:", *missing, sep="\n")


if __name__ == "__main__":
    main()

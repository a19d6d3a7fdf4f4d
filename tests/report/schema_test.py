"""What `bocs report --json` prints and what a dashboard sends follow web/schema.json; no browser is needed.

usage: schema_test.py PATH_OF_BOCS; exits with 77 where Python has no jsonschema
"""

import copy
import http.client
import json
import subprocess
import sys
import unittest
import urllib.parse
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema; scripts/test installs it", file=sys.stderr)
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from study_support import BOCS, PATIENCE, WithFolder, run  # noqa: E402  (it reads sys.argv)

SCHEMA = json.loads((ROOT / "web" / "schema.json").read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(SCHEMA)

STUDIES = {
    "bits": """
[study]
trials = 24
lambda = 0.5
[[variables]]
name = "x"
type = "binary"
count = 8
[[constraints]]
at_most = 5
of = "x"
[objective]
command = ["sh", "-c", "test $BOCS_X_1 = 0 || exit 3; echo $((3 * BOCS_X_0 + BOCS_X_3))"]
""",
    "letters": """
[study]
trials = 14
direction = "maximize"
[[variables]]
name = "depot"
type = "categorical"
levels = ["north", 64, true]
[[variables]]
name = "crew"
type = "integer"
low = 1
high = 9
[[variables]]
name = "rate"
type = "real"
low = 0.01
high = 10
steps = 20
log = true
[[constraints]]
rule = "crew * rate <= 60"
[method]
spec = "bocs:noise=true,initial=6"
[objective]
command = ["sh", "-c", "cat > /dev/null; echo $BOCS_CREW"]
""",
    "numbers": """
[study]
trials = 8
[[variables]]
name = "many"
type = "integer"
low = -500
high = 500
[[variables]]
name = "flag"
type = "binary"
[method]
spec = "random"
[objective]
command = ["sh", "-c", "cat > /dev/null; echo $BOCS_MANY"]
""",
    "structures": """
[study]
trials = 10
[[variables]]
name = "route"
type = "permutation"
items = ["a", "b", "c"]
[[variables]]
name = "panel"
type = "subset"
items = ["p", "q", "r"]
size = [1, 2]
[[variables]]
name = "steel"
type = "mixture"
parts = ["Fe", "Ni"]
total = 100
step = 25
[[variables]]
name = "kernel"
type = "categorical"
levels = ["rbf", "poly"]
[[variables]]
name = "degree"
type = "integer"
low = 2
high = 5
when = "kernel == poly"
[method]
spec = "random"
[objective]
command = ["sh", "-c", "cat > /dev/null; echo 2"]
""",
    "goals": """
[study]
trials = 12
outcomes = ["growth >= 1"]
[[variables]]
name = "x"
type = "binary"
count = 6
[[goals]]
name = "price"
direction = "minimize"
[[goals]]
name = "speed"
direction = "maximize"
[objective]
command = ["sh", "-c", "cat > /dev/null; echo '{\\"price\\": '$BOCS_X_0', \\"speed\\": '$BOCS_X_1', \\"growth\\": '$BOCS_X_2'}'"]
""",
}
GRID = """
problems = ["bqp:d=6"]
methods = ["rs", "bocs:order=2"]
instances = 2
trials = 24
initial = 20
lambdas = [0]
repeats = 1
results = "results"
"""


class Schema(WithFolder):
    def validator(self, kind):
        return jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})

    def check(self, kind, document):
        errors = sorted(self.validator(kind).iter_errors(document), key=lambda error: list(error.path))
        found = [f"{error.json_path}: {error.message[:300]}" for top in errors for error in (top.context or [top])]
        self.assertEqual(found, [])

    def check_columns(self, document):
        """What a schema cannot say: columns are equally long, and places are places."""
        trials, variables = document["trials"], document.get("variables")
        count = len(trials["number"])
        self.assertEqual(len(trials["state"]), count)
        for column in ("origin", "member", "point", "value", "total", "seconds", "thinking", "finished", "worker",
                       "predicted", "bound"):
            self.assertEqual(len(trials.get(column, [None] * count)), count, column)
        for column, names in (("origin", "origins"), ("member", "members"), ("worker", "workers")):
            for place in trials[column]:
                self.assertLess(place, len(trials[names]))
        for i, state in enumerate(trials["state"]):
            self.assertEqual(trials["value"][i] is not None, state in "cs", i)
        if variables is None:
            return
        sizes = [2 if v["kind"] == "binary" else len(v["values"]) if "values" in v else v["high"] - v["low"] + 1
                 for v in variables]
        for text in trials["point"]:
            levels = {"bits": lambda t: t, "letters": lambda t: [int(c, 36) for c in t],
                      "numbers": lambda t: [int(c) for c in t.split(",")]}[trials["encoding"]](text)
            if trials["encoding"] == "bits":
                self.assertEqual(len(levels), -(-len(sizes) // 6))
                continue
            self.assertEqual(len(levels), len(sizes))
            for level, size in zip(levels, sizes, strict=True):
                self.assertLess(level, size)

    def report(self, name, text, command="run"):
        file = self.write(f"{name}.toml", text)
        run(command, file, *(["-q"] if command == "run" else []))
        return file, json.loads(run("report", file, "--json"))

    def test_reports(self):
        for name, text in STUDIES.items():
            with self.subTest(name):
                _, document = self.report(name, text)
                self.check("report", document)
                self.check_columns(document)
                encoding = document["trials"]["encoding"]
                self.assertEqual(encoding, name if name in ("bits", "letters", "numbers") else encoding)
        self.assertIsNotNone(document["study"]["goals"])

    def test_a_study_without_trials_and_one_told_by_hand(self):
        file, document = self.report("bits", STUDIES["bits"], "create")
        self.check("report", document)
        self.assertEqual(document["trials"]["number"], [])
        for value in (4, 1, 2):
            run("tell", file, input=json.dumps({"point": {"x": [1, 0, 0, 0, 0, 0, 0, value % 2]}, "value": value}))
        run("strike", file, "--trial", "1", "--why", "typing error")
        run("ask", file)
        document = json.loads(run("report", file, "--json"))
        self.check("report", document)
        self.check_columns(document)
        self.assertEqual(document["trials"]["state"][:4], "cscr")

    def test_what_a_dashboard_sends(self):
        file = self.write("letters.toml", STUDIES["letters"])
        run("create", file)
        process = subprocess.Popen([BOCS, "dashboard", file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        url = urllib.parse.urlparse(process.stdout.readline().strip())
        token = urllib.parse.parse_qs(url.fragment)["token"][0]
        connection = http.client.HTTPConnection(url.netloc, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", "/api/live?study=letters", headers={"Authorization": f"Bearer {token}"})
        lines = connection.getresponse()
        first = json.loads(lines.readline())
        self.check("whole", first)
        run("run", file, "-q")
        kinds = set()
        numbers = set()
        while len(numbers) < 14 or "thought" not in kinds:
            line = json.loads(lines.readline())
            kind = "news" if "trials" in line else "thought" if "recommended" in line else "heartbeats"
            self.check(kind, line)
            kinds.add(kind)
            if kind == "news":
                self.check_columns(line)
                numbers.update(line["trials"]["number"])

    def test_an_experiment(self):
        grid = self.write("grid.toml", GRID)
        run("experiment", "run", grid, "--out", self.file("results"))
        self.check("experiment", json.loads(run("report", self.file("results"), "--json")))

    def test_it_can_fail(self):
        """A key that the schema does not name, a missing one, a wrong type: each is found."""
        _, document = self.report("numbers", STUDIES["numbers"])
        self.check("report", document)
        for change in (lambda d: d.update(more=1), lambda d: d.pop("best"), lambda d: d["study"].update(budget="8"),
                       lambda d: d["trials"].pop("worker"), lambda d: d["trials"].update(state="x" * 8),
                       lambda d: d["variables"][0].update(size=3), lambda d: d["study"].update(direction="up")):
            broken = copy.deepcopy(document)
            change(broken)
            self.assertFalse(self.validator("report").is_valid(broken))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""Made the studies of this folder, with the bocs of commit 55be07e (tables of version 2):

    make.py PATH_OF_THAT_BOCS

Kept to show how they came about. A later program makes other tables: do not run it again.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile

BOCS = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
BITS = """
[[variables]]
name = "x"
type = "binary"
count = 8
"""
# Fails where x[6] and x[7] meet; the rest is a small polynomial.
COMMAND = "test $BOCS_X_6 -eq 0 -o $BOCS_X_7 -eq 0 && echo $((3*BOCS_X_0 - 2*BOCS_X_1*BOCS_X_2 + BOCS_X_3 - BOCS_X_4*BOCS_X_5))"
NOISY = "echo $((30*BOCS_X_0 - 20*BOCS_X_1*BOCS_X_2 + 10*BOCS_X_3 + BOCS_TRIAL * 7 % 11))"
MIXED = """
[[variables]]
name = "crew"
type = "integer"
low = 1
high = 5
[[variables]]
name = "depot"
type = "categorical"
levels = ["north", "south", "river"]
[[constraints]]
at_most = 5
of = "x"
[[constraints]]
if = "depot=river"
then = "x[3]"
"""
CREW = "r=0; test $BOCS_DEPOT = river && r=4; echo $((BOCS_CREW*BOCS_X_0 - 2*BOCS_X_1 + r*BOCS_X_4 - BOCS_CREW))"


def study(method, trials, command=COMMAND, head="", variables=BITS):
    return f"""[study]
trials = {trials}
{head}{variables}
[objective]
command = {json.dumps(["sh", "-c", command])}
[method]
spec = "{method}"
"""


STUDIES = {
    "default": study("bocs:initial=10", 24, head='data = "past.csv"\nlambda = 0.25\n'),
    "sdp": study("bocs-sdp:initial=8", 16, head='direction = "maximize"\n'),
    "ei": study("ei:initial=8", 16),
    "smac": study("smac:initial=8", 16),
    "annealing": study("annealing", 16),
    "noise": study("bocs:noise=true,initial=6", 20, command=NOISY),
    "mixed": study("bocs:initial=8", 20, command=CREW, variables=BITS + MIXED),
}
HEAD = ",".join(f"x[{i}]" for i in range(8)) + ",value\n"
PAST = HEAD + "1,1,1,0,0,0,0,0,1\n0,1,1,0,1,0,0,0,-2\n1,0,0,1,1,1,0,0,3\n"


def bocs(*arguments, **options):
    subprocess.run([BOCS, *arguments], check=True, stdout=subprocess.DEVNULL, text=True, **options)


def main():
    with open(os.path.join(HERE, "past.csv"), "w", encoding="utf-8") as stream:
        stream.write(PAST)
    for name, text in STUDIES.items():
        with open(os.path.join(HERE, name + ".toml"), "w", encoding="utf-8") as stream:
            stream.write(text)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, name + ".toml")
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            with open(os.path.join(folder, "past.csv"), "w", encoding="utf-8") as stream:
                stream.write(PAST)
            database = file.replace(".toml", ".db")
            if name == "default":  # a point nobody asked for, and one asked for by hand and given back
                bocs("create", file)
                point = {f"x[{i}]": 1 if i in (0, 3) else 0 for i in range(8)}
                bocs("tell", file, input=json.dumps({"point": point, "value": 4}))
                bocs("ask", file)
                bocs("tell", file, "--trial", "4", "--release")
            bocs("run", file, "-q")
            with sqlite3.connect(database) as connection:
                if name == "sdp":  # what a `bocs ask` that is killed while it thinks leaves behind
                    connection.execute("UPDATE bocs_study SET trials = 17, next_trial = 17, revision = revision + 1")
                    connection.execute("INSERT INTO bocs_trial (study, number, state, claim, attempts, revision, claimed,"
                                       " beat) SELECT id, 16, 'running', 'killed', 1, revision, 0, 0 FROM bocs_study")
                connection.execute("UPDATE bocs_trial SET worker = 'host/1/1/boot-1/1' WHERE worker <> ''")
                with open(os.path.join(HERE, name + ".sql"), "w", encoding="utf-8") as stream:
                    stream.write("\n".join(connection.iterdump()) + "\n")


if __name__ == "__main__":
    main()

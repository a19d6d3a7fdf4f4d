#!/usr/bin/env python3
"""Compiles kernel.c with the flags of a point, runs it, prints the instructions it took and the size of its code.

A complete objective program: the point comes as JSON on stdin, the value goes as JSON to stdout.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = 12680.4146  # what kernel() computes, whatever the flags


def main():
    point = json.load(sys.stdin)
    flags = [point.pop("level", "-O2")]
    unroll = point.pop("unroll", 1)
    names = {name.removeprefix("flag[").removesuffix("]"): chosen for name, chosen in point.items()}
    flags += [f"-f{name}" if chosen else f"-fno-{name}" for name, chosen in names.items()]
    if unroll > 1:
        flags += ["-funroll-loops", "--param", f"max-unroll-times={unroll}"]
    with tempfile.TemporaryDirectory() as folder:
        kernel, program = os.path.join(folder, "kernel.o"), os.path.join(folder, "program")
        subprocess.run(["gcc", *flags, "-c", os.path.join(HERE, "kernel.c"), "-o", kernel], check=True)
        subprocess.run(["gcc", os.path.join(HERE, "count.c"), kernel, "-o", program], check=True)
        result, instructions = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        size = subprocess.run(["size", kernel], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[1]
    if abs(float(result) - EXPECTED) > 1e-3:
        sys.exit(f"the flags {' '.join(flags)} change the result to {result}")
    print(json.dumps({"value": int(instructions), "bytes": int(size.split()[0])}))


main()

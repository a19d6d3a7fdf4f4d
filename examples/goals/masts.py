"""Reads the masts to build as JSON, prints how many of 80 homes get no signal and which share hears too many masts.

Stands for a radio simulation of an hour.
"""

import json
import math
import sys

SITES = {
    "hill": (2, 7), "mill": (5, 8), "port": (9, 8), "farm": (1, 4), "church": (4, 5), "school": (6, 5), "tower": (8, 5),
    "bridge": (3, 2), "market": (5, 3), "station": (7, 2), "park": (9, 2), "dam": (1, 1),
}
HOMES = [((37 * i % 80) / 8, (53 * i % 77) / 8.5) for i in range(80)]
REACH = 2.4


def evaluate(built):
    heard = [sum(math.dist(SITES[mast], home) <= REACH for mast in built) for home in HOMES]
    return {"unserved": heard.count(0), "crowded": sum(count > 2 for count in heard) / len(HOMES)}


if __name__ == "__main__":
    point = json.load(sys.stdin)
    print(json.dumps(evaluate([mast for mast in SITES if point[f"mast[{mast}]"] == 1])))

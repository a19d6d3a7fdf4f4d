"""The cost of a production plan: reads the point as JSON, prints the cost. The best plan costs 22."""

import json
import sys

x = json.load(sys.stdin)
weights = {"a": 5, "b": 1, "c": 4, "d": 2, "e": 3}  # per place that a job has to wait
cost = sum(place * weights[job] for place, job in enumerate(x["route"]))
cost += 30 * abs(x["blend"].get("resin", 0) - 0.35)
cost += 2 * len(x["crew"]) + (0 if "eva" in x["crew"] else 9)
cost += sum(x["plan"][job] != place for job, place in zip("ijk", ("north", "south", "north")))
cost += (x["speed"] - 3) ** 2 if x["tool"] == "laser" else 4  # only a laser has a speed
print(round(cost, 6))

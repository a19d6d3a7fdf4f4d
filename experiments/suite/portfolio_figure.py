"""Draws who proposed and who improved in one run of the default.

  bocs solve ising --instance 3 --lambda 1e-4 --trials 170 --initial 20 --seed 1 --json -q > experiments/tables/portfolio_run.json
  python experiments/suite/portfolio_figure.py experiments/tables/portfolio_run.json > docs/figures/portfolio.svg

A row for each member, a tick for each of its trials, a disc where a trial was the best so far; right, how many of its trials
improved, and its share of the fall of the best value after the initial design. Below, the best value: its regret where the
optimum is known.
"""

import json
import math
import sys
from xml.sax.saxutils import escape

LEFT, RIGHT, ROW, TOP, HEIGHT, WIDTH = 110, 190, 26, 56, 150, 880
COLOURS = ["#777777", "#1f77b4", "#d62728", "#2ca02c", "#9467bd"]

run = json.loads(open(sys.argv[1]).read().splitlines()[-1])
sign = -1 if run["sense"] == "maximize" else 1
losses = [sign * trial["value"] if trial["value"] is not None else math.inf for trial in run["history"]]
if run["optimum"]:
    losses = [loss - sign * run["optimum"]["value"] for loss in losses]
names = [trial["member"] or "initial design" for trial in run["history"]]
members = sorted(set(names), key=lambda name: (name != "initial design", name))
n = len(losses)


def x(number):
    return LEFT + (WIDTH - LEFT - RIGHT) * number / (n - 1)


out, best, path = [], math.inf, []
improved, gained = dict.fromkeys(members, 0), dict.fromkeys(members, 0.0)
for number, (loss, name) in enumerate(zip(losses, names)):
    row = TOP + ROW * members.index(name)
    colour = COLOURS[members.index(name) % len(COLOURS)]
    out.append(f'<line x1="{x(number):.1f}" y1="{row - 7}" x2="{x(number):.1f}" y2="{row + 7}" stroke="{colour}" stroke-opacity="0.55"/>')
    if loss < best:
        out.append(f'<circle cx="{x(number):.1f}" cy="{row}" r="5" fill="{colour}"/>')
        improved[name] += 1
        gained[name] += best - loss if math.isfinite(best) and name != "initial design" else 0
        best = loss
    path.append(best)
total = sum(gained.values()) or 1
for k, name in enumerate(members):
    y, colour = TOP + ROW * k + 4, COLOURS[k % len(COLOURS)]
    share = "" if name == "initial design" else f", {100 * gained[name] / total:.0f} % of the way"
    out.append(f'<text x="{LEFT - 10}" y="{y}" text-anchor="end" fill="{colour}">{escape(name)}</text>')
    out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{y}" fill="{colour}">{improved[name]} of {names.count(name)}{share}</text>')

floor = max(min(loss for loss in path if loss > 0), 1e-4) if run["optimum"] else None
top, bottom = TOP + ROW * len(members) + 10, TOP + ROW * len(members) + 10 + HEIGHT
scale = (lambda v: math.log10(max(v, floor))) if floor else (lambda v: v)
low, high = min(map(scale, path)), max(map(scale, path))


def y(value):
    return bottom - (bottom - top) * (scale(value) - low) / ((high - low) or 1)


points = f"{x(0):.1f},{y(path[0]):.1f}"
for number in range(1, n):
    points += f" {x(number):.1f},{y(path[number - 1]):.1f} {x(number):.1f},{y(path[number]):.1f}"
out.append(f'<polyline points="{points}" fill="none" stroke="#222222" stroke-width="1.5"/>')
for value in (path[0], path[-1]):
    out.append(f'<text x="{LEFT - 10}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>')
label = "regret of the best" if floor else "best value"
out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{top + 4}">{label}{", log" if floor else ""}</text>')
for number in range(0, n + 1, 50):
    if number < n:
        out.append(f'<text x="{x(number):.1f}" y="{bottom + 20}" text-anchor="middle">{number}</text>')
out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{bottom + 38}" text-anchor="middle">trial</text>')
title = f'{run["problem"]}, instance {run["instance"]}, method {run["method"]}, seed {run["seed"]}: who proposed (tick), who improved (disc)'
out.append(f'<text x="{LEFT - 100}" y="22" font-weight="bold">{escape(title)}</text>')
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 50}" width="{WIDTH}" height="{bottom + 50}" font-family="sans-serif" font-size="13">')
print('<rect width="100%" height="100%" fill="white"/>')
print("\n".join(out))
print("</svg>")

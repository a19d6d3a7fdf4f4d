"""Which 13 of the 55 sites of a metal cluster are gold? Copper has the others, and the energy is to be low.

The cluster is an icosahedron; its energy, in eV, is that of the effective medium theory of ase (pip install ase), the
atoms staying where they are. There are 1.5e12 choices, and many are the same cluster turned around.

Usage: python alloy.py [evaluations] [seed]
"""

import sys
from collections.abc import Sequence

from ase.calculators.emt import EMT
from ase.cluster import Icosahedron

import bocs

SITES = [f"s{i}" for i in range(55)]


def energy(gold: Sequence[str]) -> float:
    cluster = Icosahedron("Cu", 3, latticeconstant=3.75)
    for site in gold:
        cluster[SITES.index(site)].symbol = "Au"
    cluster.calc = EMT()
    return float(cluster.get_potential_energy())


if __name__ == "__main__":
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    result = bocs.minimize(lambda x: energy(x["gold"]), {"gold": bocs.subset(SITES, 13)}, trials=trials, seed=seed)
    first = min(trial.value for trial in result.trials[:20])
    print(f"best of 20 random clusters {first:.3f} eV, best of {trials} {result.value:.3f} eV")
    print("gold:", *result.x["gold"])

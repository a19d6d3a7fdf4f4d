"""Which of 12 stations to open, with how large a crew, and where to put the depot?"""

from typing import Any

import bocs

STATIONS = 12


def cost(x: dict[str, Any]) -> float:
    """Stands for a simulation of an hour. Neighbouring stations serve the same people."""
    station = x["station"]
    served = 3.0 * station.sum() - 2.0 * (station[1:] * station[:-1]).sum()
    depot = {"north": 0.0, "south": 1.0, "river": -1.0 if x["pump"] else 2.0}[x["depot"]]
    return float(-served + 0.1 * (x["crew"] - 5) ** 2 + depot + 0.5 * x["pump"])


def main() -> None:
    result = bocs.minimize(
        cost,
        {"station": bocs.Binary(STATIONS), "crew": range(1, 9), "depot": ["north", "south", "river"], "pump": bool},
        trials=120,
        seed=1,
        constraints=[bocs.at_most(5, of="station"), "crew + 2*pump <= 6", bocs.if_("pump", then="station[0]")],
    )
    print(result)
    print(result.explain(order=2)[:3])


if __name__ == "__main__":
    main()

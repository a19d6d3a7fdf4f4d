"""The loop by hand: points are evaluated elsewhere, told in any order, and the state is kept in a file."""

import pickle
from pathlib import Path
from typing import Any

import bocs


def taste(x: dict[str, Any]) -> float:
    """Stands for a day in the bakery."""
    flour = {"wheat": 1.0, "rye": 2.5, "spelt": 4.0}[x["flour"]]
    return float(flour - 0.5 * abs(x["hours"] - 5) - (0 if x["steam"] else 1))


def main() -> None:
    optimizer = bocs.Optimizer(
        {"flour": ["wheat", "rye", "spelt"], "hours": range(1, 9), "steam": bool}, direction="maximize", seed=1
    )
    optimizer.tell({"flour": "wheat", "hours": 5, "steam": True}, 1.0)  # what is known already
    while len(optimizer) < 30:
        first, second = optimizer.ask(2)
        if second.x["hours"] == 8:
            optimizer.tell(second, error="burnt")
        else:
            optimizer.tell(second, taste(second.x))
        state = Path("bakery.pickle")
        state.write_bytes(pickle.dumps(optimizer))  # the process may end here ...
        optimizer = pickle.loads(state.read_bytes())  # ... and another one go on
        optimizer.tell(first.number, taste(first.x))
    assert optimizer.best is not None
    print(optimizer.best.x, optimizer.best.value)


if __name__ == "__main__":
    main()

"""Which of 12 tools to take along: much use and few tools, and a weight that only packing them shows."""

from typing import Any

import bocs

TOOLS = ["axe", "bolts", "cable", "drill", "file", "glue", "hammer", "iron", "jack", "knife", "lamp", "mallet"]
USE = [7, 3, 6, 9, 2, 4, 8, 5, 6, 7, 8, 3]
WEIGHT = [5, 2, 6, 7, 1, 1, 6, 4, 9, 1, 3, 6]


def pack(x: dict[str, Any]) -> dict[str, float]:
    """Stands for an hour in the workshop. Two heavy tools need a second box."""
    taken = [TOOLS.index(tool) for tool in x["tools"]]
    boxes = 1 + sum(WEIGHT[i] >= 6 for i in taken) // 2
    return {"use": sum(USE[i] for i in taken), "weight": sum(WEIGHT[i] for i in taken) + 2 * boxes}


def main() -> None:
    result = bocs.maximize(
        pack,
        {"tools": bocs.subset(TOOLS)},
        goals={"use": "max", "tools": bocs.Goal("min", known="size(tools)")},
        outcomes=["weight <= 25"],
        trials=60,
        seed=1,
    )
    for trial in result.front:
        print(f"{trial.goals['use']:2.0f} with {trial.goals['tools']:.0f} tools, {trial.metrics['weight']:.0f} kg:", *trial.x["tools"])


if __name__ == "__main__":
    main()

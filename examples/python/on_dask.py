"""Evaluations on a Dask cluster; here one of two processes on this machine. Needs dask and distributed."""

import time
from typing import Any

from distributed import Client, LocalCluster

import bocs


def cost(x: dict[str, Any]) -> float:
    time.sleep(0.1)  # stands for an hour
    return float((x["crew"] - 5) ** 2 + sum(x["station"]))


def main() -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        result = bocs.minimize(
            cost,
            {"crew": range(1, 9), "station": bocs.Binary(4)},
            trials=30,
            executor=client.get_executor(),
            parallel=2,
        )
    print(len(result.trials), "trials, best", result.value)


if __name__ == "__main__":  # Dask's processes import this file
    main()

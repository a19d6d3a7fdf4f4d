"""Evaluations on a Ray cluster; here one on this machine. Needs ray."""

import concurrent.futures
import time
from collections.abc import Callable
from typing import Any

import ray

import bocs


class RayExecutor(concurrent.futures.Executor):
    """What bocs needs to know about Ray."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        future: concurrent.futures.Future[Any] = ray.remote(fn).remote(*args, **kwargs).future()
        return future


def cost(x: dict[str, Any]) -> float:
    time.sleep(0.1)  # stands for an hour
    return float((x["crew"] - 5) ** 2 + sum(x["station"]))


def main() -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    result = bocs.minimize(
        cost, {"crew": range(1, 9), "station": bocs.Binary(4)}, trials=30, executor=RayExecutor(), parallel=2
    )
    ray.shutdown()
    print(len(result.trials), "trials, best", result.value)


if __name__ == "__main__":
    main()

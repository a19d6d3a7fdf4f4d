"""Where evaluations run: in the calling thread, on threads or processes made here, or on an executor of your own."""

from __future__ import annotations

import concurrent.futures
import os
import sys
from collections.abc import Callable
from typing import Any, Literal, Union

Executor = Union[concurrent.futures.Executor, Literal["threads", "processes"], None]
Future = concurrent.futures.Future


class _Here(concurrent.futures.Executor):
    """Evaluates at once, in the calling thread; what f raises passes straight through."""

    _max_workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Pool:
    """An executor, the number of evaluations it runs at once, and how to make it anew when one of its processes died."""

    def __init__(self, executor: Executor, parallel: int | None) -> None:
        if parallel is not None and parallel < 0:
            parallel = os.cpu_count() or 1
        if executor is None and (parallel is None or parallel == 1):
            self._executor: concurrent.futures.Executor = _Here()
        elif executor is None or executor == "threads":
            self._executor = concurrent.futures.ThreadPoolExecutor(parallel or os.cpu_count())
        elif executor == "processes":
            self._executor = concurrent.futures.ProcessPoolExecutor(parallel or os.cpu_count())
        elif isinstance(executor, str) or not callable(getattr(executor, "submit", None)):
            raise ValueError(f"found executor={executor!r}; allowed: 'threads', 'processes' or a concurrent.futures.Executor")
        else:
            self._executor = executor
        self._is_ours = self._executor is not executor
        self.width: int = parallel or _workers_of(self._executor)

    def submit(self, fn: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(fn, *args)

    def renew(self) -> bool:
        """A new executor of the same kind, after one that broke. False: nobody knows how to make one."""
        made = _like(self._executor)
        if made is None:
            return False
        self.close()
        self._executor = made
        self._is_ours = isinstance(made, concurrent.futures.ProcessPoolExecutor)  # loky's is everybody's
        return True

    def close(self) -> None:
        """Ends what was made here. An executor of the user's stays as it is."""
        if self._is_ours:
            self._executor.shutdown(wait=False, cancel_futures=True)


def _workers_of(executor: Any) -> int:
    workers = getattr(executor, "_max_workers", None)  # concurrent.futures, joblib's loky
    if not isinstance(workers, int) and hasattr(executor, "_client"):  # Dask's ClientExecutor
        workers = sum(executor._client.nthreads().values())
    if not isinstance(workers, int) or workers < 1:
        raise ValueError(f"{type(executor).__name__} does not say how many workers it has; give parallel=...")
    return workers


def _like(executor: Any) -> concurrent.futures.Executor | None:
    if isinstance(executor, concurrent.futures.ProcessPoolExecutor):
        made = {"max_workers": "_max_workers", "mp_context": "_mp_context", "initializer": "_initializer", "initargs": "_initargs"}
        return concurrent.futures.ProcessPoolExecutor(
            **{name: getattr(executor, attribute) for name, attribute in made.items() if hasattr(executor, attribute)}
        )
    loky = sys.modules.get(type(executor).__module__.rpartition(".")[0])
    if hasattr(loky, "get_reusable_executor"):
        return loky.get_reusable_executor(max_workers=executor._max_workers)  # type: ignore[union-attr, no-any-return]
    return None

"""Many dumps with Ray: a task for each dump, and the join on the machine that calls.

>>> import bigtpuprofile.ray                                                # doctest: +SKIP
>>> bigtpuprofile.ray.cluster(["/shared/runs/step-400"], "results")         # doctest: +SKIP

Workers need this package and the program; ``pip install bigtpuprofile-rs[ray]``.
"""

import ray as _ray

from . import _doors

__all__ = ["cluster"]


def cluster(paths, out, **options) -> str:
    """Joins the dumps below ``paths`` as ``bigtpuprofile cluster`` does, with the same bytes as result.

    ``paths``: directories that all workers see, or URLs that fsspec knows. ``out``: a directory of the machine that
    calls, or a URL. ``options``: those of ``bigtpuprofile cluster join``, as ``rank_table="table.json"``. Returns
    ``out``. A dump that cannot be analyzed is left out with a warning.
    """
    if not _ray.is_initialized():
        _ray.init()
    dumps = _doors.find(paths)
    listed = _ray.put(dumps)
    take = _ray.remote(_doors.take)
    waiting = [take.remote(number, listed) for number in range(len(dumps))]

    def finished():
        # One part at a time is held here, in the order in which they are done.
        rest = waiting
        while rest:
            done, rest = _ray.wait(rest)
            yield from _ray.get(done)

    return _doors.join(finished(), dumps, out, options)

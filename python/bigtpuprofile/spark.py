"""Many dumps with Spark: each executor analyzes those that it is given, the driver joins.

>>> import bigtpuprofile.spark                                                      # doctest: +SKIP
>>> bigtpuprofile.spark.cluster(spark, ["s3://runs/step-400"], "results")           # doctest: +SKIP

Executors need this package and the program; ``pip install bigtpuprofile-rs[spark]``.
"""

from . import _doors

__all__ = ["batch", "cluster"]


def cluster(spark, paths, out, **options) -> str:
    """Joins the dumps below ``paths`` as ``bigtpuprofile cluster`` does, with the same bytes as result.

    ``paths``: directories that all executors see, or URLs that fsspec knows. ``out``: a directory of the driver, or a
    URL. ``options``: those of ``bigtpuprofile cluster join``, as ``rank_table="table.json"``, ``scale=["link=2"]``.
    Returns ``out``. A dump that cannot be analyzed is left out with a warning.
    """
    dumps = _doors.find(paths)
    context = spark.sparkContext
    listed = context.broadcast(dumps)
    numbers = context.parallelize(range(len(dumps)), max(len(dumps), 1))
    parts = numbers.map(lambda number: tuple(_doors.take(number, listed.value)))
    # One part at a time comes to the driver.
    return _doors.join((_doors.Part(*part) for part in parts.toLocalIterator()), dumps, out, options)


def batch(spark, root, out, **options) -> str:
    """Analyzes all dumps below ``root`` as ``bigtpuprofile batch`` does; returns the path of the index.

    ``root`` and ``out`` are directories that all executors and the driver see. ``options``: those of the program, as
    ``events=True``.
    """
    members = _doors.batch_members(root)
    tasks = spark.sparkContext.parallelize(members, max(len(members), 1))
    tasks.map(lambda member: _doors.batch_one(root, out, member, options)).collect()
    return _doors.batch_index(root, out, options)

"""The names of the package bigTpuProfile on top of bigtpuprofile, where the original is not installed."""

#: The version of the original whose names, options and results these are.
__version__ = "0.3.7"

"""The names of the package bigTpuProfile on top of bigtpuprofile, where the original is not installed."""

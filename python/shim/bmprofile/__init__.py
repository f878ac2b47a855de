"""The name of PPL's module ``bmprofile`` on top of bigtpuprofile: ``python -m bmprofile --mode time DUMP OUT``."""

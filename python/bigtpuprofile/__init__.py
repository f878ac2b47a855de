"""Where the time of a TPU run went: bigtpuprofile from Python.

>>> import bigtpuprofile
>>> profile = bigtpuprofile.read("cdm_profile_data_dev0-0")    # doctest: +SKIP
>>> profile.report.dump.chip                                   # doctest: +SKIP
'AKSV'
>>> profile.events.to_pandas()                                 # doctest: +SKIP
"""

from ._binary import ProfileError, binary
from ._profile import Profile, Record, read

__all__ = ["Profile", "ProfileError", "Record", "binary", "read"]

"""Where the time of a TPU run went: bigtpuprofile from Python.

>>> import bigtpuprofile
>>> profile = bigtpuprofile.read("cdm_profile_data_dev0-0")    # doctest: +SKIP
>>> profile.report.dump.chip                                   # doctest: +SKIP
'AKSV'
>>> profile.events.to_pandas()                                 # doctest: +SKIP
"""

from . import predict
from ._binary import DataLossError, DataLossWarning, ProfileError, binary
from ._native import version as __version__
from ._capture import record
from ._page import Page
from ._profile import Profile
from ._record import Record, Table
from ._recorder import Recording, record_model
from ._runs import Profiles, read

__all__ = [
    "DataLossError",
    "DataLossWarning",
    "Page",
    "Profile",
    "ProfileError",
    "Profiles",
    "Record",
    "Recording",
    "Table",
    "__version__",
    "binary",
    "predict",
    "read",
    "record",
    "record_model",
]

"""``read``: from whatever the program reads or writes to profiles."""

import os
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _doors
from ._binary import ProfileError
from ._profile import REPORT, PathLike, Profile
from ._record import Table

#: Files that make a directory a dump: those of the runtimes' writers.
_DUMP_FILES = ("*.profile", "cdmlib*", "cmd_*.dat", "iter*.profile")
#: Directories that hold a dump each, as the runtimes name them.
_DUMP_NAMES = ("cdm_profile_data", "bmprofile_data")
#: What shows that the program wrote a directory: the list of an analysis, the index of a batch.
_RESULT_FILES = (".bigtpuprofile-files", "index.json")


class Profiles(Mapping):
    """Several runs by name: iterating gives the names, ``profiles[name]`` the :class:`Profile`."""

    def __init__(self, profiles: Dict[str, Profile]):
        self._profiles = profiles

    def __getitem__(self, name: str) -> Profile:
        return self._profiles[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def __repr__(self) -> str:
        return f"<Profiles: {', '.join(self._profiles)}>"

    def to_pandas(self):
        """The summary as a pandas data frame, a row a run."""
        return self.summary.to_pandas()

    @property
    def summary(self) -> Table:
        """A row a run: chip, events, wall time, losses, verdict."""
        return Table(
            {
                "run": name,
                "chip": of.report.dump.chip,
                "events": of.report.dump.events,
                "wall_ns": of.wall_ns,
                "losses": of.report.ledger.losses,
                "verdict": of.verdict,
            }
            for name, of in self.items()
        )

    @property
    def kernels(self) -> Table:
        """The kernels of all runs, with the run's name."""
        return Table({"run": name, **kernel} for name, of in self.items() for kernel in of.kernels)

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()


def read(
    source: Union[PathLike, Iterable[PathLike]],
    *,
    arch: Optional[str] = None,
    tiu_freq: Optional[int] = None,
    num_core: Optional[int] = None,
    cores: Optional[str] = None,
    hw: Optional[PathLike] = None,
    iteration: Optional[int] = None,
    trace_file: Optional[PathLike] = None,
    strict: bool = False,
) -> Union[Profile, Profiles]:
    """Analyzes a dump directory, or reads results that the program wrote.

    ``source`` is a dump, a ``tar``, ``tar.gz`` or ``zip`` of one, a directory of results, a ``report.json``, or several of these: a list, a directory that holds
    dumps, or the results of ``batch``. Of several, the result is :class:`Profiles`, else a :class:`Profile`. What is in a
    storage that fsspec knows (``s3://...``) is copied to a temporary directory, which goes with the result.

    ``arch`` names the chip of a dump that does not, ``tiu_freq`` is the TIU clock in MHz, ``num_core`` the number of
    cores to report, ``cores`` which ones (``"0,2-3"``), ``hw`` a file of roofs, ``iteration`` the only one to read of libsophon's ``bmprofile_data*``,
    ``trace_file`` a trace of the host to merge: the options of the command line, for dumps only.

    Lost data gives a :class:`DataLossWarning`; with ``strict`` it raises :class:`DataLossError`.
    """
    options = {"--arch": arch, "--tiu_freq": tiu_freq, "--num_core": num_core, "--cores": cores, "--hw": hw, "--iteration": iteration, "--trace_file": trace_file}
    words = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    copies: List[tempfile.TemporaryDirectory] = []
    if not isinstance(source, (str, os.PathLike)):
        parts = [(str(path), _local(path, copies)) for path in source]
        if not parts:
            raise ValueError("no dump is given")
    else:
        path = _local(source, copies)
        parts = _several(path)
    runs = Profiles({name: _one(path, words, strict) for name, path in parts}) if parts else _one(path, words, strict)
    runs._copies = copies
    return runs


def _local(source: PathLike, copies: List[tempfile.TemporaryDirectory]) -> Path:
    """The path of a dump; of a remote one, that of its copy."""
    if not _doors.is_remote(os.fspath(source)):
        return Path(source)
    copies.append(tempfile.TemporaryDirectory(prefix="bigtpuprofile-"))
    return Path(_doors.copied(os.fspath(source), Path(copies[-1].name)))


def _one(path: Path, words: List[str], strict: bool) -> Profile:
    is_file = path.is_file() and not tarfile.is_tarfile(path) and not zipfile.is_zipfile(path)
    if not (path / REPORT).is_file() and not _is_dump(path) and any((path / name).is_file() for name in _RESULT_FILES):
        # The results of a batch may be those of one dump.
        found = [file.parent for file in path.rglob(REPORT)]
        if len(found) != 1:
            raise ProfileError(f"{path}: these results have no report.json; analyze once more with report among the names of --emit")
        [path] = found
    is_results = is_file or ((path / REPORT).is_file() and not _is_dump(path))
    if is_results and words:
        raise ValueError(f"{path}: the options arch, tiu_freq, num_core, cores, hw, iteration and trace_file are for dumps; these are results")
    return Profile(path, words, strict=strict, results=path if is_results else None)


def _several(path: Path) -> Optional[List[Tuple[str, Path]]]:
    """The runs in a directory by their names; ``None`` where it is one run itself, or not known to be several."""
    if not path.is_dir() or (path / REPORT).is_file() or _is_dump(path):
        return None
    found = {file.parent for file in path.rglob(REPORT)}
    found.update(folder for folder in path.rglob("*") if folder.name.startswith(_DUMP_NAMES) and _is_dump(folder))
    names = [(folder.relative_to(path).as_posix(), folder) for folder in sorted(found)]
    # One dump in a directory is that run, under the name that was given.
    return names if len(names) > 1 else None


def dumps_below(path: Path) -> List[Path]:
    """Dumps and results in a directory, itself included; of a dump with its results in it, the dump."""
    folders = [path, *(folder for folder in path.rglob("*") if folder.is_dir())]
    dumps = {folder for folder in folders if _is_dump(folder)}
    results = {folder for folder in folders if (folder / REPORT).is_file() and not any(parent in dumps for parent in (folder, *folder.parents))}
    return sorted(dumps | results)


def _is_dump(path: Path) -> bool:
    return any(next(path.glob(pattern), None) is not None for pattern in _DUMP_FILES)

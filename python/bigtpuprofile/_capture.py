"""``record``: switches the capture of torch-tpu on for a part of the program, and analyzes the dump that it wrote."""

import functools
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple, Union

from ._binary import ProfileError
from ._profile import PathLike, Profile
from ._runs import Profiles, _is_dump, read

#: What torch-tpu reads when its runtime starts.
_SWITCH = "BMLIB_ENABLE_ALL_PROFILE"
#: Modules whose import starts the runtime.
_RUNTIMES = ("torch_tpu", "tpu_train")

_Stamp = Tuple[int, int, int, int]


class record:
    """A part of a program whose run on the TPU is captured and analyzed.

    >>> with bigtpuprofile.record(mode=2, records=131072) as run:    # doctest: +SKIP
    ...     model(batch)
    >>> run.profile.verdict                                          # doctest: +SKIP

    Or of a training loop the calls 5 and 6 of a step, on all ranks behind a barrier:

    >>> @bigtpuprofile.record(steps=range(5, 7))                     # doctest: +SKIP
    ... def train_step(batch): ...
    >>> train_step.recording.profile                                 # doctest: +SKIP

    ``mode`` is 0 for records, 1 also for the commands by type, 2 also for their full bits; ``records`` the size of each
    PMU ring. ``host=True`` also takes a trace of ``torch.profiler`` and merges it. ``profile`` is what :func:`read` gives of the
    dumps of this part: a :class:`Profile`, of several devices :class:`Profiles`. The dumps stay where the runtime wrote
    them, in ``directory``. Further arguments are those of :func:`read`.

    Raises :class:`ProfileError` where the runtime wrote no dump.
    """

    def __init__(
        self,
        *,
        mode: int = 2,
        records: int = 40960,
        host: bool = False,
        steps: Optional[Iterable[int]] = None,
        **options: Any,
    ):
        if mode not in (0, 1, 2):
            raise ValueError(f"mode is 0, 1 or 2, not {mode}")
        if records < 1:
            raise ValueError(f"records is the size of a ring, 1 or more, not {records}")
        self._mode, self._records, self._has_host, self._options = mode, records, host, options
        self._steps = None if steps is None else _whole_range(steps)
        #: Directory of the dumps.
        self.directory = Path()
        #: The dumps of this part.
        self.dumps: List[Path] = []
        #: What :func:`read` gives of them; ``None`` before the part has ended.
        self.profile: Union[Profile, Profiles, None] = None
        self._before: Dict[Path, Set[_Stamp]] = {}
        self._profiler: Any = None
        #: Holds the host's trace as long as the profile may need it.
        self._trace: Optional[tempfile.TemporaryDirectory] = None

    def __enter__(self) -> "record":
        torch = _torch()
        if os.environ.get(_SWITCH) != "1":
            if any(module in sys.modules for module in _RUNTIMES):
                warnings.warn(f"the runtime has started without {_SWITCH}=1: set it in the shell, else no dump is written", stacklevel=2)
            os.environ[_SWITCH] = "1"
        self.directory = Path.cwd()
        self._before = _stamps(self.directory)
        _barrier(torch)
        torch.ops.my_ops.enable_profile(self._records, self._mode)
        if self._has_host:
            self._profiler = torch.profiler.profile()
            self._profiler.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        torch = _torch()
        # A rank that failed does not wait for the others: they may never come.
        if error is None:
            _barrier(torch)
        if self._profiler is not None:
            self._profiler.__exit__(kind, error, trace)
        here = Path.cwd()
        # The runtime writes where the process is.
        os.chdir(self.directory)
        try:
            torch.ops.my_ops.disable_profile()
        finally:
            os.chdir(here)
        if error is None:
            # The dumps of all ranks are there.
            _barrier(torch)
            self._read()

    def _read(self) -> None:
        after = _stamps(self.directory)
        self.dumps = sorted(dump for dump, files in after.items() if files and not files & self._before.get(dump, set()))
        if not self.dumps:
            raise ProfileError(
                f"{self.directory}: the runtime wrote no dump; set {_SWITCH}=1 before the process starts, and let nothing destroy its handle before this part ends"
            )
        options = dict(self._options)
        if self._profiler is not None:
            self._trace = tempfile.TemporaryDirectory(prefix="bigtpuprofile-")
            path = Path(self._trace.name) / "host.json"
            self._profiler.export_chrome_trace(os.fspath(path))
            options["trace_file"] = path
        self.profile = read(self.dumps[0] if len(self.dumps) == 1 else self.dumps, **options)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose calls ``steps`` are captured, counted from 0; without ``steps`` its first call."""
        steps = self._steps or range(1)
        call = iter(range(sys.maxsize))

        @functools.wraps(function)
        def recorded(*arguments: Any, **named: Any) -> Any:
            number = next(call)
            if number == steps[0]:
                self.__enter__()
            try:
                result = function(*arguments, **named)
            except BaseException:
                if number in steps:
                    self.__exit__(*sys.exc_info())
                raise
            if number == steps[-1]:
                self.__exit__(None, None, None)
            return result

        recorded.recording = self  # type: ignore[attr-defined]
        return recorded

    def __repr__(self) -> str:
        return f"<record: {self.profile!r}>" if self.profile is not None else "<record: has not ended>"

    def _repr_html_(self) -> Optional[str]:
        return None if self.profile is None else self.profile._repr_html_()


def _whole_range(steps: Iterable[int]) -> range:
    """Steps that follow one another: the capture is one part of the run."""
    numbers = list(steps)
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))) or numbers[0] < 0:
        raise ValueError(f"steps are numbers from 0 that follow one another, such as range(5, 7), not {steps!r}")
    return range(numbers[0], numbers[-1] + 1)


def _torch() -> Any:
    import torch

    if not hasattr(torch.ops.my_ops, "enable_profile"):
        raise ProfileError("PyTorch has no torch.ops.my_ops.enable_profile: import torch_tpu first; it is there for SG2260 only")
    return torch


def _barrier(torch: Any) -> None:
    """All ranks begin and end the capture at the same step."""
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        distributed.barrier()


def _stamps(directory: PathLike) -> Dict[Path, Set[_Stamp]]:
    """The dumps in a directory, and what tells whether one of their files was written anew."""
    dumps = [folder for folder in Path(directory).iterdir() if folder.is_dir() and _is_dump(folder)]
    return {dump: {_stamp(file) for file in dump.iterdir() if file.is_file()} for dump in dumps}


def _stamp(file: Path) -> _Stamp:
    found = file.stat()
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

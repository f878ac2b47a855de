"""The compiled program: where it is, how it is run, and what it does in this process."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from . import _native
from ._native import ProfileError

_NAME = "bigtpuprofile.exe" if os.name == "nt" else "bigtpuprofile"


class DataLossError(ProfileError):
    """With ``strict=True``: data of the dump was lost or is missing."""


class DataLossWarning(UserWarning):
    """Data of the dump was lost or is missing; the results hold what is left."""


#: Options that messages of the program name, as the arguments of this package.
_ARGUMENTS = {"--arch": "arch", "--tiu_freq": "tiu_freq", "--num_core": "num_core", "--cores": "cores", "--hw": "hw", "--iteration": "iteration", "--trace_file": "trace_file", "--scale": "scale"}


def opened(kind, options, source):
    """A dump as an object of the extension module, with the options of the command line.

    Raises :class:`ProfileError` with the program's sentence.
    """
    try:
        return kind(list(options), os.fspath(source))
    except ProfileError as error:
        raise ProfileError(_python(str(error))) from None


def _python(text: str) -> str:
    """A message of the program with the names that this package has."""
    for option, argument in _ARGUMENTS.items():
        text = text.replace(option, argument)
    return text


def binary() -> str:
    """The path of the program: ``$BIGTPUPROFILE``, else the one of this Python, else the first in ``$PATH``."""
    chosen = os.environ.get("BIGTPUPROFILE")
    if chosen:
        return chosen
    user_scheme = "nt_user" if os.name == "nt" else "posix_user"
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", user_scheme),
        os.path.dirname(sys.executable),
    ]
    # `pip install --target DIR` puts scripts into DIR/bin.
    folders.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        path = os.path.join(folder, _NAME)
        if os.path.isfile(path):
            return path
    found = shutil.which(_NAME)
    if found is None:
        raise FileNotFoundError(
            "the program bigtpuprofile was not found: pip install bigtpuprofile-rs, "
            "or set BIGTPUPROFILE to its path"
        )
    return found


def run(options, *folders) -> str:
    """Runs the program on folders to its end; returns what it wrote to stdout.

    No folder is taken for an option or a command, whatever its name is.

    Raises :class:`ProfileError` with its message when it fails.
    """
    done = subprocess.run(
        [binary(), *options, *(["--", *map(os.fspath, folders)] if folders else [])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        text = done.stderr.strip() or f"bigtpuprofile ended with {done.returncode}"
        text = text[len("error: ") :] if text.startswith("error: ") else text
        raise ProfileError(_python(text))
    return done.stdout


def become(name, arguments):
    """Becomes the program under that name, which selects its defaults: it ends the process."""
    sys.stdout.flush()
    sys.stderr.flush()
    _native.main([name, *arguments])

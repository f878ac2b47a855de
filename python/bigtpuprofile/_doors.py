"""The step for one dump, on whatever machine it runs, and the join of all.

Paths are those of a file system that every worker sees, or of an object storage that fsspec knows (``s3://...``): then a
worker copies its dump to a local directory first.
"""

import os
import tempfile
import warnings
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Optional, Tuple

from ._binary import ProfileError, run

#: The file that makes a directory a dump.
_HEAD = "global.profile"


class Part(NamedTuple):
    """What the join needs of one dump, or why there is none."""

    number: int
    data: Optional[bytes]
    error: str


def is_remote(path: str) -> bool:
    """Whether a path is of a storage, not of a file system."""
    return "://" in path


def find(paths: Iterable[str]) -> List[str]:
    """The dumps below directories, by name; a dump itself is one."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found = set()
    for path in map(os.fspath, paths):
        if is_remote(path):
            import fsspec

            storage, root = fsspec.core.url_to_fs(path)
            heads = [p for p in storage.find(root) if p.endswith("/" + _HEAD)]
            found.update(storage.unstrip_protocol(p[: -len(_HEAD) - 1]) for p in heads)
        else:
            walk = os.walk(path, followlinks=True)
            found.update(folder for folder, _, files in walk if _HEAD in files)
    return sorted(found, key=lambda path: Path(path).parts)


def take(number: int, dumps: List[str]) -> Part:
    """Takes the part of one of the dumps: a pure function of the dump's files."""
    dump = dumps[number]
    with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
        place = Path(folder)
        (place / "dumps").write_text("".join(f"{path}\n" for path in dumps), encoding="utf-8")
        try:
            local = copied(dump, place) if is_remote(dump) else dump
            # As many tasks run side by side as there are processors.
            options = ["cluster", "part", "-j1", "--quiet", "--out", str(place / "part")]
            run([*options, "--dumps", str(place / "dumps"), "--path", dump], local)
            return Part(number, (place / "part").read_bytes(), "")
        except (ProfileError, OSError) as error:
            return Part(number, None, str(error))


def copied(dump: str, place: Path) -> str:
    """A local copy of a dump or archive, under its own name."""
    import fsspec

    storage, root = fsspec.core.url_to_fs(dump)
    local = place / root.rstrip("/").rsplit("/", 1)[-1]
    if storage.isfile(root):
        storage.get_file(root, str(local))
        return str(local)
    storage.get(root.rstrip("/") + "/", str(local) + "/", recursive=True)
    return str(local)


def join(parts: Iterable[Part], dumps: List[str], out: str, options: Dict[str, object]) -> str:
    """Joins the parts, in any order; returns the directory of the results."""
    with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
        files = []
        for part in parts:
            if part.data is None:
                warnings.warn(f"{dumps[part.number]}: left out: {part.error}", stacklevel=3)
                continue
            file = os.path.join(folder, f"{part.number:06}.part")
            Path(file).write_bytes(part.data)
            files.append(file)
        target = os.path.join(folder, "out") if is_remote(out) else out
        run(["cluster", "join", "--quiet", *_arguments(options)], *sorted(files), target)
        if is_remote(out):
            import fsspec

            storage, root = fsspec.core.url_to_fs(out)
            storage.put(target + "/", root.rstrip("/") + "/", recursive=True)
    return out


def _arguments(options: Dict[str, object]) -> List[str]:
    """``scale=["link=2"], strict=True`` as arguments of the program."""
    arguments = []
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(name)
        elif value not in (None, False):
            for one in value if isinstance(value, (list, tuple)) else [value]:
                arguments += [name, str(one)]
    return arguments


def batch_members(root: str) -> List[str]:
    """The dumps below a directory, relative to it."""
    return [os.path.relpath(dump, root) for dump in find([root])]


def batch_one(root: str, out: str, member: str, options: Dict[str, object]) -> Tuple[str, str]:
    """Analyzes one dump of a batch; the index is written later. Returns its name and an error, or nothing."""
    try:
        run(["batch", "-j1", "--quiet", *_arguments(options), "--only", member], root, out)
        return member, ""
    except ProfileError as error:
        return member, str(error)


def batch_index(root: str, out: str, options: Dict[str, object]) -> str:
    """Writes the index of a batch whose dumps are analyzed; what failed is tried again, and named."""
    run(["batch", "--quiet", *_arguments(options)], root, out)
    return os.path.join(out, "index.json")

"""One analyzed run: the report as objects and tables, the events, what-if and comparison."""

import csv
import functools
import html
import os
import shutil
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from ._binary import DataLossError, DataLossWarning, ProfileError, opened, run
from ._native import Analyzed
from ._page import Page
from ._record import Record, Table, parsed

if TYPE_CHECKING:
    import pyarrow

#: A directory or a file.
PathLike = Union[str, "os.PathLike[str]"]

REPORT = "report.json"
EVENTS = "events.parquet"
CSV = "events.csv"
PAGE = os.path.join("PerfWeb", "result.html")
TRACE = "perfetto.pftrace"


class Profile:
    """An analyzed run: a dump, or the results that the program wrote for one.

    The dump is read and analyzed once, in this process. Page and trace are written when they are asked for, into a folder
    that goes with this object.
    """

    def __init__(
        self, source: PathLike, options: Sequence[str] = (), *, strict: bool = False, results: Optional[PathLike] = None
    ):
        #: The dump, or where only results are known: their directory or file.
        self.dump = Path(source)
        self._options = list(options)
        self._folder: Optional[tempfile.TemporaryDirectory] = None
        self._results = None if results is None else Path(results)
        self._analyzed = opened(Analyzed, self._options, source) if self._results is None else None
        text = self._analyzed.report() if self._analyzed else _text(self._report_file())
        #: ``report.json`` as objects; docs/report.schema.json describes it.
        self.report: Record = parsed(text)
        self._tell_losses(strict)

    def __repr__(self) -> str:
        facts = self.report.dump
        return f"<Profile {os.fspath(self.dump)!r}: {facts.chip}, {facts.events} events>"

    def to_pandas(self):
        """The kernels as a pandas data frame, as ``kernels.to_pandas()``."""
        return self.kernels.to_pandas()

    @property
    def verdict(self) -> str:
        """What bounds the run and what to do about it, in a sentence or two."""
        return self.report.verdict.text if self.report.get("verdict") else ""

    @property
    def wall_ns(self) -> int:
        """From the first start to the last end, in nanoseconds."""
        return self.report.intervals.overall.wall_ns

    @property
    def kernels(self) -> Table:
        """A row a kernel, longest total first."""
        return Table(self.report.kernels)

    @property
    def launches(self) -> Table:
        """A row a launch of a kernel on a core."""
        return Table(self.report.launches)

    @property
    def layers(self) -> Table:
        """A row a layer of a static model; empty where the dump has no layers."""
        return Table(self.report.get("layers") or ())

    @property
    def advice(self) -> Table:
        """A row a finding, largest gain first; ``gain_ns`` is the time that the run would take less."""
        return Table(self.report.advice)

    @property
    def gaps(self) -> Table:
        """The longest pauses of the engines between two commands, and what was waited for."""
        return Table(self.report.gaps.longest)

    @property
    def critical_path(self) -> Table:
        """What the run waited for from start to end, in groups, longest first.

        Raises :class:`ProfileError` where the run has no critical path, with the reason.
        """
        path = self.report.get("critical_path") or Record(refusal="the report has no critical path")
        if path.get("refusal"):
            raise ProfileError(f"{self.dump}: {path.refusal}")
        return Table(path.pieces)

    @property
    def losses(self) -> List[str]:
        """What of the dump was lost or is missing, a sentence each; empty for a whole one."""
        ledger = self.report.ledger
        return [note.text for note in ledger.notes if note.is_loss] if ledger.losses else []

    @functools.cached_property
    def events(self) -> "pyarrow.Table":
        """All events as a ``pyarrow.Table``; docs/events.md describes its columns.

        ``events.to_pandas()`` is a pandas data frame, ``polars.from_arrow(events)`` one of polars. No bytes are copied:
        the table has the columns that the analysis made.
        """
        try:
            import pyarrow.parquet
        except ImportError:
            raise ImportError(
                "the table of events needs pyarrow: pip install pyarrow; without it rows() works, and polars.from_arrow(profile)"
            ) from None
        if self._analyzed:
            return pyarrow.table(self._analyzed)
        return pyarrow.parquet.read_table(self._file(EVENTS, "events"))

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """The events for whatever reads Arrow: polars, DuckDB, pandas, pyarrow."""
        return (self._analyzed or self.events).__arrow_c_stream__(requested_schema)

    def rows(self) -> List[Dict[str, Any]]:
        """All events as dicts of the columns of docs/events.md; ``None`` where a value is not known."""
        return self._analyzed.rows() if self._analyzed else _rows(self._file(CSV, "csv"))

    def diff(self, after: Union["Profile", PathLike]) -> Record:
        """What changed from this run to another one: the objects of ``diff.json`` (docs/diff.schema.json).

        ``changes`` of the result is a table with a row a number: medians ``before`` and ``after``, the change ``absolute``
        and ``relative``.
        """
        other = after._report_file() if isinstance(after, Profile) else after
        result = parsed(run(["diff", "--json"], self._report_file(), other))
        result["changes"] = Table(
            {
                **{key: row[key] for key in ("subject", "name", "presence")},
                **change,
                **{side: change[side] and change[side].median for side in ("before", "after")},
            }
            for row in result.rows
            for change in row.changes
        )
        return result

    def whatif(self, scale: Optional[Mapping[str, float]] = None, *, hw: Optional[PathLike] = None) -> Record:
        """The predicted time with faster parts: the objects of ``whatif.json`` (docs/whatif.schema.json).

        ``whatif({"ddr": 2, "kernel:matmul*": 0.5})``: twice the DDR bandwidth and matmuls in half their time. Without
        ``scale`` and ``hw``: the sensitivity to each part.
        """
        if self._results is not None or self._options:
            raise ProfileError(
                f"{self.dump}: what-if needs the dump, read without arch, tiu_freq, num_core and hw: read(DUMP).whatif(...)"
            )
        if not isinstance(scale, (Mapping, type(None))):
            raise TypeError(f'scale is a mapping of parts to factors, such as {{"ddr": 2}}, not {scale!r}')
        words = [word for what, factor in (scale or {}).items() for word in ("--scale", f"{what}={factor}")]
        words += [] if hw is None else ["--hw", os.fspath(hw)]
        return parsed(run(["whatif", "--json", *words], self.dump))

    def page(self, path: Optional[PathLike] = None) -> Path:
        """The page, one file that needs no network; copied to ``path`` where that is given."""
        return self._copied(PAGE, "page", path)

    def trace(self, path: Optional[PathLike] = None) -> Path:
        """The trace for ui.perfetto.dev; copied to ``path`` where that is given."""
        return self._copied(TRACE, "trace", path)

    def timeline(self, height: int = 700) -> Page:
        """The page's timeline, drawn in a notebook's cell."""
        return Page(self.page(), "tab=timeline", height)

    def roofline(self, height: int = 700) -> Page:
        """The page's roofline, drawn in a notebook's cell."""
        return Page(self.page(), "at=roofline", height)

    def compare(self, after: Union["Profile", PathLike], height: int = 700) -> Page:
        """The page of this run and another one, drawn in a notebook's cell: both timelines, causes, tables."""
        runs = [one.dump if isinstance(one, Profile) else one for one in (self, after)]
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
            run(["diff", "--out", folder], *runs)
            return Page(Path(folder) / "diff.html", "", height)

    def _repr_html_(self) -> str:
        facts, escape = self.report.dump, html.escape
        kernels = Table(
            {"kernel": k.kernel, "launches": k.launches, "total us": k.total_ns / 1e3, "share %": 100 * k.share}
            for k in self.report.kernels[:5]
        )
        advice = "".join(
            f"<li>{escape(a.text)} ({a.gain_ns / 1e3:.1f} us, {100 * a.gain:.1f} %)</li>" for a in self.report.advice[:3]
        )
        losses = "".join(f"<li>Lost: {escape(text)}</li>" for text in self.losses)
        return (
            f"<p><b>{escape(facts.chip)}</b>, {facts.cores} cores, {facts.events} events, {self.wall_ns / 1e3:.1f} us: "
            f"{escape(self.verdict)}</p>{kernels._repr_html_()}<ul>{advice}{losses}</ul>"
        )

    def _tell_losses(self, strict: bool) -> None:
        if not self.losses:
            return
        text = f"{self.dump}: data was lost: {'; '.join(self.losses)}"
        if strict:
            raise DataLossError(text)
        warnings.warn(text, DataLossWarning, stacklevel=4)

    def _report_file(self) -> Path:
        return self._results if self._results is not None and self._results.is_file() else self._file(REPORT, "report")

    def _copied(self, name: str, emitter: str, path: Optional[PathLike]) -> Path:
        file = self._file(name, emitter)
        return file if path is None else Path(shutil.copyfile(file, path))

    def _file(self, name: str, emitter: str) -> Path:
        """A file of the results; written now where the dump is known."""
        if self._results is not None:
            folder = self._results.parent if self._results.is_file() else self._results
            if not (folder / name).is_file():
                raise ProfileError(f"{folder}: has no {name}; analyze the dump with --emit report,{emitter}, or read the dump itself")
            return folder / name
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="bigtpuprofile-")
        out = Path(self._folder.name)
        if not (out / name).is_file():
            self._analyzed.write([emitter], out)
        return out / name


_TEXTS = frozenset(
    "engine activity function_type function_name data_type shape direction kernel mode"
    " expected_mark chip dump layer block quality".split()
)


def _text(path: Path) -> str:
    # The locale's encoding may be another one.
    return path.read_text(encoding="utf-8")


def _rows(path: Path) -> List[Dict[str, Any]]:
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: _value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(column: str, text: str) -> Any:
    if not text:
        return None
    if column in _TEXTS:
        # Before a text that a spreadsheet program would take for a formula: docs/events.md.
        return text[1:] if text.startswith("'") else text
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else float(text)

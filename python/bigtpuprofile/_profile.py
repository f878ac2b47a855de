"""``read(DUMP)``: the report as objects, the events as a table."""

import csv
import functools
import json
import os
import tempfile
from pathlib import Path

from ._binary import run


class Record(dict):
    """An object of ``report.json``: ``report.dump.chip`` is ``report["dump"]["chip"]``.

    A field goes before a method of dicts: if there is a field ``values``, the method is ``dict.values(record)``.
    """

    def __getattribute__(self, name):
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name):
        raise AttributeError(f"no {name!r}; there are {', '.join(self)}")

    def __dir__(self):
        return [*super().__dir__(), *self]


def read(dump, *, arch=None, tiu_freq=None, num_core=None, hw=None):
    """Analyzes a dump directory.

    ``arch`` names the chip of a dump that does not, ``tiu_freq`` is the TIU clock in MHz, ``num_core`` the number of
    cores to report, ``hw`` a file of roofs: the options of the command line.
    """
    options = {"--arch": arch, "--tiu_freq": tiu_freq, "--num_core": num_core, "--hw": hw}
    given = [(name, str(value)) for name, value in options.items() if value is not None]
    return Profile(dump, [word for option in given for word in option])


class Profile:
    """An analyzed dump."""

    def __init__(self, dump, options=()):
        self.dump = Path(dump)
        self._options = list(options)
        text = self._written("report", "report.json", _text)
        #: ``report.json`` as objects; docs/report.schema.json describes it.
        self.report = json.loads(text, object_hook=Record)

    def __repr__(self):
        facts = self.report.dump
        return f"<Profile {os.fspath(self.dump)!r}: {facts.chip}, {facts.events} events>"

    @functools.cached_property
    def events(self):
        """All events as a ``pyarrow.Table``; docs/events.md describes its columns.

        ``events.to_pandas()`` is a pandas data frame, ``polars.from_arrow(events)`` one of polars.
        """
        try:
            import pyarrow.parquet
        except ImportError:
            raise ImportError(
                "the table of events needs pyarrow: pip install pyarrow; rows() works without it"
            ) from None
        return self._written("events", "events.parquet", pyarrow.parquet.read_table)

    def rows(self):
        """All events as dicts of the columns of docs/events.md; ``None`` where a value is not known."""
        return self._written("csv", "events.csv", _rows)

    def _written(self, emitter, name, reader):
        with tempfile.TemporaryDirectory(prefix="bigtpuprofile-") as folder:
            out = Path(folder, "out")
            run(["--emit", emitter, "--quiet", *self._options], self.dump, out)
            return reader(out / name)


_TEXTS = frozenset(
    "engine activity function_type function_name data_type shape direction kernel mode"
    " chip dump layer".split()
)


def _text(path):
    # The locale's encoding may be another one.
    return path.read_text(encoding="utf-8")


def _rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: _value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(column, text):
    if not text:
        return None
    if column in _TEXTS:
        # Before a text that a spreadsheet program would take for a formula: docs/events.md.
        return text[1:] if text.startswith("'") else text
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else float(text)

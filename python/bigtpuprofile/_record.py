"""Objects and tables of the program's JSON files."""

import html
from typing import Any, Iterable, List


class Record(dict):
    """An object of ``report.json``: ``report.dump.chip`` is ``report["dump"]["chip"]``.

    A field goes before a method of dicts: if there is a field ``values``, the method is ``dict.values(record)``.
    """

    def __getattribute__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no {name!r}; there are {', '.join(self)}")

    def __dir__(self):
        return [*super().__dir__(), *self]


class Table(List[Record]):
    """Rows with the same fields: a list that notebooks show as a table, and that pandas, polars and Arrow take.

    ``polars.DataFrame(table)`` and ``pandas.DataFrame(table)`` work too.
    """

    #: Rows that a notebook shows.
    SHOWN = 30

    def __init__(self, rows: Iterable[dict] = ()):
        super().__init__(row if isinstance(row, Record) else Record(row) for row in rows)

    @property
    def columns(self) -> List[str]:
        """The names of the fields, in the order of the first row that has them."""
        return list(dict.fromkeys(name for row in self for name in row))

    def to_pandas(self):
        """The rows as a ``pandas.DataFrame``; needs pandas."""
        import pandas

        return pandas.DataFrame(list(map(dict, self)), columns=self.columns)

    def to_arrow(self):
        """The rows as a ``pyarrow.Table``; needs pyarrow."""
        import pyarrow

        return pyarrow.Table.from_pylist(list(map(dict, self)))

    def _repr_html_(self) -> str:
        columns = self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(row.get(name)))}</td>" for name in columns) + "</tr>"
            for row in self[: self.SHOWN]
        )
        more = f"<p>{self.SHOWN} of {len(self)} rows</p>" if len(self) > self.SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, dict)):
        return f"{len(value)} values"
    return str(value)

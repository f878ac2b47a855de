"""Objects and tables of the program's JSON files."""

import html
import json
from typing import Any, Iterable, List

#: Characters that the short form of a value or of an object takes.
_VALUE, _OBJECT = 60, 600


class Record(dict):
    """An object of ``report.json``: ``report.dump.chip`` is ``report["dump"]["chip"]``.

    A field goes before a method of dicts: if there is a field ``values``, the method is ``dict.values(record)``. It shows itself
    in short; ``dict(record)`` shows all of it.
    """

    def __getattribute__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no {name!r}; there are {', '.join(self)}")

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        fields, size = [], 0
        for name, value in dict.items(self):
            field = f"{name}={_short(value)}"
            size += len(field) + 2
            if size > _OBJECT:
                fields.append(f"... {len(self) - len(fields)} more fields")
                break
            fields.append(field)
        return f"<{type(self).__name__}: {', '.join(fields)}>"

    def _repr_html_(self) -> str:
        rows = ((name, _cell(value)) for name, value in dict.items(self))
        body = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(cell)}</td></tr>" for name, cell in rows)
        return f"<table><tbody>{body}</tbody></table>"

    def to_pandas(self):
        """The fields as a ``pandas.Series``; needs pandas."""
        import pandas

        return pandas.Series(dict(self), dtype=object)


class Table(List[Record]):
    """Rows with the same fields: a list that notebooks show as a table, and that pandas, polars and Arrow take.

    ``polars.DataFrame(table)`` and ``pandas.DataFrame(table)`` work too.
    """

    #: Rows that a notebook shows, and that a console shows.
    SHOWN, PRINTED = 30, 5

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

    def __repr__(self) -> str:
        """The number of rows, the columns, and the first rows with the columns that fit on 100 characters."""
        columns = self.columns
        cells = [columns, *([_cell(row.get(name), _VALUE // 2) for name in columns] for row in self[: self.PRINTED])]
        widths = [max(map(len, column)) for column in zip(*cells)]
        shown = sum(1 for at in range(len(widths)) if sum(widths[: at + 1]) + 2 * at <= 100)
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row[:shown], widths)).rstrip() for row in cells]
        head = f"<{type(self).__name__}: {_count(len(self), 'row')}, {_count(len(columns), 'column')}>"
        return "\n".join([head, *lines] if self else [head])

    def _repr_html_(self) -> str:
        columns = self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(row.get(name)))}</td>" for name in columns) + "</tr>"
            for row in self[: self.SHOWN]
        )
        more = f"<p>{self.SHOWN} of {len(self)} rows</p>" if len(self) > self.SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def parsed(text: str) -> Any:
    """A JSON text: objects as records, lists of objects as tables."""

    def tables(value: Any) -> Any:
        if isinstance(value, dict):
            return Record({name: tables(inner) for name, inner in value.items()})
        if isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
            return Table(map(tables, value))
        return value

    return tables(json.loads(text))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _cell(value: Any, most: int = 1000) -> str:
    """What a table shows of a value, in at most so many characters."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    if isinstance(value, dict):
        return _count(len(value), "field")
    if isinstance(value, list):
        return _count(len(value), "row" if isinstance(value, Table) else "value")
    text = str(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def _short(value: Any) -> str:
    """A value within the short form of an object."""
    if isinstance(value, (list, dict)):
        return f"<{_cell(value)}>"
    text = repr(value)
    return text if len(text) <= _VALUE else text[: _VALUE - 3] + "..."

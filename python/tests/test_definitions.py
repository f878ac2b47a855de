"""The conditions in ``definitions`` of report.json select the events that the numbers of the report are made of."""

import json
import re

import pytest

from bigtpuprofile import _binary

duckdb = pytest.importorskip("duckdb")

#: Field of a row that counts its events, of the parts that have one.
COUNTS = {"kernels": "commands", "layers": "events", "communication.channels": "commands"}


def rows_of(report, part):
    rows = report
    for key in part.split("."):
        rows = rows.get(key) if isinstance(rows, dict) else None
    return rows if isinstance(rows, list) else [rows or {}]


def filled(condition, row):
    """The condition with the row's fields; texts in SQL's quotes."""

    def field(found):
        value = row.get(found[1])
        return "null" if value is None else str(value).replace("'", "''")

    return re.sub(r"\{(\w+)\}", field, condition)


@pytest.mark.parametrize(
    "dump",
    ["aks-mode2-sync/dump", "aksv-mode2-cdma/dump", "bm1688-layers/dump", "real/bmprofile_data-1_bm1688"],
)
def test_conditions_select_the_events_of_each_row(dump, fixtures, tmp_path):
    _binary.run(["--emit", "report,events", "--quiet"], fixtures / dump, tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    events = tmp_path / "events.parquet"

    def number(condition):
        return duckdb.sql(f"select count(*) from '{events}' where {condition}").fetchall()[0][0]

    assert report["definitions"]
    checked = 0
    for definition in report["definitions"]:
        if "events" not in definition:
            continue
        part = definition["part"]
        for row in rows_of(report, part):
            if "{" in definition["events"] and not row:
                continue
            count = number(filled(definition["events"], row))
            if part in COUNTS:
                assert count == row[COUNTS[part]], (part, row)
                checked += 1
            if part == "work":
                assert count >= row["commands"], row
                checked += 1
            if part == "gaps.longest":
                assert count >= 1, row
                checked += 1
    path = next(of for of in report["definitions"] if of["part"] == "critical_path")
    if report["critical_path"]["refusal"] is None:
        assert number(path["events"]) > 0
    assert checked > 3

"""``bigtpuprofile query`` finds what the same conditions select from events.parquet: random queries of a fixed seed."""

import csv
import io
import random
import subprocess

import pytest

from bigtpuprofile import _binary

duckdb = pytest.importorskip("duckdb")

DUMPS = [
    "aks-mode2-every-command/dump",
    "aks-mode2-sync/dump",
    "aksv-mode2-cdma/dump",
    "bm1688-layers/dump",
    "real/bmprofile_data-1_bm1688",
]
QUERIES_OF_DUMP = 40
SEED = 51

#: Field of a query: what it is in SQL.
NUMBERS = {
    "bytes": "bytes",
    "dur": "duration_ns",
    "start": "start_ns - (select min(start_ns) from events)",
    "end": "end_ns - (select min(start_ns) from events)",
    "cycles": "cycles",
    "id": "cmd_id",
    "idx": "event",
    "core": "coalesce(port, core)",
    "alg": "ops",
    "uarch": "uarch_ops",
    "gbps": "gbps",
    "expected": "expected_ns",
    "slack": "slack_ns",
    "critical": "on_critical_path::int",
    "stall": "case when engine <> 'TIU' then stall_cycles end",
    "conflict": "case when engine = 'TIU' then stall_cycles end",
    "layerId": "layer_id",
    "scope": "scope",
    "batch": "batch",
}
TEXTS = {
    "engine": "engine",
    "type": "function_type",
    "role": "case activity when 'control' then 'system' else activity end",
    "dtype": "data_type",
    "dir": "direction",
    "kernel": "kernel",
    "mode": "mode",
    "quality": "quality",
    "rule": "expected_mark",
}
#: These look in more than one column with `:`.
WHOLE_TEXTS = {"name": "function_name", "layer": "layer"}


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Clauses:
    """Clauses of the values of a run, each as a part of a query and as a condition."""

    def __init__(self, events, rng):
        self.rng = rng
        values = lambda sql: [row[0] for row in events.sql(f"select distinct {sql} v from events where v is not null order by v").fetchall()]
        fields = {**NUMBERS, **TEXTS, **WHOLE_TEXTS}
        known = {field: values(sql) for field, sql in fields.items()}
        self.known = {field: of for field, of in known.items() if of}

    def clause(self):
        field = self.rng.choice(sorted(self.known))
        query, condition = self.number(field) if field in NUMBERS else self.text(field)
        if self.rng.random() < 0.25:
            return f"not:{query}", f"not coalesce({condition}, false)"
        return query, f"coalesce({condition}, false)"

    def number(self, field):
        value = self.rng.choice(self.known[field])
        operator = self.rng.choice(["<", "<=", ">", ">=", "=", "!=", ":"])
        sql = f"({NUMBERS[field]}) {'=' if operator == ':' else operator} {value}"
        if field in ("bytes", "dur") and value % 1000 == 0 and self.rng.random() < 0.5:
            return f"{field}{operator}{value // 1000}{'kB' if field == 'bytes' else 'us'}", sql
        return f"{field}{operator}{value}", sql

    def text(self, field):
        value = self.rng.choice(self.known[field])
        sql = {**TEXTS, **WHOLE_TEXTS}[field]
        way = self.rng.choice(["=", "!=", "pattern"] + ([":"] if field in TEXTS else []))
        if way in ("=", "!="):
            return f'{field}{way}"{value}"', f"lower({sql}) {way} {quoted(value.lower())}"
        start = self.rng.randrange(len(value))
        part = value[start : start + self.rng.randint(1, 4)]
        if way == ":":
            return f'{field}:"{part}"', f"contains(lower({sql}), {quoted(part.lower())})"
        if any(letter in ' "*?' for letter in part):
            part = value[0]
        return f"{field}=*{part}*", f"contains(lower({sql}), {quoted(part.lower())})"


def found(dump, query):
    call = subprocess.run([_binary.binary(), "query", dump, query, "--csv"], capture_output=True, text=True)
    assert call.returncode == 0, (query, call.stderr)
    rows = csv.DictReader(io.StringIO(call.stdout))
    return sorted((row["engine"], int(row["port"] or row["core"]), int(row["event"])) for row in rows)


@pytest.mark.parametrize("dump", DUMPS)
def test_random_queries_find_what_sql_selects(dump, fixtures, tmp_path):
    _binary.run(["--emit", "events", "--quiet"], fixtures / dump, tmp_path)
    events = duckdb.connect()
    # The runtime's own work is no event of an engine.
    events.sql(f"create table events as select * from '{tmp_path / 'events.parquet'}' where event is not null")
    rng = random.Random(f"{SEED} {dump}")
    clauses = Clauses(events, rng)
    hits = 0
    for _ in range(QUERIES_OF_DUMP):
        parts = [clauses.clause() for _ in range(rng.randint(1, 3))]
        query = " ".join(part for part, _ in parts)
        condition = " and ".join(condition for _, condition in parts)
        selected = events.sql(f"select engine, coalesce(port, core), event from events where {condition}").fetchall()
        assert found(fixtures / dump, query) == sorted(selected), query
        hits += bool(selected)
    # Most queries find something, or the test compares nothing with nothing.
    assert hits > QUERIES_OF_DUMP // 3, hits

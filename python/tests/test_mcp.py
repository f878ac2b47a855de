"""``python -m bigtpuprofile.mcp`` with the client of the package ``mcp``."""

import json
import sys

import bigtpuprofile
import pytest

pytest.importorskip("mcp")
anyio = pytest.importorskip("anyio")

from mcp import ClientSession, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

DUMP = "aks-mode2-sync/dump"


def ask(root, *calls):
    """Answers of one session; a call is a tool with its arguments."""

    async def talk():
        import os

        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        server = StdioServerParameters(command=sys.executable, args=["-m", "bigtpuprofile.mcp", str(root)], env=environment)
        async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            answers = []
            for name, arguments in calls:
                result = await session.call_tool(name, arguments)
                answers.append(json.loads(result.content[0].text))
            return tools, answers

    return anyio.run(talk)


def test_answers_are_those_of_the_report(fixtures):
    report = bigtpuprofile.read(fixtures / DUMP).report
    piece = report.critical_path.pieces[0]
    tools, (overview, kernels, path, gaps, advice, rules) = ask(
        fixtures,
        ("overview", {"dump": DUMP}),
        ("kernels", {"dump": DUMP, "limit": 2}),
        ("critical_path", {"dump": DUMP}),
        ("gaps", {"dump": DUMP, "limit": 3}),
        ("advice", {"dump": DUMP}),
        ("explain", {}),
    )
    assert tools == set("overview kernels layers critical_path why gaps advice whatif diff query explain".split())
    assert overview["verdict"] == report.verdict.text
    assert overview["verdict_rule"] == report.verdict.rule
    assert overview["run"]["wall_us"] == report.intervals.overall.wall_ns / 1e3
    assert sum(overview["wall_percent"].values()) == pytest.approx(100, abs=0.1)
    assert [row["kernel"] for row in kernels["kernels"]] == [k.kernel for k in report.kernels[:2]]
    assert kernels["left_out"] == max(0, len(report.kernels) - 2)
    assert path["pieces"][0]["path_us"] == piece.ns / 1e3
    assert len(gaps["gaps"]) == min(3, len(report.gaps.longest))
    assert [rule["rule"] for rule in advice["advice"]] == [rule.id for rule in report.advice]
    assert set(rule.id for rule in report.advice) <= set(rules["text"].split())


def test_whatif_diff_why_and_queries(fixtures):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    other = "aks-mode1-batch/dump"
    sql = "SELECT engine, COUNT(*) AS n FROM events GROUP BY engine ORDER BY engine"
    forbidden = "SELECT * FROM read_csv('/etc/passwd')"
    _, (whatif, diff, why, nothing, rows, file, write) = ask(
        fixtures,
        ("whatif", {"dump": DUMP, "scale": "gdma=2"}),
        ("diff", {"before": DUMP, "after": other}),
        ("why", {"dump": DUMP, "engine": "TIU", "core": 0, "event": 1}),
        ("why", {"dump": DUMP, "engine": "TIU", "core": 0, "event": 10**9}),
        ("query", {"dump": DUMP, "sql": sql}),
        ("query", {"dump": DUMP, "sql": forbidden}),
        ("query", {"dump": DUMP, "sql": "CREATE TABLE t AS SELECT 1"}),
    )
    assert 0 < whatif["predicted_us"] <= whatif["measured_us"]
    assert diff["changes"][0]["before_us"] != diff["changes"][0]["after_us"]
    assert (why["engine"], why["core"], why["event"]) == ("TIU", 0, 1)
    assert "no event 1000000000" in nothing["error"]
    events = bigtpuprofile.read(fixtures / DUMP).report.dump.events
    assert sum(row[1] for row in rows["rows"]) == events
    assert "error" in file and "root:" not in json.dumps(file)
    assert "only one SELECT" in write["error"]


def test_only_dumps_below_the_roots_are_read(fixtures, tmp_path):
    (tmp_path / "link").symlink_to(fixtures / DUMP)
    outside = str(fixtures / DUMP)
    _, answers = ask(
        tmp_path,
        *[("overview", {"dump": dump}) for dump in (outside, "..", "link", "/", "missing")],
    )
    assert all("error" in answer for answer in answers)
    assert all("allowed" in answer["error"] for answer in answers[:4])


def test_layers_are_those_of_the_report(fixtures):
    dump = "aks-layers/dump"
    layers = bigtpuprofile.read(fixtures / dump).report.layers
    _, (answer, none) = ask(fixtures, ("layers", {"dump": dump, "limit": 2}), ("layers", {"dump": DUMP}))
    longest = max(layers, key=lambda layer: layer.total_ns)
    assert len(answer["layers"]) == min(2, len(layers)) > 0
    assert answer["left_out"] == max(0, len(layers) - 2)
    assert answer["layers"][0]["total_us"] == longest.total_ns / 1e3
    assert none["layers"] == []

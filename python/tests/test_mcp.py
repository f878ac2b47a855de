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
    """Names of the tools, and answers of one session; a call is a tool with its arguments."""
    tools, texts = texts_of_answers(root, *calls)
    return tools, [json.loads(text) for text in texts]


def texts_of_answers(root, *calls):
    """The same as assistants read it."""

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
                answers.append(result.content[0].text)
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
    assert tools == set(
        "dumps overview kernels layers critical_path why gaps advice whatif diff compare_cores cluster history simulate page query explain".split()
    )
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


def test_a_dump_that_was_replaced_is_read_again(fixtures, tmp_path):
    import shutil

    from bigtpuprofile.mcp import Dumps, overview

    shutil.copytree(fixtures / DUMP, tmp_path / "dump")
    dumps = Dumps([tmp_path])
    first = dumps.profile("dump")
    assert dumps.profile("dump") is first
    shutil.rmtree(tmp_path / "dump")
    shutil.copytree(fixtures / "aks-mode1-batch/dump", tmp_path / "dump")
    other = bigtpuprofile.read(fixtures / "aks-mode1-batch/dump").report
    assert overview(dumps.report("dump"))["run"] == overview(other)["run"] != overview(first.report)["run"]


def test_links_out_of_the_roots_are_refused_wherever_they_are(fixtures, tmp_path):
    import shutil

    root = tmp_path / "root"
    shutil.copytree(fixtures / DUMP, root / "dump")
    [victim, *_] = sorted((root / "dump").glob("*.profile"))
    outside = tmp_path / victim.name
    victim.rename(outside)
    victim.symlink_to(outside)
    calls = [("overview", {"dump": "dump"}), ("whatif", {"dump": "dump", "scale": "gdma=2"}), ("diff", {"before": "dump", "after": "dump"})]
    _, answers = ask(root, *calls)
    assert all("leads out" in answer["error"] for answer in answers), answers


def test_answers_have_bounds(fixtures, tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    import bigtpuprofile.mcp as mcp

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mcp, "MOST_SECONDS", 5)
    profile = bigtpuprofile.read(fixtures / DUMP)
    wide = mcp.query(profile, "SELECT repeat('x', 5000000) AS a, range(100000) AS b, 1 AS a FROM range(3) -- all", 3)
    assert len(json.dumps(wide, default=str)) < mcp.MOST_BYTES and "(5000000 characters)" in wide["rows"][0][0]
    assert len(wide["columns"]) == 3 and [row[2] for row in wide["rows"]] == [1, 1, 1]
    many = mcp.query(profile, "SELECT " + ", ".join(["repeat('y', 900)"] * 100) + " FROM range(50)", 50)
    assert len(json.dumps(many)) < mcp.MOST_BYTES and many["more"] and many["rows"]
    for sql in ["SELEC", "SELECT", "SELECT 1; SELECT 2", "SELECT * FROM nothing", "'"]:
        with pytest.raises(bigtpuprofile.ProfileError):
            mcp.query(profile, sql, 1)
    # More memory than there is allowed: nothing is written to the disk.
    with pytest.raises(bigtpuprofile.ProfileError, match="query failed"):
        mcp.query(profile, "SELECT list(a.range ORDER BY hash(a.range)) FROM range(200000000) a", 1)
    assert not list(tmp_path.iterdir())


def test_an_answer_has_no_text_that_people_cannot_see(fixtures, tmp_path):
    import shutil

    import bigtpuprofile.mcp as mcp

    hidden = "".join(map(chr, (0x200B, 0xFEFF, 0x2028, 0x202E, 0xE0041, 0x3164)))
    shutil.copytree(fixtures / DUMP, tmp_path / f"dump{hidden}")
    calls = [("overview", {"dump": name + hidden}) for name in ("dump", "none")]
    _, texts = texts_of_answers(tmp_path, *calls, ("explain", {"rule": hidden}))
    assert not [c for text in texts for c in text if c in hidden], texts
    # The meaning stays: a name is found again by what an answer says.
    assert json.loads(texts[1])["error"].startswith(f"none{hidden}: is no directory")
    assert json.loads(mcp.shown_json(["\udcff" + hidden])) == ["\udcff" + hidden]


def test_whatever_goes_wrong_is_an_answer(fixtures):
    _, answers = ask(fixtures, ("query", {"dump": DUMP, "sql": "SELEC ("}), ("overview", {"dump": "\0"}), ("whatif", {"dump": DUMP, "scale": "x"}))
    assert all("error" in answer for answer in answers)


def test_names_that_lead_elsewhere_are_refused_and_the_rest_is_a_sentence(fixtures, tmp_path):
    import os
    import shutil

    root, outside = tmp_path / "root", tmp_path / "outside"
    shutil.copytree(fixtures / DUMP, outside / "secret")
    for device in "01":
        shutil.copytree(fixtures / DUMP, root / "many" / f"cdm_profile_data_dev{device}-0")
    (root / "linked").mkdir()
    (root / "linked" / "away").symlink_to(outside / "secret" / "global.profile")
    shutil.copytree(fixtures / DUMP, root / "dump")
    (root / "dump" / "folder").symlink_to(root / "linked")
    for name, text in [("cut", '{"a": ['), ("list", "[]"), ("empty", "{}")]:
        (root / name).mkdir()
        (root / name / "report.json").write_text(text)
    os.mkfifo(root / "pipe")
    refused = ["../outside/secret", str(root / ".." / "outside" / "secret"), f"/proc/self/root{outside}/secret", "/proc/self/cwd", "/proc/self/root"]
    _, answers = ask(root, *[("overview", {"dump": dump}) for dump in refused])
    assert all("is not below an allowed directory" in answer["error"] for answer in answers), answers
    whats = ["dump", "many", "cut", "list", "empty", "pipe", "x" * 5000, "--help", "-"]
    _, answers = ask(root, *[("overview", {"dump": dump}) for dump in whats])
    assert "leads out" in answers[0]["error"], answers[0]
    assert "cdm_profile_data_dev1-0" in answers[1]["error"], answers[1]
    assert all("no report that this program wrote" in answer["error"] for answer in answers[2:5]), answers
    assert all("no directory" in answer["error"] for answer in answers[5:6] + answers[7:]), answers
    assert "too long" in answers[6]["error"]


def test_values_are_no_options(fixtures, tmp_path):
    evil = tmp_path / "evil"
    changes = [f"--out={evil}", f"gdma=2,--out={evil}", "--help", "gdma=2,--csv"]
    _, (*answers, explained) = ask(fixtures, *[("whatif", {"dump": DUMP, "scale": change}) for change in changes], ("explain", {"rule": "--help"}))
    assert all("error" in answer for answer in answers), answers
    # What documents say of this word, and not the help of the program.
    assert "Usage:" not in explained["text"]
    assert not evil.exists()


@pytest.mark.parametrize("is_back", [True, False])
def test_a_link_that_is_swapped_in_between_gives_no_answer(fixtures, tmp_path, monkeypatch, is_back):
    import shutil

    import bigtpuprofile.mcp as mcp

    root, outside = tmp_path / "root", tmp_path / "outside"
    shutil.copytree(fixtures / DUMP, root / "dump")
    shutil.copytree(fixtures / DUMP, outside)
    [file, *_] = sorted((root / "dump").glob("cdmlib*"))

    def swapped(path, reader=mcp.read):
        file.rename(root / "kept")
        file.symlink_to(outside / file.name)
        profile = reader(path)
        if is_back:
            (root / "kept").replace(file)
        return profile

    monkeypatch.setattr(mcp, "read", swapped)
    with pytest.raises(bigtpuprofile.ProfileError, match="changed while it was read|leads out"):
        mcp.Dumps([root]).profile("dump")


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Twelve runs of one program, a day apart; since the ninth a kernel is slow, and the last lost records."""
    import os

    from bigtpuprofile._binary import run

    root = tmp_path_factory.mktemp("fleet")
    for number in range(12):
        dump = root / f"day{number:02}" / "cdm_profile_data_dev0-0"
        plant = ["--plant", "slow-kernel=rope:20"] if number >= 8 else []
        run(["synth", dump, "--cores", "2", "--launches", "12", "--seed", str(number), "-q", *plant])
        for entry in [*dump.iterdir(), dump]:
            os.utime(entry, (1_700_000_000 + 86_400 * number,) * 2)
    return root


def test_a_conversation_of_someone_who_knows_only_the_directory(fleet):
    def answers(*calls):
        assert len(calls) <= 3
        return ask(fleet, *calls)[1]

    # Which runs are there, which is the newest, and which of them are slow?
    (listed,) = answers(("dumps", {}))
    runs = listed["dumps"]
    assert len(runs) == 12 and listed["left_out"] == 0
    assert [run["dump"] for run in runs] == [f"day{number:02}/cdm_profile_data_dev0-0" for number in reversed(range(12))]
    slow = {run["dump"] for run in runs if run["wall_us"] > 1.2 * min(run["wall_us"] for run in runs)}
    assert slow == {f"day{number:02}/cdm_profile_data_dev0-0" for number in range(8, 12)}
    newest, before = runs[0]["dump"], runs[4]["dump"]
    # Why is the newest one slow, what is that worth, and what does the rule mean?
    overview, advice, rule = answers(("overview", {"dump": newest}), ("advice", {"dump": newest}), ("explain", {"rule": runs[0]["verdict_rule"]}))
    assert overview["verdict"] == runs[0]["verdict"]
    assert overview["verdict_rule"] in rule["text"]
    # What changed since the last run that was fast?
    (diff,) = answers(("diff", {"before": before, "after": newest}))
    assert "rope" in json.dumps(diff["causes"]) and diff["causes"][0]["us"] > 0
    # Which kernels take the time, what did the run wait for, and where did engines stand still?
    kernels, path, gaps = answers(("kernels", {"dump": newest}), ("critical_path", {"dump": newest}), ("gaps", {"dump": newest}))
    assert kernels["kernels"][0]["kernel"] == "rope"
    assert path["pieces"][0]["kernel"] == "rope" and gaps["gaps"]
    # Is a core slow? What would a faster memory change? What do the bits of the commands say?
    cores, whatif, simulated = answers(("compare_cores", {"dump": newest}), ("whatif", {"dump": newest, "scale": "ddr=2"}), ("simulate", {"dump": newest}))
    assert set(cores["work_by_core_us"]) == {"core 0", "core 1"}
    assert whatif["predicted_us"] < whatif["measured_us"]
    assert 0 < simulated["predicted_ns"] < simulated["measured_ns"]
    # A picture of it.
    (page,) = answers(("page", {"dump": newest}))
    assert page["page"].startswith("file:///") and page["page"].endswith(".html")


def test_errors_say_what_to_do(fleet):
    (fleet / "two").mkdir(exist_ok=True)
    for device in "01":
        link = fleet / "two" / f"cdm_profile_data_dev{device}-0"
        if not link.exists():
            import shutil

            shutil.copytree(fleet / "day00/cdm_profile_data_dev0-0", link)
    _, (several, missing, event) = ask(
        fleet, ("overview", {"dump": "two"}), ("overview", {"dump": "none"}), ("why", {"dump": "day00/cdm_profile_data_dev0-0", "engine": "TIU", "core": 0, "event": 10**9})
    )
    assert "dumps" in several["try"] and "dumps" in missing["try"] and "query" in event["try"]
    # The same dump twice has no links.
    _, (answer,) = ask(fleet, ("cluster", {"dumps_of_ranks": ["two/cdm_profile_data_dev0-0", "two/cdm_profile_data_dev1-0"]}))
    assert "No communication between the ranks was found." in answer["verdict"]


def test_definitions_are_resources_and_the_version_is_the_packages(fleet):
    async def talk():
        import os

        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        server = StdioServerParameters(command=sys.executable, args=["-m", "bigtpuprofile.mcp", str(fleet)], env=environment)
        async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
            begun = await session.initialize()
            names = (await session.read_resource("bigtpuprofile://names")).contents[0].text
            slack = (await session.read_resource("bigtpuprofile://explain/slack")).contents[0].text
            columns = (await session.read_resource("bigtpuprofile://columns")).contents[0].text
            return begun, names, slack, columns

    begun, names, slack, columns = anyio.run(talk)
    information = getattr(begun, "serverInfo", None) or begun.server_info
    assert (information.name, information.version) == ("bigtpuprofile", bigtpuprofile.__version__)
    assert "serialized" in names and "slack" in names
    assert "later" in slack
    assert "duration_ns" in columns and "serialized" not in columns

//! One nasty text wherever a name can come from, and what every output of every command makes of it.

use std::fs;
use std::path::{Path, PathBuf};

use calamine::{Reader, Xlsx, open_workbook};
use serde_json::{Value, json};

use super::hidden::{texts_of_json, texts_of_parquet};
use crate::support::case::case;
use crate::support::run::{Said, finish, tool};

/// A formula, a line for a build's log, commands for a terminal, characters that turn text or can't be seen, ends of
/// elements, attributes, cells and labels, and a mention.
const NASTY: &str = "=cmd|' /C calc'!A0\n::error::x\u{1b}[2J\u{9b}m\u{202e}\u{2028}\u{feff}\u{e0041}\u{200b}\u{fe0f}</script></title>\
    <script>alert(1)</script>\"><svg onload=x>|`*[a](b)@team";

/// What no text shows as it is.
const UNSEEN: [char; 8] =
    ['\u{1b}', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}', '\u{e0041}', '\u{200b}', '\u{fe0f}'];

#[track_caller]
fn is_seen(what: &str, text: &str) {
    let shown: String = text.chars().filter(|c| UNSEEN.contains(c)).collect();
    assert!(shown.is_empty(), "{what}: {shown:?}");
}

#[track_caller]
fn is_text(what: &str, text: &str) {
    is_seen(what, text);
    let forged = text.lines().find(|line| line.trim_start().starts_with("::error::"));
    assert!(forged.is_none(), "{what}: {forged:?}");
}

#[track_caller]
fn is_markup(what: &str, text: &str) {
    is_text(what, text);
    for part in ["<script>alert", "<svg onload", "</title><script"] {
        assert!(!text.contains(part), "{what}: {part}");
    }
}

/// A run whose console shows texts only.
#[track_caller]
fn run(args: &[&str], code: i32) -> Said {
    let said = finish(tool().args(args));
    assert_eq!(said.code, Some(code), "{args:?}: {}", said.stderr);
    for text in [&said.stdout, &said.stderr] {
        is_text(&format!("{args:?}"), text);
    }
    said
}

/// Checks all files below a directory; how many there were of each kind.
#[track_caller]
fn check(dir: &Path) -> Vec<String> {
    let mut kinds = Vec::new();
    for entry in walk(dir) {
        let what = entry.display().to_string();
        let kind = entry.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_owned();
        let bytes = fs::read(&entry).unwrap();
        let text = || String::from_utf8(bytes.clone()).unwrap();
        match kind.as_str() {
            "txt" => is_text(&what, &text()),
            "md" => {
                is_markup(&what, &text());
                let text = text().replace("\\]", "");
                assert!(!text.contains("@team") && !text.contains("](b)"), "{what}");
            }
            "svg" | "xml" => is_markup(&what, &text()),
            "html" => {
                let text = text();
                is_seen(&what, &text);
                // What the script shows.
                for data in text.split("<script type=\"application/json\"").skip(1) {
                    let (json, _) =
                        data.split_once('>').unwrap().1.split_once("</script>").unwrap();
                    let mut shown = Vec::new();
                    texts_of_json(&serde_json::from_str(json).unwrap(), &mut shown);
                    shown.iter().for_each(|text| is_seen(&what, text));
                }
                assert!(
                    text.contains("Content-Security-Policy\" content=\"default-src 'none'"),
                    "{what}"
                );
                // Data in JSON is read by the script; `<` is escaped in it.
                let (_, body) = text.split_once("<body>").unwrap();
                for part in ["<script>alert", "<svg onload", "</title><script"] {
                    assert!(!body.contains(part), "{what}: {part}");
                }
                if !text.contains("application/json") {
                    is_markup(&what, &text);
                }
            }
            "dot" => {
                is_text(&what, &text());
                assert!(!text().replace("\\\"", "").contains("\"><svg"), "{what}");
            }
            "csv" => {
                let text = text();
                assert!(!text.contains(",=") && !text.contains(",\"="), "{what}");
                // A mark stands before it, or the number of a layer without a name.
                let is_marked =
                    [",\"'=cmd", ",'=cmd", ",\"1 =cmd"].iter().any(|cell| text.contains(cell));
                assert!(is_marked || !text.contains("=cmd"), "{what}");
            }
            // Lines of a cell are no lines of a log.
            "xlsx" => {
                let mut book: Xlsx<_> = open_workbook(&entry).unwrap();
                for sheet in book.sheet_names() {
                    let cells = book.worksheet_range(&sheet).unwrap();
                    let texts = cells.used_cells().map(|(_, _, cell)| cell.to_string());
                    texts.for_each(|text| is_seen(&what, &text));
                }
            }
            // JSON has escapes of its own: its text shows them, and its values may be names as the input has them.
            "json" => {
                is_seen(&what, &text());
                drop(serde_json::from_slice::<Value>(&bytes).unwrap());
            }
            "parquet" => {
                texts_of_parquet(&entry).iter().for_each(|text| is_seen(&what, text));
            }
            // Texts as they are among numbers, which may have the bytes of a control character.
            "pftrace" => {
                let text = String::from_utf8_lossy(&bytes);
                let shown = text.chars().filter(|c| UNSEEN.contains(c) && c.len_utf8() > 2);
                assert_eq!(shown.collect::<String>(), "", "{what}");
            }
            _ => {}
        }
        kinds.push(kind);
    }
    kinds.sort();
    kinds.dedup();
    kinds
}

fn walk(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() { files.extend(walk(&entry)) } else { files.push(entry) }
    }
    files
}

/// A static model whose operations have the name; in a directory of a name that is as nasty as file systems allow.
fn dump(dir: &Path) -> PathBuf {
    let dump = dir.join(NASTY.replace('/', "\u{2044}"));
    fs::create_dir(&dump).unwrap();
    for file in fs::read_dir(case("aks-layers").dump()).unwrap().map(Result::unwrap) {
        let to = dump.join(file.file_name());
        fs::copy(file.path(), &to).unwrap();
    }
    let places = dump.join("tensor_location.json");
    let text = fs::read_to_string(&places).unwrap();
    let mut operations: Value = serde_json::from_str(&text).unwrap();
    for operation in operations.as_array_mut().unwrap() {
        let name = operation["opcode"].as_str().unwrap().to_owned();
        operation["opcode"] = json!(format!("tpu.{NASTY}{name}"));
    }
    fs::write(places, operations.to_string()).unwrap();
    dump
}

#[test]
fn names_of_a_dump_are_texts_in_every_output() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let dump = dump(dir);
    let dump = dump.to_str().unwrap();
    let trace = dir.join("host.json");
    let event = |name: &str, ts: u32| json!({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": 5});
    let steps: Vec<Value> =
        (0..3).map(|n| event(&format!("ProfilerStep#{n}{NASTY}"), n * 10)).collect();
    let events = [steps, vec![event(NASTY, 1)]].concat();
    fs::write(&trace, json!({ "traceEvents": events }).to_string()).unwrap();
    let at = |name: &str| dir.join(name).display().to_string();
    let (out, trace) = (at("out"), at("host.json"));
    let views = ["--emit", "text,report,summary,csv,events,workbook,page,trace"];
    run(&[&[dump, &out, "--trace_file", &trace, "--full", "--verbose"][..], &views].concat(), 0);
    assert!(check(Path::new(&out)).contains(&"csv".to_owned()));
    let json_of = |args: &[&str]| -> Value { serde_json::from_str(&run(args, 0).stdout).unwrap() };
    let report = json_of(&[dump, &out, "--json"]);
    assert!(report.to_string().contains("::error::"), "the names are in the report");
    run(&["info", dump], 0);
    // Several dumps: the nasty one and another.
    let other = case("aks-mode2-sync").dump().display().to_string();
    run(&[&[dump, &other, &at("several"), "--full"][..], &views].concat(), 0);
    check(&dir.join("several"));
    // All dumps below a directory, one of which can't be read.
    let root = dir.join("root");
    fs::create_dir_all(root.join(format!("b{}", NASTY.replace('/', "")))).unwrap();
    fs::write(
        root.join(format!("b{}", NASTY.replace('/', ""))).join("global.profile"),
        format!("arch={NASTY}"),
    )
    .unwrap();
    fs::create_dir(root.join("a")).unwrap();
    for file in fs::read_dir(dump).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), root.join("a").join(file.file_name())).unwrap();
    }
    let all = at("all");
    run(&["batch", &at("root"), &all, "--emit", "summary,csv"], 1);
    assert!(check(Path::new(&all)).contains(&"md".to_owned()));
    run(&["whatif", dump, "-o", &at("whatif")], 0);
    check(&dir.join("whatif"));
    run(&["costs", dump], 0);
    let costs = at("costs.json");
    run(&["costs", dump, "-o", &costs], 0);
    check(dir.join("costs.json").parent().unwrap().join("whatif").as_path());
    // What is made of it.
    let two = ["--stages", "2", "--microbatches", "4", "--schedule", "gpipe"];
    run(&[&["pipeline", "--costs", &costs, "-o", &at("pipeline")][..], &two].concat(), 0);
    assert_eq!(check(&dir.join("pipeline")), ["html", "pftrace", "svg"]);
    run(&["estimate", &costs, "--on", "h100", "-o", &at("estimate")], 0);
    check(&dir.join("estimate"));
    // Runs that are compared: a report of which nothing else is known, and a dump.
    let text = fs::read_to_string(dir.join("out/report.json")).unwrap();
    let mut changed: Value = serde_json::from_str(&text).unwrap();
    rename(&mut changed, "TIU");
    fs::write(dir.join("changed.json"), changed.to_string()).unwrap();
    let limits = ["--fail-on", "total>+3%", "--fail-on", "opcode:*>1ns"];
    run(
        &[&["diff", &at("out/report.json"), &at("changed.json"), "-o", &at("diff")][..], &limits]
            .concat(),
        4,
    );
    assert_eq!(check(&dir.join("diff")), ["html", "json", "md", "txt", "xml"]);
    run(&["diff", dump, dump, "-o", &at("drawn")], 0);
    check(&dir.join("drawn"));
}

/// Puts the nasty text into all names of a report.
fn rename(value: &mut Value, key: &str) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                rename(value, key);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, key)),
        Value::String(text)
            if ["kernel", "opcode", "operation", "name", "source"].contains(&key) =>
        {
            *text = format!("{NASTY}{text}");
        }
        _ => {}
    }
}

#[test]
fn names_of_models_plans_and_machines_are_texts_in_every_output() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let at = |name: &str| dir.join(name).display().to_string();
    // The unit of a plan is shown beside each time.
    let plan = json!({
        "stages": 2, "microbatches": 2, "fwd": 10, "bwd": 20, "schedule": "1f1b", "unit": NASTY,
    });
    fs::write(dir.join("plan.yaml"), plan.to_string()).unwrap();
    run(&["pipeline", "--plan", &at("plan.yaml"), "-o", &at("plan")], 0);
    assert_eq!(check(&dir.join("plan")), ["html", "pftrace", "svg"]);
    // Lines of a graph can't hold line breaks, nor can names hold separators.
    let name: String = NASTY.chars().filter(|c| !"\n;,|\u{2028}".contains(*c)).collect();
    let graph = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/model/tests/ff/mlp.ff"),
    )
    .unwrap();
    let first = graph.split(';').next().unwrap().trim().to_owned();
    fs::write(dir.join("graph.ff"), graph.replace(&first, &name)).unwrap();
    let model = at("graph.ff");
    run(&["estimate", &model, "--input-shape", "32,784", "--on", "aks", "-o", &at("model")], 0);
    check(&dir.join("model"));
    let dot = at("tasks.dot");
    run(
        &[
            "search",
            &model,
            "--input-shape",
            "32,784",
            "--machine",
            "1x2",
            "--ignore-memory",
            "--link-gbps",
            "50",
            "--budget",
            "10",
            "--taskgraph",
            &dot,
        ],
        0,
    );
    is_text("tasks.dot", &fs::read_to_string(&dot).unwrap());
    // Keys and values that errors quote.
    for (file, text) in [
        ("machine.yaml", json!({ NASTY: { NASTY: 1 } }).to_string()),
        ("costs.json", json!({ "schema_version": NASTY, NASTY: [] }).to_string()),
        ("list.json", json!([{ "name": NASTY, "op": NASTY, NASTY: NASTY }]).to_string()),
        ("graph.onnx", format!("{NASTY}{NASTY}")),
        ("plan.yaml", json!({ NASTY: NASTY }).to_string()),
        ("report.json", json!({ NASTY: NASTY }).to_string()),
    ] {
        fs::write(dir.join(file), text).unwrap();
        let path = at(file);
        for args in [
            &["estimate", &model, "--input-shape", "32,784", "--on", "aks", "--hw", &path][..],
            &["estimate", &path, "--on", "aks"],
            &["pipeline", "--plan", &path],
            &["pipeline", "--costs", &path, "--stages", "2", "--microbatches", "2"],
            &["search", &path],
            &["diff", &path, &path],
        ] {
            let said = finish(tool().args(args));
            assert!(matches!(said.code, Some(1 | 2)), "{args:?}: {said:?}");
            is_text(&format!("{args:?}"), &said.stderr);
        }
    }
    // Arguments, which a shell may have made of the names of files.
    for args in [
        &[NASTY][..],
        &["info", NASTY],
        &["diff", NASTY, NASTY],
        &[&format!("--{NASTY}")],
        &["search", NASTY, NASTY],
    ] {
        let said = finish(tool().args(args));
        assert_ne!(said.code, Some(0), "{args:?}");
        is_text(&format!("{args:?}"), &said.stderr);
    }
}

/// A directory's name as nasty as file systems allow.
fn nasty_directory() -> String {
    NASTY.replace('/', "\u{2044}")
}

#[test]
fn names_of_hosts_are_texts_in_what_joins_their_dumps() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let at = |name: &str| dir.join(name).display().to_string();
    run(&["synth", &at("run"), "--cluster", "2", "--quiet"], 0);
    let host = dir.join("run").join(nasty_directory());
    fs::rename(dir.join("run/host0"), &host).unwrap();
    let said = run(&["cluster", &at("run"), &at("out"), "--rank-table", &at("none")], 1);
    assert!(said.stderr.lines().count() == 1, "{}", said.stderr);
    let said = run(&["cluster", &at("run"), &at("out")], 0);
    assert!(said.stdout.lines().count() <= 40, "{}", said.stdout);
    assert_eq!(check(&dir.join("out")), ["html", "json", "parquet", "pftrace"]);
    let printed = run(&["cluster", &at("run"), &at("out"), "--json"], 0).stdout;
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let written = fs::read_to_string(dir.join("out/cluster.json")).unwrap();
    assert_eq!(printed, serde_json::from_str::<Value>(&written).unwrap());
    assert!(written.contains("::error::"), "the names are in the report");
    // Parts of a cluster, with the name of their host, and what is none.
    let mut dumps: Vec<PathBuf> =
        fs::read_dir(&host).unwrap().map(|dump| dump.unwrap().path()).collect();
    dumps.sort();
    let mut parts = vec!["cluster".to_owned(), "join".to_owned()];
    for (number, dump) in dumps.iter().enumerate() {
        let part = at(&format!("{number}.part"));
        run(&["cluster", "part", dump.to_str().unwrap(), "-o", &part, "--host", NASTY], 0);
        parts.push(part);
    }
    fs::write(dir.join("bad.part"), NASTY).unwrap();
    parts.extend([at("bad.part"), at("joined")]);
    run(&parts.iter().map(String::as_str).collect::<Vec<_>>(), 0);
    assert_eq!(check(&dir.join("joined")), ["html", "json", "parquet", "pftrace"]);
    for (option, code) in [("--scale", 2), ("--rank-table", 1)] {
        run(&["cluster", &at("run"), &at("out"), option, NASTY], code);
    }
}

#[test]
fn names_of_what_is_simulated_or_opened_are_texts() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let at = |name: &str| dir.join(name).display().to_string();
    let dump = dump(dir);
    let dump = dump.to_str().unwrap();
    let out = at("out");
    run(&["simulate", dump, &out, "--emit", "text,report,summary,csv,page,trace"], 0);
    let kinds = check(Path::new(&out));
    assert!(kinds.contains(&"csv".to_owned()) && kinds.contains(&"html".to_owned()), "{kinds:?}");
    let printed = run(&["simulate", dump, "--json"], 0).stdout;
    serde_json::from_str::<Value>(&printed).unwrap();
    fs::write(dir.join("a.bmodel"), NASTY).unwrap();
    fs::write(dir.join(nasty_directory() + ".bmodel"), NASTY).unwrap();
    let models = [at("a.bmodel"), at(&(nasty_directory() + ".bmodel"))];
    for args in
        [["simulate", &models[0]], ["simulate", &models[1]], ["simulate", NASTY], ["open", NASTY]]
    {
        let said = run(&args, 1);
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
    }
    // The page is made for the browser, which is the only one to see it.
    let open = crate::suite::open::Open::start(&[dump]);
    let (head, body) = open.ask("GET", &open.path(), &[]);
    assert!(head.lines().all(|line| !line.contains("error")), "{head}");
    fs::create_dir(dir.join("opened")).unwrap();
    fs::write(dir.join("opened/page.html"), body).unwrap();
    assert_eq!(check(&dir.join("opened")), ["html"]);
    assert_eq!(open.end(), Some(0));
}

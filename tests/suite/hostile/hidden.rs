//! Characters that can't be seen in names of a dump, of a host trace and of hosts: each output has the same escapes, so that names
//! that differ look different, and scripts find a name of one output in the others.

use std::fs;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value, json};

use crate::support::case::case;
use crate::support::run::{finish, tool};
use crate::support::workbook;

/// Zero width space, byte order mark, line and paragraph separator, mark that turns the direction, tag, and filler.
const HIDDEN: &str = "\u{200b}\u{feff}\u{2028}\u{2029}\u{202e}\u{2066}\u{e0041}\u{3164}";
/// [`HIDDEN`] as each output shows it.
const SHOWN: &str = r"\u{200b}\u{feff}\u{2028}\u{2029}\u{202e}\u{2066}\u{e0041}\u{3164}";

/// All texts of a Parquet file.
pub(super) fn texts_of_parquet(path: &Path) -> Vec<String> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let mut texts = Vec::new();
    for row in reader.get_row_iter(None).unwrap() {
        for (_, field) in row.unwrap().get_column_iter() {
            if let Field::Str(text) = field {
                texts.push(text.clone());
            }
        }
    }
    texts
}

/// All texts of JSON, keys among them.
pub(super) fn texts_of_json(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts_of_json(value, texts)),
        Value::Object(fields) => {
            for (key, value) in fields {
                texts.push(key.clone());
                texts_of_json(value, texts);
            }
        }
        _ => {}
    }
}

/// The texts of an output.
fn texts(path: &Path) -> Vec<String> {
    let bytes = || fs::read(path).unwrap();
    match path.extension().and_then(|kind| kind.to_str()).unwrap_or_default() {
        "parquet" => texts_of_parquet(path),
        "json" => {
            let mut texts = Vec::new();
            texts_of_json(&serde_json::from_slice(&bytes()).unwrap(), &mut texts);
            texts
        }
        "xlsx" => {
            let out = path.parent().and_then(Path::parent).unwrap();
            let sheets = workbook::names(out);
            sheets.iter().flat_map(|sheet| workbook::rows(out, sheet)).flatten().collect()
        }
        // Protobuf has texts as they are.
        _ => vec![String::from_utf8_lossy(&bytes()).into_owned()],
    }
}

/// A static model whose layers have names with hidden characters, and a host trace with such names.
fn dump(dir: &Path) {
    for file in fs::read_dir(case("aks-layers").dump()).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), dir.join(file.file_name())).unwrap();
    }
    let places = dir.join("tensor_location.json");
    let mut layers: Value = serde_json::from_str(&fs::read_to_string(&places).unwrap()).unwrap();
    for layer in layers.as_array_mut().unwrap() {
        let name = layer["opcode"].as_str().unwrap().to_owned();
        layer["opcode"] = json!(format!("{name}{HIDDEN}"));
        layer["results"][0]["name"] = json!(format!("result{HIDDEN}"));
    }
    fs::write(places, layers.to_string()).unwrap();
}

#[test]
fn what_cannot_be_seen_is_the_same_escape_in_every_output() {
    let dir = tempfile::tempdir().unwrap();
    let (dir, out) = (dir.path().join("dump"), dir.path().join("out"));
    fs::create_dir(&dir).unwrap();
    dump(&dir);
    let trace = dir.with_file_name("host.json");
    let hidden = |name: &str| format!("{name}{HIDDEN}");
    let step = |n: u32| {
        json!({"ph": "X", "cat": hidden("cat"), "name": hidden(&format!("ProfilerStep#{n}")), "pid": 1,
            "tid": 1, "ts": n * 10, "dur": 5, "args": {hidden("key"): hidden("two\nlines")}})
    };
    let events = json!([
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": hidden("process")}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": hidden("thread")}},
        step(0), step(1), step(2),
        {"ph": "C", "name": hidden("counter"), "pid": 1, "ts": 3, "args": {hidden("series"): 1}},
        {"ph": "i", "name": hidden("instant"), "pid": 1, "tid": 1, "ts": 4},
    ]);
    fs::write(&trace, json!({ "traceEvents": events }).to_string()).unwrap();
    let views = "text,report,summary,brief,csv,events,layers,workbook,page,trace";
    let said =
        finish(tool().arg(&dir).arg(&out).args(["--emit", views, "--trace_file"]).arg(&trace));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let mut shown = Vec::new();
    for file in walkdir::WalkDir::new(&out).into_iter().map(Result::unwrap) {
        if !file.file_type().is_file() {
            continue;
        }
        let name = file.path().strip_prefix(&out).unwrap().display().to_string();
        for text in texts(file.path()) {
            let raw: String = text.chars().filter(|c| HIDDEN.contains(*c)).collect();
            assert!(raw.is_empty(), "{name}: {raw:?}");
            // Markdown escapes the escapes' letters in its own way; cells of the summary cut long names in the middle.
            let last = SHOWN.rfind('\\').map_or(SHOWN, |at| &SHOWN[at..]);
            let is_shown = text.contains(if name == "summary.txt" { last } else { SHOWN });
            if is_shown && !shown.contains(&name) {
                shown.push(name.clone());
            }
        }
        if name.ends_with("pftrace") {
            let trace = String::from_utf8_lossy(&fs::read(file.path()).unwrap()).into_owned();
            for of in [
                "cat",
                "ProfilerStep#0",
                "key",
                "two\nlines",
                "process",
                "thread",
                "counter",
                "series",
                "instant",
            ] {
                assert!(trace.contains(&format!("{of}{SHOWN}")), "{of} is not in the trace");
            }
            assert!(trace.contains(&format!("result{SHOWN}")), "a layer is not in the trace");
        }
    }
    shown.sort();
    for name in [
        "PerfDoc/PerfAI_output.xlsx",
        "events.csv",
        "events.parquet",
        "perfetto.pftrace",
        "report.json",
        "summary.txt",
    ] {
        assert!(
            shown.iter().any(|shown| shown == name),
            "{name} does not show the names: {shown:?}"
        );
    }
}

/// The texts of a column of a Parquet file.
fn column(path: &Path, name: &str) -> Vec<String> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let cell = |row: parquet::record::Row| {
        let found = row.get_column_iter().find(|(column, _)| *column == name);
        found.map(|(_, field)| field.to_string().trim_matches('"').to_owned()).unwrap()
    };
    rows.map(cell).collect()
}

/// Hosts and groups in report, tables and trace of a cluster: one name in all of them, by which they are joined; a rank table
/// finds its hosts.
#[test]
fn names_of_hosts_and_groups_are_the_same_escapes_in_report_tables_and_trace() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let run = |args: &[&str]| {
        let said = finish(tool().args(args));
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    };
    run(&["synth", &at("run"), "--cluster", "2", "--devices-per-host", "1", "--quiet"]);
    let hosts = ["host0", "host1"].map(|host| format!("{host}{HIDDEN}"));
    for host in ["host0", "host1"] {
        fs::rename(dir.path().join("run").join(host), at(&format!("run/{host}{HIDDEN}"))).unwrap();
    }
    let groups = json!({"groups": [{"name": format!("group{HIDDEN}"), "ranks": [0, 1]}]});
    fs::write(at("groups.json"), groups.to_string()).unwrap();
    let (table, groups) = (at("run/rank_table.json"), at("groups.json"));
    let named = ["--rank-table", &table, "--groups", &groups, "--trace", "full", "--strict"];
    run(&[&["cluster", &at("run"), &at("out")][..], &named].concat());
    let report: Value =
        serde_json::from_str(&fs::read_to_string(at("out/cluster.json")).unwrap()).unwrap();
    let ranks = report["ranks"].as_array().unwrap();
    let shown = |name: &str| format!("{name}{SHOWN}");
    for (rank, host) in ["host0", "host1"].iter().enumerate() {
        let row = &ranks[rank];
        assert_eq!((row["rank"].as_u64(), &row["missing"]), (Some(rank as u64), &json!(false)));
        assert_eq!(row["host"], shown(host));
        // A path: JSON's own escapes keep it.
        assert!(Path::new(row["dump"].as_str().unwrap()).is_dir(), "{row}");
        assert!(row["dump"].as_str().unwrap().contains(&hosts[rank]));
    }
    for file in ["operations.parquet", "states.parquet"] {
        let mut found = column(Path::new(&at(&format!("out/{file}"))), "host");
        found.sort();
        found.dedup();
        assert_eq!(found, [shown("host0"), shown("host1")], "{file}");
    }
    let mut found = column(Path::new(&at("out/operations.parquet")), "group");
    found.dedup();
    assert_eq!(found, [shown("group")]);
    assert_eq!(report["operations"][0]["group"], shown("group"));
    let trace = String::from_utf8_lossy(&fs::read(at("out/cluster.pftrace")).unwrap()).into_owned();
    assert!(trace.contains(&shown("host0")) && trace.contains(&shown("group")));
    assert!(!trace.contains('\u{e0041}'));
    // The cores are there: the dump is found by its path.
    assert!(trace.contains("TIU"), "the trace has no cores");
    for file in ["cluster.json", "cluster.html"] {
        let text = fs::read_to_string(at(&format!("out/{file}"))).unwrap();
        assert!(!text.contains(|c| HIDDEN.contains(c)), "{file}");
    }
    // Parts with a host of that name give the same.
    let part = at("0.part");
    let dump = ranks[0]["dump"].as_str().unwrap();
    run(&["cluster", "part", dump, "-o", &part, "--host", &hosts[0], "--quiet"]);
    let other = at("1.part");
    let dump = ranks[1]["dump"].as_str().unwrap();
    run(&["cluster", "part", dump, "-o", &other, "--host", &hosts[1], "--quiet"]);
    let joined = ["cluster", "join", &part, &other, &at("joined"), "--rank-table", &table];
    run(&joined);
    let joined: Value =
        serde_json::from_str(&fs::read_to_string(at("joined/cluster.json")).unwrap()).unwrap();
    assert_eq!(joined["ranks"][1]["host"], shown("host1"));
    assert_eq!(joined["ranks"][0]["missing"], json!(false));
}

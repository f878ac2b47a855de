//! Characters that can't be seen in names of a dump and of a host trace: each output has the same escapes, so that names that
//! differ look different, and scripts find a name of one output in the others.

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
/// The same in each output.
const SHOWN: &str = r"\u{200b}\u{feff}\u{2028}\u{2029}\u{202e}\u{2066}\u{e0041}\u{3164}";

/// All texts of a Parquet file.
fn texts_of_parquet(path: &Path) -> Vec<String> {
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
fn texts_of_json(value: &Value, texts: &mut Vec<String>) {
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
            // Markdown escapes the escapes' letters in its own way.
            if text.contains(SHOWN) && !shown.contains(&name) {
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

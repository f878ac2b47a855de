//! `report.json` and the page's data of every fixture, which have no reference: they must equal the blessed outputs.
//!
//! `BLESS=1 cargo test --test main -- golden::answers` writes them again; the diff of `fixtures/` then shows what
//! changed. The golden file of the page holds the checksum of its JSON, and of each chunk: rows, columns and the
//! checksum of its inflated bytes.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use serde_json::Value;

use crate::support::case::all;
use crate::support::run::{Finished, analyzed};

#[test]
fn reports_and_pages_are_those_that_were_blessed() {
    let mut blessed = Blessed::default();
    for case in all() {
        let mut args: Vec<String> = case.host_trace().map_or_else(Vec::new, |trace| {
            vec!["--trace_file".to_owned(), trace.display().to_string()]
        });
        args.extend(["--emit".to_owned(), "report,page".to_owned()]);
        for (name, text) in answers(&case.dump(), &analyzed(&case.dump(), &args)) {
            blessed.compare(&case.golden(name), &text);
        }
    }
    blessed.finish();
}

/// Outputs compared with files that were blessed, or written as such with `BLESS=1`.
#[derive(Debug, Default)]
pub(super) struct Blessed {
    differing: Vec<String>,
}

impl Blessed {
    pub(super) fn compare(&mut self, golden: &Path, text: &str) {
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::write(golden, text).unwrap();
            return;
        }
        let blessed = fs::read_to_string(golden).unwrap_or_default();
        if blessed != text {
            let line = first_difference(&blessed, text);
            self.differing.push(format!("{}: {line}", golden.display()));
        }
    }

    pub(super) fn finish(self) {
        let differing = self.differing.join("\n");
        assert!(differing.is_empty(), "BLESS=1 writes them anew:\n{differing}");
    }
}

fn first_difference(golden: &str, text: &str) -> String {
    let lines = golden.lines().zip(text.lines()).enumerate();
    let differ = lines
        .filter(|(_, (old, new))| old != new)
        .map(|(n, (old, new))| format!("line {}: {old:?} is now {new:?}", n + 1));
    differ.take(1).next().unwrap_or_else(|| "one is longer than the other".to_owned())
}

/// The report and the page's digest of a run.
pub(super) fn answers(dump: &Path, run: &Finished) -> [(&'static str, String); 2] {
    // The path of the dump differs from machine to machine.
    let dump = dump.display().to_string();
    let text = |name| run.text(name).replace(&dump, "DUMP");
    let report: Value = serde_json::from_str(&text("report.json")).unwrap();
    let page = text("PerfWeb/result.html");
    [
        ("report.json", serde_json::to_string_pretty(&report).unwrap() + "\n"),
        ("page.txt", digest(&page)),
    ]
}

/// The checksum of the page's JSON, and a line for each chunk.
fn digest(page: &str) -> String {
    let json = head_of_page(page);
    let mut lines = format!("head {} bytes {:08x}\n", json.len(), crc(json.as_bytes()));
    let head: Value = serde_json::from_str(json).unwrap();
    let mut chunks = Vec::new();
    collect_chunks(&head, &mut chunks);
    for chunk in chunks {
        let id = chunk["id"].as_u64().unwrap();
        let columns: Vec<String> =
            chunk["columns"].as_array().unwrap().iter().map(column).collect();
        let content = element(page, &format!("<script type=\"text/plain\" id=\"c{id}\">"));
        let bytes = content.map_or_else(Vec::new, inflated);
        let (rows, sum) = (&chunk["rows"], crc(&bytes));
        writeln!(lines, "c{id} {rows} rows {} bytes {sum:08x} {}", bytes.len(), columns.join(" "))
            .unwrap();
    }
    lines
}

/// The page's JSON.
pub(crate) fn head_of_page(page: &str) -> &str {
    element(page, "<script type=\"application/json\" id=\"head\">").unwrap()
}

fn column(column: &Value) -> String {
    let texts = column
        .get("map")
        .map_or_else(String::new, |map| format!("#{}", map.as_array().unwrap().len()));
    format!("{}:{}{texts}", column["key"].as_str().unwrap(), column["enc"].as_str().unwrap())
}

fn collect_chunks<'a>(value: &'a Value, chunks: &mut Vec<&'a Value>) {
    match value {
        Value::Object(map)
            if ["id", "rows", "columns"].iter().all(|key| map.contains_key(*key)) =>
        {
            chunks.push(value)
        }
        Value::Object(map) => map.values().for_each(|value| collect_chunks(value, chunks)),
        Value::Array(values) => values.iter().for_each(|value| collect_chunks(value, chunks)),
        _ => {}
    }
}

fn element<'a>(page: &'a str, start: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(start)?;
    rest.split_once("</script>").map(|(content, _)| content)
}

fn inflated(content: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed = STANDARD.decode(content).unwrap();
    DeflateDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

pub(super) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

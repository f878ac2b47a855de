//! Every fixture's workbook, cell by cell.

use std::path::PathBuf;
use std::sync::Arc;

use bigtpu_emit_xlsx::{Workbook, WorkbookName};
use bigtpu_measure::layers::Layers;
use calamine::{Data, Range, Reader, Xlsx, open_workbook};
use serde_json::{Map, Value};

/// Cells that are meant to differ: the reference hides the cores after an idle one.
const DIFFERENT: [(&str, &str); 1] = [("aksv-edge-idle", "Engine Summary")];

fn fixtures() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("ref/xlsx.json").exists())
        .collect();
    found.sort();
    found
}

#[test]
fn every_cell_of_the_reference_is_where_it_was() {
    let mut compared = 0;
    for fixture in fixtures() {
        let name = fixture.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(fixture.join("ref/xlsx.json")).unwrap();
        let expected: Map<String, Value> = serde_json::from_str(&text).unwrap();
        let out = tempfile::tempdir().unwrap();
        let path = crate::support::write(&fixture.join("dump"), out.path()).unwrap();
        let mut book: Xlsx<_> = open_workbook(path).unwrap();
        let ours: Vec<String> = book.sheet_names();
        let shared: Vec<&String> = ours.iter().filter(|s| expected.contains_key(*s)).collect();
        for sheet in expected.keys() {
            assert!(ours.contains(sheet), "{name}: no sheet {sheet}, only {ours:?}");
        }
        for sheet in shared {
            if DIFFERENT.contains(&(name.as_str(), sheet)) {
                continue;
            }
            let cells = book.worksheet_range(sheet).unwrap();
            compared += compare(&format!("{name} {sheet}"), &expected[sheet], &cells);
        }
    }
    assert!(compared > 50_000, "only {compared} cells");
}

#[test]
fn the_table_beside_it_is_that_of_the_reference() {
    let mut lines = 0;
    for fixture in fixtures().into_iter().filter(|path| path.join("ref/table.csv").exists()) {
        let name = fixture.file_name().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(fixture.join("ref/table.csv")).unwrap();
        let out = tempfile::tempdir().unwrap();
        let dump = fixture.join("dump");
        let layers = Layers::open(&dump).layers.map(Arc::new);
        let workbook = Workbook { layers, name: WorkbookName::Directory, ..Workbook::default() };
        let table = crate::support::write_with(&workbook, &dump, out.path()).unwrap();
        assert_eq!(table.file_stem(), out.path().file_name());
        let ours = std::fs::read_to_string(table).unwrap();
        if DIFFERENT.iter().any(|(different, _)| *different == name) {
            // Each line of the reference is there, in its order, between those of the cores that it hides.
            let mut rest = ours.lines();
            assert!(expected.lines().all(|line| rest.any(|of| of == line)), "{name}");
            assert!(ours.len() > expected.len());
        } else {
            assert!(ours == expected, "{name}: {:?}", first_difference(&ours, &expected));
        }
        lines += expected.lines().count();
    }
    assert!(lines > 2_000, "only {lines} lines");
}

fn first_difference<'a>(ours: &'a str, expected: &'a str) -> Option<(&'a str, &'a str)> {
    ours.lines().zip(expected.lines()).find(|(a, b)| a != b)
}

/// Compares all cells of a sheet; returns how many the reference has.
fn compare(what: &str, expected: &Value, cells: &Range<Data>) -> usize {
    let mut compared = 0;
    for (row, line) in expected.as_array().unwrap().iter().enumerate() {
        for (col, value) in line.as_array().unwrap().iter().enumerate() {
            let ours = cells.get_value((row as u32, col as u32)).unwrap_or(&Data::Empty);
            assert!(
                same(value, ours),
                "{what} row {} column {}: {value} is {ours:?}",
                row + 1,
                col + 1
            );
            compared += usize::from(!value.is_null());
        }
    }
    compared
}

fn same(expected: &Value, ours: &Data) -> bool {
    match (expected, ours) {
        (Value::Null, Data::Empty) => true,
        (Value::String(expected), Data::Empty) => expected.is_empty(),
        (Value::String(expected), Data::String(ours)) => {
            expected == ours || is_same_set(expected, ours)
        }
        (Value::String(expected), _) => renders_to(number(ours), expected),
        (Value::Number(expected), _) => {
            expected.as_f64().zip(number(ours)).is_some_and(|(a, b)| a == b)
        }
        _ => false,
    }
}

/// Sets of names are in any order.
fn is_same_set(expected: &str, ours: &str) -> bool {
    let names = |set: &str| -> Option<Vec<String>> {
        let inner = set.strip_prefix('{')?.strip_suffix('}')?;
        let mut names: Vec<String> = inner.split(", ").map(str::to_owned).collect();
        names.sort();
        Some(names)
    };
    names(expected).is_some() && names(expected) == names(ours)
}

fn number(cell: &Data) -> Option<f64> {
    match cell {
        Data::Float(x) => Some(*x),
        Data::Int(n) => Some(*n as f64),
        _ => None,
    }
}

/// Whether a number is what the text says, with the text's decimals.
fn renders_to(ours: Option<f64>, expected: &str) -> bool {
    let Some(ours) = ours else { return false };
    let (digits, ours) = match expected.strip_suffix('%') {
        Some(digits) => (digits, ours * 100.0),
        None => {
            let digits = expected.strip_suffix("(us)").or(expected.strip_suffix("MiB"));
            (digits.unwrap_or(expected), ours)
        }
    };
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    format!("{ours:.decimals$}") == digits
}

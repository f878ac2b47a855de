//! The Parquet file is read back with its crate's reader and compared with the CSV and the profile.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;

use bigtpu_answers::Analysis;
use bigtpu_emit::{Emitter, EmitterInput, Quiet};
use bigtpu_emit_events::{Context, CsvEvents, ParquetEvents, Partition};
use bigtpu_measure::layers::Layers;
use bigtpu_output::OutDir;
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

/// Rows of both files: the Parquet's as texts, the CSV's as they are; then the number of events.
fn written(case: &str, call: Option<u32>) -> (Vec<Vec<String>>, Vec<Vec<String>>, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let root = root.join(case).join("dump");
    let dump = Dump::open(&root).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let analysis = Analysis::of_device(&profile);
    let dir = tempfile::tempdir().unwrap();
    let out = OutDir::create(&dir.path().join("out")).unwrap();
    let scene = &bigtpu_scene::Scene::default();
    let input = EmitterInput {
        profile: &profile,
        analysis: &analysis,
        scene,
        language: Default::default(),
        out: &out,
        progress: &Quiet,
    };
    let data_set = dir.path().join("set");
    let name = match call {
        Some(call) => format!(
            "set/host=a%2Fb/run=__HIVE_DEFAULT_PARTITION__/device=0/call={call}/{case}.parquet"
        ),
        None => "out/events.parquet".to_owned(),
    };
    let partition = call.map(|_| Partition {
        data_set,
        host: Some("a/b".into()),
        run: None,
        device: Some(0),
        call,
        dump: case.into(),
    });
    let layers = Layers::open(&root).layers.map(std::sync::Arc::new);
    let context = Context { source: case.into(), layers };
    let events = ParquetEvents { context: context.clone(), partition };
    let file = events.emit(&input).unwrap().remove(0);
    let csv = CsvEvents { context }.emit(&input).unwrap().remove(0);
    out.publish().unwrap();
    assert_eq!(file.path, dir.path().join(name));
    assert_eq!(std::fs::metadata(&file.path).unwrap().len(), file.bytes);
    let reader = SerializedFileReader::new(std::fs::File::open(&file.path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| texts(&row.unwrap())).collect();
    (rows, records(&std::fs::read(csv.path).unwrap()), profile.event_count())
}

/// The records of a CSV file, the header first.
fn records(mut bytes: &[u8]) -> Vec<Vec<String>> {
    use csv_core::ReadFieldResult::{End, Field, InputEmpty, OutputFull};
    let mut reader = csv_core::Reader::new();
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), Vec::new());
    let mut buffer = [0; 256];
    loop {
        let (result, read, wrote) = reader.read_field(bytes, &mut buffer);
        bytes = &bytes[read..];
        field.extend_from_slice(&buffer[..wrote]);
        match result {
            // No more input: the next call says so, and ends the last field.
            InputEmpty | OutputFull => {}
            Field { record_end } => {
                record.push(String::from_utf8(std::mem::take(&mut field)).unwrap());
                if record_end {
                    records.push(std::mem::take(&mut record));
                }
            }
            End => return records,
        }
    }
}

fn texts(row: &Row) -> Vec<String> {
    let cell = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Long(n) => n.to_string(),
        Field::Double(x) => format!("{x:?}"),
        Field::Bool(yes) => yes.to_string(),
        Field::Str(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    row.get_column_iter().map(|(_, field)| cell(field)).collect()
}

#[test]
fn both_files_hold_every_event_and_the_same_cells() {
    for case in ["aks-mode0-cdma", "aks-mode2-sync", "aksv-rvt", "bm1688-layers", "cv84x6-rvt"] {
        let (rows, lines, events) = written(case, None);
        assert_eq!((rows.len(), lines.len()), (events, events + 1), "{case}");
        assert_eq!(rows, lines[1..], "{case}");
    }
}

#[test]
fn events_name_chip_dump_and_layer() {
    let (rows, lines, _) = written("bm1688-layers", None);
    let last: Vec<&str> = lines[0].iter().rev().take(7).rev().map(String::as_str).collect();
    assert_eq!(last, ["chip", "dump", "layer_id", "layer", "quality", "block", "step"]);
    let cells = |row: &Vec<String>| -> [String; 4] {
        row[row.len() - 7..row.len() - 3].to_vec().try_into().unwrap()
    };
    let all: Vec<[String; 4]> = rows.iter().map(cells).collect();
    assert!(all.iter().all(|row| row[..2] == ["BM1688", "bm1688-layers"]));
    assert!(all.iter().any(|row| !row[2].is_empty() && !row[3].is_empty()));
    // Without files of the compiler nothing is known of layers.
    let (rows, ..) = written("aks-mode2-sync", None);
    assert!(rows.iter().all(|row| cells(row)[2..] == ["", ""]));
}

#[test]
fn cells_are_those_of_the_register_text() {
    let (rows, lines, _) = written("aks-mode2-sync", Some(3));
    let column = |name: &str| lines[0].iter().position(|n| n == name).unwrap();
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures/aks-mode2-sync/ref/tdmaRegInfo_1.txt"),
    );
    let text = text.unwrap();
    let of_key = |key: &str| -> Vec<&str> {
        text.lines().filter_map(|l| l.trim().strip_prefix(key)?.strip_prefix(": ")).collect()
    };
    let dma: Vec<&Vec<String>> =
        rows.iter().filter(|r| r[column("core")] == "1" && r[column("engine")] != "TIU").collect();
    assert_eq!(dma.len(), of_key("Start Time(ns)").len());
    for (name, key) in [
        ("start_ns", "Start Time(ns)"),
        ("end_ns", "End Time(ns)"),
        ("cmd_id", "Cmd Id"),
        ("cycles", "Asic Cycle"),
        ("event", "Global Idx"),
        ("function_name", "Function Name"),
        ("kernel", "kernel_func"),
        ("stall_cycles", "Stall Cycle"),
    ] {
        let found: Vec<&str> = dma.iter().map(|r| r[column(name)].as_str()).collect();
        assert_eq!(found, of_key(key), "{name}");
    }
}

//! What is written is read back with the reader of the `parquet` crate.

use std::path::Path;

use bigtpu_answers::Analysis;
use bigtpu_timeline::{BuildOptions, Dump, Profile};
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;

use super::chunk::library_chunk;
use super::*;
use crate::runtime::RuntimeKinds;

/// A file with one column of a row group.
fn file_of(kind: Type, content: &Content<'_, '_>) -> SerializedFileReader<Bytes> {
    let schema = Arc::new(schema([("column", kind)]).unwrap());
    let descriptors = SchemaDescriptor::new(Arc::clone(&schema));
    let mut file = Vec::new();
    let properties = properties([("column", kind)]);
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::clone(&properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let (bytes, closed) = chunk(descriptors.column(0), &properties, content).unwrap();
    group.append_column(&bytes, closed).unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    SerializedFileReader::new(Bytes::from(file)).unwrap()
}

fn read(reader: &SerializedFileReader<Bytes>) -> Vec<Field> {
    let first = |row: parquet::record::Row| row.get_column_iter().next().unwrap().1.clone();
    reader.get_row_iter(None).unwrap().map(|row| first(row.unwrap())).collect()
}

fn field(cell: EventCell<'_>) -> Field {
    match cell {
        EventCell::Null => Field::Null,
        EventCell::Int(n) => Field::Long(n),
        EventCell::Float(x) => Field::Double(x),
        EventCell::Text(text) => Field::Str(text.to_owned()),
        EventCell::Bool(yes) => Field::Bool(yes),
    }
}

fn check(kind: Type, cells: &[EventCell<'_>]) -> Statistics {
    let own = Content::Own(cells.to_vec());
    check_bytes(kind, &own);
    let reader = file_of(kind, &own);
    let read = read(&reader);
    assert_eq!(read.len(), cells.len());
    for (at, (read, cell)) in read.into_iter().zip(cells).enumerate() {
        assert_eq!(read, field(*cell), "row {at}");
    }
    let statistics = reader.metadata().row_group(0).column(0).statistics().unwrap().clone();
    let nulls = cells.iter().filter(|cell| **cell == EventCell::Null).count();
    assert_eq!(statistics.null_count_opt(), Some(nulls as u64));
    statistics
}

/// What is encoded without the library is what it writes.
fn check_bytes(kind: Type, content: &Content<'_, '_>) {
    let schema = Arc::new(schema([("column", kind)]).unwrap());
    let column = || SchemaDescriptor::new(Arc::clone(&schema)).column(0);
    let properties = properties([("column", kind)]);
    let (bytes, closed) = chunk(column(), &properties, content).unwrap();
    let (expected, of_library) = library_chunk(column(), &properties, content).unwrap();
    assert!(bytes == expected, "{} bytes instead of {}", bytes.len(), expected.len());
    assert_eq!(format!("{closed:?}"), format!("{of_library:?}"));
}

/// Words without order, from a fixed start.
fn words(n: usize) -> impl Iterator<Item = i64> {
    let next = |word: &u64| Some(word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    std::iter::successors(Some(7_u64), next).take(n).map(|word| (word ^ word >> 29) as i64)
}

#[test]
fn numbers_of_all_sizes() {
    for bits in [0, 1, 7, 31, 40, 63] {
        for rows in [1, 2, 33, 128, 129, 130, 257, 5000] {
            let cells: Vec<_> =
                words(rows).map(|word| EventCell::Int(word >> (63 - bits))).collect();
            check(Type::Int, &cells);
            let floats = |word: i64| EventCell::Float((word >> (63 - bits)) as f64 / 3.0);
            check(Type::Float, &words(rows).map(floats).collect::<Vec<_>>());
        }
    }
    let extremes = [i64::MAX, i64::MIN, 0, -1, i64::MAX, 1, i64::MIN].map(EventCell::Int);
    let statistics = check(Type::Int, &extremes);
    assert!(
        matches!(&statistics, Statistics::Int64(s) if s.min_opt() == Some(&i64::MIN) && s.max_opt() == Some(&i64::MAX))
    );
}

#[test]
fn nulls_anywhere() {
    let some = |n: i64| n % 5 > 1 || n % 1000 > 700;
    let null_or = |n: i64, cell| if some(n) { cell } else { EventCell::Null };
    let rows = 0..3000;
    check(Type::Int, &rows.clone().map(|n| null_or(n, EventCell::Int(n))).collect::<Vec<_>>());
    check(Type::Int, &rows.clone().map(|n| null_or(n, EventCell::Int(n % 40))).collect::<Vec<_>>());
    check(
        Type::Bool,
        &rows.clone().map(|n| null_or(n, EventCell::Bool(n % 3 == 0))).collect::<Vec<_>>(),
    );
    check(
        Type::Text,
        &rows.clone().map(|n| null_or(n, EventCell::Text("only"))).collect::<Vec<_>>(),
    );
    for kind in [Type::Int, Type::Float, Type::Text, Type::Bool] {
        let statistics = check(kind, &[EventCell::Null; 300]);
        assert!(statistics.min_bytes_opt().is_none());
    }
}

/// Runs of all lengths, alone and between other values, over several pages, with cells that rows share.
#[test]
fn dictionaries_have_the_bytes_of_the_library() {
    let texts: Vec<String> = (0..300).map(|n| format!("{n:03}").repeat(n % 7)).collect();
    for (distinct, run) in [(1, 1), (2, 1), (3, 7), (5, 8), (5, 9), (40, 3), (300, 20), (300, 700)]
    {
        let pages: &[usize] = if distinct == 40 { &[20_479, 20_480, 20_481, 45_000] } else { &[] };
        for &rows in [1, 7, 8, 9, 63 * 8, 64 * 8, 3000].iter().chain(pages) {
            let runs = words(rows).map(|word| 1 + word.unsigned_abs() as usize % run);
            let numbers = words(rows + 1).skip(1).zip(runs);
            let numbers = numbers.flat_map(|(word, run)| std::iter::repeat_n(word, run));
            let numbers = numbers.map(|word| word.unsigned_abs() as usize % distinct);
            let numbers: Vec<usize> = numbers.take(rows).collect();
            for nulls in [0, 1, 3] {
                let is_null = |n: usize| nulls > 0 && n % 4 < nulls;
                for kind in [Type::Int, Type::Text] {
                    let cell = |n: usize| match kind {
                        _ if is_null(n) => EventCell::Null,
                        Type::Text => EventCell::Text(&texts[n]),
                        _ => EventCell::Int(n as i64 - 9),
                    };
                    check_bytes(kind, &Content::Own(numbers.iter().map(|n| cell(*n)).collect()));
                    // Two kinds of command may have one value.
                    let shared: Vec<_> = (0..2 * distinct).map(|n| cell(n % distinct)).collect();
                    let numbers = numbers.iter().enumerate();
                    let numbers = numbers.map(|(row, n)| (n + row % 2 * distinct) as u32).collect();
                    check_bytes(kind, &Content::Shared(shared.into(), numbers));
                }
            }
        }
    }
}

/// What a dictionary or an index has no room for.
#[test]
fn long_texts_and_many_values() {
    let texts: Vec<String> = (0..9000).map(|n| format!("{n}{}", "é".repeat(n % 90))).collect();
    for take in [5, 40, 500, 9000] {
        check(Type::Text, &texts[..take].iter().map(|t| EventCell::Text(t)).collect::<Vec<_>>());
    }
    for distinct in [8191, 8192, 8193] {
        let cells: Vec<_> = (0..30_000).map(|n| EventCell::Int(n * n % distinct)).collect();
        check(Type::Int, &cells);
        let cells: Vec<_> = (0..30_000).map(|n| EventCell::Int(n % distinct)).collect();
        check(Type::Int, &cells);
    }
}

/// Parts of tracks end where row groups do, wherever that is.
#[test]
fn groups_of_any_size_hold_the_same_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bm1688-layers/dump");
    let dump = Dump::open(&root).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let analysis = Analysis::of_device(&profile);
    let runtime = RuntimeKinds::collect(&profile);
    let source = Source {
        profile: &profile,
        table: &analysis.table,
        causes: analysis.event_causes(&profile),
        runtime: Some(&runtime),
        layers: None,
        steps: analysis.steps(&profile),
        name: "",
    };
    let mut rows = Vec::new();
    for part in source.parts() {
        part.each(|row| rows.push(COLUMNS.iter().map(|c| field(c.cell(row))).collect::<Vec<_>>()));
    }
    for size in [7, 64, rows.len(), rows.len() + 1] {
        let mut file = Vec::new();
        write_groups(source, size, &mut file).unwrap();
        let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), rows.len().div_ceil(size));
        let cells = |row: parquet::record::Row| -> Vec<Field> {
            row.get_column_iter().map(|(_, cell)| cell.clone()).collect()
        };
        let read = reader.get_row_iter(None).unwrap().map(|row| cells(row.unwrap()));
        assert!(read.eq(rows.iter().cloned()), "groups of {size}");
    }
}

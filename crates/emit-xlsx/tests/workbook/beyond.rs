//! What the workbook has beyond the reference's cells.

use std::path::{Path, PathBuf};

use bigtpu_emit_xlsx::Workbook;
use calamine::{Data, Reader, Xlsx, open_workbook};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name).join("dump")
}

fn open(path: &Path) -> Xlsx<std::io::BufReader<std::fs::File>> {
    open_workbook(path).unwrap()
}

fn rows(path: &Path, sheet: &str) -> Vec<Vec<Data>> {
    let range = open(path).worksheet_range(sheet).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_the_run() {
    let mut books = Vec::new();
    for threads in [1, 4, 4] {
        let out = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let path =
            pool.install(|| crate::support::write(&fixture("aks-mode0-cdma"), out.path())).unwrap();
        books.push(std::fs::read(path).unwrap());
    }
    assert!(books.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn only_the_workbook_remains() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode1-batch"), out.path()).unwrap();
    assert!(path.ends_with("PerfDoc/PerfAI_output.xlsx"));
    let files: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|f| f.unwrap().file_name())
        .collect();
    assert_eq!(files, ["PerfAI_output.xlsx"]);
}

#[test]
fn an_engine_continues_on_another_sheet() {
    let (whole, split) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let dump = fixture("aks-mode1-batch");
    let whole = crate::support::write(&dump, whole.path()).unwrap();
    let split = crate::support::write_with(
        &Workbook { most_rows: 16, ..Workbook::default() },
        &dump,
        split.path(),
    )
    .unwrap();
    let commands = |rows: Vec<Vec<Data>>| -> Vec<Vec<Data>> {
        let header = rows.iter().position(|r| r[0] == Data::String("Engine Id".into())).unwrap();
        rows[header + 1..].to_vec()
    };
    let expected = commands(rows(&whole, "GDMA_0"));
    let names = open(&split).sheet_names();
    let parts: Vec<&String> = names.iter().filter(|n| n.starts_with("GDMA_0")).collect();
    assert!(parts.len() > 1, "{names:?}");
    assert_eq!((parts[0].as_str(), parts[1].as_str()), ("GDMA_0", "GDMA_0 (2)"));
    let mut found = Vec::new();
    for part in parts {
        let rows = rows(&split, part);
        assert!(rows.len() <= 16, "{part}");
        found.extend(commands(rows));
    }
    assert_eq!(found, expected);
    let summary = rows(&split, "Engine Summary");
    let links = |name: &str| summary.iter().any(|r| r[0] == Data::String(name.into()));
    assert!(links("GDMA_0") && links("GDMA_0 (2)") && links("Kernels") && links("Data Quality"));
}

#[test]
fn kernels_are_listed_with_their_launches() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode1-batch"), out.path()).unwrap();
    let rows = rows(&path, "Kernels");
    let header = rows.iter().position(|r| r[0] == Data::String("Kernel".into())).unwrap();
    assert!(rows.len() > header + 1);
    for row in &rows[header + 1..] {
        let number = |c: usize| match row[c] {
            Data::Float(x) => x,
            Data::Int(n) => n as f64,
            ref other => panic!("{other:?}"),
        };
        let (count, total, mean, p50, p95, max) =
            (number(1), number(4), number(5), number(6), number(7), number(8));
        assert!(count >= 1.0 && (mean * count - total).abs() < 1e-6 * total);
        assert!(p50 <= p95 && p95 <= max && max <= total);
    }
    let shares: f64 =
        rows[header + 1..].iter().filter_map(|r| calamine::DataType::get_float(&r[9])).sum();
    // Each has four decimals.
    assert!((shares - 1.0).abs() < 1e-4 * (rows.len() - header) as f64, "{shares}");
}

#[test]
fn the_ledger_and_its_notes_are_shown() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aksv-lapped-ring"), out.path()).unwrap();
    let rows = rows(&path, "Data Quality");
    let has = |text: &str| rows.iter().flatten().any(|c| matches!(c, Data::String(s) if s == text));
    assert!(has("core 0 TIU") && has("read") && has("lost"));
}

/// A capture of real hardware with two notes on the counters of its engines.
#[test]
fn notes_of_a_healthy_dump_are_no_warnings_on_the_front_sheet() {
    let out = tempfile::tempdir().unwrap();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real");
    let dump = root.join("bmprofile_data_bm1688_2core");
    let path = crate::support::write(&dump, out.path()).unwrap();
    let notes = rows(&path, "Data Quality");
    assert!(notes.iter().any(|row| row.first() == Some(&Data::String("note".to_owned()))));
    let said = Data::String("complete".to_owned());
    assert!(rows(&path, "Start").iter().any(|row| row.contains(&said)));
}

#[test]
fn kernels_are_below_their_roofs() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode2-sync"), out.path()).unwrap();
    let rows = rows(&path, "Roofline");
    let text = |cell: &Data| cell.to_string();
    let head = rows.iter().position(|row| text(&row[0]) == "Kernel or Layer").unwrap();
    let titles: Vec<String> = rows[head].iter().map(text).collect();
    let column = |title: &str| titles.iter().position(|t| t == title).unwrap();
    let kernels: Vec<_> = rows[head + 1..].iter().filter(|row| !text(&row[0]).is_empty()).collect();
    assert!(kernels.len() > 1, "{rows:?}");
    for row in kernels {
        let number = |title: &str| match &row[column(title)] {
            Data::Float(x) => *x,
            Data::Int(n) => *n as f64,
            other => panic!("{title}: {other:?}"),
        };
        let roofs = ["Compute Roof(us)", "DDR Roof(us)", "L2M Roof(us)"].map(number);
        let nearest = roofs.into_iter().fold(0.0, f64::max);
        let share = number("Of the Roof");
        assert!((nearest / number("Time(us)") - share).abs() < 1e-3, "{row:?}");
        assert!(share <= 1.05 && !text(&row[column("Bound")]).is_empty(), "{row:?}");
    }
}

#[test]
fn implausible_kernels_are_marked() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode2-every-command"), out.path()).unwrap();
    let has = |text: &str| {
        rows(&path, "Roofline").iter().flatten().any(|cell| *cell == Data::String(text.to_owned()))
    };
    assert!(has("implausible") && has("> 100%"));
}

#[test]
fn the_front_sheet_leads_to_every_other() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode2-sync"), out.path()).unwrap();
    let names = open(&path).sheet_names();
    assert_eq!(names.first().map(String::as_str), Some("Start"));
    let start = rows(&path, "Start");
    for name in names.iter().skip(1) {
        let has = start.iter().any(|row| row[0] == Data::String(name.clone()));
        assert!(has, "{name} is not on the front sheet");
    }
    for name in ["Time", "Advice", "Gaps"] {
        assert!(rows(&path, name).len() > 4, "{name}");
    }
}

#[test]
fn phases_of_the_time_sheet_add_up_to_the_wall_time() {
    let out = tempfile::tempdir().unwrap();
    let path = crate::support::write(&fixture("aks-mode2-sync"), out.path()).unwrap();
    let rows = rows(&path, "Time");
    let head = rows.iter().position(|row| row[0] == Data::String("Core".into())).unwrap();
    let phases = rows[head + 1..].iter().take_while(|row| !row[0].to_string().is_empty());
    let mut compared = 0;
    for row in phases {
        let number = |col: usize| row[col].to_string().parse::<f64>().unwrap();
        let sum: f64 = (1..6).map(number).sum();
        assert!((sum - number(6)).abs() < 0.002, "{row:?}");
        compared += 1;
    }
    assert!(compared > 1);
}

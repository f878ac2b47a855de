//! Which files of the program's source may write what no sink of ours encodes, and read what has no bound of `side_file.rs`.

use std::path::{Path, PathBuf};

/// The ways past the encoders of a `Text`: a file gets bytes, a text gets lines with their line breaks, or pieces that
/// `put!` did not make.
const WAYS: [&str; 5] = ["ByLibrary(", "Json::", "file.for_library()", "laid_out(", "put_pieces("];

/// The files that take one of them, and what they write.
const KNOWN: [(&str, &str); 31] = [
    ("crates/emit-cluster/src/page/mod.rs", "JSON of a page"),
    ("crates/emit-cluster/src/table_file.rs", "Parquet"),
    ("crates/emit-cluster/src/trace/mod.rs", "protobuf"),
    ("crates/emit-events/src/parquet_file/mod.rs", "Parquet"),
    ("crates/emit-perfetto/src/chrome/mod.rs", "JSON"),
    ("crates/emit-perfetto/src/writer.rs", "protobuf"),
    ("crates/emit-predict/src/pipeline/mod.rs", "protobuf"),
    ("crates/emit-text/src/console/screen.rs", "tables of cells that are lines"),
    ("crates/emit-text/src/console/standard.rs", "pieces of `put!`"),
    ("crates/emit-text/src/diff/mod.rs", "JSON"),
    ("crates/emit-web/src/html.rs", "JSON of a page, base64"),
    ("crates/emit-xlsx/src/workbook.rs", "a workbook"),
    ("crates/emit/src/report.rs", "JSON"),
    ("crates/session/src/batch/index.rs", "JSON"),
    ("crates/session/src/batch/work.rs", "JSON"),
    ("crates/session/src/cluster/mod.rs", "encoded parts"),
    ("crates/session/src/cluster/views.rs", "JSON"),
    ("crates/session/src/costs/mod.rs", "JSON"),
    ("crates/session/src/diff/history.rs", "JSON lines"),
    ("crates/session/src/dumps/clocks.rs", "JSON"),
    ("crates/session/src/dumps/mod.rs", "JSON"),
    ("crates/session/src/estimate/mod.rs", "JSON"),
    ("crates/session/src/pipeline/graph_file.rs", "JSON"),
    ("crates/session/src/simulate/calibrate.rs", "JSON"),
    ("crates/session/src/simulate/mod.rs", "JSON"),
    ("crates/session/src/synthetic/compiled.rs", "compiled commands"),
    ("crates/session/src/whatif/mod.rs", "JSON"),
    ("src/args/mod.rs", "what clap says of arguments that are lines"),
    ("src/cluster/show.rs", "lines of the summary, each encoded"),
    ("src/diff/show.rs", "lines of a screen, each encoded"),
    ("src/open/analyzer.rs", "the analyzer's page, as it was built"),
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|kind| kind == "rs") {
            found.push(entry);
        }
    }
}

/// The program's sources, without the crate of the encoders itself and checks for tests.
fn program(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    for krate in std::fs::read_dir(root.join("crates")).unwrap().map(Result::unwrap) {
        let name = krate.file_name();
        if name != "output" && name != "fuzz-support" && krate.path().join("src").is_dir() {
            sources(&krate.path().join("src"), &mut files);
        }
    }
    files
}

/// Who writes past `console::standard` shows a terminal what a dump wants it to see.
#[test]
fn one_file_writes_to_standard_output_or_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    // Modules of tests print for whoever runs them.
    let is_of_tests = |file: &Path| file.to_string_lossy().ends_with("_tests.rs");
    let is_left_out = |file: &Path| file.ends_with("console/standard.rs") || is_of_tests(file);
    for file in program(root).iter().filter(|file| !is_left_out(file)) {
        let text = std::fs::read_to_string(file).unwrap();
        for way in ["io::stdout", "io::stderr", "println!", "print!(", "/dev/stdout", "/dev/stderr"]
        {
            let line = text.lines().find(|line| line.contains(way) && !is_comment(line));
            assert_eq!(line, None, "{}", file.display());
        }
    }
}

/// Everything else is a `Text`, whose names the sink encodes: what forgets it does not compile (doctests of `Text`).
#[test]
fn few_files_write_past_the_encoders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = program(root);
    let passes = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        WAYS.iter().any(|way| text.contains(way))
    };
    let mut found: Vec<String> = files
        .iter()
        .filter(passes)
        .map(|file| file.strip_prefix(root).unwrap().display().to_string())
        .collect();
    found.sort();
    assert_eq!(found, KNOWN.map(|(file, _)| file));
    // JSON is written as such, which escapes what can't be seen.
    for (file, what) in KNOWN.iter().filter(|(_, what)| what.starts_with("JSON")) {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let way = if what.contains("of a page") { "Json::in_page(" } else { "Json::in_file(" };
        assert!(text.contains(way), "{file}: {what}");
        assert!(what.contains("base64") || !text.contains("ByLibrary("), "{file}: {what}");
    }
}

/// Ways to read a file, or what is unpacked.
const READS: [&str; 6] = [
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    ".read_to_end(",
    ".read_to_string(",
    "io::copy(",
];

/// The files that take one of them, and what bounds them. All others ask `side_file.rs` or `files.rs`.
const READERS: [(&str, &str); 17] = [
    ("crates/cluster/src/file/mod.rs", "the length in the head, which is checked first"),
    ("crates/emit-xlsx/src/package.rs", "a package of its own"),
    ("crates/format/src/files.rs", "a bound that each caller gives"),
    ("crates/format/src/mapped.rs", "a regular file's own length"),
    ("crates/format/src/side_file.rs", "a bound that each caller gives"),
    ("crates/host-trace/src/feed.rs", "a piece of a chunk's size"),
    ("crates/host-trace/src/read.rs", "read in pieces"),
    ("crates/host-trace/src/source.rs", "the first bytes"),
    ("crates/host-trace/src/zip_member.rs", "a header's length, to nowhere"),
    ("crates/session/src/archive/mod.rs", "the first bytes; a stream"),
    ("crates/session/src/archive/packed.rs", "a block"),
    ("crates/session/src/archive/tar.rs", "a block, or the longest extension"),
    ("crates/session/src/archive/zip.rs", "a copy of the archive itself; the end of the list"),
    ("crates/session/src/gzip.rs", "the ratio of an archive"),
    ("crates/session/src/open/server.rs", "a file of the viewer that the user gave"),
    ("crates/session/src/record/process.rs", "/proc"),
    ("src/interrupt.rs", "/proc"),
];

/// What someone gives is read up to a bound, and a device or a pipe in the place of results is not waited for.
#[test]
fn few_files_read_without_the_common_bounds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_of_tests = |file: &Path| {
        let name = file.to_string_lossy();
        name.ends_with("tests.rs") || name.contains("/synth/src/")
    };
    let reads = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = own.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.into_iter().any(|line| READS.iter().any(|way| line.contains(way)))
    };
    let mut found: Vec<String> = program(root)
        .iter()
        .filter(|file| !is_of_tests(file))
        .filter(reads)
        .map(|file| file.strip_prefix(root).unwrap().display().to_string())
        .collect();
    found.sort();
    assert_eq!(found, READERS.map(|(file, _)| file));
}

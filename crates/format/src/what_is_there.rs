//! What stands where a dump was expected, and what to do with it.

use std::path::{Path, PathBuf};

use bigtpu_messages::{Message, error_message};

use crate::dir::{find_dumps_in, find_dumps_near, is_compiled_model};
use crate::files::{FileKind, Files};

/// The list that an analysis leaves in its output directory: `MANIFEST_FILE` of the crate that writes it.
const LIST_OF_RESULTS: &str = ".bigtpuprofile-files";
/// Directories below one another that are looked into for dumps, and directories in all.
const DEPTH: usize = 5;
const MOST_DIRECTORIES: usize = 2_000;

/// What a directory without `global.profile` holds, or what may be meant.
pub(crate) fn in_directory(root: &Path, files: &Files) -> Option<Message> {
    let path = root.display();
    let names = files.names(root).unwrap_or_default();
    if files.is_file(&root.join(LIST_OF_RESULTS)) {
        return Some(error_message!("problem-results", path));
    }
    match find_dumps_near(root, files).as_slice() {
        [] => {}
        [one] => return Some(error_message!("problem-near", dump = one.display())),
        [first, rest @ ..] => {
            let (dump, more) = (first.display(), rest.len());
            return Some(error_message!("problem-near-several", dump, more));
        }
    }
    if names.is_empty() {
        return Some(error_message!("problem-empty-directory"));
    }
    if let [first, rest @ ..] = dumps_below(root, files).as_slice() {
        let (dump, count) = (first.display(), rest.len() + 1);
        return Some(error_message!("problem-below", path, dump, count));
    }
    let models = names.iter().map(|name| root.join(name)).filter(|file| is_compiled_model(file));
    models.min().map(|model| error_message!("problem-model", model = model.display()))
}

/// Dump directories further below, in the order of their paths within each level.
fn dumps_below(root: &Path, files: &Files) -> Vec<PathBuf> {
    let mut level = vec![root.to_owned()];
    let mut left = MOST_DIRECTORIES;
    let mut found = Vec::new();
    for _ in 0..DEPTH {
        let mut below: Vec<PathBuf> = Vec::new();
        for directory in &level {
            let names = files.names(directory).unwrap_or_default().into_iter();
            let paths = names.map(|name| directory.join(name));
            let is_directory =
                |path: &PathBuf| files.kind(path).is_ok_and(|kind| kind == FileKind::Directory);
            below.extend(paths.filter(is_directory).take(left.saturating_sub(below.len())));
        }
        below.sort();
        left = left.saturating_sub(below.len());
        found.extend(below.iter().flat_map(|directory| find_dumps_in(directory, files)));
        level = below;
    }
    found
}

/// What a file is, by its first bytes, where a directory was expected.
pub(crate) fn in_file(path: &Path, files: &Files) -> Option<Message> {
    const COMPRESSED: [(&[u8], &str); 6] = [
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"\xfd7zXZ\0", "xz"),
        (b"BZh", "bzip2"),
        (b"\x04\x22\x4d\x18", "LZ4"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"Rar!\x1a", "RAR"),
    ];
    let head = files.read_part(path, 0, 64).ok()?;
    if let Some((_, format)) = COMPRESSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(error_message!("problem-compressed", format));
    }
    let name = path.file_name()?.to_str()?;
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let file = path.display();
    if name.ends_with(".profile") {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dump = parent.unwrap_or(Path::new(".")).display();
        return Some(error_message!("problem-near", dump));
    }
    if ends(&[".pftrace", ".perfetto-trace", ".html"]) {
        return Some(error_message!("problem-to-open", file));
    }
    ends(&["report.json"]).then(|| error_message!("problem-report", file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DumpDir, Error};

    fn said(path: &Path) -> String {
        let error: Error = DumpDir::open(path, &Files::default()).unwrap_err();
        error.to_string()
    }

    #[test]
    fn what_is_no_dump_is_named_with_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let make = |name: &str, bytes: &[u8]| {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), bytes).unwrap();
        };
        std::fs::create_dir(at("empty")).unwrap();
        make("results/.bigtpuprofile-files", b"report.json\n");
        make("deep/a/b/dump/global.profile", b"arch=AKS\n");
        make("deep/a/c/dump/global.profile", b"arch=AKS\n");
        make("model/compilation.bmodel", b"x");
        make("run.tar.zst", b"\x28\xb5\x2f\xfd0000");
        make("trace.pftrace", b"\x0a\x00");
        make("report.json", b"{}");
        make("dump/cdmlib0_0.profile", b"x");
        make("notes.txt", b"x");
        let expected = [
            ("empty", "the directory is empty"),
            ("results", "`bigtpuprofile open "),
            ("deep", "2 dumps are below it, the first is "),
            ("deep", "`bigtpuprofile batch "),
            ("model", "`bigtpuprofile simulate "),
            ("run.tar.zst", "it is compressed with Zstandard: unpack it"),
            ("trace.pftrace", "`bigtpuprofile open "),
            ("report.json", "`bigtpuprofile diff "),
            ("dump/cdmlib0_0.profile", "did you mean "),
        ];
        for (name, words) in expected {
            let said = said(&at(name));
            assert!(said.contains(words), "{name}: {said}");
        }
        assert!(said(&at("notes.txt")).ends_with("not a file in it"));
    }
}

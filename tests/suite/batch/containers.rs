//! libsophon's containers among the dumps of a batch.

use std::fs;
use std::path::Path;

use crate::support::case::fixture;
use crate::support::run::{finish, tool};

fn copy(scenario: &str, folder: &str, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(fixture("writers").join(scenario).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Two iterations are two results; a summary without records is left out, and is no failure.
#[test]
fn iterations_are_results_of_their_own_and_summaries_are_left_out() {
    let keep = tempfile::tempdir().unwrap();
    let (root, out) = (keep.path().join("root"), keep.path().join("out"));
    let container = root.join("net/bmprofile_data0");
    copy("bm1688_bmrt", "bmprofile_data0", &container);
    fs::copy(container.join("iter0.profile"), container.join("iter1.profile")).unwrap();
    copy("cv_bmprofile_sibling", "bmprofile_data0", &root.join("other/bmprofile_data0"));
    let run = |args: &[&str]| {
        let said = finish(tool().arg("batch").arg(&root).arg(&out).args(args));
        assert_eq!(said.code, Some(0), "{said:?}");
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
        assert!(said.stderr.contains("other/bmprofile_data0: left out"), "{}", said.stderr);
        said.stdout.lines().next().unwrap().to_owned()
    };
    let both = run(&["--emit", "summary", "--strict"]);
    assert_eq!(both, "2 dumps: 2 analyzed, 0 unchanged, 0 failed; 0 with lost data");
    let summary = |place: &str| fs::read(out.join(place).join("summary.txt")).unwrap();
    assert_eq!(summary("net/bmprofile_data0_iter0"), summary("net/bmprofile_data0_iter1"));
    let one = run(&["--emit", "summary", "--iteration", "1"]);
    assert_eq!(one, "1 dumps: 1 analyzed, 0 unchanged, 0 failed; 0 with lost data");
    assert_eq!(summary("net/bmprofile_data0"), summary("net/bmprofile_data0_iter1"));
}

#[test]
fn a_directory_of_summaries_is_an_error_with_the_reason() {
    let keep = tempfile::tempdir().unwrap();
    let (root, out) = (keep.path().join("root"), keep.path().join("out"));
    copy("cv_bmprofile_sibling", "bmprofile_data0", &root.join("bmprofile_data0"));
    let said = finish(tool().arg("batch").arg(&root).arg(&out));
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("the runtime's summary only"), "{}", said.stderr);
}

//! What fuzzing found worth keeping is checked again.

use std::fs;
use std::path::Path;

use bigtpu_fuzz_support::checks;

/// A target: its name, and what it checks.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 6] = [
    ("container", checks::container),
    ("descriptors", checks::descriptors),
    ("directory", checks::directory),
    ("dyn_data", checks::dyn_data),
    ("global", checks::global),
    ("host_trace", checks::host_trace),
];

#[test]
fn corpora_hold_what_their_targets_check() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for (name, check) in TARGETS {
        assert!(fuzz.join("fuzz_targets").join(format!("{name}.rs")).is_file(), "{name}");
        let inputs = fs::read_dir(fuzz.join("corpus").join(name)).unwrap();
        let mut count = 0;
        for input in inputs {
            check(&fs::read(input.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count >= 20, "{name}: only {count} inputs");
    }
    let targets = fs::read_dir(fuzz.join("fuzz_targets")).unwrap().count();
    assert_eq!(targets, TARGETS.len(), "a target is not replayed");
}

//! What fuzzing found worth keeping is checked again.

use std::fs;
use std::path::Path;

use bigtpu_fuzz_support::{Numbers, checks, mutate, readers};

/// A target: its name, and what it checks.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 18] = [
    ("container", checks::container),
    ("descriptors", checks::descriptors),
    ("directory", checks::directory),
    ("dyn_data", checks::dyn_data),
    ("bmodel", checks::bmodel),
    ("command_files", checks::command_files),
    ("global", checks::global),
    ("host_trace", checks::host_trace),
    ("onnx", readers::onnx),
    ("ff", readers::ff),
    ("machine", readers::machine),
    ("costs", readers::costs),
    ("report", readers::report),
    ("manifest", readers::manifest),
    ("plan", readers::plan),
    ("layers", readers::layers),
    ("iteration", readers::iteration),
    ("model", checks::model),
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

/// Without a fuzzer: the inputs of the readers next to dumps, each damaged in several ways. (Dumps have mutants of their
/// own.)
#[test]
fn mutants_of_the_corpora_hold_what_their_targets_check() {
    const MUTANTS_OF_EACH: u64 = 12;
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut checked = 0;
    for (name, check) in TARGETS.into_iter().skip_while(|(name, _)| *name != "onnx") {
        let mut inputs: Vec<_> = fs::read_dir(fuzz.join("corpus").join(name))
            .unwrap()
            .map(|input| input.unwrap().path())
            .collect();
        inputs.sort();
        for (seed, input) in (0..).zip(&inputs) {
            let bytes = fs::read(input).unwrap();
            for number in 0..MUTANTS_OF_EACH {
                let mut numbers = Numbers::seeded(seed * MUTANTS_OF_EACH + number);
                check(&mutate::damaged(&bytes, &mut numbers));
                checked += 1;
            }
        }
    }
    assert!(checked > 1500, "{checked}");
}

//! Sizes that no runtime writes: the number of parts that a dump is taken into is bound by the chip, not by the file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_format::BlockKind;
use bigtpu_timeline::{BuildOptions, Dump, Profile, Severity, Survey};

fn real(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real").join(name)
}

fn copied(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(real(name)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

/// A monitor without records starts a core in libsophon's container.
#[test]
fn empty_blocks_make_no_more_cores_than_the_chip_has() {
    let copy = copied("bmprofile_data-1_bm1688");
    let path = copy.path().join("iter0.profile");
    let whole = fs::read(&path).unwrap();
    for blocks in [1, 20_000, 40_000] {
        let mut bytes = whole.clone();
        (0..blocks).for_each(|_| bytes.extend(BlockKind::MonitorTiu.head(0)));
        fs::write(&path, &bytes).unwrap();
        let dump = Dump::open(copy.path()).unwrap();
        assert_eq!(dump.cores.len(), 2, "{blocks} blocks");
        assert_eq!(Survey::read(&dump).files.len(), 2);
        let profile = Profile::build(&dump, &BuildOptions::default());
        assert_eq!((profile.cores.len(), profile.event_count()), (2, 303));
        let lost = profile.ledger.notes.iter().filter(|note| note.severity == Severity::Loss);
        let lost: Vec<String> = lost.map(ToString::to_string).collect();
        let said = format!("BM1688 has 2 cores, the file has blocks of {}", blocks + 1);
        assert_eq!(lost.iter().any(|note| note.contains(&said)), blocks > 1, "{lost:?}");
    }
}

#[test]
fn global_profile_names_no_more_cores_than_the_chip_has() {
    let copy = copied("cdm_profile_data_dev0_bm1690");
    let global = copy.path().join("global.profile");
    fs::write(&global, "bmodel\narch=5\ntpu_freq=1000\ncore_num=256\n").unwrap();
    let core = copy.path().join("cdmlib0_0.profile");
    fs::copy(&core, copy.path().join("cdmlib0_200.profile")).unwrap();
    let dump = Dump::open(copy.path()).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    assert_eq!((profile.cores.len(), profile.event_count()), (8, 242));
    let notes: Vec<String> = profile.ledger.notes.iter().map(ToString::to_string).collect();
    let has = |text: &str| notes.iter().any(|note| note.contains(text));
    assert!(has("core_num is 256, but AKS has 8 cores"), "{notes:?}");
    assert!(has("cdmlib0_200.profile: left out: AKS has 8 cores"), "{notes:?}");
}

/// A list of cores that names one twice would let one core's events replace another's.
#[test]
fn a_list_of_cores_that_cannot_be_right_is_not_used() {
    let copy = copied("bmprofile_data_bm1688_2core");
    let global = copy.path().join("global.profile");
    let text = String::from_utf8_lossy(&fs::read(&global).unwrap()).into_owned();
    for list in ["core_list=1,1,", "core_list=0,9,"] {
        fs::write(&global, text.replace("core_list=0,1,", list)).unwrap();
        let dump = Dump::open(copy.path()).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        assert_eq!((profile.cores.len(), profile.event_count()), (2, 471), "{list}");
        assert!(
            profile.ledger.notes.iter().any(|note| note.said().text.contains("core_list")),
            "{list}"
        );
    }
}

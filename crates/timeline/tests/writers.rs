//! Dumps in the forms that runtimes write: what is bound, named and lost in each.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use bigtpu_chip::Chip;
use bigtpu_timeline::{BuildOptions, Dump, OpenOptions, Profile, RuntimeKind};

/// The dump directory of a scenario.
fn scenario(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/writers").join(name);
    let mut inside = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
    inside.find(|path| path.is_dir()).unwrap()
}

/// The result of a dump.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// Events, and how many of them have a command.
    events: (u64, u64),
    /// The runtime's copies and parts of barriers.
    runtime: (usize, usize),
    /// Records lost.
    lost: u64,
    /// Losses and warnings.
    notes: usize,
}

fn of_iteration(iteration: u32) -> OpenOptions {
    OpenOptions { iteration: Some(iteration), ..OpenOptions::default() }
}

fn outcome(path: &Path, arch: Option<&'static Chip>) -> Outcome {
    let dump = Dump::open_as(path, OpenOptions { arch, ..OpenOptions::default() }).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let sum = |of: fn(&bigtpu_timeline::Counts) -> u64| {
        profile.ledger.lines.iter().map(|line| of(&line.counts)).sum()
    };
    let barriers = profile.runtime.iter().filter(|e| e.kind == RuntimeKind::Barrier).count();
    Outcome {
        events: (sum(|c| c.shown), sum(|c| c.matched)),
        runtime: (profile.runtime.len() - barriers, barriers),
        lost: sum(|c| c.lost),
        notes: profile.ledger.notes.len(),
    }
}

/// A dump of which nothing is lost: its name, events, those with a command; the runtime's copies and parts of barriers.
type Healthy = (&'static str, (u64, u64), (usize, usize));

const HEALTHY: &[Healthy] = &[
    ("aks_bmodel_mode0", (156, 156), (16, 0)),
    ("aks_iter_static_old", (69, 69), (0, 0)),
    ("aks_op_mode1_one_core", (32, 32), (0, 0)),
    ("aksv_bmodel_mode0", (160, 160), (16, 0)),
    ("aksv_bmodel_mode0_one_core", (45, 45), (4, 0)),
    ("aksv_bmodel_mode0_one_core_empty_files", (45, 45), (4, 0)),
    ("aksv_bmodel_mode1", (176, 176), (16, 0)),
    ("aksv_bmodel_one_group_ends", (66, 66), (0, 0)),
    ("aksv_bmodel_two_different_groups", (141, 141), (0, 0)),
    ("aksv_bmodel_two_groups", (112, 112), (0, 0)),
    ("aksv_bmodel_two_launches", (320, 320), (0, 0)),
    ("aksv_cdma_plain_names", (118, 118), (0, 0)),
    ("aksv_op_dyn_8_bytes", (137, 137), (0, 0)),
    ("aksv_op_mode0", (137, 0), (0, 0)),
    ("aksv_op_mode1", (137, 137), (0, 0)),
    ("aksv_op_mode1_one_core", (28, 28), (0, 0)),
    ("aksv_op_mode2", (137, 137), (0, 0)),
    ("aksv_op_mode2_one_core", (28, 28), (0, 0)),
    ("aksv_op_no_func", (137, 137), (0, 0)),
    ("aksv_op_nothing_ran", (0, 0), (0, 0)),
    ("aksv_op_old_keys", (137, 137), (0, 0)),
    ("aksv_op_subnet_anchor_block", (137, 137), (0, 0)),
    ("aksv_op_trailing_zeros", (137, 137), (0, 0)),
    ("bm1688_as_reader_wants", (88, 88), (0, 0)),
    ("bm1688_bmrt", (88, 88), (0, 0)),
    ("bm1688_bmrt_arch_name", (88, 88), (0, 0)),
    ("bmlib_style", (27, 0), (0, 0)),
    ("cv_dynamic_model", (176, 176), (0, 0)),
    ("cv_dynamic_model_mode0", (184, 0), (0, 0)),
    ("cv_dynamic_model_mode2", (176, 176), (0, 0)),
    ("cv_end_commands", (62, 62), (0, 0)),
    ("cv_mode0_all_cores", (168, 168), (0, 0)),
    ("cv_mode0_core2_only", (42, 42), (0, 0)),
    ("cv_mode0_io_copies", (168, 168), (16, 0)),
    ("cv_mode0_one_core", (42, 42), (0, 0)),
    ("cv_mode1_io_copies", (184, 184), (16, 0)),
    ("cv_mode2_io_copies", (184, 184), (16, 0)),
    ("cv_model_loaded_twice", (58, 58), (0, 0)),
    ("cv_one_group_ends", (62, 62), (0, 0)),
    ("cv_tpu_freq_zero", (168, 168), (0, 0)),
    ("cv_two_command_groups", (116, 116), (0, 0)),
    ("cv_two_different_groups", (130, 130), (0, 0)),
];

/// Dumps of real hardware.
const REAL: &[Healthy] = &[
    ("cdm_profile_data_dev0_bm1690", (242, 242), (3, 12)),
    ("bmprofile_data-1_bm1688", (303, 303), (3, 0)),
    ("bmprofile_data_bm1688_2core", (471, 471), (2, 0)),
];

#[test]
fn healthy_captures_have_no_losses_and_no_warnings() {
    for &(name, events, runtime) in HEALTHY {
        let expected = Outcome { events, runtime, lost: 0, notes: 0 };
        assert_eq!(outcome(&scenario(name), None), expected, "{name}");
    }
}

/// Our own record counts: nothing that the dumps of real hardware hold stays without a name.
#[test]
fn real_hardware_is_whole() {
    for &(name, events, runtime) in REAL {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real").join(name);
        // BM1688: a note for each core, of how its engines were aligned.
        let notes = match name {
            "bmprofile_data-1_bm1688" => 1,
            "bmprofile_data_bm1688_2core" => 2,
            _ => 0,
        };
        let expected = Outcome { events, runtime, lost: 0, notes };
        assert_eq!(outcome(&root, None), expected, "{name}");
    }
}

/// 101 slots make a DMA ring of 100: each of the two is reported, with a size that would do.
#[test]
fn a_full_ring_of_an_odd_size_is_a_loss() {
    let dump = Dump::open(&scenario("aksv_op_odd_ring")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    assert!(profile.ledger.has_loss());
    let notes: Vec<String> = profile.ledger.notes.iter().map(ToString::to_string).collect();
    for (engine, written) in [("TIU", 101), ("GDMA", 100)] {
        let text = format!(
            "core 0 {engine}: the PMU ring of 101 records was full ({written} written), so records were lost"
        );
        assert!(notes.iter().any(|note| note.contains(&text)), "{text}\n{notes:?}");
    }
    assert!(notes.iter().all(|note| !note.contains("SDMA: the PMU ring")), "{notes:?}");
}

#[test]
fn a_ring_without_a_size_is_full_at_the_usual_sizes() {
    let keep = tempfile::tempdir().unwrap();
    std::fs::write(keep.path().join("global.profile"), "bmodel\narch=7\n").unwrap();
    let record = |i: u32| [100 * i + 1, 100 * i + 50, i, 0].map(u32::to_le_bytes).concat();
    for (count, is_full) in [(65_535u32, false), (65_536, true), (65_537, false)] {
        let mut file = [3u32.to_le_bytes(), (16 * count).to_le_bytes()].concat();
        (0..count).for_each(|i| file.extend(record(i)));
        std::fs::write(keep.path().join("cdmlib0_0.profile"), file).unwrap();
        let dump = Dump::open(keep.path()).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        assert_eq!(profile.ledger.has_loss(), is_full, "{count}: {:?}", profile.ledger.notes);
    }
}

#[test]
fn a_dump_without_arch_is_read_as_the_chip_that_is_given() {
    let aksv = Chip::find("AKSV").unwrap();
    let expected = outcome(&scenario("aksv_op_old_keys"), None);
    assert_eq!(outcome(&scenario("global_empty"), Some(aksv)), expected);
    let error = Dump::open(&scenario("global_empty")).unwrap_err().to_string();
    assert!(error.contains("--arch"), "{error}");
}

#[test]
fn what_holds_no_records_is_refused_in_a_sentence() {
    let error = Dump::open(&scenario("only_global")).unwrap_err().to_string();
    assert!(error.contains("the runtime wrote no records"), "{error}");
    let error = Dump::open(&scenario("cv_bmprofile_sibling")).unwrap_err().to_string();
    assert!(error.contains("summary only") && error.contains("cdm_profile_data_dev*"), "{error}");
}

/// The iterations of a container are dumps of their own.
#[test]
fn an_iteration_is_chosen_by_its_number() {
    let keep = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(scenario("bm1688_bmrt")).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, keep.path().join(from.file_name().unwrap())).unwrap();
    }
    let iteration = |n: u32| keep.path().join(format!("iter{n}.profile"));
    std::fs::copy(iteration(0), iteration(3)).unwrap();
    // One that holds the summary of a subnet on the CPU.
    std::fs::copy(scenario("cv_bmprofile_sibling").join("iter0.profile"), iteration(2)).unwrap();
    assert_eq!(bigtpu_timeline::iterations(keep.path(), &bigtpu_format::Files::default()), [0, 3]);
    assert_eq!(Dump::open_as(keep.path(), of_iteration(3)).unwrap().iteration, Some(3));
    let error = Dump::open_as(keep.path(), of_iteration(2)).unwrap_err().to_string();
    assert!(error.contains("no iteration 2; there are 0, 3"), "{error}");
}

/// Input and output copies are around the model, with the bytes that the counters say.
#[test]
fn runtime_copies_have_their_place_and_bytes() {
    for (name, in_track) in [("cv_mode0_io_copies", false), ("cv_mode2_io_copies", true)] {
        let dump = Dump::open(&scenario(name)).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let own: Vec<_> = profile.runtime.iter().filter(|e| e.engine_id.index == 1).collect();
        use RuntimeKind::{InputCopy, OutputCopy};
        let kinds: Vec<_> = own.iter().map(|e| e.kind).collect();
        assert_eq!(kinds, [InputCopy, InputCopy, OutputCopy, OutputCopy], "{name}");
        assert!(own.iter().all(|e| e.bytes == 65_536 && e.duration() == 750), "{name}: {own:?}");
        assert!(own.iter().all(|e| e.event.is_some() == in_track), "{name}");
    }
}

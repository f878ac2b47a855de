//! `bigtpuprofile info`.

use crate::support::case::{case, fixture};
use crate::support::dump::DumpCopy;
use crate::support::run::{finish, say};

fn info(dump: &std::path::Path) -> String {
    let said = say(&["info", dump.to_str().unwrap()]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:?}");
    said.stdout
}

#[test]
fn chip_mode_clocks_files_and_counts() {
    let text = info(&case("aks-mode2-sync").dump());
    for part in [
        "AKS (SG2260, BM1690), dynamic run, mode 2",
        "TIU 1000 MHz (from the dump), DMA 1000 MHz (chip default, not measured)",
        "2 core files of 8, 0 CDMA port files of 11, PMU rings of 4096 records",
        "Most records: core 0 TIU, 27; its ring was not full. Such a run needs max_record_num=1024 (bigtpuprofile explain docs/capture.md)",
        "Completeness: complete",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let row = text.lines().find(|line| line.contains("cdmlib0_0.profile")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[3..8], ["27", "21", "4", "0", "100"]);
    for (name, mode) in [
        ("aks-mode0-cdma", "mode 0: PMU records only"),
        ("aks-mode1-batch", "mode 1: commands by type"),
        ("bm1688-bmodel", "BM1688, static model, commands as descriptors"),
    ] {
        assert!(info(&case(name).dump()).contains(mode), "{name}");
    }
}

/// `info` gives the notes of an analysis, as far as block headers can show them.
#[test]
fn damage_is_reported() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    let file = dump.read("cdmlib0_1.profile");
    dump.write("cdmlib0_1.profile", &file[..file.len() - 3000]);
    let text = info(&dump.path());
    let notes: Vec<&str> = text.lines().filter(|l| l.starts_with("lost: ")).collect();
    assert!(notes.iter().any(|n| n.contains("cdmlib0_1.profile at byte")), "{text}");
    let analyzed = dump.analyze(&["--disable_doc", "--verbose"]).said.stderr;
    notes.iter().for_each(|note| assert!(analyzed.contains(note), "{note} in {analyzed}"));
    let twice = info(&case("aks-two-monitor-blocks").dump());
    assert!(twice.contains("lost: cdmlib0_0.profile at byte"), "{twice}");
}

/// A dump that names no chip, in a folder of its own: the chip is that of `--arch`.
#[test]
fn the_chip_can_be_given_and_a_parent_is_its_dump() {
    let parent = fixture("writers").join("global_empty");
    let refused = say(&["info", parent.to_str().unwrap()]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--arch"), "{}", refused.stderr);
    let said = say(&["info", parent.to_str().unwrap(), "--arch", "140814"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("the dump in it is used"), "{}", said.stderr);
    assert!(
        said.stdout.contains("cdm_profile_data_dev0: AKSV (SG2260E, BM1690E), dynamic run"),
        "{}",
        said.stdout
    );
}

/// The heads of a file with 3 GiB of records tell how many these are: nothing between the heads is read.
#[test]
#[cfg(unix)]
fn headers_are_read_without_what_is_between_them() {
    use std::os::unix::fs::FileExt;

    let dump = DumpCopy::copy("aks-mode0-cdma");
    let path = dump.path().join("cdmlib0_0.profile");
    let mut file = dump.read("cdmlib0_0.profile");
    const RECORDS: u32 = 3 << 26;
    // A block: its kind and its length, then records of the TIU of 16 bytes, of which most are a hole in the file.
    file.splice(.., [3_u32.to_le_bytes(), (16 * RECORDS).to_le_bytes()].concat());
    dump.write("cdmlib0_0.profile", &file);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(8 + 16 * u64::from(RECORDS)).unwrap();
    file.write_all_at(&[1; 16], 8).unwrap();
    file.write_all_at(&[1; 16], 8 + 16 * u64::from(RECORDS - 1)).unwrap();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", r#"ulimit -t 5; exec "$@""#, "sh", env!("CARGO_BIN_EXE_bigtpuprofile")]);
    let said = finish(command.arg("info").arg(dump.path()).arg("--headers"));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains(&RECORDS.to_string()), "{}", said.stdout);
    let verdict = said.stdout.lines().find(|line| line.starts_with("Completeness: ")).unwrap();
    assert!(!verdict.contains("Completeness: complete"), "{verdict}");
    let whole = say(&["info", case("aks-mode2-sync").dump().to_str().unwrap(), "--headers"]);
    assert!(whole.stdout.contains("Completeness: can't be verified"), "{}", whole.stdout);
}

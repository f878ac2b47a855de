//! Whether a dump is complete: the verdict in every view, and the exit code.

use serde_json::Value;

use crate::support::case::fixture;
use crate::support::dump::{DumpCopy, kind};
use crate::support::run::{analyze, say};
use crate::support::validate::violations;
use crate::support::workbook::rows;

/// Analyzes a copy of a dump in which `change` damaged something.
fn of_copy(name: &str, change: impl Fn(&DumpCopy)) -> (crate::support::run::Finished, String) {
    let dump = DumpCopy::of_path(&fixture(name));
    change(&dump);
    let run = analyze(&dump.path(), &["--strict", "--perfetto", "--enable_doc"]);
    let info = say(&["info", dump.path().to_str().unwrap()]);
    assert_eq!(info.code, Some(0), "{info:?}");
    (run, info.stdout)
}

#[test]
fn the_verdict_is_in_every_view() {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    for (name, damaged, code, verdict, key) in [
        ("real/bmprofile_data-1_bm1688", "", 0, "Completeness: complete", "complete"),
        (
            "real/cdm_profile_data_dev0_bm1690",
            "",
            0,
            "Completeness: can't be verified: global.profile: 1 of at most 8 files of cores are there",
            "unverified",
        ),
        (
            "real/bmprofile_data-1_bm1688",
            "cmd_12406e000_0_0.dat",
            3,
            "Completeness: incomplete, because cmd_12406e000_0_0.dat: the file has 0 of the 137 TIU commands",
            "incomplete",
        ),
    ] {
        let (run, info) = of_copy(name, |dump| {
            if !damaged.is_empty() {
                dump.write(damaged, "");
            }
        });
        assert_eq!(run.said.code, Some(code), "{name} {damaged}: {}", run.said.stderr);
        for (view, text) in [
            ("console", run.said.stdout.clone()),
            ("summary.txt", run.text("summary.txt")),
            ("info", info),
        ] {
            assert!(text.lines().any(|line| line.starts_with(verdict)), "{name}: {view}: {text}");
        }
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        assert_eq!(violations(&schema, &report), Vec::<String>::new(), "{name}");
        let completeness = &report["ledger"]["completeness"];
        assert_eq!(completeness["verdict"], key, "{name}");
        let reasons = completeness["reasons"].as_array().unwrap();
        assert_eq!(reasons.is_empty(), key == "complete", "{name}");
        if !damaged.is_empty() {
            assert_eq!(reasons[0]["file"], damaged);
        }
        let attributes = run.trace().attributes;
        let said = attributes.iter().find(|(key, _)| key.ends_with(".completeness"));
        let said = format!("Completeness: {}", said.unwrap().1);
        assert!(said.starts_with(verdict), "{name}: trace: {said}");
        let named = verdict.strip_prefix("Completeness: ").unwrap();
        let quality = rows(run.out_dir(), "Data Quality");
        let row = quality.iter().find(|row| row[0] == "Completeness");
        assert!(row.is_some_and(|row| named.starts_with(&row[1])), "{name}: {quality:?}");
    }
}

#[test]
fn missing_files_and_blocks_of_static_models_are_losses() {
    // The descriptors follow the monitors, the last of which ends at byte 12744.
    for length in [0, 1400, 12288, 12744, 18000] {
        let (run, info) = of_copy("real/cdm_profile_data_dev0_bm1690", |dump| {
            let file = dump.read("cdmlib0_0.profile");
            dump.write("cdmlib0_0.profile", &file[..length]);
        });
        assert_eq!(run.said.code, Some(3), "{length}: {}", run.said.stderr);
        assert!(info.contains("Completeness: incomplete, because cdmlib0_0.profile"), "{info}");
    }
    for (name, file) in [
        ("writers/aks_bmodel_mode0/cdm_profile_data_dev0", "cdmlib0_1.profile"),
        ("writers/cv_mode0_all_cores/cdm_profile_data_dev0", "cdmlib0_2.profile"),
    ] {
        let (run, _) = of_copy(name, |dump| dump.remove(file));
        assert_eq!(run.said.code, Some(3), "{name}: {}", run.said.stderr);
        assert!(run.said.stderr.contains(&format!("lost: {file}: the file is missing")), "{name}");
    }
}

#[test]
fn damaged_lists_of_layers_are_no_worse_than_missing_ones() {
    let events = |change: &dyn Fn(&DumpCopy)| {
        let (run, _) = of_copy("real/bmprofile_data-1_bm1688", change);
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        (run.said.code, report["layers"].as_array().map_or(0, Vec::len))
    };
    let list = "tensor_location.json";
    let (_, whole) = events(&|_| {});
    let (code, of_log) = events(&|dump| dump.remove(list));
    assert!(code == Some(3) && of_log > 100, "{code:?}, {of_log} of {whole}");
    for share in [0, 1, 2, 3] {
        let cut = |dump: &DumpCopy| {
            let bytes = dump.read(list);
            dump.write(list, &bytes[..bytes.len() * share / 4]);
        };
        assert_eq!(events(&cut), (Some(3), of_log));
    }
    // Without a log, the layers before the cut are left.
    let (run, _) = of_copy("real/cdm_profile_data_dev0_bm1690", |dump| {
        let bytes = dump.read(list);
        dump.write(list, &bytes[..bytes.len() / 2]);
    });
    assert_eq!(run.said.code, Some(3));
    assert!(run.said.stderr.contains("layers before that are used"), "{}", run.said.stderr);
}

/// A capture mode holds for all cores: a file that lacks the block of the commands is not whole.
#[test]
fn a_block_that_other_cores_have_is_missing() {
    for (kind, name) in [(kind::DYN_DATA, "DYN_DATA"), (kind::DYN_EXTRA, "DYN_EXTRA")] {
        let (run, _) = of_copy("writers/aksv_op_mode2/cdm_profile_data_dev0-0", |dump| {
            dump.edit("cdmlib0_3.profile", |blocks| blocks.retain(|block| block.kind != kind));
        });
        assert_eq!(run.said.code, Some(3), "{name}: {}", run.said.stderr);
        let said = format!("lost: cdmlib0_3.profile: the file has no {name} block, but cdmlib0_0");
        assert!(run.said.stderr.contains(&said), "{name}: {}", run.said.stderr);
    }
}

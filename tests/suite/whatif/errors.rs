//! Bad input is refused in a sentence that says what there is.

use super::{synth, whatif};
use crate::support::case;
use crate::support::run::{finish, say, tool};
use crate::support::trace::Trace;

#[test]
fn bad_changes_are_refused() {
    let dump = case::case("aks-graph-des").dump();
    for (change, words) in [
        ("ram=2", "tiu, gdma, sdma, cdma, ddr, l2m, link, launch, sync"),
        ("ddr=0", "above 0"),
        ("launch=-1", "1000000) or 0"),
        ("core:0=1e30", "above 0 (0.000001 to 1000000)"),
        ("ddr", "WHAT=FACTOR"),
    ] {
        let said = finish(tool().arg("whatif").arg(&dump).args(["--scale", change]));
        assert_eq!(said.code, Some(2), "{change}");
        assert!(said.stderr.contains(words), "{change}: {}", said.stderr);
    }
    for (change, words) in
        [("kernel:none*=2", "no kernel matches"), ("core:7=2", "the cores with commands are 0")]
    {
        let said = finish(tool().arg("whatif").arg(&dump).args(["--scale", change]));
        assert_eq!(said.code, Some(1), "{change}: {}", said.stdout);
        assert!(said.stderr.contains(words), "{change}: {}", said.stderr);
    }
    let said = say(&["whatif", "/nowhere"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("/nowhere"), "{}", said.stderr);
}

#[test]
fn the_folder_of_the_only_dump_is_as_good_as_the_dump() {
    let keep = tempfile::tempdir().unwrap();
    let (first, second) = ("cdm_profile_data_dev0-0", "cdm_profile_data_dev0-1");
    synth(&keep.path().join(first), &["--launches", "2"]);
    let said = finish(tool().arg("whatif").arg(keep.path()));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains(first), "{}", said.stderr);
    synth(&keep.path().join(second), &["--launches", "2"]);
    for command in ["whatif", "costs"] {
        let said = finish(tool().arg(command).arg(keep.path()));
        assert_eq!(said.code, Some(1), "{}", said.stdout);
        assert!(said.stderr.contains("holds 2 dumps"), "{}", said.stderr);
        assert!(said.stderr.contains(second), "{}", said.stderr);
    }
}

#[test]
fn hardware_is_a_file_or_a_preset() {
    let dump = case::case("aks-graph-des").dump();
    let said = finish(tool().arg("whatif").arg(&dump).args(["--hw", "h1000"]));
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("the nearest known one is"), "{}", said.stderr);
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("hw.json");
    std::fs::write(&file, "{\"ddr_gbps\": 136.528}").unwrap();
    let by_file = whatif(&dump, &["--hw", file.to_str().unwrap()]);
    let by_factor = whatif(&dump, &["--scale", "ddr=2"]);
    assert_eq!(by_file["predicted_ns"], by_factor["predicted_ns"]);
}

#[test]
fn both_runs_are_in_one_trace() {
    let keep = tempfile::tempdir().unwrap();
    let (dump, out) = (keep.path().join("dump"), keep.path().join("out"));
    synth(&dump, &["--launches", "5", "--repeat", "2", "--cores", "2"]);
    let said =
        finish(tool().arg("whatif").arg(&dump).args(["--scale", "tiu=2"]).arg("-o").arg(&out));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let trace = Trace::open(&out.join("whatif.pftrace"));
    assert!(trace.problems.is_empty(), "{:#?}", trace.problems);
    let file: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("whatif.json")).unwrap()).unwrap();
    assert_eq!(file["schema_version"], 1);
    assert_eq!(file["changes"], serde_json::json!(["tiu=2"]));
}

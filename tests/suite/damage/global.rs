//! A `global.profile` that disagrees with the files, or is no pretty text.

use super::{Note, expect, shown, undamaged};
use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::analyzed;

const CASE: &str = "aks-mode2-sync";
const GDMA: &str = "core0_gdma_record=21";

/// The case with another line for core 0's GDMA.
fn saying(line: &str) -> DumpCopy {
    let dump = DumpCopy::copy(CASE);
    dump.edit_global(|text| {
        assert!(text.contains(GDMA));
        text.replace(GDMA, line)
    });
    dump
}

#[test]
fn counts_that_contradict_the_records_are_a_loss() {
    let cases: [(&str, bool, &[&str]); 5] = [
        ("core0_gdma_record=22", true, &["core 0 GDMA", "22 records", "holds 21"]),
        ("core0_gdma_record=20", true, &["core 0 GDMA", "20 records", "holds 21"]),
        ("core0_gdma_record=0", true, &["core 0 GDMA", "0 records", "holds 21"]),
        ("core0_gdma_record=1", true, &["core 0 GDMA", "1 records", "holds 21"]),
        ("core9_gdma_record=5", true, &["core 9 GDMA", "no file"]),
    ];
    for (line, lost, says) in cases {
        let run = expect(line, &saying(line), &Note { lost, place: "global.profile", says });
        assert_eq!(shown(&run), undamaged(CASE), "{line}");
    }
}

#[test]
fn a_full_ring_is_reported_with_a_sufficient_size() {
    for (written, enough) in [(4096, 8192), (5000, 8192), (9000, 16384)] {
        let line = format!("core0_gdma_record={written}");
        let says = [
            "core 0 GDMA: the PMU ring of 4096 records was full",
            &format!("{written} written"),
            &format!("max_record_num={enough}"),
        ];
        let note = Note { lost: true, place: "global.profile", says: &says };
        expect(&line, &saying(&line), &note);
    }
}

#[test]
fn marks_line_ends_and_junk_do_not_matter() {
    let plain = analyzed(&case(CASE).dump(), &["--emit", "text,report,trace,summary"]).files();
    let dump = DumpCopy::copy(CASE);
    let text = String::from_utf8(dump.read("global.profile")).unwrap();
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(text.replace('=', " = ").replace('\n', "\r\n\r\n").bytes());
    bytes.extend(b"a line of junk\r\nfuture_key=1\r\n=\r\n\xff\xfe\x00=3\r\n");
    dump.write("global.profile", bytes);
    let run = dump.analyze(&["--emit", "text,report,trace,summary", "--strict"]);
    assert_eq!((run.said.code, run.said.stderr.as_str()), (Some(0), ""));
    assert!(run.files() == plain, "another form of the same text changes the outputs");
}

#[test]
fn an_invalid_number_is_reported_with_its_line() {
    for (line, key) in [("core_num=many", "core_num=2"), ("tpu_freq=fast", "tpu_freq=1000")] {
        let dump = DumpCopy::copy(CASE);
        let mut number = 0;
        dump.edit_global(|text| {
            let text = if text.contains(key) { text } else { format!("{text}{key}\n") };
            number = 1 + text.lines().position(|l| l == key).unwrap();
            text.replace(key, line)
        });
        let says = format!("line {number}: {line} is not");
        let note = Note { lost: false, place: "global.profile", says: &[&says] };
        assert_eq!(shown(&expect(line, &dump, &note)), undamaged(CASE));
    }
}

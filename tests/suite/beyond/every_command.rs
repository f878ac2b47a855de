//! Every command of a chip in full bits, those that the reference cannot decode included.

use std::collections::BTreeSet;

use crate::support::case::case;
use crate::support::dump::{blocks, kind};
use crate::support::register_text::{Record, records};
use crate::support::run::{Finished, analyzed};
use crate::support::summary::{ledger, notes};

/// What is known of the chip of a case, next to the dump itself.
struct Chip {
    case: &'static str,
    preamble: usize,
    record_bytes: (usize, usize),
    lanes: i64,
    /// Types and names among those that the reference gives up on.
    hard: &'static [&'static str],
}

const AKS: Chip = Chip {
    case: "beyond-aks-every-command",
    preamble: 2,
    record_bytes: (16, 64),
    lanes: 64,
    hard: &[
        "VC",
        "sVC",
        "DMA_masked_select",
        "DMA_nonzero",
        "DMA_lossy_compress",
        "DMA_lossy_decompress",
    ],
};

const BM1688: Chip = Chip {
    case: "beyond-bm1688-every-command",
    preamble: 0,
    record_bytes: (32, 256),
    lanes: 32,
    hard: &[
        "CONV",
        "MM",
        "MM2",
        "CMP",
        "SFU",
        "LIN",
        "VC",
        "AR",
        "PorD",
        "RQ&DQ",
        "SG",
        "SGL",
        "CW&BC",
        "sVC",
        "sSGL",
        "DMA_masked_select",
        "DMA_general",
        "DMA_nonzero",
    ],
};

fn run(chip: &Chip) -> Finished {
    analyzed(&case(chip.case).dump(), &["--emit", "text,report,trace,summary", "--strict"])
}

fn texts(run: &Finished) -> Vec<Record> {
    ["tiuRegInfo_0.txt", "tdmaRegInfo_0.txt"].iter().flat_map(|n| records(&run.text(n))).collect()
}

fn nothing_is_unknown(chip: &Chip) {
    let run = run(chip);
    for slice in &run.trace().slices {
        let unknown = slice.name == "unknown" || slice.categories.iter().any(|c| c == "unknown");
        assert!(!unknown, "{}: {}", chip.case, slice.line());
    }
    let mut seen = BTreeSet::new();
    for record in texts(&run) {
        let (function, name) = (record.get("Function Type"), record.get("Function Name"));
        assert!(function != "unknown" && name != "unknown", "{}: {record:?}", chip.case);
        seen.extend([function.to_owned(), name.to_owned()]);
    }
    for hard in chip.hard {
        assert!(seen.contains(*hard), "{}: no {hard} among the commands", chip.case);
    }
}

fn every_record_is_matched(chip: &Chip) {
    let run = run(chip);
    let summary = run.text("summary.txt");
    let file = std::fs::read(case(chip.case).dump().join("cdmlib0_0.profile")).unwrap();
    let sides =
        [("TIU", kind::TIU, chip.record_bytes.0), ("GDMA", kind::GDMA, chip.record_bytes.1)];
    for (engine, kind, bytes) in sides {
        let monitor = blocks(&file).into_iter().find(|block| block.kind == kind).unwrap();
        let written = monitor.content.len() / bytes;
        let line = &ledger(&summary)[&format!("core 0 {engine}")];
        let expected = (written - chip.preamble) as u64;
        assert_eq!(line["read"], written as u64, "{}: {engine}", chip.case);
        assert_eq!(line["preamble"], chip.preamble as u64, "{}: {engine}", chip.case);
        assert_eq!((line["shown"], line["matched"]), (expected, expected), "{}", chip.case);
        let nothing = ["unmatched", "trimmed", "lost", "undecodable", "unseen"];
        assert!(nothing.iter().all(|&title| line[title] == 0), "{}: {line:?}", chip.case);
        let slices = run.trace().slices_on(&format!("Core 0/{engine}")).len();
        assert_eq!(slices as u64, expected, "{}: slices of {engine}", chip.case);
    }
    assert!(notes(&summary).is_empty(), "{}: {:?}", chip.case, notes(&summary));
}

/// Vector correlation: n rows of c channels of w, where n comes from the shapes of its operands.
fn correlations_are_counted(chip: &Chip) {
    let mut checked = 0;
    for record in records(&run(chip).text("tiuRegInfo_0.txt")) {
        // Of the long form no shape is left out, only its fields have other names on some chips.
        if record.get("Function Type") != "sVC" {
            continue;
        }
        let des = |field: &str| record.number(&format!("des_{field}"));
        let bytes = |field: &str| match des(field) {
            2 | 4 => 4,
            1 | 3 | 5 => 2,
            _ => 1,
        };
        let up = |x: i64, a: i64| (x + a - 1) / a * a;
        let n = (des("opd0_c") - 1) * des("opd0_w") + des("opd1_w");
        let (c, w) = (des("res0_c"), des("res0_w"));
        let widest = ["opt_opd0_prec", "opt_opd1_prec", "opt_res0_prec"].map(bytes);
        let at_once = 16 / widest.into_iter().max().unwrap();
        let ops = n * c * w;
        assert_eq!(record.number("Alg Ops"), ops, "{record:?}");
        assert_eq!(record.number("uArch Ops"), n * up(c, chip.lanes) * up(w, at_once));
        assert_eq!(
            record.number("Alg Cycle"),
            (ops as u64).div_ceil((at_once * chip.lanes) as u64) as i64
        );
        checked += 1;
    }
    assert!(checked > 10, "{}: only {checked} correlations", chip.case);
}

#[test]
fn nothing_is_unknown_on_aks() {
    nothing_is_unknown(&AKS);
}

#[test]
fn nothing_is_unknown_on_bm1688() {
    nothing_is_unknown(&BM1688);
}

#[test]
fn every_record_is_matched_on_aks() {
    every_record_is_matched(&AKS);
}

#[test]
fn every_record_is_matched_on_bm1688() {
    every_record_is_matched(&BM1688);
}

#[test]
fn correlations_are_counted_as_their_shapes_say() {
    correlations_are_counted(&AKS);
    correlations_are_counted(&BM1688);
}

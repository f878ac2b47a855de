//! A move inside local memory has no beats on the AXI bus, as a system command has none. Bound to its
//! command it is what the command is: no send or wait that might be trimmed.

use crate::support::case::case;
use crate::support::register_text::records;
use crate::support::run::analyzed;
use crate::support::summary::ledger;

#[test]
fn a_matched_transfer_is_kept_and_named() {
    let case = case("beyond-label-on-bound-record");
    let run = analyzed(&case.dump(), &["--emit", "text,report,trace,summary", "--strict"]);
    let names: Vec<(String, String)> = records(&run.text("tdmaRegInfo_0.txt"))
        .iter()
        .map(|r| (r.get("Function Name").to_owned(), r.get("Direction").to_owned()))
        .collect();
    let load = ("tensorLd".to_owned(), "DDR->LMEM".to_owned());
    let moved = ("tensorMv".to_owned(), "LMEM->LMEM".to_owned());
    assert_eq!(names, [load.clone(), load.clone(), moved, load]);

    let line = &ledger(&run.text("summary.txt"))["core 0 GDMA"];
    assert_eq!((line["matched"], line["labelled"], line["trimmed"]), (4, 0, 0));
    let trace = run.trace();
    let slices = trace.slices_on("Core 0/GDMA");
    let moves: Vec<_> = slices.iter().filter(|slice| slice.name == "tensorMv").collect();
    assert_eq!((slices.len(), moves.len()), (4, 1));
    assert_eq!(moves[0].categories, ["DMA_tensor"]);
}

//! The rate is a number, which queries compare; with `--detail compat` also the text of bigTpuProfile.

use crate::support::case::with_reference;
use crate::support::run::analyzed;
use crate::support::trace::Slice;

#[test]
fn every_known_rate_is_also_a_number() {
    let (mut rates, mut unknown) = (0, 0);
    for case in with_reference() {
        let args = [case.args(), vec!["--detail".to_owned(), "compat".to_owned()]].concat();
        for slice in &analyzed(&case.dump(), &args).trace().slices {
            let text = slice.arg("uArch Rate").map(|rate| rate.text().unwrap());
            let number = slice.arg("uArch Rate(%)").map(|rate| rate.double().unwrap());
            // Commands of a stream have their full bits; of dispatched ones the register fields show.
            let has_fields = |slice: &Slice| {
                slice.arg("des_cmd_short").or(slice.arg("des_cmd_id_dep")).is_some()
            };
            let rate = text.map(|text| text.strip_suffix('%').unwrap().parse().unwrap());
            let known = number.is_some();
            assert!(!known || number == rate, "{}: {}", case.name, slice.line());
            // Without full bits bigTpuProfile writes 0.
            assert!(known || rate.unwrap_or(0.0) == 0.0, "{}: {}", case.name, slice.line());
            assert!(
                known || !has_fields(slice) || rate.is_none(),
                "{}: {}",
                case.name,
                slice.line()
            );
            rates += usize::from(known);
            unknown += usize::from(rate.is_some() && !known);
        }
    }
    assert!(rates > 1000 && unknown > 1000, "only {rates} rates, {unknown} unknown ones");
}

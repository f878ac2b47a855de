//! `uArch Rate` is a text; its numeric twin is what queries compare.

use crate::support::case::with_reference;
use crate::support::run::analyzed;

#[test]
fn every_rate_has_a_numeric_twin() {
    let mut rates = 0;
    for case in with_reference() {
        for slice in &analyzed(&case.dump(), &case.args()).trace().slices {
            let text = slice.arg("uArch Rate").map(|rate| rate.text().unwrap());
            let number = slice.arg("uArch Rate(%)").map(|rate| rate.double().unwrap());
            let expected = text.map(|text| text.strip_suffix('%').unwrap().parse().unwrap());
            assert_eq!(number, expected, "{}: {}", case.name, slice.line());
            rates += usize::from(text.is_some());
        }
    }
    assert!(rates > 1000, "only {rates} rates");
}

//! Users' scripts parse the register texts and the first table of the summary: they are the
//! reference's, byte for byte.

use std::collections::BTreeSet;

use crate::support::case::{Case, with_reference};
use crate::support::run::{analyzed, files};

fn is_register_text(name: &str) -> bool {
    name.contains("RegInfo_") && name.ends_with(".txt")
}

/// Where two texts first differ.
fn first_difference(expected: &[u8], found: &[u8]) -> String {
    let lines = |text| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>();
    let (expected, found) = (lines(expected), lines(found));
    let number = expected.iter().zip(&found).take_while(|(e, f)| e == f).count();
    let line = |lines: &[String]| lines.get(number).cloned().unwrap_or_else(|| "(the end)".into());
    format!("line {}:\n  expected {}\n  found    {}", number + 1, line(&expected), line(&found))
}

fn compare(case: &Case) {
    let expected = files(&case.reference());
    let run = analyzed(&case.dump(), &case.args());
    let found = run.files();
    let texts = |names: Vec<&String>| -> BTreeSet<String> {
        names.into_iter().filter(|name| is_register_text(name)).cloned().collect()
    };
    assert_eq!(
        texts(found.keys().collect()),
        texts(expected.keys().collect()),
        "{}: the set of register texts",
        case.name
    );
    for (name, text) in expected.iter().filter(|(name, _)| is_register_text(name)) {
        let found = &found[name];
        let place = || format!("{}/{name}, {}", case.name, first_difference(text, found));
        assert!(found == text, "{}", place());
    }
    let (table, summary) = (&expected["summary.txt"], &found["summary.txt"]);
    let head = &summary[..table.len().min(summary.len())];
    assert!(head == table, "{}/summary.txt, {}", case.name, first_difference(table, head));
}

#[test]
fn register_texts_and_summary_are_byte_equal() {
    with_reference().iter().for_each(compare);
}

#[test]
fn register_texts_do_not_depend_on_the_other_outputs() {
    for case in with_reference() {
        let run = analyzed::<&str>(&case.dump(), &[]);
        let expected: BTreeSet<String> =
            files(&case.reference()).into_keys().filter(|name| is_register_text(name)).collect();
        for name in &expected {
            let text = std::fs::read(case.reference().join(name)).unwrap();
            assert!(run.files()[name] == text, "{}/{name} differs without --perfetto", case.name);
        }
        let found: BTreeSet<String> = run.names().into_iter().collect();
        let more: Vec<_> = found.difference(&expected).filter(|n| is_register_text(n)).collect();
        assert!(more.is_empty(), "{}: {more:?} written beside the reference's", case.name);
    }
}

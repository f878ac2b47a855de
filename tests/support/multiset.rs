//! Lists compared without their order.

use std::collections::BTreeMap;

/// What only one of two lists has, each with how often.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// Only in the first.
    pub(crate) missing: Vec<(String, i64)>,
    /// Only in the second.
    pub(crate) surplus: Vec<(String, i64)>,
}

/// Compares what is expected with what is there.
pub(crate) fn difference(
    expected: impl IntoIterator<Item = String>,
    found: impl IntoIterator<Item = String>,
) -> Difference {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for item in expected {
        *counts.entry(item).or_default() += 1;
    }
    for item in found {
        *counts.entry(item).or_default() -= 1;
    }
    let mut difference = Difference::default();
    for (item, count) in counts {
        match count {
            0 => {}
            1.. => difference.missing.push((item, count)),
            _ => difference.surplus.push((item, -count)),
        }
    }
    difference
}

/// Expects two lists to hold the same, in whatever order.
#[track_caller]
pub(crate) fn assert_same(
    what: &str,
    expected: impl IntoIterator<Item = String>,
    found: impl IntoIterator<Item = String>,
) {
    let Difference { missing, surplus } = difference(expected, found);
    let first = |list: &[(String, i64)]| {
        let lines = list.iter().take(3).map(|(item, count)| format!("\n  {count} x {item}"));
        lines.collect::<String>()
    };
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "{what}: {} missing:{}\n{} too many:{}",
        missing.len(),
        first(&missing),
        surplus.len(),
        first(&surplus)
    );
}

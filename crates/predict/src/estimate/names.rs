//! The names by which options find operators.

use std::collections::BTreeSet;

use bigtpu_model::{Mapping, Operator, Semantics};

use crate::estimate::upmem;

/// Names that are shown at most.
const SHOWN: usize = 20;

/// Under which names a mapping finds an operator: its context, its class, its class without the prefix of UPMEM's
/// framework; that framework itself knows one of them.
pub(crate) fn of_operator(operator: &Operator, semantics: Semantics) -> [&str; 3] {
    if semantics == Semantics::Upmem {
        return [upmem::mapping_key(operator); 3];
    }
    [&operator.context, &operator.name, operator.name.trim_start_matches("UPM_")]
}

/// The contexts and classes of a mapping that no operator has.
#[must_use]
pub fn unmatched<'a>(
    mapping: &'a Mapping,
    operators: &[Operator],
    semantics: Semantics,
) -> Vec<&'a str> {
    let known: BTreeSet<&str> =
        operators.iter().flat_map(|operator| of_operator(operator, semantics)).collect();
    mapping.targets.keys().map(String::as_str).filter(|key| !known.contains(key)).collect()
}

/// The names that a mapping may use, as the end of a sentence: each once, in the order of the operators.
#[must_use]
pub fn mapping_names(operators: &[Operator], semantics: Semantics) -> String {
    listed(operators.iter().map(|operator| of_operator(operator, semantics)[0]))
}

/// The contexts of operators, as the end of a sentence.
#[must_use]
pub fn context_names(operators: &[Operator]) -> String {
    listed(operators.iter().map(|operator| operator.context.as_str()))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut seen = BTreeSet::new();
    let all: Vec<&str> = names.filter(|name| !name.is_empty() && seen.insert(*name)).collect();
    let mut text = all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if let Some(more) = all.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

//! Advice of all dumps: by rule, the greatest gain first.

use std::collections::BTreeMap;

use bigtpu_messages::LocalizedText;

use super::FleetDump;

/// A rule of advice over all dumps.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetAdvice {
    /// The rule: a heading of `docs/advice.md`.
    pub id: String,
    /// Dumps that it is given for.
    pub dumps: usize,
    /// ns that it saves, summed over the dumps, with what is only a bound.
    pub gain_ns: i64,
    /// ns of these that are only a bound.
    pub bound_ns: i64,
    /// The dump with the greatest gain, by its place in the list.
    pub best: usize,
    /// What was found there.
    pub text: LocalizedText,
}

/// Advice of all dumps.
pub(super) fn advice(dumps: &[FleetDump<'_>]) -> Vec<FleetAdvice> {
    let mut rules: BTreeMap<&str, (FleetAdvice, Option<i64>)> = BTreeMap::new();
    for (at, dump) in dumps.iter().enumerate() {
        for advice in &dump.facts.advice {
            let gain = advice.gain_ns.unwrap_or(0);
            let fresh = || {
                let (id, text) = (advice.id.clone(), advice.text.clone());
                (FleetAdvice { id, dumps: 0, gain_ns: 0, bound_ns: 0, best: at, text }, None)
            };
            let (row, most) = rules.entry(&advice.id).or_insert_with(fresh);
            (row.dumps, row.gain_ns) = (row.dumps + 1, row.gain_ns + gain);
            row.bound_ns += if advice.is_bound { gain } else { 0 };
            if most.is_none_or(|most| gain > most) {
                (row.best, row.text, *most) = (at, advice.text.clone(), Some(gain));
            }
        }
    }
    let mut rows: Vec<FleetAdvice> = rules.into_values().map(|(row, _)| row).collect();
    rows.sort_by(|a, b| b.gain_ns.cmp(&a.gain_ns).then_with(|| a.id.cmp(&b.id)));
    rows
}

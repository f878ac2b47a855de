//! Constants of the TIU.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, TiuFamily};
use bigtpu_command_cost::{CostModel, Windows};

use super::{CommandSample, measured};
use crate::costs::CostTable;

/// Values that a constant of the TIU may have, and how it is set.
struct Choice {
    families: &'static [TiuFamily],
    values: std::ops::RangeInclusive<u32>,
    /// The value of a number of the range.
    set: fn(&mut CostModel, u64),
    get: fn(&CostModel) -> u64,
}

/// A choice among powers of two, flags or whole numbers.
macro_rules! choice {
    ($families:expr, power $values:expr, $field:ident) => {
        Choice {
            families: $families,
            values: $values,
            set: |model, n| model.tiu.$field = measured(1 << n),
            get: |model| model.tiu.$field.value.max(1).ilog2().into(),
        }
    };
    ($families:expr, flag, $field:ident) => {
        Choice {
            families: $families,
            values: 0..=1,
            set: |model, n| model.tiu.$field = measured(n > 0),
            get: |model| model.tiu.$field.value.into(),
        }
    };
    ($families:expr, number $values:expr, $field:ident) => {
        Choice {
            families: $families,
            values: $values,
            set: |model, n| model.tiu.$field = measured(n),
            get: |model| model.tiu.$field.value,
        }
    };
}

const CHOICES: [Choice; 13] = {
    use TiuFamily::{Ar, Conv, CwBc, PorD};
    [
        choice!(&[Conv], power 0..=4, positions_8bit),
        choice!(&[Conv], power 0..=4, positions_16bit),
        choice!(&[Conv], power 3..=8, conv_read_bytes),
        choice!(&[PorD], power 3..=8, pool_read_bytes),
        choice!(&[Conv, PorD], flag, keeps_last_read),
        choice!(&[PorD], flag, pool_keeps_by_column),
        choice!(&[PorD], flag, depthwise_log2_up),
        choice!(&[Conv], number 0..=100, conv_start),
        choice!(&[Conv], number 0..=8, conv_start_per_round),
        choice!(&[PorD], number 0..=40, depthwise_start),
        choice!(&[Ar], number 0..=40, float_cast_start),
        choice!(&[CwBc], number 0..=60, broadcast_start),
        choice!(&[CwBc], number 0..=40, distribute),
    ]
};

/// What a command that is not exact counts beside its error: the TIU is deterministic, so that the right constants meet most
/// commands to the cycle.
const NOT_EXACT: f64 = 0.05;
/// Rounds over all choices: a start depends on the sizes, and the other way round.
const ROUNDS: usize = 3;

/// Gives each constant the value with the smallest errors.
pub(super) fn fit(model: &mut CostModel, samples: &[CommandSample<'_>]) {
    let own: Vec<&CommandSample<'_>> = samples.iter().filter(|s| s.engine == Engine::Tiu).collect();
    // Equal commands count by their number, and are computed once.
    let mut table = CostTable::new(model);
    let mut distinct: BTreeMap<u32, (&CommandSample<'_>, f64)> = BTreeMap::new();
    for sample in &own {
        let number = table.number(Engine::Tiu, Some(&sample.command));
        distinct.entry(number).or_insert((sample, 0.0)).1 += 1.0;
    }
    drop(table);
    let mut windows = Windows::of_records();
    for _ in 0..ROUNDS {
        for choice in &CHOICES {
            let of: Vec<(&CommandSample<'_>, f64)> = distinct
                .values()
                .filter(|(sample, _)| choice.families.contains(&sample.command.op.family))
                .copied()
                .collect();
            if of.is_empty() {
                continue;
            }
            let mut loss = |model: &CostModel| -> f64 {
                let error = |(sample, times): &(&CommandSample<'_>, f64)| {
                    let own = model.cost(Engine::Tiu, &sample.command, &mut windows).total();
                    let error = (own as f64 / 1000.0 - sample.cycles).abs() / sample.cycles;
                    (error + if error > 1e-9 { NOT_EXACT } else { 0.0 }) * times
                };
                of.iter().map(error).sum()
            };
            let mut best = (loss(model), (choice.get)(model));
            for value in choice.values.clone() {
                let mut next = model.clone();
                (choice.set)(&mut next, value.into());
                let loss = loss(&next);
                // Equal errors say nothing of the constant: it stays.
                if loss < best.0 - 1e-9 {
                    best = (loss, value.into());
                }
            }
            if best.1 != (choice.get)(model) {
                (choice.set)(model, best.1);
            }
        }
    }
}

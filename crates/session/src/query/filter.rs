//! Tests all items with a query, side by side.

use std::ops::Range;

use bigtpu_query::{Matcher, Query};
use rayon::prelude::*;

use super::item::{Items, Place};
use super::registers::Registers;
use super::totals::Totals;

/// Items that a thread tests at a time.
const PART: usize = 1 << 14;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Filtered {
    /// In the order of the engines.
    pub(super) places: Vec<Place>,
    /// Sums of all that was found.
    pub(super) totals: Totals,
    /// How many items pass so many terms and not the next.
    pub(super) passed: Vec<u64>,
}

impl Filtered {
    fn add(&mut self, other: Self) {
        self.places.extend(other.places);
        self.totals.join(other.totals);
        if self.passed.len() < other.passed.len() {
            self.passed.resize(other.passed.len(), 0);
        }
        self.passed.iter_mut().zip(other.passed).for_each(|(own, other)| *own += other);
    }
}

/// Tests all.
pub(super) fn filter<'a>(query: &Query, names: &[String], items: &Items<'a>) -> Filtered {
    let places = query.registers();
    let parts: Vec<(usize, Range<usize>)> = items
        .engines
        .iter()
        .enumerate()
        .flat_map(|(engine, of)| {
            let part = move |at: usize| (engine, at..(at + PART).min(of.len()));
            (0..of.len()).step_by(PART).map(part)
        })
        .collect();
    let new = || (Matcher::<'_, 'a>::new(query), Registers::new(names, &places));
    let tested: Vec<Filtered> = parts
        .into_par_iter()
        .map_init(new, |(matcher, registers), (engine, range)| {
            tested(items, (engine, range), matcher, registers)
        })
        .collect();
    let mut all = Filtered::default();
    tested.into_iter().for_each(|part| all.add(part));
    all
}

fn tested<'a>(
    items: &Items<'a>,
    (engine, range): (usize, Range<usize>),
    matcher: &mut Matcher<'_, 'a>,
    registers: &Registers<'_, 'a>,
) -> Filtered {
    let terms = matcher.terms();
    let mut found = Filtered { passed: vec![0; terms + 1], ..Filtered::default() };
    let Some(of) = items.engines.get(engine) else { return found };
    for row in range {
        let Some(item) = of.get(row, &items.run, registers) else { continue };
        let passed = matcher.passed(&item);
        if let Some(count) = found.passed.get_mut(passed) {
            *count += 1;
        }
        if passed == terms {
            found.places.push(Place { engine: engine as u32, row: row as u32 });
            found.totals.add(&item);
        }
    }
    found
}

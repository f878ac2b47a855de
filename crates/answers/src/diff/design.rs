//! How the runs of both sides belong together, and so what is compared with what.

use serde::Serialize;

use super::drift::{drift, possible_slopes};
use super::modes::Modes;
use super::occasions;
use super::shift::{Bounds, LEAST_RUNS, Shift};
use super::signed_rank;
use super::stat::median;
use super::{SourcedRun, Subject};
use bigtpu_measure::round4;
use bigtpu_messages::{Arg, Message, message};

/// How changes are told from noise (`docs/proof/ci.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The runs of a side are independent: the rank-sum test.
    #[default]
    Ranks,
    /// The runs of a side are of two modes: the rank-sum test within each mode.
    Modes,
    /// The runs of an occasion have an offset in common: a random effect.
    Occasions,
    /// The n-th runs of both sides belong together: the signed-rank test.
    Pairs,
}

/// A run's number on its side, and its value.
pub(super) type Value = (usize, f64);

/// What is known of the runs of both sides before any number is compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Design {
    pub(super) method: Method,
    /// Number of the occasion of each run, by side.
    occasions: [Vec<usize>; 2],
    /// Whether each run is of the slow mode, by side.
    is_slow: [Vec<bool>; 2],
    /// What the runs may have drifted apart, over their median.
    drifted: f64,
    /// Share of the wall time below which a change can't be told from a drift; `None` where pairs or occasions tell them apart.
    pub(super) least_change: Option<f64>,
    /// What there is to say about the runs.
    pub(super) notes: Vec<Message>,
}

impl Design {
    /// `pairs`: the n-th runs of both sides belong together.
    pub(super) fn choose(sides: [&[SourcedRun]; 2], pairs: bool) -> Self {
        let mut design = Self::default();
        let times = sides.map(times);
        design.occasions = sides.map(numbered);
        let several = |side: &Vec<usize>| side.iter().max().is_some_and(|most| *most > 0);
        let is_known = sides.iter().all(|side| side.len() >= LEAST_RUNS);
        if pairs {
            design.method = Method::Pairs;
            let n = sides.iter().map(|side| side.len()).min().unwrap_or(0);
            if n < signed_rank::LEAST_PAIRS {
                let [pairs, least] = [n, signed_rank::LEAST_PAIRS].map(count);
                design.notes.push(message!("diff-few-pairs", pairs = pairs, least = least));
            }
        } else if design.occasions.iter().any(several) {
            design.method = Method::Occasions;
            design.say_spread(&times);
        }
        if is_known {
            design.find_drift(&times);
            if design.method == Method::Ranks {
                design.find_modes(&times);
            }
            design.find_least_change(&times);
        }
        design
    }

    /// The change of a number; `None` if a side has none.
    pub(super) fn shift(&self, sides: [&[Value]; 2], bounds: &mut Bounds) -> Option<Shift> {
        let plain = sides.map(|side| sorted(side.iter().map(|(_, value)| *value)));
        let [before, after] = &plain;
        let of_ranks = |bounds: &mut Bounds| Shift::compute(before, after, bounds);
        match self.method {
            Method::Ranks => of_ranks(bounds),
            Method::Modes => {
                let part = |slow: bool| {
                    let of_side = |(values, is_slow): (&[Value], &Vec<bool>)| {
                        let of_mode = |(run, _): &&Value| is_slow.get(*run) == Some(&slow);
                        sorted(values.iter().filter(of_mode).map(|(_, value)| *value))
                    };
                    let [before, after] = &self.is_slow;
                    let [old, new] = sides;
                    [of_side((old, before)), of_side((new, after))]
                };
                Shift::of_strata(&[part(false), part(true)], bounds).or_else(|| of_ranks(bounds))
            }
            Method::Occasions => {
                let dated = |(values, occasions): (&[Value], &Vec<usize>)| {
                    let of_run = |(run, value): &Value| Some((*occasions.get(*run)?, *value));
                    values.iter().filter_map(of_run).collect::<Vec<_>>()
                };
                let [before, after] = &self.occasions;
                let [old, new] = sides;
                occasions::shift([&dated((old, before)), &dated((new, after))])
                    .or_else(|| of_ranks(bounds))
            }
            Method::Pairs => {
                let [old, new] = sides;
                let pair = |(run, after): &Value| {
                    let (_, before) = old.iter().find(|(other, _)| other == run)?;
                    Some(after - before)
                };
                let differences: Vec<f64> = new.iter().filter_map(pair).collect();
                signed_rank::shift(&differences).or_else(|| of_ranks(bounds))
            }
        }
    }

    /// Estimates the change of a time or rate. A change that is no greater than what the runs drifted, or may have
    /// drifted, is noise.
    pub(super) fn drifting(&self, sides: [&[Value]; 2], bounds: &mut Bounds) -> Option<Shift> {
        let shift = self.shift(sides, bounds)?;
        let [before, _] = sides;
        let middle = median(&sorted(before.iter().map(|(_, value)| *value)))?;
        let shift = match self.possible_drift(sides) {
            Some(drift) => shift.less(drift),
            None => shift,
        };
        Some(if self.drifted == 0.0 { shift } else { shift.widened(self.drifted * middle.abs()) })
    }

    /// What a number may have drifted from one side to the other, least and most, as far as the runs of a side show it. `None` where runs
    /// of several occasions, or pairs, show more than that.
    fn possible_drift(&self, sides: [&[Value]; 2]) -> Option<[f64; 2]> {
        if !matches!(self.method, Method::Ranks | Method::Modes) {
            return None;
        }
        let mut series = Vec::new();
        for (values, is_slow) in sides.into_iter().zip(&self.is_slow) {
            for slow in [false, true] {
                let of_mode = |(run, _): &&Value| {
                    self.method == Method::Ranks && !slow || is_slow.get(*run) == Some(&slow)
                };
                series.push(values.iter().filter(of_mode).copied().collect());
            }
        }
        let [before, after] = sides;
        // From the middle of one side to that of the other, if they ran one after the other.
        let apart = (before.len() + after.len()) as f64 / 2.0;
        possible_slopes(&series).map(|slopes| slopes.map(|slope| slope * apart))
    }

    fn say_spread(&mut self, times: &[Vec<f64>; 2]) {
        let dated = |(times, occasions): (&Vec<f64>, &Vec<usize>)| -> Vec<(usize, f64)> {
            occasions.iter().copied().zip(times.iter().copied()).collect()
        };
        let [old, new] = times;
        let [before, after] = &self.occasions;
        let occasions = |side: &Vec<usize>| side.iter().max().map_or(0, |most| most + 1);
        let middle = median(&sorted(old.iter().copied())).unwrap_or(0.0);
        let spread = occasions::spread([&dated((old, before)), &dated((new, after))]);
        if let Some(spread) = spread.filter(|_| middle > 0.0) {
            let [before, after] = [before, after].map(|side| count(occasions(side)));
            self.notes.push(message!(
                "diff-occasions",
                before = before,
                after = after,
                spread = percents(spread / middle, 2)
            ));
        }
    }

    fn find_drift(&mut self, times: &[Vec<f64>; 2]) {
        let mut series = Vec::new();
        for (times, occasions) in times.iter().zip(&self.occasions) {
            for number in 0..=occasions.iter().max().copied().unwrap_or(0) {
                let runs = times.iter().zip(occasions).filter(|(_, of)| **of == number);
                series.push(runs.map(|(time, _)| *time).collect());
            }
        }
        let Some(slope) = drift(&series) else { return };
        let each = match slope > 0.0 {
            true => message!("diff-each-run-longer", change = percents(slope, 2)),
            false => message!("diff-each-run-shorter", change = percents(-slope, 2)),
        };
        self.notes.push(match self.method {
            Method::Pairs => message!("diff-drift-pairs", each = each),
            Method::Occasions => message!("diff-drift-occasions", each = each),
            Method::Ranks | Method::Modes => {
                let runs = times.iter().map(Vec::len).sum::<usize>() as f64;
                self.drifted = slope.abs() * runs;
                message!("diff-drift-ranks", each = each, least = percents(self.drifted, 1))
            }
        });
    }

    fn find_least_change(&mut self, times: &[Vec<f64>; 2]) {
        let sides =
            times.each_ref().map(|side| side.iter().copied().enumerate().collect::<Vec<_>>());
        let [before, after] = &sides;
        let Some([low, high]) = self.possible_drift([before, after]) else { return };
        let middle = times.first().and_then(|side| median(&sorted(side.iter().copied())));
        self.least_change = middle.filter(|middle| *middle > 0.0).map(|middle| {
            let possible = high.max(-low).max(0.0) / middle;
            round4(possible.max(self.drifted))
        });
    }

    fn find_modes(&mut self, times: &[Vec<f64>; 2]) {
        let found = times.each_ref().map(|side| Modes::find(side));
        for (modes, id) in found.iter().zip(["diff-two-modes-before", "diff-two-modes-after"]) {
            let Some(Modes { is_slow, means: [fast, slow] }) = modes else { continue };
            let many = is_slow.iter().filter(|is_slow| **is_slow).count();
            let note =
                Message::new(id).with("some", count(many)).with("runs", count(is_slow.len()));
            let [slow, fast] = [slow, fast].map(|ns| Arg::Value(*ns / 1e3, 1));
            self.notes.push(note.with("slow", slow).with("fast", fast));
        }
        if let [Some(before), Some(after)] = found
            && before.is_like(&after)
        {
            self.method = Method::Modes;
            self.is_slow = [before.is_slow, after.is_slow];
        }
    }
}

fn count(number: usize) -> Arg {
    Arg::Count(number as u64)
}

/// A number of percent with so many decimals.
fn percents(share: f64, decimals: u8) -> Arg {
    Arg::Value(share * 100.0, decimals)
}

/// Wall times in the order of the runs; 0 where a report has none.
fn times(runs: &[SourcedRun]) -> Vec<f64> {
    let wall = |run: &SourcedRun| {
        let samples = super::measure::samples(&run.report);
        let total = samples.into_iter().find(|((subject, _), _)| *subject == Subject::Total);
        total.and_then(|(_, sample)| *sample.first()?).unwrap_or(0.0)
    };
    runs.iter().map(wall).collect()
}

/// The number of each run's occasion, in the order in which they appear.
fn numbered(runs: &[SourcedRun]) -> Vec<usize> {
    let mut known: Vec<&Option<String>> = Vec::new();
    let mut number = |occasion| match known.iter().position(|known| *known == occasion) {
        Some(number) => number,
        None => {
            known.push(occasion);
            known.len() - 1
        }
    };
    runs.iter().map(|run| number(&run.occasion)).collect()
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

//! What kernels and layers do, whatever they are called.

use std::collections::BTreeMap;

use crate::diff::compared::is_work;
use crate::diff::{Compared, SourcedRun};

/// Numbers this near are the same.
const SAME: f64 = 0.005;

/// What is done on an engine, in transfers of a kind or computing: commands, bytes, operations, operations after padding.
type Did = [f64; 4];
/// How many numbers of [`Did`] have to be known where the order says nothing: many kernels move as many bytes, and only
/// all numbers tell one kernel from another.
const NEEDED: usize = 3;

/// A kernel, or a layer of a static model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::diff) struct Owner {
    pub(in crate::diff) name: String,
    pub(in crate::diff) is_layer: bool,
    /// What it does, by engine and kind of work.
    pub(in crate::diff) works: BTreeMap<String, Did>,
}

impl Owner {
    /// Returns the kernels or layers of the first run whose report says what they do.
    pub(super) fn of_side(runs: &[SourcedRun]) -> Vec<Self> {
        let run = runs.iter().find(|run| !run.report.work.is_empty());
        run.map(|run| Self::of_report(&run.report)).unwrap_or_default()
    }

    /// Returns the kernels or layers of a report, in the order of their first launches, or of the model's layers.
    pub(in crate::diff) fn of_report(report: &Compared) -> Vec<Self> {
        let kernels = report.kernels.iter();
        let starts: BTreeMap<&str, f64> = kernels
            .filter_map(|kernel| Some((kernel.kernel.as_str(), kernel.first_start_ns?)))
            .collect();
        let mut owners: BTreeMap<&str, (f64, Self)> = BTreeMap::new();
        // Idle time is no work: how often there is any depends on the times.
        let done = report.work.iter().filter(|work| is_work(work.reason));
        for work in done.filter(|work| !work.owner().is_empty()) {
            let (name, is_layer) = (work.owner(), work.is_of_layer());
            let place = if is_layer { work.layer_id } else { starts.get(name).copied() };
            let (first, owner) = owners.entry(name).or_insert_with(|| {
                let works = BTreeMap::new();
                (f64::INFINITY, Self { name: name.to_owned(), is_layer, works })
            });
            *first = first.min(place.unwrap_or(f64::INFINITY));
            let kind = format!("{} {:?}", work.engine, work.reason);
            let did = owner.works.entry(kind).or_default();
            let own = [work.commands, work.bytes, work.ops, work.uarch_ops];
            did.iter_mut().zip(own).for_each(|(sum, own)| *sum += own.unwrap_or(0.0));
        }
        let mut owners: Vec<(f64, Self)> = owners.into_values().collect();
        // A kernel that does nothing is like any other that does nothing.
        owners.retain(|(_, owner)| owner.total() > 0);
        owners.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        owners.into_iter().map(|(_, owner)| owner).collect()
    }

    /// What it does, as a history keeps it: parts, commands, bytes, operations.
    pub(in crate::diff) fn to_text(&self) -> String {
        let add = |mut sum: Did, did: &Did| {
            sum.iter_mut().zip(did).for_each(|(sum, own)| *sum += own);
            sum
        };
        let [commands, bytes, ops, _] = self.works.values().fold(Did::default(), add);
        format!("{} {commands} {bytes} {ops}", self.works.len())
    }

    /// Reads what [`Owner::to_text`] writes; `None` where the text is something else.
    pub(in crate::diff) fn from_text(name: &str, text: &str) -> Option<Self> {
        let (parts, numbers) = text.split_once(' ')?;
        let numbers: Vec<f64> = numbers.split(' ').map_while(|n| n.parse().ok()).collect();
        let [commands, bytes, ops] = numbers.try_into().ok()?;
        let works = BTreeMap::from([(parts.to_owned(), [commands, bytes, ops, 0.0])]);
        let is_layer = name.starts_with("layer ");
        Some(Self { name: name.to_owned(), is_layer, works })
    }

    /// Bytes and operations: what does more counts more.
    pub(super) fn total(&self) -> u64 {
        let [bytes, ops] = self.amounts();
        (bytes + ops) as u64
    }

    /// All bytes and operations.
    pub(super) fn amounts(&self) -> [f64; 2] {
        let add = |[b, o]: [f64; 2], [_, bytes, ops, _]: &Did| [b + bytes, o + ops];
        self.works.values().fold([0.0; 2], add)
    }

    /// The work of both is equal.
    pub(super) fn does_the_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.works, &other.works);
        let is_equal = |(a, b): (&Did, &Did)| a.iter().zip(b).all(|(a, b)| is_near(*a, *b));
        a.keys().eq(b.keys()) && a.values().zip(b.values()).all(is_equal)
    }

    /// Its commands, bytes and operations are known: enough to tell it from others wherever it is.
    pub(super) fn is_known(&self) -> bool {
        let any = |at: usize| self.works.values().any(|did| did.get(at).is_some_and(|n| *n > 0.0));
        (0..NEEDED).all(any)
    }

    /// Letters at the start or end that two names have in common.
    pub(super) fn letters_in_common(&self, other: &Self) -> usize {
        let (a, b) = (&self.name, &other.name);
        let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
        start.max(end)
    }
}

pub(super) fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

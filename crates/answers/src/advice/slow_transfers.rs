//! Transfers of a kernel that are slower than those of the other kernels.

use std::collections::BTreeMap;

use bigtpu_chip::{Direction, Engine};
use bigtpu_measure::{Event, Kind, gbps};
use bigtpu_replay::Relief;
use foldhash::{HashMap, HashMapExt};

use super::scaled::scaled;
use super::{Advice, Evidence, at_least};
use crate::by_kind::ByKind;
use crate::findings::Findings;

pub(super) const ID: &str = "slow-transfers";

/// Transfers of a kernel are slow from this factor on.
const SLOW: f64 = 1.5;
/// Least number of transfers of a kernel.
const LEAST_COUNT: u64 = 8;
/// Least gain, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;

/// Transfers that can be compared: engine, direction, and bits of the number of bytes.
type Class = (Engine, [u8; 2], u32);

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    count: u64,
    bytes: u64,
    ns: i64,
}

impl Sum {
    fn and(self, other: Self) -> Self {
        let bytes = self.bytes + other.bytes;
        Self { count: self.count + other.count, bytes, ns: self.ns + other.ns }
    }

    fn ns_per_byte(self) -> f64 {
        self.ns as f64 / self.bytes.max(1) as f64
    }
}

/// A kernel whose transfers are slow.
#[derive(Debug)]
struct Slow {
    kernel: u32,
    own: Sum,
    /// ns that they would take at the rate of the other kernels.
    usual_ns: f64,
    /// By class what its times are multiplied by without the fault.
    factors: BTreeMap<Class, f64>,
}

impl Slow {
    fn lost_ns(&self) -> i64 {
        (self.own.ns as f64 - self.usual_ns) as i64
    }
}

/// Sides of a kind's transfers; `None` where they can't be compared.
fn sides(kind: &Kind) -> Option<[u8; 2]> {
    let direction: Direction = kind.direction()?;
    (kind.engine != Engine::Cdma).then_some([direction.from as u8, direction.to as u8])
}

fn class(event: &Event<'_>, sides: [u8; 2]) -> Option<Class> {
    let bits = u64::BITS - event.bytes().leading_zeros();
    (bits > 0).then_some((event.kind.engine, sides, bits))
}

fn slow_kernels(findings: &Findings<'_, '_>) -> Vec<Slow> {
    let model = findings.model;
    let mut numbers: HashMap<(Class, u32), usize> = HashMap::new();
    let mut known: Vec<Sum> = Vec::new();
    let sides = ByKind::of(model, sides);
    for track in model.tracks.iter().filter(|track| track.engine_id.engine != Engine::Tiu) {
        // By kind class and tag of the last transfer, and the number of their sum: most transfers of a kind have the same.
        let mut last: Vec<Option<(Class, u32, usize)>> = vec![None; track.kinds.len()];
        for event in model.events(track) {
            let Some(sides) = sides.get(&event).copied().flatten() else { continue };
            let Some(class) = class(&event, sides) else { continue };
            let (tag, own) = (event.tag(), Sum { count: 1, bytes: event.bytes(), ns: event.ns() });
            let Some(last) = last.get_mut(event.kind_number()) else { continue };
            let number = match last {
                Some((of, last_tag, number)) if (*of, *last_tag) == (class, tag) => *number,
                _ => {
                    let Some(kernel) = model.tag(tag).kernel else { continue };
                    let next = numbers.len();
                    let number = *numbers.entry((class, kernel)).or_insert(next);
                    last.insert((class, tag, number)).2
                }
            };
            match known.get_mut(number) {
                Some(sum) => *sum = sum.and(own),
                None => known.push(own),
            }
        }
    }
    let mut sums: BTreeMap<Class, BTreeMap<u32, Sum>> = BTreeMap::new();
    for ((class, kernel), number) in numbers {
        let sum = known.get(number).copied().unwrap_or_default();
        sums.entry(class).or_default().insert(kernel, sum);
    }
    let mut slow: BTreeMap<u32, Slow> = BTreeMap::new();
    for (class, kernels) in &sums {
        for (kernel, own) in kernels {
            let others = kernels.iter().filter(|(other, sum)| *other != kernel && sum.count > 1);
            let mut rates: Vec<f64> = others.map(|(_, sum)| sum.ns_per_byte()).collect();
            rates.sort_by(f64::total_cmp);
            let Some(usual) = rates.get(rates.len() / 2).filter(|rate| **rate > 0.0) else {
                continue;
            };
            let kernel = *kernel;
            let new =
                || Slow { kernel, own: Sum::default(), usual_ns: 0.0, factors: BTreeMap::new() };
            let found = slow.entry(kernel).or_insert_with(new);
            found.own = found.own.and(*own);
            found.usual_ns += own.bytes as f64 * usual;
            let factor = usual / own.ns_per_byte();
            if factor < 1.0 {
                found.factors.insert(*class, factor);
            }
        }
    }
    let is_slow =
        |slow: &Slow| slow.own.count >= LEAST_COUNT && slow.own.ns as f64 >= SLOW * slow.usual_ns;
    let mut all: Vec<Slow> = slow.into_values().filter(is_slow).collect();
    all.sort_by_key(|slow| (-slow.lost_ns(), slow.kernel));
    all
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let slow = slow_kernels(findings);
    let worst = slow.first()?;
    let gain = worst.lost_ns() / findings.active_cores();
    if !at_least(gain, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let name = findings.model.kernel_name(worst.kernel);
    let place = format!("kernel {name}");
    let times = worst.own.ns as f64 / worst.usual_ns.max(1.0);
    let (own, usual) =
        (gbps(worst.own.bytes, worst.own.ns), gbps(worst.own.bytes, worst.usual_ns as i64));
    let evidence = vec![
        Evidence::new("transfers", worst.own.count as f64, "", &place),
        Evidence::new("their rate", own, "GB/s", &place),
        Evidence::new("rate of other kernels for the same sizes", usual, "GB/s", "other kernels"),
        Evidence::us("time of the transfers, over all cores", worst.own.ns, &place),
    ];
    let text = format!(
        "The transfers of {name} take {times:.1} times as long as those of other kernels of the same size and direction ({own:.1} \
         instead of {usual:.1} GB/s): check their strides, the alignment of their addresses and the memory that they are in."
    );
    Some(Advice::saving(findings, ID, gain, text, evidence))
}

/// Transfers that are as fast as those of the other kernels.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let slow: BTreeMap<u32, Slow> =
        slow_kernels(findings).into_iter().map(|slow| (slow.kernel, slow)).collect();
    let model = findings.model;
    scaled(model, model.tracks.iter(), |event| {
        let kernel = slow.get(&model.tag(event.tag()).kernel?)?;
        kernel.factors.get(&class(event, sides(event.kind)?)?).copied()
    })
}

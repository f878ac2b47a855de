//! Transfers of a kernel that are slower than those of the other kernels.

use std::collections::BTreeMap;

use bigtpu_chip::{Direction, Engine};
use bigtpu_measure::{CommandKind, MeasuredEvent, gbps, size_bits};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;
use foldhash::{HashMap, HashMapExt};

use super::doubt::{Doubt, Most};
use super::place::{Place, Places, openings};
use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "slow-transfers";

/// Transfers of a kernel are slow from this factor on.
const SLOW: f64 = 1.5;
/// Rates of the other kernels differ by this share.
const RATES: f64 = 0.05;
/// Least number of transfers of a kernel.
const LEAST_COUNT: u64 = 8;
/// Least gain, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;

/// Commands that can be compared: engine, direction of a transfer or type and function of a computation, its data type, and bits of
/// the number of bytes or operations.
type Class<'a> = (Engine, [u8; 2], &'a str, u32);

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    count: u64,
    /// Bytes of transfers, operations of computation.
    amount: u64,
    ns: i64,
}

impl Sum {
    fn and(self, other: Self) -> Self {
        let amount = self.amount + other.amount;
        Self { count: self.count + other.count, amount, ns: self.ns + other.ns }
    }

    fn rate(self) -> f64 {
        self.ns as f64 / self.amount.max(1) as f64
    }
}

/// Commands, and what they would take at the rate of the other places.
#[derive(Debug, Clone, Copy, Default)]
struct Compared {
    own: Sum,
    usual_ns: f64,
}

impl Compared {
    fn and(self, own: Sum, usual_ns: f64) -> Self {
        Self { own: self.own.and(own), usual_ns: self.usual_ns + usual_ns }
    }

    fn is_slow(&self) -> bool {
        self.own.count > 0 && self.own.ns as f64 >= SLOW * self.usual_ns
    }

    fn times(&self) -> f64 {
        self.own.ns as f64 / self.usual_ns.max(1.0)
    }

    fn lost_ns(&self) -> i64 {
        (self.own.ns as f64 - self.usual_ns) as i64
    }
}

/// A place, and what its times are multiplied by without the fault.
#[derive(Debug, Default)]
struct OfPlace<'a> {
    transfers: Compared,
    compute: Compared,
    factors: BTreeMap<Class<'a>, f64>,
}

impl<'a> OfPlace<'a> {
    fn add_factor(&mut self, class: Class<'a>, factor: f64) {
        if factor < 1.0 {
            self.factors.insert(class, factor);
        }
    }
}

/// A kernel whose transfers are slow, or all stretches with such.
#[derive(Debug)]
struct Slow<'a> {
    places: BTreeMap<Place, BTreeMap<Class<'a>, f64>>,
    transfers: Compared,
    /// Nothing where its computation is not slow.
    compute: Compared,
    /// Whether what can't be compared may be slow, too: not where what can be compared of the computation is not.
    has_rest: bool,
}

impl<'a> Slow<'a> {
    fn new(place: Place, of: OfPlace<'a>) -> Self {
        let OfPlace { transfers, mut compute, mut factors } = of;
        let has_rest = compute.own.count == 0 || compute.is_slow();
        if !compute.is_slow() {
            compute = Compared::default();
            factors.retain(|class, _| class.0 != Engine::Tiu);
        }
        Self { places: BTreeMap::from([(place, factors)]), transfers, compute, has_rest }
    }

    fn and(mut self, other: Self) -> Self {
        self.places.extend(other.places);
        self.transfers = self.transfers.and(other.transfers.own, other.transfers.usual_ns);
        self.compute = self.compute.and(other.compute.own, other.compute.usual_ns);
        self.has_rest |= other.has_rest;
        self
    }

    fn lost_ns(&self) -> i64 {
        self.transfers.lost_ns() + self.compute.lost_ns()
    }
}

/// What a kind's commands are compared by; `None` where they can't be.
fn side(kind: &CommandKind) -> Option<([u8; 2], &str)> {
    if kind.engine == Engine::Tiu {
        return (kind.work().uarch_ops > 0)
            .then_some(([kind.task, kind.function], kind.data_type.as_str()));
    }
    let direction: Direction = kind.direction()?;
    (kind.engine != Engine::Cdma).then_some(([direction.from as u8, direction.to as u8], ""))
}

/// Operations with padding.
fn operations(kind: &CommandKind) -> u64 {
    u64::try_from(kind.work().uarch_ops).unwrap_or(0)
}

/// Bytes, or operations with padding.
fn amount(event: &MeasuredEvent<'_>) -> u64 {
    if event.kind.engine == Engine::Tiu { operations(event.kind) } else { event.bytes() }
}

fn class<'a>(
    event: &MeasuredEvent<'a>,
    (side, data_type): ([u8; 2], &'a str),
) -> Option<Class<'a>> {
    let bits = size_bits(amount(event));
    (bits > 0).then_some((event.kind.engine, side, data_type, bits))
}

/// Sums of all commands that can be compared, by class and place.
type Sums<'a> = BTreeMap<Class<'a>, BTreeMap<Place, Sum>>;

/// Sums of all commands that can be compared: those of kernels by their cells, others one by one.
fn sums<'a>(findings: &Findings<'_, 'a>) -> Sums<'a> {
    let mut sums = Sums::new();
    let mut add = |class, place, sum: Sum| {
        let all = sums.entry(class).or_default().entry(place).or_default();
        *all = all.and(sum);
    };
    // What is the same for commands of other cores and batches is looked up once.
    let mut of_kernels: HashMap<(usize, u32, u32), (&'a CommandKind, Sum)> = HashMap::new();
    for cell in findings.cells.iter() {
        let Some(kernel) = cell.tag.kernel else { continue };
        let key = (cell.kind_number(), cell.size_bits(), kernel);
        let (_, sum) = of_kernels.entry(key).or_insert((cell.kind, Sum::default()));
        let own = Sum { count: cell.count as u64, amount: cell.bytes, ns: cell.total_ns };
        *sum = sum.and(own);
    }
    for ((_, bits, kernel), (kind, sum)) in of_kernels {
        let Some((side, data_type)) = side(kind) else { continue };
        let (bits, amount) = match kind.engine {
            Engine::Tiu => (size_bits(operations(kind)), operations(kind) * sum.count),
            _ => (bits, sum.amount),
        };
        if bits > 0 {
            let class = (kind.engine, side, data_type, bits);
            add(class, Place::Kernel(kernel), Sum { amount, ..sum });
        }
    }
    let opened = openings(findings);
    let are_all_of_kernels = findings.cells.iter().all(|cell| cell.tag.kernel.is_some());
    if opened.is_empty() || are_all_of_kernels {
        return sums;
    }
    let mut of_stretches: HashMap<(Class<'a>, Place), Sum> = HashMap::new();
    for track in &findings.model.tracks {
        let mut places = Places::new(findings, &opened);
        for event in findings.model.events(track) {
            let Some(class) = side(event.kind).and_then(|side| class(&event, side)) else {
                continue;
            };
            if let Some(place @ Place::Stretch(_)) = places.find(&event) {
                let sum = of_stretches.entry((class, place)).or_default();
                *sum = sum.and(Sum { count: 1, amount: amount(&event), ns: event.ns() });
            }
        }
    }
    of_stretches.into_iter().for_each(|((class, place), sum)| add(class, place, sum));
    sums
}

/// The median rate of each place's others, where there is one: in the places' order.
fn usual_rates(places: &BTreeMap<Place, Sum>) -> Vec<Option<f64>> {
    let mut rates: Vec<(f64, Place)> = places
        .iter()
        .filter(|(_, sum)| sum.count > 1)
        .map(|(place, sum)| (sum.rate(), *place))
        .collect();
    rates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let of_place: BTreeMap<Place, usize> =
        rates.iter().enumerate().map(|(at, (_, place))| (*place, at)).collect();
    let usual = |place: &Place| {
        // The median without the place itself.
        let own = of_place.get(place).copied();
        let middle = (rates.len() - usize::from(own.is_some())) / 2;
        let at = if own.is_some_and(|own| own <= middle) { middle + 1 } else { middle };
        rates.get(at).map(|(rate, _)| *rate).filter(|rate| *rate > 0.0)
    };
    places.keys().map(usual).collect()
}

/// Compares the computation of places with slow transfers with that of the other places: what only slow places do can't be compared.
fn compare_computation<'a>(sums: &Sums<'a>, slow: &mut BTreeMap<Place, OfPlace<'a>>) {
    for (class, places) in sums.iter().filter(|(class, _)| class.0 == Engine::Tiu) {
        let others =
            places.iter().filter(|(place, sum)| sum.count > 1 && !slow.contains_key(place));
        let mut rates: Vec<f64> = others.map(|(_, sum)| sum.rate()).collect();
        rates.sort_by(f64::total_cmp);
        let Some(usual) = rates.get(rates.len() / 2).copied().filter(|rate| *rate > 0.0) else {
            continue;
        };
        for (place, of) in slow.iter_mut() {
            let Some(own) = places.get(place) else { continue };
            of.compute = of.compute.and(*own, own.amount as f64 * usual);
            of.add_factor(*class, usual / own.rate());
        }
    }
}

fn slow_places<'a>(findings: &Findings<'_, 'a>) -> Vec<Slow<'a>> {
    let mut found: BTreeMap<Place, OfPlace<'a>> = BTreeMap::new();
    let sums = sums(findings);
    for (class, places) in sums.iter().filter(|(class, _)| class.0 != Engine::Tiu) {
        for ((place, own), usual) in places.iter().zip(usual_rates(places)) {
            let Some(usual) = usual else { continue };
            let of = found.entry(*place).or_default();
            of.transfers = of.transfers.and(*own, own.amount as f64 * usual);
            of.add_factor(*class, usual / own.rate());
        }
    }
    found.retain(|_, of| of.transfers.own.count >= LEAST_COUNT && of.transfers.is_slow());
    compare_computation(&sums, &mut found);
    let (mut all, mut stretches): (Vec<Slow<'a>>, Option<Slow<'a>>) = (Vec::new(), None);
    for (place, of) in found {
        let slow = Slow::new(place, of);
        match place {
            Place::Kernel(_) => all.push(slow),
            Place::Stretch(_) => {
                stretches = Some(match stretches {
                    Some(known) => known.and(slow),
                    None => slow,
                });
            }
        }
    }
    all.extend(stretches);
    all.sort_by_key(|slow| (-slow.lost_ns(), slow.places.keys().next().copied()));
    all
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let slow = slow_places(findings);
    let worst = slow.first()?;
    let gain = worst.lost_ns() / findings.active_cores();
    if !at_least(gain, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let (place, of, others, rate) = match worst.places.keys().next()? {
        Place::Kernel(kernel) => {
            let name = findings.model.kernel_name(*kernel);
            (
                message!("place-kernel", kernel = name),
                Message::verbatim(name),
                Message::new("place-other-kernels"),
                "evidence-rate-of-kernels",
            )
        }
        Place::Stretch(_) => {
            let (some, all) = (worst.places.len(), openings(findings).len() + 1);
            let place = message!("place-stretches", some = some, all = all);
            let others = Message::new("place-other-stretches");
            (place.clone(), place, others, "evidence-rate-of-stretches")
        }
    };
    let Compared { own: transfers, usual_ns } = worst.transfers;
    let times = worst.transfers.times();
    let (own, usual) =
        (gbps(transfers.amount, transfers.ns), gbps(transfers.amount, usual_ns as i64));
    let mut evidence = vec![
        Evidence::new("evidence-transfers", transfers.count as f64, "", place.clone()),
        Evidence::new("evidence-their-rate", own, "GB/s", place.clone()),
        Evidence::new(rate, usual, "GB/s", others.clone()),
        Evidence::us("evidence-time-over-cores", transfers.ns, place.clone()),
    ];
    let times = Arg::Factor(times);
    let (rate, usual) = (Arg::RateGbps(own), Arg::RateGbps(usual));
    let (headline, text) = if worst.compute.own.count > 0 {
        let own = worst.compute.own;
        evidence.push(Evidence::us("evidence-tiu-time-over-cores", own.ns, place));
        let compute = Arg::Factor(worst.compute.times());
        let text = message!(
            "advice-slow-transfers-and-compute",
            place = of.clone(),
            times = times.clone(),
            others = others,
            rate = rate,
            usual = usual,
            compute = compute.clone(),
        );
        let headline = message!(
            "headline-slow-transfers-and-compute",
            place = of,
            times = times,
            compute = compute,
        );
        (headline, text)
    } else {
        let text = message!(
            "advice-slow-transfers",
            place = of.clone(),
            times = times.clone(),
            others = others,
            rate = rate,
            usual = usual,
        );
        (message!("headline-slow-transfers", place = of, times = times), text)
    };
    let doubt = worst.has_rest.then(|| Doubt {
        least: 1.0 - RATES,
        most: Most::Without(Box::new(relief_of(findings, &slow, true))),
        why: Message::new(if knows_operations(findings) {
            "doubt-others-may-be-slow"
        } else {
            "doubt-operations"
        }),
    });
    Some(Advice { doubt, ..Advice::saving(findings, ID, gain, headline, text, evidence) })
}

fn knows_operations(findings: &Findings<'_, '_>) -> bool {
    findings.cells.iter().any(|cell| cell.kind.work().uarch_ops > 0)
}

/// Commands that are as fast as those of the other kernels.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    relief_of(findings, &slow_places(findings), false)
}

/// Shortens slow commands to the speed of those of the other kernels. `with_rest`: what nothing else can be compared
/// with is slow by the same factor as the transfers.
fn relief_of(findings: &Findings<'_, '_>, slow: &[Slow<'_>], with_rest: bool) -> Relief {
    let mut factors = BTreeMap::new();
    for slow in slow {
        let rest = (with_rest && slow.has_rest).then(|| 1.0 / slow.transfers.times());
        factors.extend(slow.places.iter().map(|(place, of)| (*place, (of, rest))));
    }
    let (model, opened) = (findings.model, openings(findings));
    let mut relief = Relief::default();
    for track in &model.tracks {
        let mut places = Places::new(findings, &opened);
        for event in model.events(track) {
            let Some((of, rest)) = places.find(&event).and_then(|place| factors.get(&place)) else {
                continue;
            };
            let class = side(event.kind).and_then(|side| class(&event, side));
            let own = class.and_then(|class| of.get(&class).copied());
            let is_rest = event.kind.activity.is_work() && track.engine_id.engine != Engine::Cdma;
            if let Some(factor) = own.or_else(|| rest.filter(|_| is_rest)) {
                relief.scale(track.engine_id, event.index, factor);
            }
        }
    }
    relief
}

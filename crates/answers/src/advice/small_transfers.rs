//! Many transfers so small that their start costs more than the data.

use super::doubt::{Doubt, Most};
use super::scaled::core_tracks;
use super::{Advice, Evidence, at_least, core_place};
use crate::by_kind::ByKind;
use crate::findings::Findings;
use bigtpu_chip::Engine;
use bigtpu_measure::{EngineTrack, MeasuredEvent, gbps};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

pub(super) const ID: &str = "small-transfers";

/// Share of a gain that is sure where bytes are not known exactly.
const CERTAIN: f64 = 0.95;
/// Transfers below this many bytes count.
const SMALL: u64 = 8192;
/// Bits of the number of their bytes at most, also where records count each byte three times.
const MOST_BITS: u32 = u64::BITS - (3 * SMALL).leading_zeros();
/// Those count that take more than this many times what their bytes need.
const SLOW: f64 = 4.0;
/// Least number of them.
const LEAST: u64 = 16;
/// Least time that they lose on a core, in percent of the wall time: what they are worth the replay says.
const LEAST_PERCENT: i64 = 1;

#[derive(Default)]
struct Sum {
    count: u64,
    bytes: u64,
    ns: i64,
}

impl Sum {
    fn add(&mut self, count: u64, bytes: u64, ns: i64) {
        (self.count, self.bytes, self.ns) = (self.count + count, self.bytes + bytes, self.ns + ns);
    }
}

/// Whether small transfers are many, and what they lose, or at most lose, is a part of the wall time.
fn is_enough(small: &Sum, lost_ns: i64, wall_ns: i64) -> bool {
    small.count >= LEAST && at_least(lost_ns, LEAST_PERCENT, wall_ns)
}

/// A small transfer that can become a part of another one.
struct Part<'a> {
    event: MeasuredEvent<'a>,
    /// ns that its bytes need.
    ideal: f64,
    /// The one before on its engine is of the same direction.
    follows: bool,
}

/// The small transfers of an engine that have a neighbour of their direction, which they can become a part of. Of small ones that have only
/// small neighbours the first is left out: it starts the transfer that the others become a part of. What `may_be_small` denies is not small.
fn each_part<'a>(
    findings: &Findings<'_, 'a>,
    track: &EngineTrack<'a>,
    may_be_small: impl Fn(&MeasuredEvent<'a>) -> bool,
    mut visit: impl FnMut(Part<'a>),
) {
    let mut direction = None;
    let mut has_large = false;
    let mut run: Vec<Part<'a>> = Vec::new();
    let mut flush = |run: &mut Vec<Part<'a>>, has_large: bool| {
        run.drain(..).skip(usize::from(!has_large)).for_each(&mut visit);
    };
    for event in findings.model.events(track) {
        let own = event.kind.direction();
        let follows = own.is_some() && own == direction;
        if !follows {
            flush(&mut run, has_large);
            (direction, has_large) = (own, false);
        }
        match may_be_small(&event).then(|| slow_and_small(findings, &event)).flatten() {
            Some(ideal) => run.push(Part { event, ideal, follows }),
            None => has_large |= own.is_some(),
        }
    }
    flush(&mut run, has_large);
}

/// ns that the bytes of a small transfer need, where it takes far more.
fn slow_and_small(findings: &Findings<'_, '_>, event: &MeasuredEvent<'_>) -> Option<f64> {
    let ideal = findings.transfer_ns(event.kind, event.bytes())?;
    let is_slow = event.ns() as f64 > ideal * SLOW;
    (is_slow && (1..SMALL).contains(&event.kind.moved_bytes(event.bytes()))).then_some(ideal)
}

/// A transfer as a place.
fn place_of(track: &EngineTrack<'_>, event: &MeasuredEvent<'_>) -> Message {
    message!(
        "place-event",
        engine = track.engine_id.message(),
        event = Arg::Number(event.index as i64),
        opcode = event.kind.function_name.as_ref(),
    )
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let model = findings.model;
    // Kinds of small transfers, and whether there may be enough of them: without a look at each.
    let mut may_be_small = vec![false; model.tracks.first().map_or(0, |track| track.kinds.len())];
    let wall_ns = findings.overall.wall_ns;
    let mut most = Sum::default();
    for cell in findings.cells.iter().filter(|cell| cell.kind.engine != Engine::Cdma) {
        if findings.transfer_ns(cell.kind, 1).is_none() {
            continue;
        }
        if (1..=MOST_BITS).contains(&cell.size_bits()) {
            most.add(cell.count as u64, cell.bytes, cell.total_ns);
            may_be_small.get_mut(cell.kind_number()).into_iter().for_each(|may| *may = true);
        }
    }
    if !is_enough(&most, most.ns, wall_ns) {
        return None;
    }
    let (mut small, mut needed_ns) = (Sum::default(), 0.0);
    // What they lose on a core, the core, and how many it has.
    let mut worst: Option<(i64, u32, u64)> = None;
    // The one that loses most, and where it is.
    let mut slowest: Option<(i64, Message, i64)> = None;
    let mut may_be_small = may_be_small.into_iter();
    let may_be_small = ByKind::compute(model, |_| may_be_small.next().unwrap_or_default());
    for core in 0..model.cores as u32 {
        let (mut on_core, mut of_core) = (0.0, 0);
        let dma = model.core(core).filter(|track| track.engine_id.engine != Engine::Tiu);
        for track in dma {
            let may_be_small =
                |event: &MeasuredEvent<'_>| may_be_small.get(event).copied() == Some(true);
            each_part(findings, track, may_be_small, |Part { event, ideal, .. }| {
                of_core += 1;
                small.add(1, event.kind.moved_bytes(event.bytes()), event.ns());
                on_core += event.ns() as f64 - ideal;
                needed_ns += ideal;
                let lost = event.ns() - ideal as i64;
                if slowest.as_ref().is_none_or(|(most, ..)| lost > *most) {
                    slowest = Some((lost, place_of(track, &event), event.ns()));
                }
            });
        }
        if worst.as_ref().is_none_or(|(ns, ..)| on_core as i64 > *ns) {
            worst = Some((on_core as i64, core, of_core));
        }
    }
    let (gain, core, of_core) = worst.unwrap_or_default();
    if !is_enough(&small, gain, wall_ns) {
        return None;
    }
    // Nearly all of them are on one core.
    let is_of_one = of_core * 10 >= small.count * 9;
    let most = match is_of_one {
        true => core_place(core),
        false => message!("place-all-cores-most", core = Arg::Number(core.into())),
    };
    let mean_bytes = small.bytes as f64 / small.count as f64;
    let mut evidence = vec![
        Evidence::new("evidence-transfers", small.count as f64, "", most),
        Evidence::new("evidence-mean-size", mean_bytes, "B", None),
        Evidence::us("evidence-time-over-cores", small.ns, None),
        Evidence::new("evidence-achieved", gbps(small.bytes, small.ns), "GB/s", None),
    ];
    evidence
        .extend(slowest.map(|(_, place, ns)| Evidence::us("evidence-slowest-small", ns, place)));
    let size = Arg::Bytes(mean_bytes.round() as u64);
    let text = message!(
        "advice-small-transfers",
        transfers = small.count,
        size = size.clone(),
        times = Arg::Factor(small.ns as f64 / f64::max(needed_ns, 1.0)),
    );
    let place = match is_of_one && findings.active_cores() > 1 {
        true => core_place(core),
        false => Message::new("place-all-cores"),
    };
    let headline =
        message!("headline-small-transfers", place = place, transfers = small.count, size = size,);
    let doubt = (!findings.knows_most_bits()).then(|| Doubt {
        least: CERTAIN,
        most: Most::Without(Box::new(relief_with(findings, |_, _| 0.0))),
        why: Message::new("doubt-bytes"),
    });
    Some(Advice { doubt, ..Advice::saving(findings, ID, gain, headline, text, evidence) })
}

/// Small transfers are a part of their neighbours, and take what their bytes need.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    relief_with(findings, |ideal, ns| ideal / ns)
}

/// Makes small transfers a part of their neighbours. `factor`: what a transfer's time is multiplied by, from the ns
/// that its bytes need and the ns that it takes.
fn relief_with(findings: &Findings<'_, '_>, factor: fn(f64, f64) -> f64) -> Relief {
    let mut relief = Relief::default();
    for track in core_tracks(findings.model) {
        each_part(
            findings,
            track,
            |_| true,
            |Part { event, ideal, follows }| {
                let factor = factor(ideal, event.ns().max(1) as f64);
                if follows {
                    relief.merge(track.engine_id, event.index, factor);
                } else {
                    relief.scale(track.engine_id, event.index, factor);
                }
            },
        );
    }
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    /// Transfers at 10 GB/s need a ns for 10 bytes.
    fn transfers(count: i64, bytes: u64, ns: i64) -> Planted {
        let mut planted = Planted::default();
        for i in 0..count {
            planted.load(0, i * 1000, i * 1000 + ns, bytes);
        }
        planted
    }

    #[test]
    fn many_slow_small_transfers() {
        let advice = run(&transfers(20, 100, 110), check).unwrap();
        // The first starts the transfer that the others become a part of.
        assert_eq!(advice.gain_ns, Some(19 * 100));
        let values: Vec<f64> = advice.evidence.iter().map(|e| e.value).collect();
        assert_eq!(values, [19.0, 100.0, 2.09, 0.9091, 0.11]);
    }

    /// What large transfers of the run reach is what the bytes need, where the chip's facts say less.
    #[test]
    fn merged_transfers_are_as_fast_as_large_ones() {
        let mut planted = transfers(20, 1000, 1100);
        planted.load(0, 100_000, 102_000, 80_000);
        // All of them become a part of it.
        assert_eq!(run(&planted, check).unwrap().gain_ns, Some(20 * (1100 - 25)));
    }

    /// What has no neighbour of its direction has none to become one with.
    #[test]
    fn small_transfers_alone_give_no_advice() {
        let mut planted = Planted::default();
        for i in 0..20 {
            planted.load(0, i * 3000, i * 3000 + 110, 100);
            planted.wait(0, bigtpu_chip::Engine::Gdma, i * 3000 + 1000, i * 3000 + 2000);
        }
        assert_eq!(run(&planted, check), None);
    }

    #[test]
    fn few_large_or_fast_transfers_give_no_advice() {
        assert_eq!(run(&transfers(15, 100, 110), check), None);
        assert_eq!(run(&transfers(20, 100, 30), check), None);
        assert_eq!(run(&transfers(20, 9000, 9000), check), None);
        // 2000 of 300 000 ns are less than one percent.
        let mut rare = transfers(20, 100, 110);
        rare.load(0, 100_000, 300_000, 2_000_000);
        assert_eq!(run(&rare, check), None);
        // However small a part of all transfers' time they are, more than one percent is worth a look.
        let mut more = transfers(20, 100, 310);
        more.load(0, 100_000, 300_000, 2_000_000);
        assert_eq!(run(&more, check).and_then(|advice| advice.gain_ns), Some(20 * 300));
    }
}

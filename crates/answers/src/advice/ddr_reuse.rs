//! Data that is read from DDR again and again.

use bigtpu_chip::{Direction, Memory};

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;
use bigtpu_measure::{DumpModel, MeasuredEvent};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;
use bigtpu_timeline::EngineId;

pub(super) const ID: &str = "ddr-reuse";

/// Least bytes read again, in percent of all bytes loaded.
const LEAST_PERCENT: i64 = 10;
/// Least time of the repeated loads, in percent of the wall time of the active cores.
const LEAST_TIME_PERCENT: i64 = 1;

/// Bandwidths in GB/s that a load from DDR, and the same load from a faster memory, can reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadRates {
    pub(crate) ddr: f64,
    pub(crate) other: f64,
}

impl LoadRates {
    /// ns that loads are shorter than the same loads from DDR, which took `ns`, of them `starts_ns` before the first byte: a
    /// load's start takes as long from another memory.
    pub(crate) fn saved_ns(self, ns: f64, starts_ns: f64) -> f64 {
        (ns - starts_ns).max(0.0) * (1.0 - (self.ddr / self.other).min(1.0))
    }

    /// ns that a load takes before its first byte: the least time of a load beyond that of its bytes.
    pub(crate) fn start_ns(self, model: &DumpModel<'_>) -> f64 {
        let beyond =
            |event: &MeasuredEvent<'_>| event.ns() as f64 - event.bytes() as f64 / self.ddr;
        let least = loads(model).map(|(_, event)| beyond(&event)).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least.max(0.0) } else { 0.0 }
    }

    /// From L2M instead of DDR; `None` where one of them is not known.
    pub(super) fn of_l2m(findings: &Findings<'_, '_>) -> Option<Self> {
        let other = findings.hardware.l2m_gbps?;
        Some(Self { ddr: findings.ddr_gbps()?, other })
    }
}

/// All loads from DDR, each with its engine.
fn loads<'m>(model: &'m DumpModel<'_>) -> impl Iterator<Item = (EngineId, MeasuredEvent<'m>)> {
    let is_load = |d: Direction| d.from == Memory::Ddr && d.to != Memory::Ddr;
    model.tracks.iter().flat_map(move |track| {
        let work = model.events(track).filter(|event| event.kind.activity.is_work());
        let loads = work.filter(move |event| event.kind.direction().is_some_and(is_load));
        loads.map(|event| (track.engine_id, event))
    })
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let reuse = findings.model.reuse;
    let hardware = &findings.hardware;
    let rates = LoadRates::of_l2m(findings)?;
    let fits = hardware.l2m_bytes.is_none_or(|size| reuse.distinct_bytes <= size);
    let whole = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
    let core_time = findings.overall.wall_ns.saturating_mul(findings.active_cores());
    let is_much = at_least(whole(reuse.again_bytes), LEAST_PERCENT, whole(reuse.bytes))
        && at_least(reuse.again_ns, LEAST_TIME_PERCENT, core_time);
    if !fits || !is_much {
        return None;
    }
    let loads = || Message::new("place-ddr-loads");
    let evidence = vec![
        Evidence::new("evidence-bytes-loaded", reuse.bytes as f64, "B", loads()),
        Evidence::new("evidence-bytes-again", reuse.again_bytes as f64, "B", loads()),
        Evidence::new("evidence-places-again", reuse.places as f64, "", loads()),
        Evidence::new("evidence-size-of-data", reuse.distinct_bytes as f64, "B", loads()),
        Evidence::us("evidence-time-again", reuse.again_ns, loads()),
    ];
    let room = match hardware.l2m_bytes {
        Some(size) => message!("advice-ddr-reuse-fits", size = Arg::Bytes(size)),
        None => Message::new("advice-ddr-reuse-unknown"),
    };
    // The data is loaded once, and then again.
    let times = || Arg::Factor(1.0 + ratio_of(reuse.again_bytes, reuse.distinct_bytes));
    let text = message!(
        "advice-ddr-reuse",
        bytes = Arg::Bytes(reuse.distinct_bytes),
        places = reuse.places,
        times = times(),
        again = Arg::Bytes(reuse.again_bytes),
        room = room,
    );
    let again = reuse.loads as f64 * ratio_of(reuse.again_bytes, reuse.bytes);
    let starts_ns = again * rates.start_ns(findings.model);
    let gain = rates.saved_ns(reuse.again_ns as f64, starts_ns) as i64 / findings.active_cores();
    let headline =
        message!("headline-ddr-reuse", bytes = Arg::Bytes(reuse.distinct_bytes), times = times(),);
    Some(Advice::saving(findings, ID, gain, headline, text, evidence))
}

/// What is read again comes from L2M, spread evenly over all loads: any of them may be the one from DDR.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let (model, mut relief) = (findings.model, Relief::default());
    let again = ratio_of(model.reuse.again_bytes, model.reuse.bytes);
    let Some(rates) = LoadRates::of_l2m(findings) else { return relief };
    let start_ns = rates.start_ns(model);
    for (engine_id, event) in loads(model) {
        let ns = event.ns().max(1) as f64;
        let saved = again * rates.saved_ns(ns, start_ns);
        relief.scale(engine_id, event.index, 1.0 - saved / ns);
    }
    relief
}

fn ratio_of(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::{check as run, check_on, hardware};
    use bigtpu_measure::Reuse;
    use bigtpu_measure::planted::Planted;

    fn planted(again_ns: i64) -> Planted {
        let mut planted = Planted::default();
        planted.load(0, 0, 500, 4000);
        planted.reuse = Reuse {
            loads: 4,
            bytes: 4000,
            places: 1,
            distinct_bytes: 1000,
            again_bytes: 3000,
            again_ns,
        };
        planted
    }

    #[test]
    fn data_read_again() {
        // Three of four loads, each 100 ns before its first byte; half of the rest.
        let advice = run(&planted(600), check).unwrap();
        assert_eq!(advice.gain_ns, Some(150));
        assert_eq!(advice.evidence[1].value, 3000.0);
        assert!(advice.text.text.contains("--hw"), "{}", advice.text.text);
    }

    #[test]
    fn little_time_no_l2m_or_too_much_data_give_no_advice() {
        assert_eq!(run(&planted(4), check), None);
        let without = bigtpu_machine::Hardware { l2m_gbps: None, ..hardware() };
        assert_eq!(check_on(&planted(600), check, without), None);
        let small = bigtpu_machine::Hardware { l2m_bytes: Some(999), ..hardware() };
        assert_eq!(check_on(&planted(600), check, small), None);
        let enough = bigtpu_machine::Hardware { l2m_bytes: Some(1000), ..hardware() };
        assert!(check_on(&planted(600), check, enough).unwrap().text.text.contains("they fit"));
    }
}

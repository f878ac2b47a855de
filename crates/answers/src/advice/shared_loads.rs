//! Weights that several cores load from DDR, each for itself.

use std::collections::BTreeMap;

use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::ddr_reuse::{self, LoadRates};
use super::{Advice, Evidence};
use crate::findings::Findings;
use crate::round_trips::SharedLoad;

pub(super) const ID: &str = "shared-loads";

/// What else a core can do than to load all of it from DDR.
struct Remedy {
    rates: LoadRates,
    /// ns before the first byte of a load.
    start_ns: f64,
    /// The L2M has it; else each core loads only its own part.
    has_l2m: bool,
}

impl Remedy {
    /// `None` where the bandwidth is not known.
    fn find(findings: &Findings<'_, '_>) -> Option<Self> {
        let fits = |size| findings.shared_loads.bytes <= size;
        let l2m = LoadRates::of_l2m(findings).filter(|rates| rates.other > rates.ddr);
        let l2m = l2m.filter(|_| findings.hardware.l2m_bytes.is_none_or(fits));
        let ddr = findings.ddr_gbps()?;
        let rates = l2m.unwrap_or(LoadRates { ddr, other: ddr });
        Some(Self { rates, start_ns: rates.start_ns(findings.model), has_l2m: l2m.is_some() })
    }

    /// ns that a load saves: from L2M, or as a part of the data, whose bound counts no time before the first byte.
    fn saved_ns(&self, load: &SharedLoad) -> f64 {
        let ns = load.ns as f64;
        match self.has_l2m {
            true => self.rates.saved_ns(ns, self.start_ns),
            false => ns * (1.0 - 1.0 / f64::from(load.cores.max(1))),
        }
    }
}

/// The largest sum of a core.
fn largest(findings: &Findings<'_, '_>, ns: impl Fn(&SharedLoad) -> f64) -> i64 {
    let mut of_core: BTreeMap<u32, f64> = BTreeMap::new();
    for load in &findings.shared_loads.loads {
        *of_core.entry(load.engine_id.index).or_default() += ns(load);
    }
    of_core.into_values().fold(0.0, f64::max) as i64
}

/// ns that these loads take on the core where they take longest; `None` if there are none.
pub(super) fn time_ns(findings: &Findings<'_, '_>) -> Option<i64> {
    Some(largest(findings, |load| load.ns as f64)).filter(|ns| *ns > 0)
}

/// The numbers: of what is shared, and how long it takes.
pub(super) fn evidence(findings: &Findings<'_, '_>) -> Vec<Evidence> {
    let shared = &findings.shared_loads;
    let place = || Message::new("place-busiest-core");
    vec![
        Evidence::new("evidence-shared-places", shared.places as f64, "", None),
        Evidence::new("evidence-shared-bytes", shared.bytes as f64, "B", None),
        Evidence::us("evidence-their-time", time_ns(findings).unwrap_or(0), place()),
    ]
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let (time_ns, remedy) = (time_ns(findings)?, Remedy::find(findings)?);
    // Loads of all cores are a part of what is loaded again.
    if remedy.has_l2m && ddr_reuse::check(findings).is_some() {
        return None;
    }
    let shared = &findings.shared_loads;
    let gain = largest(findings, |load| remedy.saved_ns(load));
    let text = vec![
        message!(
            "advice-shared-loads",
            cores = shared.cores,
            places = shared.places,
            bytes = Arg::Bytes(shared.bytes),
            time = Arg::TimeNs(time_ns),
        ),
        Message::new(if remedy.has_l2m {
            "advice-shared-loads-l2m"
        } else {
            "advice-shared-loads-split"
        }),
    ];
    let headline =
        message!("headline-shared-loads", cores = shared.cores, bytes = Arg::Bytes(shared.bytes),);
    let advice =
        Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence(findings));
    Some(Advice { is_bound: !remedy.has_l2m, ..advice })
}

/// Each load takes the time of its remedy.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    let Some(remedy) = Remedy::find(findings) else { return relief };
    for load in &findings.shared_loads.loads {
        let factor = 1.0 - remedy.saved_ns(load) / load.ns.max(1) as f64;
        relief.scale(load.engine_id, load.event, factor);
    }
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::hardware;
    use crate::round_trips::SharedLoads;
    use bigtpu_chip::Engine;
    use bigtpu_machine::Hardware;
    use bigtpu_measure::planted::Planted;
    use bigtpu_timeline::EngineId;

    #[test]
    fn the_other_cores_take_it_from_l2m_or_each_loads_its_part() {
        let mut planted = Planted::default();
        let mut loads = Vec::new();
        for core in 0..2 {
            planted.load(core, 0, 400, 4000);
            let engine_id = EngineId { index: core, engine: Engine::Gdma };
            loads.push(SharedLoad { engine_id, event: 0, ns: 400, cores: 2 });
        }
        let model = planted.model();
        let checked = |l2m_gbps, bytes| {
            let hardware = Hardware { l2m_gbps, l2m_bytes: Some(5000), ..hardware() };
            let mut findings = Findings::of_planted(&model, hardware);
            let loads = loads.clone();
            findings.shared_loads = SharedLoads { loads, places: 1, bytes, cores: 2 };
            let advice = check(&findings).unwrap();
            (advice.gain_ns, advice.is_bound)
        };
        // DDR gives each of two cores 10 GB/s, L2M 20.
        assert_eq!(checked(Some(20.0), 4000), (Some(200), false));
        assert_eq!(checked(None, 4000), (Some(200), true));
        // The L2M is too small.
        assert_eq!(checked(Some(40.0), 6000), (Some(200), true));
    }
}

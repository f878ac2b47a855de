//! The workbook's summary: totals by core, then overall (section 8).

use bigtpu_chip::Engine;
use bigtpu_timeline::{Core, EngineEvents, Profile};

use crate::engine_totals::{DmaTotals, TiuTotals, TypeTotals, whole_ns};
use bigtpu_measure::quotient;

/// Totals of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreEngines {
    /// The core's number; 0 for all cores together.
    pub core: u32,
    /// TIU, waits without their cycles.
    pub tiu: TypeTotals,
    /// GDMA.
    pub gdma: DmaTotals,
    /// SDMA.
    pub sdma: DmaTotals,
    /// CDMA: the first port that has events is with the last core; none with the others.
    pub cdma: DmaTotals,
}

/// Shares of the total time, and how much the engines overlap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OverlapShares {
    /// Time of the TIU.
    pub tiu: f64,
    /// Time of all engines; the SDMA's only where there are several cores.
    pub parallelism: f64,
    /// Time by which TIU and GDMA together exceed the total time, as a share of the shorter of the two.
    pub concurrency: f64,
}

/// The workbook's summary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EngineSummary {
    /// Cores that are shown, up to the last one that has events.
    pub cores: Vec<CoreEngines>,
    /// The ports that have events, in text order of their numbers.
    pub ports: Vec<(u32, DmaTotals)>,
    /// From the least start to the greatest end of any track's last event, in ns.
    pub total_ns: i64,
    /// TIU clock in MHz.
    pub tiu_mhz: f64,
    /// DMA clock in MHz.
    pub dma_mhz: f64,
}

impl EngineSummary {
    /// Puts the totals of a profile's engines together. `tiu` and `dma` are those of all tracks of
    /// each core (TIU; GDMA, SDMA), `ports` those of the profile's ports, in its order.
    #[must_use]
    pub fn new(
        profile: &Profile<'_>,
        tiu: &[TiuTotals],
        dma: &[[DmaTotals; 2]],
        ports: &[DmaTotals],
    ) -> Self {
        let shown = last_core(profile);
        let mut cores: Vec<CoreEngines> = tiu
            .iter()
            .zip(dma)
            .zip(0..)
            .take(shown)
            .filter(|(_, core)| profile.shows(*core))
            .map(|((tiu, &[gdma, sdma]), core)| CoreEngines {
                core,
                tiu: tiu.all,
                gdma,
                sdma,
                cdma: DmaTotals::default(),
            })
            .collect();
        let ports: Vec<(u32, DmaTotals)> = ports_in_text_order(profile)
            .into_iter()
            .filter_map(|p| Some((profile.ports.get(p)?.engine_id.index, *ports.get(p)?)))
            .collect();
        let first =
            ports.first().and_then(|(p, _)| profile.ports.iter().find(|t| t.engine_id.index == *p));
        let total_ns = total_ns(profile, shown, first);
        if let (Some(core), Some((_, first))) = (cores.last_mut(), ports.first()) {
            core.cdma = *first;
        }
        Self {
            cores,
            ports,
            total_ns,
            tiu_mhz: profile.clocks.mhz(Engine::Tiu),
            dma_mhz: profile.clocks.dma_mhz,
        }
    }

    /// All cores together: operations and bytes summed.
    #[must_use]
    pub fn sum(&self) -> CoreEngines {
        let tiu = self.cores.iter().fold(TypeTotals::default(), |mut all, core| {
            all.commands += core.tiu.commands;
            all.alg_ops += core.tiu.alg_ops;
            all.uarch_ops += core.tiu.uarch_ops;
            all.alg_cycles += core.tiu.alg_cycles;
            all.cycles += core.tiu.cycles;
            all
        });
        CoreEngines {
            core: 0,
            tiu,
            gdma: DmaTotals::sum(self.cores.iter().map(|c| c.gdma)),
            sdma: DmaTotals::sum(self.cores.iter().map(|c| c.sdma)),
            cdma: DmaTotals::sum(self.cores.iter().map(|c| c.cdma)),
        }
    }

    /// The greatest of all cores' values.
    #[must_use]
    pub fn most<T: Ord + Default>(&self, value: impl Fn(&CoreEngines) -> T) -> T {
        self.cores.iter().map(value).max().unwrap_or_default()
    }

    /// Overlap of one core's engines. DMA cycles count as if they were ns.
    #[must_use]
    pub fn overlap(&self, core: &CoreEngines) -> OverlapShares {
        let tiu = whole_ns(core.tiu.cycles, self.tiu_mhz);
        let (gdma, sdma) = (core.gdma.cycles, core.sdma.cycles);
        self.overlap_of(tiu, gdma, gdma + self.if_several(sdma))
    }

    /// Overlap of the busiest core of each engine.
    #[must_use]
    pub fn overall_overlap(&self) -> OverlapShares {
        let tiu = whole_ns(self.most(|c| c.tiu.cycles), self.tiu_mhz);
        let (gdma, sdma) = (self.most(|c| c.gdma.cycles), self.most(|c| c.sdma.cycles));
        let dma = whole_ns(gdma + self.if_several(sdma), self.dma_mhz);
        self.overlap_of(tiu, whole_ns(gdma, self.dma_mhz), dma)
    }

    /// Time of a core's TIU, GDMA and SDMA over the total time, waits left out.
    #[must_use]
    pub fn busy_shares(&self, core: &CoreEngines) -> [f64; 3] {
        let tiu = whole_ns(core.tiu.cycles, self.tiu_mhz);
        let dma = [core.gdma.cycles, core.sdma.cycles].map(|c| whole_ns(c, self.dma_mhz));
        [tiu, dma[0], dma[1]].map(|ns| quotient(ns.into(), self.total_ns.into()))
    }

    fn if_several(&self, sdma: i64) -> i64 {
        if self.cores.len() > 1 { sdma } else { 0 }
    }

    fn overlap_of(&self, tiu: i64, gdma: i64, dma: i64) -> OverlapShares {
        let total = i128::from(self.total_ns);
        let (tiu, gdma, dma) = (i128::from(tiu), i128::from(gdma), i128::from(dma));
        let both = tiu > 0 && gdma > 0;
        OverlapShares {
            tiu: quotient(tiu, total),
            parallelism: quotient(tiu + dma, total),
            concurrency: if both { quotient(tiu + gdma - total, tiu.min(gdma)) } else { 0.0 },
        }
    }
}

/// How many cores are shown: up to the last that has events; with more CDMA ports or engines than that,
/// as many.
fn last_core(profile: &Profile<'_>) -> usize {
    let cores = &profile.cores;
    let active = |c: &Core<'_>| c.tracks.iter().any(|t| !t.events.is_empty());
    let last = cores.iter().rposition(active).map_or(0, |c| c + 1);
    let is_shown_port =
        |p: &&EngineEvents<'_>| !p.events.is_empty() && (p.engine_id.index as usize) < cores.len();
    last.max(profile.ports.iter().filter(is_shown_port).count())
}

/// Indices of the ports that have events, as the names of their files sort: 0, 1, 10, 2.
fn ports_in_text_order(profile: &Profile<'_>) -> Vec<usize> {
    let ports = &profile.ports;
    let mut order: Vec<usize> = (0..ports.len()).filter(|&p| !ports[p].events.is_empty()).collect();
    order.sort_by_key(|&p| ports[p].engine_id.index.to_string());
    order
}

/// From the least start to the greatest end of any last event, over the cores and the first port.
fn total_ns(profile: &Profile<'_>, shown: usize, port: Option<&EngineEvents<'_>>) -> i64 {
    let cores = profile.cores.iter().take(shown).flat_map(|c| &c.tracks);
    let (mut start, mut end) = (None::<i64>, None::<i64>);
    for events in cores.chain(port).map(|t| &t.events) {
        start = start.into_iter().chain(events.start.iter().copied()).min();
        end = end.into_iter().chain(events.end.last().copied()).max();
    }
    start.zip(end).map_or(0, |(start, end)| (end - start).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(tiu: i64, gdma: i64, sdma: i64) -> CoreEngines {
        CoreEngines {
            core: 0,
            tiu: TypeTotals { cycles: tiu, ..TypeTotals::default() },
            gdma: DmaTotals { cycles: gdma, ..DmaTotals::default() },
            sdma: DmaTotals { cycles: sdma, ..DmaTotals::default() },
            cdma: DmaTotals::default(),
        }
    }

    fn summary(cores: Vec<CoreEngines>) -> EngineSummary {
        EngineSummary { cores, total_ns: 100, tiu_mhz: 500.0, dma_mhz: 500.0, ..Default::default() }
    }

    #[test]
    fn a_cores_dma_cycles_count_as_ns() {
        let one = summary(vec![core(30, 50, 20)]);
        let overlap = one.overlap(&one.cores[0]);
        assert_eq!((overlap.tiu, overlap.parallelism, overlap.concurrency), (0.6, 1.1, 0.2));
        let two = summary(vec![core(30, 50, 20), core(0, 0, 0)]);
        assert_eq!(two.overlap(&two.cores[0]).parallelism, 1.3);
        assert_eq!(two.overlap(&two.cores[1]), OverlapShares::default());
    }

    #[test]
    fn overall_takes_the_busiest_of_each_engine() {
        let overlap = summary(vec![core(30, 10, 0), core(10, 20, 5)]).overall_overlap();
        assert_eq!((overlap.tiu, overlap.parallelism, overlap.concurrency), (0.6, 1.1, 0.0));
    }
}

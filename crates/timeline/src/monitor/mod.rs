//! A monitor's records become clean events (section 5): rotated, ids lifted, times unwrapped,
//! disorder undone, cycles turned into ns.

mod clean;
mod found_records;
mod port;

use bigtpu_chip::{Chip, Engine, Family, Pmu};
use bigtpu_format::{
    Bm1684xDmaRecord, CdmaRecord, Cv184xTiuRecord, DmaRecord, DmaWideRecord, TiuRecord,
    TiuWideRecord,
};
use bigtpu_messages::{Arg, Message, message};

use crate::clock;
use crate::label::label;
use crate::ledger::{Counts, Notes};
use crate::quality::{Quality, mark};
use crate::ring::size_that_holds;
use crate::sound::{Places, Records, TimeFault};
use crate::wide_events::WideEvents;
pub(crate) use clean::clean;
pub(crate) use port::clean_port;

/// [`Monitor::tiu_flags`] of a system command of AKS.
const SYSTEM_FLAGS: u32 = 2;

/// An engine's PMU records as they are in the file.
#[derive(Debug, Clone)]
pub enum Monitor<'d> {
    /// AKS, AKSV, CV84X6.
    Tiu(Records<'d, TiuRecord>),
    /// CV184X.
    TiuCv184x(Records<'d, Cv184xTiuRecord>),
    /// BM1688, BM1684X.
    TiuWide(Records<'d, TiuWideRecord>),
    /// AKS, AKSV, CV184X, CV84X6.
    Dma(Records<'d, DmaRecord>),
    /// BM1688.
    DmaWide(Records<'d, DmaWideRecord>),
    /// BM1684X.
    DmaBm1684x(Records<'d, Bm1684xDmaRecord>),
    /// The blocks of a CDMA port, one behind the other.
    Cdma(Records<'d, CdmaRecord>),
}

impl<'d> Monitor<'d> {
    /// No records.
    #[must_use]
    pub(crate) fn empty(engine: Engine) -> Self {
        match engine {
            Engine::Tiu => Self::Tiu(Records::new([])),
            Engine::Gdma | Engine::Sdma => Self::Dma(Records::new([])),
            Engine::Cdma => Self::Cdma(Records::new([])),
        }
    }

    /// A DMA record's counters; `None` for the TIU and for an index out of range.
    #[must_use]
    #[inline]
    pub fn pmu(&self, chip: &Chip, record: u32) -> Option<Pmu<'d>> {
        let at = record as usize;
        match self {
            Self::Tiu(_) | Self::TiuCv184x(_) | Self::TiuWide(_) => None,
            Self::Dma(records) => {
                let counters = match chip.family {
                    Family::Cv184x => Pmu::Cv184x,
                    Family::Cv84x6 => Pmu::Cv84x6,
                    Family::Aks | Family::Bm1684x | Family::Bm1688 => Pmu::Aks,
                };
                records.get(at).map(counters)
            }
            Self::DmaWide(records) => records.get(at).map(Pmu::Bm1688),
            Self::DmaBm1684x(records) => records.get(at).map(Pmu::Bm1684x),
            Self::Cdma(_) => self.port_record(record).map(Pmu::Cdma),
        }
    }

    /// A record of a CDMA port; `None` for other engines and for an index out of range.
    pub(crate) fn port_record(&self, record: u32) -> Option<&'d CdmaRecord> {
        let Self::Cdma(records) = self else { return None };
        records.get(record as usize)
    }

    /// Thread id and bank conflicts: the word of a 16-byte TIU record that is neither id nor time.
    #[must_use]
    pub fn tiu_flags(&self, record: u32) -> Option<u32> {
        match self {
            Self::Tiu(records) => records.get(record as usize).map(|r| r.flags.get()),
            Self::TiuCv184x(records) => records.get(record as usize).map(|r| r.flags.get()),
            _ => None,
        }
    }

    /// Whether a record looks like a system command's: nothing moved, or the TIU's mark of one.
    pub(crate) fn looks_like_system(&self, chip: &Chip, record: u32) -> bool {
        match self {
            Self::Tiu(_) => {
                chip.family == Family::Aks && self.tiu_flags(record) == Some(SYSTEM_FLAGS)
            }
            Self::TiuCv184x(_) | Self::TiuWide(_) => false,
            _ => self.pmu(chip, record).is_some_and(|p| p.is_idle()),
        }
    }
}

impl Monitor<'_> {
    /// Labels the unbound records that look like those of system commands; see [`label`]. `puts_right`: also what is marked wrongly.
    /// Returns the events of those records.
    pub(crate) fn label(
        &self,
        chip: &Chip,
        events: &mut WideEvents,
        puts_right: bool,
    ) -> Vec<usize> {
        let is_nearly = |record: u32| self.is_bit_from_system(chip, record);
        let is_nearly = puts_right.then_some(&is_nearly as &dyn Fn(u32) -> bool);
        match self {
            Self::TiuCv184x(_) | Self::TiuWide(_) => Vec::new(),
            Self::Tiu(_) if chip.family != Family::Aks => Vec::new(),
            // The same as below, decided once.
            Self::Dma(records) => {
                let is_idle =
                    |record: u32| records.get(record as usize).is_some_and(DmaRecord::is_idle);
                label(events, is_idle, is_nearly)
            }
            _ => label(events, |record| self.looks_like_system(chip, record), is_nearly),
        }
    }

    /// Whether a record would look like a system command's if one bit were another.
    fn is_bit_from_system(&self, chip: &Chip, record: u32) -> bool {
        let bits = match self {
            Self::Tiu(_) if chip.family == Family::Aks => {
                self.tiu_flags(record).map(|flags| (flags ^ SYSTEM_FLAGS).count_ones())
            }
            Self::Dma(records) => records.get(record as usize).map(|record| {
                let valid = [&record.axi_d0_wr_valid, &record.axi_d0_rd_valid];
                valid.into_iter().map(|word| word.get().count_ones()).sum()
            }),
            _ => None,
        };
        bits == Some(1)
    }

    /// Whether a record is certainly not that of a system command: its counters would say so.
    pub(crate) fn shows_work(&self, chip: &Chip, record: u32) -> bool {
        let can_say = match self {
            Self::Tiu(_) => chip.family == Family::Aks,
            Self::Dma(_) | Self::Cdma(_) => true,
            Self::TiuCv184x(_) | Self::TiuWide(_) | Self::DmaWide(_) | Self::DmaBm1684x(_) => false,
        };
        can_say && !self.looks_like_system(chip, record)
    }
}

/// A clean monitor.
pub(crate) struct Clean<'d> {
    pub(crate) monitor: Monitor<'d>,
    pub(crate) events: WideEvents,
    /// Where its records are in the file.
    pub(crate) places: Places,
    /// What was wrong with its records, to be told with the launches that they are of.
    pub(crate) faults: Vec<RecordFault>,
}

/// Something that was wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordFault {
    /// The record, or the one behind it where it is left out.
    pub(crate) record: u32,
    /// Offset in the file, in bytes.
    pub(crate) at: Option<u64>,
    pub(crate) message: Message,
}

impl Clean<'_> {
    /// Labels the unbound records that look like those of system commands. `puts_right`: also what is marked wrongly, and tells it.
    pub(crate) fn label(&mut self, chip: &Chip, engine: Engine, puts_right: bool) {
        for event in self.monitor.label(chip, &mut self.events, puts_right) {
            let Some(&record) = self.events.record.get(event) else { continue };
            mark(&mut self.events.marks, record, Quality::Repaired);
            let message = message!("note-wrong-mark", engine = engine.name());
            self.faults.push(RecordFault { record, at: self.places.byte(record), message });
        }
    }

    pub(crate) fn empty(engine: Engine) -> Self {
        Self {
            monitor: Monitor::empty(engine),
            events: WideEvents::default(),
            places: Places::default(),
            faults: Vec::new(),
        }
    }
}

/// Marks the records whose times were put right or are not known, and tells of them.
fn tell_times(
    engine: Engine,
    found: &[TimeFault],
    places: &Places,
    events: &mut WideEvents,
    faults: &mut Vec<RecordFault>,
) {
    let name = engine.name();
    for TimeFault { record, was: (start, end), is_repaired } in found {
        let record = *record as u32;
        let [start, end] = [*start, *end].map(|cycles| Arg::Name(cycles.to_string()));
        let message = match is_repaired {
            true => message!("note-wrong-bit", engine = name, start = start, end = end),
            false => message!("note-wrong-time", engine = name, start = start, end = end),
        };
        let quality = if *is_repaired { Quality::Repaired } else { Quality::Doubtful };
        mark(&mut events.marks, record, quality);
        faults.push(RecordFault { record, at: places.byte(record), message });
    }
}

/// Turns cycles of a clock of `mhz` into ns.
pub(crate) fn in_ns(events: &mut WideEvents, mhz: f64) {
    events.mhz = mhz;
    for times in [&mut events.start, &mut events.end] {
        clock::all_to_ns(times, mhz);
    }
}

/// Notes a ring whose oldest record has the id `oldest`, with `kept` records in it.
pub(crate) fn note_lapped(
    engine: Engine,
    oldest: u32,
    kept: usize,
    ring: Option<u64>,
    at: Option<u64>,
    counts: &mut Counts,
    notes: &mut Notes,
) {
    let lost = u64::from(oldest);
    counts.lost += lost;
    let kept = kept as u64;
    let enough = size_that_holds(kept + lost, ring.unwrap_or(0));
    let older = match lost {
        0 => Message::new("note-older-unknown"),
        _ => message!("note-older", records = lost),
    };
    let message = message!(
        "note-lapped",
        engine = engine.name(),
        records = kept,
        older = older,
        enough = enough,
    );
    notes.loss_anywhere(at, message);
}

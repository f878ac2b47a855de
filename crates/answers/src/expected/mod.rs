//! Commands that took longer than their bits explain.
//!
//! The crate `command-cost` says what a command takes by itself. What a record shows beyond that is not in the command: the
//! memory was busy, or the engine slow.

mod rows;

use bigtpu_chip::{Direction, Engine};
use bigtpu_command_cost::Mark;
use bigtpu_measure::{EngineTrack, Event, Kind, Model};
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::by_kind::ByKind;
use rows::{LastRows, Rows};

/// What commands took beside what their bits explain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Expected {
    /// Commands with a rule.
    pub commands: u64,
    /// ns that they took, summed.
    pub measured_ns: i64,
    /// ns that their bits explain.
    pub expected_ns: i64,
    /// ns of the other commands: without a rule, or without full bits.
    pub without_rule_ns: i64,
    /// Commands that took longer, by kernel or layer, engine and memory; those that lost most first.
    pub slower: Vec<Slower>,
}

/// Commands that took longer than their bits explain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Slower {
    /// Kernel, or operation of the layer; empty where the commands belong to none.
    pub name: String,
    /// Number of the layer, of a static model whose layers are known.
    pub layer_id: Option<u64>,
    /// The engine.
    pub engine: String,
    /// From where to where, of transfers; empty for the TIU.
    pub memory: String,
    /// Commands of this kernel or layer, engine and memory that have a rule.
    pub commands: u64,
    /// Those that took longer.
    pub slower: u64,
    /// ns that the slower ones took.
    pub measured_ns: i64,
    /// ns that their bits explain.
    pub expected_ns: i64,
    /// The difference.
    pub lost_ns: i64,
    /// The cause with most of it.
    pub cause: SlowCause,
    /// How well the rules are known: the worst of them, as `command-cost` calls it.
    pub mark: String,
}

/// Why a command took longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SlowCause {
    /// It is the run's first transfer from DDR.
    FirstTransfer,
    /// A transfer of another core used the DDR at the same time.
    OtherCore,
    /// Nothing in the records says why: other users of the memory, throttling.
    Unknown,
}

impl SlowCause {
    const ALL: [Self; 3] = [Self::FirstTransfer, Self::OtherCore, Self::Unknown];

    /// As printed.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::FirstTransfer => "first transfer of the run",
            Self::OtherCore => "another core's transfer",
            Self::Unknown => "not known",
        }
    }
}

/// A command of a fitted rule counts as slower from this factor on: the rules' own errors are smaller for nine of ten.
const SLOW: f64 = 1.3;
/// The same of the run's first transfer, which is slower on most chips.
const SLOW_FIRST: f64 = 1.1;
/// ns that a command may take longer in any case.
const FEW_NS: f64 = 10.0;
/// The same of one whose rule is exact: times are whole ns.
const ROUNDING_NS: f64 = 2.0;
/// A row loses at least this share of the wall time.
const LEAST_SHARE: f64 = 0.001;
/// Rows.
const MOST: usize = 50;

/// Layer of an event: its number and operation.
pub(crate) type LayerOf<'a> = dyn Fn(EngineId, usize) -> Option<(u64, &'a str)> + 'a;

/// What rows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key<'a> {
    layer: Option<(u64, &'a str)>,
    kernel: Option<u32>,
    engine: Engine,
    sides: Option<[u8; 2]>,
}

#[derive(Debug)]
struct Sum {
    commands: u64,
    slower: u64,
    measured: f64,
    expected: f64,
    /// By [`SlowCause`].
    lost: [f64; SlowCause::ALL.len()],
    mark: Mark,
    direction: Option<Direction>,
}

impl Expected {
    /// `None` where no command has a rule. `layer_of`: the layers of a static model.
    pub(crate) fn of<'a>(
        model: &Model<'a>,
        layer_of: Option<&LayerOf<'a>>,
        wall_ns: i64,
    ) -> Option<Self> {
        let mut all = Self {
            commands: 0,
            measured_ns: 0,
            expected_ns: 0,
            without_rule_ns: 0,
            slower: Vec::new(),
        };
        let mut rows = Rows::default();
        let (mut measured, mut expected, mut unknown) = (0.0, 0.0, 0.0);
        let mut others = Others::of(model);
        let rules = ByKind::of(model, |kind| Rule::of(model, kind));
        for track in &model.tracks {
            let id = track.engine_id;
            let first = others.first.filter(|(own, _)| *own == id).map(|(_, index)| index);
            let mut last = LastRows::of(track);
            for event in model.events(track).filter(|event| event.kind.activity.is_work()) {
                let ns = event.ns() as f64;
                let Some(Some(rule)) = rules.get(&event) else {
                    unknown += ns;
                    continue;
                };
                all.commands += 1;
                (measured, expected) = (measured + ns, expected + rule.bits_ns);
                let layer = layer_of.and_then(|layer| layer(id, event.index));
                let (kind, tag) = (event.kind_number(), event.tag());
                let sum = last.row(&mut rows, model, (kind, tag), layer);
                sum.commands += 1;
                let is_first = first == Some(event.index);
                if ns > if is_first { rule.slow_first_ns } else { rule.slow_ns } {
                    let cause = others.cause(track, event.index);
                    sum.slower += 1;
                    sum.measured += ns;
                    sum.expected += rule.bits_ns;
                    sum.mark = sum.mark.max(rule.mark);
                    sum.lost[cause as usize] += ns - rule.bits_ns;
                }
            }
        }
        if all.commands == 0 {
            return None;
        }
        (all.measured_ns, all.expected_ns) = (measured as i64, expected.round() as i64);
        all.without_rule_ns = unknown as i64;
        let least = (wall_ns as f64 * LEAST_SHARE).max(1.0);
        let slow = rows.sorted().filter(|(_, sum)| sum.measured - sum.expected >= least);
        all.slower = slow.map(|(key, sum)| sum.row(key, model)).collect();
        all.slower.sort_by_key(|row| std::cmp::Reverse(row.lost_ns));
        all.slower.truncate(MOST);
        Some(all)
    }
}

/// What is known of a kind's commands.
struct Rule {
    /// ns that their bits explain.
    bits_ns: f64,
    /// How well that is known.
    mark: Mark,
    /// A command that takes longer is slow.
    slow_ns: f64,
    /// The same of the run's first transfer.
    slow_first_ns: f64,
}

impl Rule {
    /// `None` without a rule.
    fn of(model: &Model<'_>, kind: &Kind) -> Option<Self> {
        let mark = kind.expected.as_ref()?.mark;
        let mhz = if kind.engine == Engine::Tiu { model.tiu_mhz } else { model.dma_mhz };
        let bits_ns = kind.expected_ns(mhz).filter(|_| mark != Mark::NotValidated)?;
        let slow = |factor: f64| match mark {
            Mark::Exact => bits_ns + ROUNDING_NS,
            _ => bits_ns * factor + FEW_NS,
        };
        Some(Self { bits_ns, mark, slow_ns: slow(SLOW), slow_first_ns: slow(SLOW_FIRST) })
    }
}

impl Sum {
    fn new(direction: Option<Direction>) -> Self {
        Self {
            commands: 0,
            slower: 0,
            measured: 0.0,
            expected: 0.0,
            lost: [0.0; SlowCause::ALL.len()],
            mark: Mark::Exact,
            direction,
        }
    }

    fn row(self, key: Key<'_>, model: &Model<'_>) -> Slower {
        let kernel = || key.kernel.map_or("", |kernel| model.kernel_name(kernel));
        // What is slow loses more than 0.
        let lost = SlowCause::ALL.into_iter().zip(self.lost).filter(|(_, ns)| *ns > 0.0);
        let most = lost.max_by(|a, b| a.1.total_cmp(&b.1));
        let (measured_ns, expected_ns) = (self.measured as i64, self.expected.round() as i64);
        Slower {
            name: key.layer.map_or_else(kernel, |(_, operation)| operation).to_owned(),
            layer_id: key.layer.map(|(id, _)| id),
            engine: key.engine.name().to_owned(),
            memory: self.direction.map_or(String::new(), |d| d.text().to_owned()),
            commands: self.commands,
            slower: self.slower,
            measured_ns,
            expected_ns,
            lost_ns: measured_ns - expected_ns,
            cause: most.map_or(SlowCause::Unknown, |(cause, _)| cause),
            mark: self.mark.name().to_owned(),
        }
    }
}

/// What else used the DDR.
struct Others<'m, 'a> {
    model: &'m Model<'a>,
    /// Tracks of transfers.
    transfers: Vec<&'m EngineTrack<'a>>,
    /// Place of the track that was found beside an event last.
    last: usize,
    /// Engine and start of the run's first read from DDR.
    first: Option<(EngineId, usize)>,
}

impl<'m, 'a> Others<'m, 'a> {
    fn of(model: &'m Model<'a>) -> Self {
        let reads = |event: &Event<'_>| {
            event.kind.direction().is_some_and(|d| d.from == bigtpu_chip::Memory::Ddr)
        };
        let first = |track: &EngineTrack<'a>| {
            let event = model.events(track).find(reads)?;
            Some((event.start, track.engine_id, event.index))
        };
        let first = model.tracks.iter().filter_map(first).min_by_key(|(start, ..)| *start);
        let is_dma = |track: &&EngineTrack<'a>| track.engine_id.engine != Engine::Tiu;
        let transfers = model.tracks.iter().filter(is_dma).collect();
        Self { model, transfers, last: 0, first: first.map(|(_, id, index)| (id, index)) }
    }

    /// Why an event of a track took longer.
    #[cold]
    fn cause(&mut self, track: &EngineTrack<'a>, index: usize) -> SlowCause {
        let id = track.engine_id;
        let Some(event) = self.model.event(track, index) else { return SlowCause::Unknown };
        let uses_ddr = event.kind.direction().is_some_and(Direction::has_ddr);
        if self.first == Some((id, index)) {
            SlowCause::FirstTransfer
        } else if uses_ddr && self.is_beside_any(id, &event) {
            SlowCause::OtherCore
        } else {
            SlowCause::Unknown
        }
    }

    /// Whether any transfer of another core is from or to DDR at the time of an event.
    fn is_beside_any(&mut self, id: EngineId, event: &Event<'_>) -> bool {
        // Mostly the track that had one has the next one, too.
        let last = self.transfers.get(self.last);
        if last.is_some_and(|track| self.is_beside(track, id, event)) {
            return true;
        }
        let found = self.transfers.iter().position(|track| self.is_beside(track, id, event));
        self.last = found.unwrap_or(self.last);
        found.is_some()
    }

    /// Whether a track of transfers, of another core, has one from or to DDR at the time of an event.
    fn is_beside(&self, track: &EngineTrack<'a>, id: EngineId, event: &Event<'_>) -> bool {
        let is_other = track.engine_id.index != id.index || track.engine_id.engine == Engine::Cdma;
        if !is_other || track.engine_id == id {
            return false;
        }
        let at = track.events.end.partition_point(|end| *end <= event.start);
        let others = (at..track.len()).map_while(|index| self.model.event(track, index));
        let mut during = others.take_while(|other| other.start < event.end);
        during.any(|other| other.kind.direction().is_some_and(Direction::has_ddr))
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::{Chip, Engine};
    use bigtpu_command_cost::{Cost, Model as Costs, Windows};
    use bigtpu_measure::Kind;
    use bigtpu_measure::planted::{Planted, plain};

    use super::*;

    /// A load that takes so many cycles by its bits.
    fn load(cycles: u64) -> Kind {
        let chip = Chip::find("AKS").unwrap();
        let op = chip.ops(Engine::Gdma).ops().iter().find(|op| op.register.is_some()).unwrap();
        let bits = chip.ops(Engine::Gdma).blank(op, 0).unwrap();
        let command = chip.ops(Engine::Gdma).decode(&bits).unwrap();
        let cost = Costs::of(chip).cost(Engine::Gdma, &command, &mut Windows::new());
        let cost = Cost { parts: cost.parts.scaled_to(cycles * 1000), mark: Mark::Fitted, ..cost };
        Kind { expected: Some(Box::new(cost)), ..plain(Engine::Gdma) }
    }

    #[test]
    fn slow_transfers_are_found_with_their_cause() {
        let mut planted = Planted::default();
        planted.kernel(0, "a", 0, 10_000);
        planted.add(0, load(101), (0, 1000), 100, 0);
        planted.add(0, load(101), (1000, 1100), 100, 0);
        planted.add(0, load(101), (2000, 2400), 100, 0);
        planted.kernel(1, "b", 0, 10_000);
        planted.add(1, load(101), (2200, 2310), 100, 0);
        planted.add(1, load(101), (5000, 5300), 100, 0);
        let model = planted.model();
        let all = Expected::of(&model, None, 10_000).unwrap();
        assert_eq!((all.commands, all.measured_ns, all.expected_ns), (5, 1910, 500));
        let rows: Vec<_> = all
            .slower
            .iter()
            .map(|row| (row.name.as_str(), row.commands, row.slower, row.lost_ns, row.cause))
            .collect();
        assert_eq!(
            rows,
            [("a", 3, 2, 1200, SlowCause::FirstTransfer), ("b", 2, 1, 200, SlowCause::Unknown)]
        );
        assert_eq!(all.slower[0].mark, "fitted");
    }

    #[test]
    fn a_transfer_beside_another_core_s_is_shared() {
        let mut planted = Planted::default();
        planted.add(0, load(101), (0, 100), 100, 0);
        planted.add(0, load(101), (2000, 2400), 100, 0);
        planted.add(1, load(101), (2200, 2300), 100, 0);
        let all = Expected::of(&planted.model(), None, 10_000).unwrap();
        assert_eq!((all.slower.len(), all.slower[0].cause), (1, SlowCause::OtherCore));
    }

    #[test]
    fn commands_without_a_rule_have_no_table() {
        let mut planted = Planted::default();
        planted.load(0, 0, 1000, 10);
        assert_eq!(Expected::of(&planted.model(), None, 1000), None);
    }
}

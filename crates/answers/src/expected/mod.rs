//! Commands that took longer than their bits explain.
//!
//! The crate `command-cost` says what a command takes by itself. What a record shows beyond that is not in the command: the
//! memory was busy, or the engine slow.

mod others;
mod rows;

use bigtpu_chip::Engine;
use bigtpu_command_cost::Mark;
use bigtpu_measure::{Cells, CommandKind, DumpModel};
use bigtpu_messages::Message;
use bigtpu_timeline::EngineId;
use serde::{Deserialize, Serialize};

use crate::by_kind::ByKind;
use others::Others;
use rows::{Layer, Rows};

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
    /// Kernel, or layer such as `81_Conv (Conv2D)`; empty where the commands belong to none.
    pub name: String,
    /// Number of the layer, of a static model whose layers are known.
    pub layer_id: Option<u64>,
    /// The engine.
    pub engine: String,
    /// From where to where, of transfers; empty for the TIU.
    pub memory: String,
    /// Commands of this kernel or layer, engine and memory that have a rule.
    pub commands: u64,
    /// Commands that took longer than expected.
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
    /// The command is the run's first transfer from DDR.
    FirstTransfer,
    /// A transfer of another core used the DDR at the same time.
    OtherCore,
    /// Nothing in the records says why: other users of the memory, throttling.
    Unknown,
}

impl SlowCause {
    const ALL: [Self; 3] = [Self::FirstTransfer, Self::OtherCore, Self::Unknown];

    /// In words, in both languages.
    #[must_use]
    pub fn message(self) -> Message {
        Message::new(match self {
            Self::FirstTransfer => "report-slower-first-transfer",
            Self::OtherCore => "report-slower-other-core",
            Self::Unknown => "report-not-known",
        })
    }

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
/// Factor from which on the run's first transfer counts as slower: this transfer is slower on most chips.
const SLOW_FIRST: f64 = 1.1;
/// ns that a command may take longer in any case.
const FEW_NS: f64 = 10.0;
/// ns that a command whose rule is exact may take longer: times are whole ns.
const ROUNDING_NS: f64 = 2.0;
/// Layer of an event: its number and label.
pub(crate) type LayerOf<'a> = dyn Fn(EngineId, usize) -> Layer<'a> + 'a;

impl Expected {
    /// `None` where no command has a rule. `cells`: those of the model.
    pub(crate) fn compute(model: &DumpModel<'_>, cells: &Cells<'_>, wall_ns: i64) -> Option<Self> {
        let rules = Rules::find(model);
        let mut rows = Rows::default();
        let mut all = Self {
            commands: 0,
            measured_ns: 0,
            expected_ns: 0,
            without_rule_ns: 0,
            slower: Vec::new(),
        };
        for cell in cells.iter() {
            let number = cell.kind_number();
            if rules.get(number).is_none() {
                all.without_rule_ns += cell.total_ns;
                continue;
            }
            let commands = cell.count as u64;
            all.commands += commands;
            all.measured_ns += cell.total_ns;
            rows.row((number, cell.kind), cell.tag.kernel, None).commands += commands;
        }
        if all.commands == 0 {
            return None;
        }
        all.expected_ns = rules.add_slow(model, &|_, _| None, &mut rows).round() as i64;
        all.slower = rows.slower(model, wall_ns);
        Some(all)
    }

    /// Lists the slower commands by layer instead of by kernel. `layer_of`: the layers of a static model.
    #[must_use]
    pub(crate) fn by_layer<'a>(
        self,
        model: &DumpModel<'_>,
        layer_of: &LayerOf<'a>,
        wall_ns: i64,
    ) -> Self {
        let rules = Rules::find(model);
        let mut rows = Rows::default();
        for track in &model.tracks {
            for event in model.events(track) {
                let number = event.kind_number();
                if rules.get(number).is_some() {
                    let kernel = model.tag(event.tag()).kernel;
                    let layer = layer_of(track.engine_id, event.index);
                    rows.row((number, event.kind), kernel, layer).commands += 1;
                }
            }
        }
        rules.add_slow(model, layer_of, &mut rows);
        Self { slower: rows.slower(model, wall_ns), ..self }
    }
}

/// What is known of a model's kinds.
struct Rules {
    of_kinds: ByKind<Option<Rule>>,
    /// What each command is compared with.
    limits: ByKind<Limit>,
}

/// What a command is compared with first: most commands are as expected.
#[derive(Clone, Copy)]
struct Limit {
    /// ns that its bits explain; 0 without a rule.
    bits_ns: f64,
    /// A command that takes no more ns is not slow, unless it is the run's first transfer.
    most_ns: i64,
}

impl Rules {
    fn find(model: &DumpModel<'_>) -> Self {
        let limit = |kind: &CommandKind| {
            let rule = Rule::find(model, kind);
            rule.map_or(Limit { bits_ns: 0.0, most_ns: i64::MAX }, |rule| Limit {
                bits_ns: rule.bits_ns,
                // Times are whole ns.
                most_ns: rule.slow_ns.floor() as i64,
            })
        };
        Self {
            of_kinds: ByKind::compute(model, |kind| Rule::find(model, kind)),
            limits: ByKind::compute(model, limit),
        }
    }

    /// The rule of a kind by its number.
    fn get(&self, kind: usize) -> Option<&Rule> {
        self.of_kinds.of_number(kind)?.as_ref()
    }

    /// Adds slow commands to their rows. Returns the ns that the bits of all commands with a rule explain.
    fn add_slow<'a>(
        &self,
        model: &DumpModel<'_>,
        layer_of: &LayerOf<'a>,
        rows: &mut Rows<'a>,
    ) -> f64 {
        let others = Others::new(model);
        let mut all_bits_ns = 0.0;
        for track in &model.tracks {
            let mut beside = others.running_beside(track);
            let first = beside.first.unwrap_or(usize::MAX);
            let times = track.events.start.iter().zip(&track.events.end);
            for (index, ((&start, &end), &number)) in times.zip(&track.columns.kind).enumerate() {
                let number = number as usize;
                let Some(Limit { bits_ns, most_ns }) = self.limits.of_number(number) else {
                    continue;
                };
                all_bits_ns += bits_ns;
                let end = end.max(start);
                if end - start <= *most_ns && index != first {
                    continue;
                }
                let ns = (end - start) as f64;
                let Some(rule) = self.get(number) else { continue };
                if ns > if index == first { rule.slow_first_ns } else { rule.slow_ns } {
                    let cause = beside.cause(index, number, (start, end));
                    let tag = track.events.tag.get(index).copied().unwrap_or(0);
                    let kernel = model.tag(tag).kernel;
                    let Some(kind) = track.kinds.get(number) else { continue };
                    let layer = layer_of(track.engine_id, index);
                    let sum = rows.row((number, kind), kernel, layer);
                    sum.slower += 1;
                    sum.measured += ns;
                    sum.expected += rule.bits_ns;
                    sum.mark = sum.mark.max(rule.mark);
                    sum.lost[cause as usize] += ns - rule.bits_ns;
                }
            }
        }
        all_bits_ns
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
    /// The run's first transfer is slow if it takes longer than these ns.
    slow_first_ns: f64,
}

impl Rule {
    /// `None` without a rule.
    fn find(model: &DumpModel<'_>, kind: &CommandKind) -> Option<Self> {
        let mark = kind.expected.as_ref().filter(|_| kind.activity.is_work())?.mark;
        let mhz = if kind.engine == Engine::Tiu { model.tiu_mhz } else { model.dma_mhz };
        let bits_ns = kind.expected_ns(mhz).filter(|_| mark != Mark::NotValidated)?;
        let slow = |factor: f64| match mark {
            Mark::Exact => bits_ns + ROUNDING_NS,
            _ => bits_ns * factor + FEW_NS,
        };
        Some(Self { bits_ns, mark, slow_ns: slow(SLOW), slow_first_ns: slow(SLOW_FIRST) })
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Chip;
    use bigtpu_command_cost::{CommandCost, CostModel, Windows};
    use bigtpu_measure::planted::{Planted, plain};

    use super::*;

    /// A load that takes so many cycles by its bits.
    fn load(cycles: u64) -> CommandKind {
        let chip = Chip::find("AKS").unwrap();
        let op = chip.ops(Engine::Gdma).ops().iter().find(|op| op.register.is_some()).unwrap();
        let bits = chip.ops(Engine::Gdma).blank(op, 0).unwrap();
        let command = chip.ops(Engine::Gdma).decode(&bits).unwrap();
        let cost = CostModel::compiled_in(chip).cost(Engine::Gdma, &command, &mut Windows::new());
        let cost =
            CommandCost { parts: cost.parts.scaled_to(cycles * 1000), mark: Mark::Fitted, ..cost };
        CommandKind { expected: Some(Box::new(cost)), ..plain(Engine::Gdma) }
    }

    fn expected(model: &DumpModel<'_>, wall_ns: i64) -> Option<Expected> {
        Expected::compute(model, &Cells::without_durations(model), wall_ns)
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
        let all = expected(&model, 10_000).unwrap();
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
        let all = expected(&planted.model(), 10_000).unwrap();
        assert_eq!((all.slower.len(), all.slower[0].cause), (1, SlowCause::OtherCore));
    }

    #[test]
    fn commands_without_a_rule_have_no_table() {
        let mut planted = Planted::default();
        planted.load(0, 0, 1000, 10);
        assert_eq!(expected(&planted.model(), 1000), None);
    }
}

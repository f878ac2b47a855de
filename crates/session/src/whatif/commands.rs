//! Commands of a run on another chip, each by the rules for single commands.

use std::collections::BTreeMap;

use bigtpu_chip::{Chip, Command, Engine, OpCode};
use bigtpu_command_cost::{CostModel, Mark};
use bigtpu_replay::CommandFactor;
use bigtpu_simulate::CostTable;
use bigtpu_timeline::{Clocks, EngineId};
use serde::Serialize;

use super::WhatifRequest;
use super::error::WhatifError;
use crate::run::Run;

/// Commands whose times change.
pub(super) struct Commands {
    /// Engine, event, and what its duration is multiplied by.
    pub(super) factors: Vec<(EngineId, usize, CommandFactor)>,
    /// As the arguments ask for it.
    pub(super) labels: Vec<String>,
    pub(super) rules: Rules,
}

/// How well the times on the other chip are known: shares of the measured time of all work.
#[derive(Debug, Serialize)]
pub struct Rules {
    /// Met hardware to the cycle.
    pub exact: f64,
    /// Fitted to records.
    pub fitted: f64,
    /// Estimated.
    pub estimated: f64,
    /// Computed by rules that were not compared with any record.
    pub not_validated: f64,
    /// Commands without full bits: they keep their time.
    pub without_bits: f64,
}

/// What is asked for; `None` if it asks for nothing of this.
pub(super) fn requested_commands(
    request: &WhatifRequest,
    run: &Run<'_>,
) -> Result<Option<Commands>, WhatifError> {
    if request.chip.is_none() && request.lanes.is_none() && request.line.is_none() {
        return Ok(None);
    }
    let profile = &run.profile;
    let own = CostModel::compiled_in(profile.chip);
    let mut other = CostModel::compiled_in(request.chip.unwrap_or(profile.chip));
    let mut labels: Vec<String> =
        request.chip.iter().map(|_| format!("chip={}", other.chip.name)).collect();
    if let Some(lanes) = request.lanes {
        other.tiu.lanes.value = lanes;
        labels.push(format!("lanes={lanes}"));
    }
    if let Some(line) = request.line {
        other.tiu.line_bytes.value = line;
        labels.push(format!("line={line}"));
    }
    if own.chip.family != other.chip.family {
        return Err(WhatifError::OtherFamily { chip: other.chip.name, own: own.chip.name });
    }
    let clocks = match request.chip {
        Some(_) => Clocks::of_chip(other.chip, None),
        None => profile.clocks,
    };
    let mut same = SameBits { own: own.chip, other: other.chip, known: BTreeMap::new() };
    let (mut before, mut after) = (CostTable::new(&own), CostTable::new(&other));
    let (mut factors, mut sums, mut unknown) = (Vec::new(), [0i64; 4], 0);
    for track in profile.tracks().filter(|track| track.engine_id.engine != Engine::Cdma) {
        let engine = track.engine_id.engine;
        let clock = profile.clocks.mhz(engine) / clocks.mhz(engine).max(1.0);
        let Some(commands) = run.analysis.table.track(track) else { continue };
        for event in 0..track.events.len() {
            if commands.kind(event).is_none_or(|kind| !kind.activity.is_work()) {
                continue;
            }
            let times = (track.events.start.get(event), track.events.end.get(event));
            let (Some(start), Some(end)) = times else { continue };
            let ns = (end - start).max(0);
            let Some(command) = profile.command(track, event) else {
                unknown += ns;
                continue;
            };
            let moved = same.command(engine, &command)?;
            let number = before.number(engine, Some(&command));
            let cycles = before.get(number).map_or(0, |cost| cost.total());
            let number = after.number(engine, Some(&moved));
            let Some(cost) = after.get(number) else { continue };
            if let Some(sum) = sums.get_mut(cost.mark as usize) {
                *sum += ns;
            }
            if cycles > 0 {
                let factor = cost.total() as f64 / cycles as f64 * clock;
                let is_same = request.chip.is_none() && factor == clock;
                let factor = match is_same {
                    true => CommandFactor::exact(factor),
                    false => within_bounds(factor, clock, cost.mark),
                };
                factors.push((track.engine_id, event, factor));
            }
        }
    }
    if factors.is_empty() {
        return Err(WhatifError::NoBits(run.source.clone()));
    }
    let all = (sums.iter().sum::<i64>() + unknown).max(1) as f64;
    // A size that no chip has was never measured.
    let is_own = request.lanes.is_none() && request.line.is_none();
    let share = |mark: Mark| sums.get(mark as usize).map_or(0.0, |ns| *ns as f64 / all);
    let known = [Mark::Exact, Mark::Fitted].map(|mark| if is_own { share(mark) } else { 0.0 });
    let [exact, fitted] = known;
    let not_validated = share(Mark::NotValidated);
    let without_bits = unknown as f64 / all;
    let estimated = (1.0 - exact - fitted - not_validated - without_bits).max(0.0);
    let rules = Rules { exact, fitted, estimated, not_validated, without_bits };
    Ok(Some(Commands { factors, labels, rules }))
}

/// The rules of one chip gave the time of another one's commands with an error of 3.4 to 4.0 % (held-out checks of the TIU).
const OTHER_CHIP: f64 = 0.04;

/// What a command's time is multiplied by, and its bounds. Only the clock's part is known of a command without a rule: it may keep its
/// cycles. `clock`: the part of the clocks in the factor.
fn within_bounds(factor: f64, clock: f64, mark: Mark) -> CommandFactor {
    let (least, most) = match mark {
        Mark::NotValidated => (factor.min(clock), factor.max(clock)),
        Mark::Exact | Mark::Fitted | Mark::Estimated => (factor, factor),
    };
    CommandFactor { factor, least: least * (1.0 - OTHER_CHIP), most: most * (1.0 + OTHER_CHIP) }
}

/// Whether operations have the same bits on two chips.
struct SameBits {
    own: &'static Chip,
    other: &'static Chip,
    /// Engine, operation, and the operation of the other chip.
    known: BTreeMap<(Engine, u16), OpCode>,
}

impl SameBits {
    /// The command as one of the other chip.
    fn command<'d>(
        &mut self,
        engine: Engine,
        command: &Command<'d>,
    ) -> Result<Command<'d>, WhatifError> {
        let found = self.other.ops(engine).decode(command.bits);
        let known = self.known.get(&(engine, command.code.op.into()));
        let is_same = |other: &Command<'_>| {
            let fields = |command: &Command<'_>| -> Vec<(u16, u16, String)> {
                let all = command.register.fields.iter();
                all.map(|f| (f.bit, f.width.into(), f.name().to_owned())).collect()
            };
            other.op.name == command.op.name
                && other.bits.len() == command.bits.len()
                && (known.is_some() || fields(other) == fields(command))
        };
        match found {
            Ok(other) if is_same(&other) => {
                self.known.insert((engine, command.code.op.into()), other.code);
                Ok(other)
            }
            _ => Err(WhatifError::OtherBits {
                chip: self.other.name,
                operation: command.op.name.to_string(),
                own: self.own.name,
            }),
        }
    }
}

//! Which call of the host launched what.

use std::collections::HashMap;

use bigtpu_host_trace::HostTrace;
use bigtpu_measure::DumpModel;
use regex_lite::Regex;

use super::calls::Calls;
use super::rounds::{Round, rounds};
use super::{HostAlignment, HostInput, HostLaunch, Matching, matching, steps};
use crate::steps::StepSpans;

/// The host's calls, the launches of the device, and which belong together.
#[derive(Debug, Clone)]
pub(crate) struct HostMatches {
    pub(super) alignment: HostAlignment,
    pub(super) calls: Calls,
    /// Launches; what several cores run together is one.
    pub(super) rounds: Vec<Round>,
    /// Call of each round, an index into the calls; none without an alignment.
    pub(super) of_round: Vec<Option<usize>>,
    pub(super) matching: Option<Matching>,
}

impl HostMatches {
    /// Matches launches with calls.
    pub(crate) fn find(model: &DumpModel<'_>, host: &HostInput) -> Self {
        let HostInput { trace, alignment, offset_ns, .. } = host;
        let rounds = rounds(model);
        let calls = Calls::collect(trace, *offset_ns);
        let (matching, of_round) = match alignment {
            HostAlignment::None => (None, vec![None; rounds.len()]),
            _ => matching::matched(model, trace, &calls, &rounds),
        };
        Self { alignment: *alignment, calls, rounds, of_round, matching }
    }

    /// Rounds that have a call, with it: indices.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.of_round.iter().enumerate().filter_map(|(round, call)| Some((round, (*call)?)))
    }

    /// When what was launched was called, began and ended, in ns of the device.
    pub(super) fn spans(&self) -> Vec<(i64, i64, i64)> {
        let ns = |(round, call): (usize, usize)| {
            let (round, call) = (self.rounds.get(round)?, self.calls.all.get(call)?);
            Some((call.start_ns, round.start_ns, round.end_ns))
        };
        self.pairs().filter_map(ns).collect()
    }

    /// Lists the launches that have a call.
    pub(crate) fn launches(&self, model: &DumpModel<'_>) -> Vec<HostLaunch> {
        let mut cores: HashMap<(u32, i64), u32> = HashMap::new();
        for (core, launches) in (0..).zip(model.core_launches) {
            for launch in launches {
                cores.entry((launch.kernel, launch.start)).or_insert(core);
            }
        }
        let of = |(round, call): (usize, usize)| {
            let (round, call) = (self.rounds.get(round)?, self.calls.all.get(call)?);
            let Round { kernel, start_ns, .. } = *round;
            let core = *cores.get(&(kernel, start_ns))?;
            Some(HostLaunch { call: call.slice, kernel, core, start_ns })
        };
        self.pairs().filter_map(of).collect()
    }

    /// Steps by the host's markers. `pattern`: names of the events that hold a step; `ProfilerStep#N` without.
    pub(crate) fn steps(&self, host: &HostTrace, pattern: Option<&Regex>) -> Option<StepSpans> {
        steps::steps(host, &self.calls, &self.rounds, &self.of_round, pattern)
    }
}

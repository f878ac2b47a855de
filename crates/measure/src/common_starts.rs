//! Starts of launches that only the times show: all cores begin together after the whole chip was idle.
//!
//! Capture mode 0 names no kernels. A launch begins on all cores at once, and only when the one before has ended on all of them.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;

use crate::EngineTrack;

/// The chip is idle for at least so many ns before a launch: pauses within one are shorter than 10 ns on hardware.
const LEAST_IDLE_NS: i64 = 100;
/// The cores begin within so many ns of one another.
const TOGETHER_NS: i64 = 200;

/// All cores begin together after the whole chip was idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommonStart {
    /// The last command before had ended then, in ns.
    pub idle_since: i64,
    /// The first command started then, in ns.
    pub start: i64,
}

/// When the commands of an engine ran.
#[derive(Debug, Clone, Copy)]
pub struct EngineTimes<'a> {
    /// Core; `None` for an engine that need not begin with the cores, such as a port.
    pub core: Option<u32>,
    /// ns, ascending.
    pub starts: &'a [i64],
    /// ns.
    pub ends: &'a [i64],
}

impl<'a> From<&EngineTrack<'a>> for EngineTimes<'a> {
    fn from(track: &EngineTrack<'a>) -> Self {
        let EngineTrack { engine_id, events, .. } = *track;
        let core = (engine_id.engine != Engine::Cdma).then_some(engine_id.index);
        Self { core, starts: &events.start, ends: &events.end }
    }
}

/// The common starts of a chip's engines, in order; none with a single core. The start of the run is none of them.
#[must_use]
pub fn common_starts(engines: &[EngineTimes<'_>]) -> Vec<CommonStart> {
    let mut of_cores: BTreeMap<u32, Vec<&[i64]>> = BTreeMap::new();
    for engine in engines.iter().filter(|engine| !engine.starts.is_empty()) {
        if let Some(core) = engine.core {
            of_cores.entry(core).or_default().push(engine.starts);
        }
    }
    if of_cores.len() < 2 {
        return Vec::new();
    }
    let of_chip = engines.iter().map(idle).reduce(|all, of_engine| common(&all, &of_engine));
    let begins = |starts: &[i64], at: i64| {
        let first = starts.get(starts.partition_point(|start| *start < at));
        first.is_some_and(|first| *first <= at + TOGETHER_NS)
    };
    let inner = of_chip.unwrap_or_default().into_iter();
    let inner = inner.filter(|(since, until)| *since != i64::MIN && *until != i64::MAX);
    let all_begin = |start: i64| {
        of_cores.values().all(|engines| engines.iter().any(|starts| begins(starts, start)))
    };
    inner
        .filter(|(_, start)| all_begin(*start))
        .map(|(idle_since, start)| CommonStart { idle_since, start })
        .collect()
}

/// When an engine did nothing for at least [`LEAST_IDLE_NS`], before its first command and after its last one, too.
fn idle(engine: &EngineTimes<'_>) -> Vec<(i64, i64)> {
    let mut all = Vec::new();
    let mut ended = i64::MIN;
    for (&start, &end) in engine.starts.iter().zip(engine.ends) {
        if start.saturating_sub(ended) >= LEAST_IDLE_NS {
            all.push((ended, start));
        }
        ended = ended.max(end).max(start);
    }
    all.push((ended, i64::MAX));
    all
}

/// What two lists of stretches have in common, where it is at least [`LEAST_IDLE_NS`] long.
fn common(a: &[(i64, i64)], b: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut both = Vec::new();
    let (mut rest_a, mut rest_b) = (a, b);
    while let (Some((first_a, later_a)), Some((first_b, later_b))) =
        (rest_a.split_first(), rest_b.split_first())
    {
        let (since, until) = (first_a.0.max(first_b.0), first_a.1.min(first_b.1));
        if until.saturating_sub(since) >= LEAST_IDLE_NS {
            both.push((since, until));
        }
        if first_a.1 <= first_b.1 {
            rest_a = later_a;
        } else {
            rest_b = later_b;
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Core, starts and ends.
    type Times<'a> = (Option<u32>, &'a [i64], &'a [i64]);

    fn starts(engines: &[Times<'_>]) -> Vec<(i64, i64)> {
        let engines = engines.iter();
        let engines: Vec<EngineTimes<'_>> =
            engines.map(|&(core, starts, ends)| EngineTimes { core, starts, ends }).collect();
        common_starts(&engines).iter().map(|found| (found.idle_since, found.start)).collect()
    }

    /// Core 1 has ended long before core 0 does.
    #[test]
    fn cores_that_begin_together_after_idle_time_begin_a_launch() {
        let first: Times<'_> = (Some(0), &[0, 900, 2000], &[800, 1500, 2500]);
        let second: Times<'_> = (Some(1), &[3, 2010], &[300, 2100]);
        assert_eq!(starts(&[first, second]), [(1500, 2000)]);
        // A port that works in between, and one that does not.
        let busy: Times<'_> = (None, &[1400], &[1990]);
        let idle: Times<'_> = (None, &[100], &[200]);
        assert_eq!(starts(&[first, second, busy]), []);
        assert_eq!(starts(&[first, second, idle]), [(1500, 2000)]);
    }

    #[test]
    fn a_core_that_begins_later_or_a_short_pause_is_no_launch() {
        let first: Times<'_> = (Some(0), &[0, 2000], &[1500, 2500]);
        assert_eq!(starts(&[first, (Some(1), &[3, 2300], &[300, 2400])]), []);
        assert_eq!(starts(&[first, (Some(1), &[3, 2010], &[1950, 2400])]), []);
        // With one core there is nothing to begin together with.
        assert_eq!(starts(&[first]), []);
    }
}

//! A fault taken away: the run with some commands shorter, some idle times gone.

use std::collections::BTreeSet;
use std::ops::Range;

use bigtpu_timeline::EngineId;

/// What becomes of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share {
    /// Its duration is multiplied by this.
    pub(crate) duration: f32,
    /// The time that it waited beyond the end of what it waited for is multiplied by this; the usual hand-over stays.
    pub(crate) idle: f32,
    /// Every time between the end of what it waited for and its start is multiplied by this, but for launches.
    pub(crate) pauses: f32,
    /// Whether it is one with the command before, so that no time passes between them.
    pub(crate) is_merged: bool,
    /// Whether it waits for nothing but its own engine.
    pub(crate) is_ready: bool,
}

impl Share {
    const ALL: Self =
        Self { duration: 1.0, idle: 1.0, pauses: 1.0, is_merged: false, is_ready: false };

    /// What becomes of a command if other commands do a part of its work. `factor`: the part that is left.
    fn divided(factor: f64) -> Self {
        let factor = factor.max(0.0) as f32;
        Self { duration: factor, pauses: factor, ..Self::ALL }
    }
}

/// What becomes of some events of an engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EngineShares {
    pub(crate) engine_id: EngineId,
    pub(crate) runs: Vec<Run>,
}

/// Events that follow one another, and what becomes of each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// Index of the first.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) share: Share,
    /// What several cores do side by side, of which these are a part, by number; `None` where no work is divided among cores.
    pub(crate) round: Option<u32>,
}

/// A fault taken away from a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relief {
    pub(crate) engines: Vec<EngineShares>,
    /// Whether the gaps between launches are gone.
    pub(crate) launches: bool,
    /// Whether nothing waits any more for what only the measured times make a dependence.
    pub(crate) hand_overs: bool,
    /// Events that still do.
    pub(crate) kept: Vec<(EngineId, u32)>,
}

impl Relief {
    /// The gaps between launches are gone.
    #[must_use]
    pub fn of_launch_gaps() -> Self {
        Self { launches: true, ..Self::default() }
    }

    /// An engine starts its next command without waiting for what only the measured times make a dependence.
    #[must_use]
    pub fn of_hand_overs() -> Self {
        Self { hand_overs: true, ..Self::default() }
    }

    /// The gaps between launches are gone, too.
    pub fn end_launch_gaps(&mut self) {
        self.launches = true;
    }

    /// The event waits for what it waited for, also where such dependences are known from times only.
    pub fn keep_hand_over(&mut self, engine_id: EngineId, event: usize) {
        // No engine has more events than that.
        self.kept.extend(u32::try_from(event).ok().map(|event| (engine_id, event)));
    }

    /// The event's duration is multiplied by `factor`.
    pub fn scale(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        self.scale_all(engine_id, event..event + 1, factor);
    }

    /// The events' durations are multiplied by `factor`.
    pub fn scale_all(&mut self, engine_id: EngineId, events: Range<usize>, factor: f64) {
        let share = Share { duration: factor.max(0.0) as f32, ..Share::ALL };
        self.add(engine_id, events, share);
    }

    /// The event starts as soon as all that it waited for has ended.
    pub fn start_at_once(&mut self, engine_id: EngineId, event: usize) {
        self.add(engine_id, event..event + 1, Share { idle: 0.0, ..Share::ALL });
    }

    /// The events wait for nothing but the commands before them on their engine, as if all that they need were there.
    pub fn start_when_free(&mut self, engine_id: EngineId, events: Range<usize>) {
        self.add(engine_id, events, Share { is_ready: true, ..Share::ALL });
    }

    /// The event is one with the command before on its engine, and its duration is multiplied by `factor`.
    pub fn merge(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let duration = factor.max(0.0) as f32;
        let share = Share { duration, is_merged: true, ..Share::ALL };
        self.add(engine_id, event..event + 1, share);
    }

    /// The event's duration and the idle time before it are multiplied by `factor`.
    pub fn compress(&mut self, engine_id: EngineId, event: usize, factor: f64) {
        let factor = factor.max(0.0) as f32;
        let share = Share { duration: factor, idle: factor, ..Share::ALL };
        self.add(engine_id, event..event + 1, share);
    }

    /// So many of such commands run, each as before: each event stands for its part of their durations and pauses.
    pub fn divide(&mut self, engine_id: EngineId, events: Range<usize>, factor: f64) {
        self.add(engine_id, events, Share::divided(factor));
    }

    /// As [`Relief::divide`], where what is left takes longer by itself: its durations are multiplied by `duration`, its pauses by
    /// `pauses`.
    pub fn divide_into_longer(
        &mut self,
        engine_id: EngineId,
        event: usize,
        (duration, pauses): (f64, f64),
    ) {
        let [duration, pauses] = [duration, pauses].map(|factor| factor.max(0.0) as f32);
        self.add(engine_id, event..event + 1, Share { duration, pauses, ..Share::ALL });
    }

    /// As [`Relief::divide`], where the cores of a round divide its commands among themselves.
    pub fn divide_round(
        &mut self,
        engine_id: EngineId,
        events: Range<usize>,
        factor: f64,
        round: u32,
    ) {
        self.add_to_round(engine_id, events, Share::divided(factor), Some(round));
    }

    /// Returns the fault without dividing the rounds in which `others` make several commands one: which core has how
    /// many commands is another matter there. `None` if there is no such round.
    #[must_use]
    pub fn without_rounds_of(&self, others: &[&Self]) -> Option<Self> {
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        for EngineShares { engine_id, runs } in &self.engines {
            let merged = others.iter().flat_map(|other| &other.engines);
            let merged = merged.filter(|own| own.engine_id == *engine_id).flat_map(|own| &own.runs);
            let mut firsts: Vec<u32> =
                merged.filter(|run| run.share.is_merged).map(|run| run.first).collect();
            firsts.sort_unstable();
            for run in runs {
                // A merged command follows another one of its round.
                let at = firsts.partition_point(|first| *first < run.first);
                let end = run.first.saturating_add(run.count);
                changed.extend(run.round.filter(|_| firsts.get(at).is_some_and(|at| *at < end)));
            }
        }
        if changed.is_empty() {
            return None;
        }
        let mut rest = self.clone();
        for engine in &mut rest.engines {
            engine.runs.retain(|run| run.round.is_none_or(|round| !changed.contains(&round)));
        }
        Some(rest)
    }

    /// Events whose duration changes: their engine, their indices, and what it is multiplied by.
    pub fn scaled(&self) -> impl Iterator<Item = (EngineId, Range<usize>, f64)> + '_ {
        self.engines.iter().flat_map(|EngineShares { engine_id, runs }| {
            let changed = runs.iter().filter(|run| run.share.duration != 1.0);
            changed.map(|run| {
                let first = run.first as usize;
                (*engine_id, first..first + run.count as usize, f64::from(run.share.duration))
            })
        })
    }

    fn add(&mut self, engine_id: EngineId, events: Range<usize>, share: Share) {
        self.add_to_round(engine_id, events, share, None);
    }

    fn add_to_round(
        &mut self,
        engine_id: EngineId,
        events: Range<usize>,
        share: Share,
        round: Option<u32>,
    ) {
        // No engine has more events than that.
        let (Ok(event), Ok(count)) = (u32::try_from(events.start), u32::try_from(events.len()))
        else {
            return;
        };
        let new = Run { first: event, count, share, round };
        let Some(engine) = self.engines.last_mut().filter(|known| known.engine_id == engine_id)
        else {
            return self.engines.push(EngineShares { engine_id, runs: vec![new] });
        };
        match engine.runs.last_mut() {
            // A fault is often that of neighbours.
            Some(run)
                if event.checked_sub(run.first) == Some(run.count)
                    && (run.share, run.round) == (share, round) =>
            {
                run.count += count;
            }
            _ => engine.runs.push(new),
        }
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.engines.is_empty() && !self.launches && !self.hand_overs
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;

    /// Neighbours with one fault are one run, whatever else lies between them in other engines.
    #[test]
    fn events_in_a_row_are_a_run() {
        let [tiu, gdma] = [Engine::Tiu, Engine::Gdma].map(|engine| EngineId { index: 0, engine });
        let mut relief = Relief::default();
        (3..7).for_each(|event| relief.scale(tiu, event, 0.5));
        relief.scale(tiu, 8, 0.5);
        relief.scale(tiu, 9, 0.25);
        relief.scale(gdma, 10, 0.25);
        relief.merge(gdma, 11, 0.25);
        let runs = |of: &EngineShares| -> Vec<(u32, u32)> {
            of.runs.iter().map(|run| (run.first, run.count)).collect()
        };
        let [of_tiu, of_gdma] = &relief.engines[..] else { panic!("{relief:?}") };
        assert_eq!(runs(of_tiu), [(3, 4), (8, 1), (9, 1)]);
        assert_eq!(runs(of_gdma), [(10, 1), (11, 1)]);
    }

    /// Commands that another fault makes one are not divided as well, nor is what the other cores do in the same round.
    #[test]
    fn a_round_is_not_divided_where_its_commands_become_one() {
        let [first, second] = [0, 1].map(|index| EngineId { index, engine: Engine::Tiu });
        let mut divided = Relief::default();
        let mut expected = Relief::default();
        for (engine_id, factor) in [(first, 0.5), (second, 1.5)] {
            for round in 0..3 {
                let events = 10 * round as usize..10 * round as usize + 10;
                divided.divide_round(engine_id, events.clone(), factor, round);
                if round != 1 {
                    expected.divide_round(engine_id, events, factor, round);
                }
            }
        }
        let mut merged = Relief::default();
        merged.scale(first, 15, 0.1);
        assert_eq!(divided.without_rounds_of(&[&merged]), None);
        merged.merge(first, 16, 0.1);
        assert_eq!(divided.without_rounds_of(&[&merged]), Some(expected));
    }
}

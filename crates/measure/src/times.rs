//! When each engine and each core worked and waited, from one pass over the events.

use bigtpu_chip::Engine;
use bigtpu_timeline::EngineId;
use rayon::prelude::*;

use crate::cell_blocks::{CellFacts, TrackCells};
use crate::cells::Cells;
use crate::engine_spans::{EngineSpans, SpanFacts};
use crate::engine_track::EngineTrack;
use crate::intervals::{EngineTime, Intervals};
use crate::model::DumpModel;
use crate::pauses::{EnginePauses, Lane, Together, walk};
use crate::spans::Spans;
use crate::sweep::sweep;

/// When a core computed, transferred and waited.
#[derive(Debug, Clone, Default)]
pub struct CoreTime {
    /// Its TIU worked.
    pub compute: Spans,
    /// Its GDMA or SDMA worked; over all cores also a CDMA port.
    pub transfer: Spans,
    /// An engine was in a system command, and none worked.
    pub sync: Spans,
    /// Any of its engines worked.
    pub work: Spans,
    /// Each engine's time.
    pub engines: Vec<EngineTime>,
}

impl CoreTime {
    /// Computes the times of a core from those of its engines, or of a port.
    fn compute(engines: &[(EngineId, &TrackTime)], together: Together) -> Self {
        let Together { work, transfers, sync } = together;
        let mut time = Self { work, sync, ..Self::default() };
        for (engine_id, TrackTime { commands, work, sync, .. }) in engines {
            time.engines.push(EngineTime {
                engine: engine_id.engine.name().to_owned(),
                index: engine_id.index,
                commands: *commands,
                busy_ns: work.total(),
                sync_ns: sync.total(),
            });
            let is_tiu = engine_id.engine == Engine::Tiu;
            let side = if is_tiu { &mut time.compute } else { &mut time.transfer };
            if !work.is_empty() {
                *side = work.clone();
            }
        }
        if !transfers.is_empty() {
            time.transfer = transfers;
        }
        time
    }

    /// Computes the times of several cores and ports together.
    fn of_all(parts: &[Self]) -> Self {
        let union = |part: fn(&Self) -> &Spans| {
            let sets: Vec<Spans> = parts.iter().map(|time| part(time).clone()).collect();
            Spans::of_any(&sets)
        };
        let (compute, transfer) =
            rayon::join(|| union(|time| &time.compute), || union(|time| &time.transfer));
        let work = compute.with(&transfer);
        let sync: Vec<Spans> = parts.par_iter().map(|time| time.sync.difference(&work)).collect();
        let engines = parts.iter().flat_map(|time| time.engines.clone()).collect();
        Self { compute, transfer, sync: Spans::of_any(&sync), work, engines }
    }
}

/// When one engine worked, and when it was in system commands only.
#[derive(Debug, Clone, Default)]
pub struct TrackTime {
    /// Commands that are no system commands.
    pub commands: u64,
    /// Work.
    pub work: Spans,
    /// System commands, and no work.
    pub sync: Spans,
    /// The least start and the greatest end of all its events, in ns; `None` without any.
    pub bounds: Option<(i64, i64)>,
}

/// When each core computed, transferred and waited; and all cores and ports together.
#[derive(Debug, Clone, Default)]
pub struct Times {
    /// From the earliest start to the latest end, in ns.
    pub window: (i64, i64),
    /// Times of each track, in the model's order; empty for tracks that are not on the common time line.
    pub tracks: Vec<TrackTime>,
    /// Times of each core.
    pub cores: Vec<CoreTime>,
    /// All cores and ports: a moment counts as computing when any TIU computes, and so on.
    pub all: CoreTime,
}

impl Times {
    /// Computes the times of a model; without any event the window is empty.
    #[must_use]
    pub fn compute(model: &DumpModel<'_>) -> Self {
        Self::with_pauses(model, || ()).0
    }

    /// Computes the times of a model, and what `pauses` keeps of the pauses of each track.
    #[must_use]
    pub fn with_pauses<P: EnginePauses>(
        model: &DumpModel<'_>,
        pauses: impl Fn() -> P + Send + Sync,
    ) -> (Self, Vec<P>) {
        let facts = SpanFacts::new(model);
        let found = sweep::<EngineSpans>(model, &facts);
        Self::of_spans(model, &facts, found, pauses)
    }

    /// As [`Times::with_pauses`], and the cells: the events are read once. The durations of the cells are still to be sorted.
    #[must_use]
    pub fn with_cells<'a, P: EnginePauses>(
        model: &DumpModel<'a>,
        pauses: impl Fn() -> P + Send + Sync,
    ) -> (Self, Cells<'a>, Vec<P>) {
        let facts = (SpanFacts::new(model), CellFacts::new(model));
        let found = sweep::<(EngineSpans, TrackCells<true>)>(model, &facts);
        let both = found.into_iter().map(|of_track| of_track.unzip());
        let (spans, cells): (Vec<_>, Vec<_>) = both.unzip();
        let of_spans = || Self::of_spans(model, &facts.0, spans, pauses);
        let ((times, pauses), cells) =
            rayon::join(of_spans, || Cells::of_tracks(model, &facts.1, cells));
        (times, cells, pauses)
    }

    /// Computes the times from what a pass found of each track. Also returns what `pauses` keeps of each track's
    /// pauses.
    fn of_spans<P: EnginePauses>(
        model: &DumpModel<'_>,
        facts: &SpanFacts<'_>,
        found: Vec<Option<EngineSpans>>,
        pauses: impl Fn() -> P + Send + Sync,
    ) -> (Self, Vec<P>) {
        let right = |(track, spans): (&EngineTrack<'_>, Option<EngineSpans>)| match spans {
            Some(spans) if track.is_placed && !spans.is_in_order() => {
                Some(EngineSpans::of_track(facts, track))
            }
            spans => spans.filter(|_| track.is_placed),
        };
        let found: Vec<Option<EngineSpans>> = model.tracks.iter().zip(found).map(right).collect();
        let windows = || found.iter().flatten().map(EngineSpans::window);
        let start = windows().map(|window| window.0).min();
        let end = windows().map(|window| window.1).max();
        let window = start.zip(end).map_or((0, 0), |(start, end)| (start, end.max(start)));
        let (tracks, launches): (Vec<TrackTime>, Vec<Vec<u32>>) =
            found.into_iter().map(|spans| spans.unwrap_or_default().finish()).unzip();
        // The tracks of a core, and each port.
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); model.cores];
        for (number, track) in model.tracks.iter().enumerate() {
            let core = parts.get_mut(track.engine_id.index as usize);
            match core.filter(|_| track.engine_id.engine != Engine::Cdma) {
                Some(core) => core.push(number),
                None => parts.push(vec![number]),
            }
        }
        let of_part = |numbers: &Vec<usize>| {
            let nothing = Spans::default();
            let mut lanes = [(); 3].map(|()| Lane::new(false, &nothing, &nothing, &[], window));
            let mut kept = [const { None }; 3];
            let mut engines = Vec::new();
            for ((number, lane), kept) in numbers.iter().zip(&mut lanes).zip(&mut kept) {
                let (track, time) = (&model.tracks[*number], &tracks[*number]);
                let is_transfer = track.engine_id.engine != Engine::Tiu;
                *lane = Lane::new(is_transfer, &time.work, &time.sync, &launches[*number], window);
                // An engine that ran only system commands has one pause: the whole run.
                *kept = (track.is_placed && !track.is_empty()).then(&pauses);
                if !track.is_empty() {
                    engines.push((track.engine_id, time));
                }
            }
            let time = CoreTime::compute(&engines, walk(lanes, &mut kept, window));
            let kept = kept.map(|kept| kept.unwrap_or_else(&pauses));
            (time, numbers.iter().copied().zip(kept).collect::<Vec<_>>())
        };
        let of_parts: Vec<(CoreTime, Vec<(usize, P)>)> = parts.par_iter().map(of_part).collect();
        let (mut cores, pauses): (Vec<CoreTime>, Vec<Vec<(usize, P)>>) =
            of_parts.into_iter().unzip();
        let mut pauses: Vec<(usize, P)> = pauses.into_iter().flatten().collect();
        pauses.sort_by_key(|(number, _)| *number);
        let all = CoreTime::of_all(&cores);
        cores.truncate(model.cores);
        let pauses = pauses.into_iter().map(|(_, kept)| kept).collect();
        (Self { window, tracks, cores, all }, pauses)
    }

    /// All together.
    #[must_use]
    pub fn overall(&self) -> Intervals {
        Intervals::compute(None, self.window, &self.all)
    }

    /// Returns the intervals of each core that is `shown`.
    #[must_use]
    pub fn by_core(&self, shown: &[u32]) -> Vec<Intervals> {
        let cores = shown.iter().filter_map(|core| Some((*core, self.cores.get(*core as usize)?)));
        cores.map(|(core, time)| Intervals::compute(Some(core), self.window, time)).collect()
    }
}

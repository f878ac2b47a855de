//! The commands of an engine, and how busy it is.

use bigtpu_scene::{Commands, Rate};
use bigtpu_timeline::EngineEvents;

use super::{Build, Drawn};
use crate::device::{LaneOf, RateOfSlices, SliceSource};
use crate::sequence::Sequence;
use crate::source::{SampleSource, Thinned};
use crate::tracks::Kind;

impl<'p, 'd> Build<'p, 'd, '_> {
    /// An engine's commands, and how busy it is. Where all values are shown and no command overlaps another, the values of this
    /// counter come with the slices.
    pub(super) fn engine(
        &mut self,
        track: &'p EngineEvents<'d>,
        commands: &'p Commands,
        kind: Kind<'_>,
        rate: Option<(&str, Kind<'_>)>,
    ) {
        let name = track.engine_id.engine.name();
        let Drawn { cut, detail, .. } = self.drawn;
        let comes_along = commands.are_serial() && cut.is_none() && detail.is_full();
        match rate {
            Some((rate, kind_of_rate)) if comes_along => {
                let sequence = self.tracks.sequence(name, kind);
                let counter = self.tracks.define(rate, kind_of_rate);
                let rate = Some(RateOfSlices::new());
                self.lane(track, None, sequence.with_counter(counter), rate);
            }
            _ => {
                self.commands(name, track, commands, kind);
                rate.into_iter().for_each(|(name, kind)| self.rate(name, track, kind));
            }
        }
    }

    pub(super) fn commands(
        &mut self,
        name: &str,
        track: &'p EngineEvents<'d>,
        commands: &'p Commands,
        kind: Kind<'_>,
    ) {
        for (lane, rows) in commands.lanes().enumerate() {
            let sequence = self.tracks.lane(name, lane, kind);
            self.lane(track, rows, sequence, None);
        }
    }

    pub(super) fn lane(
        &mut self,
        track: &'p EngineEvents<'d>,
        rows: Option<&'p [u32]>,
        sequence: Sequence,
        rate: Option<RateOfSlices>,
    ) {
        let Drawn { profile, analysis, offset, flows, detail, .. } = self.drawn;
        let Some(commands) = analysis.table.commands(profile, track) else { return };
        let lane = LaneOf {
            commands,
            offset,
            rows,
            flows: flows.of_engine(track.engine_id),
            causes: analysis.event_causes(profile).and_then(|all| all.of_engine(track.engine_id)),
            units: self.drawn.units(),
            detail,
            rate,
        };
        self.sources.push(Box::new(SliceSource::new(lane, &self.shared, sequence)));
    }

    fn rate(&mut self, name: &str, track: &'p EngineEvents<'d>, kind: Kind<'_>) {
        let sequence = self.tracks.sequence(name, kind);
        let Drawn { profile, analysis, offset, .. } = self.drawn;
        if let Some(commands) = analysis.table.commands(profile, track) {
            let samples = self.samples(Rate::compute(commands));
            self.sources.push(Box::new(SampleSource {
                samples,
                offset,
                sequence,
                thinned: Thinned::default(),
            }));
        }
    }
}

//! Transfers between devices (CDMA ports) and those of each core's SDMA, apart from those that feed the computation.

use bigtpu_chip::Engine;
use bigtpu_machine::Hardware;
use bigtpu_measure::{DumpModel, Spans, Times, gbps, ratio, round4};
use serde::{Deserialize, Serialize};

/// What one engine transferred.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Channel {
    /// SDMA or CDMA.
    pub engine: String,
    /// Core, or port for CDMA.
    pub index: u32,
    /// Commands that are no system commands.
    pub commands: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// ns in which at least one of them ran: waits are not in it.
    pub busy_ns: i64,
    /// ns in which only system commands ran: sends and waits.
    pub sync_ns: i64,
    /// Bytes over the busy time, in GB/s.
    pub gbps: f64,
    /// Ceiling of the port's link in GB/s; none where it is not known (`--hw`), or for SDMA.
    pub link_gbps: Option<f64>,
    /// `gbps` over the ceiling.
    pub link_share: Option<f64>,
    /// ns of the busy time in which a TIU computed: of the SDMA's core, of a port any.
    pub overlapped_ns: i64,
    /// The rest of the busy time: exposed.
    pub exposed_ns: i64,
}

/// Communication of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Communication {
    /// ns in which any of the channels was busy.
    pub busy_ns: i64,
    /// ns of `busy_ns` in which a TIU of the chip computed.
    pub overlapped_ns: i64,
    /// ns in which nothing but communication ran: no TIU and no GDMA worked.
    pub alone_ns: i64,
    /// Engines that worked or waited: SDMA by core, then CDMA ports.
    pub channels: Vec<Channel>,
}

impl Communication {
    pub(crate) fn compute(model: &DumpModel<'_>, times: &Times, hardware: &Hardware) -> Self {
        let mut found = Self::default();
        let mut busy = Vec::new();
        for (track, time) in model.tracks.iter().zip(&times.tracks) {
            let engine = track.engine_id.engine;
            if !matches!(engine, Engine::Sdma | Engine::Cdma) || track.is_empty() {
                continue;
            }
            busy.push(time.work.clone());
            let core = times.cores.get(track.engine_id.index as usize);
            let compute = match engine {
                Engine::Sdma => core.map(|core| &core.compute),
                _ => Some(&times.all.compute),
            };
            let exposed_ns = compute.map_or(0, |compute| time.work.difference(compute).total());
            let work = model.events(track).filter(|event| event.kind.activity.is_work());
            let (commands, bytes) = work
                .fold((0, 0u64), |(n, bytes), event| (n + 1, bytes.saturating_add(event.bytes())));
            let busy_ns = time.work.total();
            let gbps = gbps(bytes, busy_ns);
            let link_gbps = hardware.link_gbps.filter(|_| engine == Engine::Cdma);
            found.channels.push(Channel {
                engine: engine.name().to_owned(),
                index: track.engine_id.index,
                commands,
                bytes,
                busy_ns,
                sync_ns: time.sync.total(),
                gbps,
                link_gbps,
                link_share: link_gbps.map(|link| round4(gbps / link)),
                overlapped_ns: busy_ns - exposed_ns,
                exposed_ns,
            });
        }
        let busy = Spans::of_any(&busy);
        let exposed = busy.difference(&times.all.compute);
        let tracks = model.tracks.iter().zip(&times.tracks);
        let gdma = tracks.filter(|(track, _)| track.engine_id.engine == Engine::Gdma);
        let alone = gdma.fold(exposed.clone(), |alone, (_, time)| alone.difference(&time.work));
        found.busy_ns = busy.total();
        found.overlapped_ns = busy.total() - exposed.total();
        found.alone_ns = alone.total();
        found
    }

    /// Share of the communication that a TIU's work hides.
    #[must_use]
    pub fn overlap_ratio(&self) -> f64 {
        ratio(self.overlapped_ns, self.busy_ns)
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_measure::planted::{Planted, plain};

    use super::*;

    #[test]
    fn communication_is_apart_from_transfers_that_feed_the_computation() {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 60);
        planted.work(1, Engine::Tiu, 70, 100);
        planted.load(0, 0, 50, 500);
        planted.add(0, plain(Engine::Sdma), (40, 90), 100, 0);
        planted.add(0, plain(Engine::Cdma), (50, 80), 300, 0);
        planted.wait(0, Engine::Cdma, 80, 100);
        let model = planted.model();
        let hardware = Hardware { link_gbps: Some(20.0), ..crate::advice::testing::hardware() };
        let found = Communication::compute(&model, &Times::compute(&model), &hardware);
        assert_eq!((found.busy_ns, found.overlapped_ns, found.alone_ns), (50, 40, 10));
        let [sdma, port] = &found.channels[..] else { panic!("{:?}", found.channels) };
        // Core 0 computes until 60.
        assert_eq!((sdma.busy_ns, sdma.overlapped_ns, sdma.exposed_ns), (50, 20, 30));
        assert_eq!((sdma.link_gbps, sdma.bytes), (None, 100));
        assert_eq!((port.busy_ns, port.sync_ns, port.exposed_ns, port.gbps), (30, 20, 10, 10.0));
        assert_eq!((port.link_gbps, port.link_share), (Some(20.0), Some(0.5)));
    }
}

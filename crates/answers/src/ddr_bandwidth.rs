//! How fast the transfer engines read and wrote: of each sort of engine, and of the chip.

use bigtpu_chip::Engine;
use bigtpu_compat::Summary;
use bigtpu_measure::{CommandTable, Spans, gbps, round4};
use bigtpu_timeline::Profile;
use serde::{Deserialize, Serialize};

/// What a sort of engine, or all of them, read from off-chip memory and wrote to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct DdrBandwidth {
    /// `GDMA`, `SDMA`, `CDMA`, or `chip` for all.
    pub engine: String,
    /// Bytes read; of CDMA those that its ports sent.
    pub read_bytes: u64,
    /// Bytes written; of CDMA those that its ports received.
    pub written_bytes: u64,
    /// ns in which any of its engines ran such a transfer.
    pub busy_ns: i64,
    /// Bytes read over these ns.
    pub read_gbps: f64,
    /// Bytes written over these ns.
    pub write_gbps: f64,
    /// Both.
    pub gbps: f64,
}

impl DdrBandwidth {
    /// Returns a row for each sort of engine that moved anything, then one for the chip; nothing if no engine moved
    /// anything.
    pub(crate) fn all(profile: &Profile<'_>, table: &CommandTable, summary: &Summary) -> Vec<Self> {
        let engines = [Engine::Gdma, Engine::Sdma, Engine::Cdma];
        let moved = engines.map(|engine| Moved::by_engine(engine, profile, table, summary));
        let whole = Moved {
            read: moved.iter().map(|of| of.read).sum(),
            written: moved.iter().map(|of| of.written).sum(),
            busy: Spans::union(moved.iter().flat_map(|of| of.busy.iter())),
        };
        let rows = engines.map(Engine::name).into_iter().zip(&moved).chain([("chip", &whole)]);
        let rows = rows.filter(|(_, moved)| moved.read + moved.written > 0);
        rows.map(|(name, moved)| moved.row(name)).collect()
    }
}

struct Moved {
    read: u64,
    written: u64,
    busy: Spans,
}

impl Moved {
    fn by_engine(
        engine: Engine,
        profile: &Profile<'_>,
        table: &CommandTable,
        summary: &Summary,
    ) -> Self {
        let (mut read, mut written, mut spans) = (0, 0, Vec::new());
        let engines = table.all_commands(profile);
        for commands in engines.filter(|commands| commands.track.engine_id.engine == engine) {
            for command in commands.iter().filter(|command| command.kind.activity.is_work()) {
                let (from, to) = match engine {
                    // A port's commands say which way they go in its own totals.
                    Engine::Cdma => (command.bytes(), 0),
                    _ => command.kind.ddr_traffic(command.bytes()),
                };
                read += from;
                written += to;
                if from + to > 0 {
                    spans.push((command.start(), command.end()));
                }
            }
        }
        if engine == Engine::Cdma {
            read = summary.ports.iter().map(|port| port.sent.1.bytes).sum();
            written = summary.ports.iter().map(|port| port.received.1.bytes).sum();
        }
        Self { read, written, busy: Spans::union(spans) }
    }

    fn row(&self, name: &str) -> DdrBandwidth {
        let busy_ns = self.busy.total();
        let rate = |bytes: u64| round4(gbps(bytes, busy_ns));
        DdrBandwidth {
            engine: name.to_owned(),
            read_bytes: self.read,
            written_bytes: self.written,
            busy_ns,
            read_gbps: rate(self.read),
            write_gbps: rate(self.written),
            gbps: rate(self.read.saturating_add(self.written)),
        }
    }
}

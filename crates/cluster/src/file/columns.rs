//! What a part's columns are, in their order.

use super::writer::Writer;
use crate::alike::{Alike, Likeness};
use crate::host_side::HostSide;
use crate::part::{DumpPart, Identity, OneSided};

impl DumpPart {
    /// The bytes of its columns.
    pub(super) fn columns(&self) -> Vec<u8> {
        let mut w = Writer::default();
        let Identity { host, device, call, dump, chip, version } = &self.identity;
        [host, dump, chip, version].into_iter().for_each(|text| w.text(text));
        [i64::from(*device), i64::from(*call), self.window.0, self.window.1]
            .into_iter()
            .for_each(|n| w.number(n));
        w.number(self.events as i64);
        w.number(self.lost_records as i64);
        w.number(i64::from(self.has_loss) | i64::from(self.has_commands) << 1);
        w.number(self.kernels.len() as i64);
        self.kernels.iter().for_each(|name| w.text(name));
        w.number(self.threads.len() as i64);
        for thread in &self.threads {
            w.number(thread.port.into());
            let flags = [
                thread.receives,
                thread.is_anchored,
                thread.has_moments,
                thread.has_shapes,
                thread.is_whole,
            ];
            w.number(flags.iter().rev().fold(0, |all, &flag| all << 1 | i64::from(flag)));
            w.number(thread.left_out as i64);
            w.number(thread.other_bytes as i64);
            let all = &thread.commands;
            w.number(all.len() as i64);
            w.column(all.start.iter());
            w.plain(all.start_up.iter());
            w.column(all.transfer.iter());
            w.plain(all.completion.iter());
            w.column(all.bytes.iter());
            all.rest.iter().for_each(|column| w.column(column.iter()));
        }
        w.number(self.one_sided.len() as i64);
        for OneSided { port, peer, commands, bytes, ns } in &self.one_sided {
            w.number((*port).into());
            w.number(peer.map_or(-1, i64::from));
            [*commands, *bytes, *ns].into_iter().for_each(|n| w.number(n as i64));
        }
        w.number(self.runs.len() as i64);
        w.plain(self.runs.iter().map(|run| run.state as i64));
        w.plain(self.runs.iter().map(|run| run.ns as i64));
        w.number(self.alike.len() as i64);
        for Alike { what: Likeness { kind, amount, cycles }, count, ns } in &self.alike {
            w.number((*kind).into());
            [*amount, *cycles, *count, *ns].into_iter().for_each(|n| w.number(n as i64));
        }
        w.number(self.launches.len() as i64);
        w.column(self.launches.start.iter());
        w.plain(self.launches.length.iter());
        w.column(self.launches.kernel.iter());
        w.number(self.steps.len() as i64);
        w.column(self.steps.iter().map(|(start, _)| *start));
        w.plain(self.steps.iter().map(|(start, end)| end.saturating_sub(*start)));
        w.optional(self.tail_offset_ns);
        w.number(self.latest_end);
        w.number(self.host.is_some().into());
        if let Some(HostSide { offset_ns, calls, steps }) = &self.host {
            w.optional(*offset_ns);
            [calls, steps].into_iter().for_each(|spans| w.spans(spans));
        }
        w.into_bytes()
    }
}

//! `trace.json`: the trace in Chrome's JSON, for viewers and tools that do not read Perfetto's own form.
//!
//! The trace is made of the very packets of Perfetto's trace, so that both hold the same tracks, slices, flows,
//! arguments and samples; a light one also has what the views for Perfetto's SQL look up, as other tools have no views. Each packet becomes a line as it is read; the packets themselves are in memory.

mod events;
mod state;
mod threads;

use bigtpu_answers::Depth;
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_output::{Json, OutDir, OutFile, OutputError, Written};
use bigtpu_perfetto_protos::TracePacket;
use bigtpu_perfetto_protos::prost::Message as _;

use crate::Perfetto;
use events::Events;

/// Name of the file.
pub const CHROME_TRACE_FILE: &str = "trace.json";

/// The trace as Chrome's JSON.
#[derive(Debug, Clone, Default)]
pub struct ChromeTrace {
    /// What the trace holds.
    pub trace: Perfetto,
}

/// Lines are handed on in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

impl Emitter for ChromeTrace {
    fn name(&self) -> &'static str {
        "json"
    }

    fn depth(&self) -> Depth {
        Depth::Drawn
    }

    fn draws(&self) -> bool {
        true
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let held = OutDir::held();
        let inner = EmitterInput { out: &held, ..*input };
        let trace = Perfetto { compress: false, ..self.trace.clone() };
        trace.write(&inner, false)?;
        held.publish()?;
        let bytes = held.take_files().into_values().next().unwrap_or_default();
        let mut file = input.out.file(CHROME_TRACE_FILE)?;
        convert(&bytes, &mut file)?;
        Ok(vec![file.commit()?])
    }
}

fn convert(trace: &[u8], file: &mut OutFile) -> Result<(), OutputError> {
    let mut events = Events::default();
    let mut text = String::from("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    for packet in packets(trace) {
        events.read(&packet, &mut text);
        if text.len() >= PIECE {
            file.append(&Json::in_file(&text))?;
            text.clear();
        }
    }
    text.push_str("\n], \"otherData\": ");
    text.push_str(&events.attributes());
    text.push_str("}\n");
    file.append(&Json::in_file(&text))
}

/// The packets of a trace, one after another: a trace is a message whose only field is the list of them.
fn packets(mut trace: &[u8]) -> impl Iterator<Item = TracePacket> + '_ {
    std::iter::from_fn(move || {
        let (_, rest) = trace.split_first()?;
        let (length, rest) = varint(rest)?;
        let (packet, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        trace = rest;
        TracePacket::decode(packet).ok()
    })
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_come_back() {
        let packet = TracePacket { timestamp: Some(300), ..TracePacket::default() };
        let body = packet.encode_to_vec();
        let mut trace = Vec::new();
        for _ in 0..2 {
            trace.push(0x0a);
            trace.push(body.len() as u8);
            trace.extend(&body);
        }
        assert_eq!(packets(&trace).filter(|found| *found == packet).count(), 2);
        assert_eq!(varint(&[0xac, 0x02, 7]), Some((300, &[7][..])));
    }
}

//! A file's packets, those that are deflated inside others too.

use std::io::Read;

use bigtpu_perfetto_protos::prost::Message;
use bigtpu_perfetto_protos::{self as proto, TracePacket, trace_packet::Data};
use flate2::read::ZlibDecoder;

/// The packets in order, and whether some of them were deflated.
pub(super) fn packets(file: &[u8]) -> (Vec<TracePacket>, bool) {
    let mut whole = false;
    let mut flat = Vec::new();
    for packet in proto::Trace::decode(file).expect("a trace is one message").packet {
        if let Some(Data::CompressedPackets(deflated)) = &packet.data {
            whole = true;
            let mut inflated = Vec::new();
            ZlibDecoder::new(deflated.as_slice()).read_to_end(&mut inflated).expect("zlib data");
            flat.extend(proto::Trace::decode(inflated.as_slice()).expect("packets").packet);
        } else {
            flat.push(packet);
        }
    }
    (flat, whole)
}

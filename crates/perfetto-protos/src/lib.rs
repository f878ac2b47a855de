//! The Perfetto trace messages that this project writes.
//!
//! Perfetto traces are protobuf files. This crate holds a trimmed copy of the
//! format's messages (`proto/perfetto_trace.proto`: names, numbers and types as
//! upstream, everything unused left out) in two forms:
//!
//! * [`prost`] types, re-exported at the crate root, for records that are
//!   written a few times per trace (track descriptors, clock snapshots, trace
//!   attributes) and for reading traces back in tests;
//! * [`field`], the bare field numbers, for code that encodes the many track
//!   events by hand.
//!
//! Both are generated from the `.proto` file by `cargo run -p xtask -- protos`
//! and committed, so building the crate needs neither `protoc` nor a build
//! script.
//!
//! ```
//! use bigtpu_perfetto_protos::{Trace, TracePacket, TrackDescriptor, track_descriptor, trace_packet};
//! use prost::Message as _;
//!
//! let track = TrackDescriptor {
//!     uuid: Some(7),
//!     static_or_dynamic_name: Some(track_descriptor::StaticOrDynamicName::Name("GDMA".into())),
//!     ..TrackDescriptor::default()
//! };
//! let trace = Trace {
//!     packet: vec![TracePacket {
//!         data: Some(trace_packet::Data::TrackDescriptor(track)),
//!         ..TracePacket::default()
//!     }],
//! };
//! assert_eq!(Trace::decode(trace.encode_to_vec().as_slice()), Ok(trace));
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub use prost;

pub use self::generated::*;

pub mod field;

#[rustfmt::skip] // Formatted by the generator.
mod generated;

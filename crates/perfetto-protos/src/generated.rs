// @generated from proto/perfetto_trace.proto. Do not edit; regenerate with
//     cargo run -p xtask -- protos

/// A whole trace file: a plain sequence of packets. Since this is the only
/// field, a file can be written packet by packet and files can be concatenated.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct Trace {
    /// The packets, in file order.
    #[prost(message, repeated, tag = "1")]
    pub packet: ::prost::alloc::vec::Vec<TracePacket>,
}
/// One record of a trace file.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TracePacket {
    /// Time of the packet, in the clock named by `timestamp_clock_id`.
    #[prost(uint64, optional, tag = "8")]
    pub timestamp: ::core::option::Option<u64>,
    /// Clock of `timestamp`: a `BuiltinClock` value, or 64 to 127 for a clock
    /// private to the packet sequence. When absent, the sequence's default holds.
    #[prost(uint32, optional, tag = "58")]
    pub timestamp_clock_id: ::core::option::Option<u32>,
    /// Interning table entries added by this packet. They are read before the
    /// rest of the packet, so the packet itself may refer to them.
    #[prost(message, optional, tag = "12")]
    pub interned_data: ::core::option::Option<InternedData>,
    /// Combination of `SequenceFlags` bits.
    #[prost(uint32, optional, tag = "13")]
    pub sequence_flags: ::core::option::Option<u32>,
    /// Older form of `SEQ_INCREMENTAL_STATE_CLEARED`.
    #[prost(bool, optional, tag = "41")]
    pub incremental_state_cleared: ::core::option::Option<bool>,
    /// Non-zero when packets that preceded this one on the sequence were lost.
    #[prost(uint32, optional, tag = "42")]
    pub previous_packet_dropped: ::core::option::Option<u32>,
    /// Defaults for this and the following packets of the sequence, until the
    /// incremental state is cleared.
    #[prost(message, optional, tag = "59")]
    pub trace_packet_defaults: ::core::option::Option<TracePacketDefaults>,
    /// Set on the first packet of a sequence.
    #[prost(bool, optional, tag = "87")]
    pub first_packet_on_sequence: ::core::option::Option<bool>,
    /// What the packet carries.
    #[prost(oneof = "trace_packet::Data", tags = "5, 6, 11, 50, 60, 69, 89, 126")]
    pub data: ::core::option::Option<trace_packet::Data>,
    /// Sequence the packet belongs to, non-zero. Interned ids, defaults and
    /// private clocks are scoped to a sequence.
    #[prost(oneof = "trace_packet::OptionalTrustedPacketSequenceId", tags = "10")]
    pub optional_trusted_packet_sequence_id: ::core::option::Option<
        trace_packet::OptionalTrustedPacketSequenceId,
    >,
}
/// Nested message and enum types in `TracePacket`.
pub mod trace_packet {
    /// Bits of `sequence_flags`.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum SequenceFlags {
        /// No flag.
        SeqUnspecified = 0,
        /// Interned data and defaults seen so far on this sequence are forgotten;
        /// the packet starts a new interning generation.
        SeqIncrementalStateCleared = 1,
        /// The packet refers to interned data or defaults and is skipped when those
        /// were lost.
        SeqNeedsIncrementalState = 2,
    }
    impl SequenceFlags {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::SeqUnspecified => "SEQ_UNSPECIFIED",
                Self::SeqIncrementalStateCleared => "SEQ_INCREMENTAL_STATE_CLEARED",
                Self::SeqNeedsIncrementalState => "SEQ_NEEDS_INCREMENTAL_STATE",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "SEQ_UNSPECIFIED" => Some(Self::SeqUnspecified),
                "SEQ_INCREMENTAL_STATE_CLEARED" => Some(Self::SeqIncrementalStateCleared),
                "SEQ_NEEDS_INCREMENTAL_STATE" => Some(Self::SeqNeedsIncrementalState),
                _ => None,
            }
        }
    }
    /// What the packet carries.
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Data {
        /// Legacy Chrome bundle, used only for its key/value metadata.
        #[prost(message, tag = "5")]
        ChromeEvents(super::ChromeEventBundle),
        /// Readings of several clocks taken at one moment.
        #[prost(message, tag = "6")]
        ClockSnapshot(super::ClockSnapshot),
        /// A slice boundary, an instant or a counter value.
        #[prost(message, tag = "11")]
        TrackEvent(super::TrackEvent),
        /// Further packets, as a serialized `Trace` message deflated with a zlib
        /// header.
        #[prost(bytes, tag = "50")]
        CompressedPackets(::prost::alloc::vec::Vec<u8>),
        /// Definition of a track.
        #[prost(message, tag = "60")]
        TrackDescriptor(super::TrackDescriptor),
        /// What the service that records a trace did.
        #[prost(message, tag = "69")]
        ServiceEvent(super::TracingServiceEvent),
        /// Identifier of the trace.
        #[prost(message, tag = "89")]
        TraceUuid(super::TraceUuid),
        /// Key/value pairs that describe the trace.
        #[prost(message, tag = "126")]
        TraceAttributes(super::TraceAttributes),
    }
    /// Sequence the packet belongs to, non-zero. Interned ids, defaults and
    /// private clocks are scoped to a sequence.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum OptionalTrustedPacketSequenceId {
        /// Id of the sequence.
        #[prost(uint32, tag = "10")]
        TrustedPacketSequenceId(u32),
    }
}
/// Identifier of a trace: the two halves of a UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TraceUuid {
    /// Upper 64 bits.
    #[prost(int64, optional, tag = "1")]
    pub msb: ::core::option::Option<i64>,
    /// Lower 64 bits.
    #[prost(int64, optional, tag = "2")]
    pub lsb: ::core::option::Option<i64>,
}
/// What the service that records a trace did, and when. An importer keeps all
/// events in memory to sort them by time, unless it is told up to where it has
/// all: once it was told of two flushes and then of a read, it takes in what
/// came before the last read, and nothing that comes later may be earlier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TracingServiceEvent {
    /// One event.
    #[prost(oneof = "tracing_service_event::EventType", tags = "3, 4")]
    pub event_type: ::core::option::Option<tracing_service_event::EventType>,
}
/// Nested message and enum types in `TracingServiceEvent`.
pub mod tracing_service_event {
    /// One event.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum EventType {
        /// All sources have written what they had.
        #[prost(bool, tag = "3")]
        AllDataSourcesFlushed(bool),
        /// What they had written was read.
        #[prost(bool, tag = "4")]
        ReadTracingBuffersCompleted(bool),
    }
}
/// Readings of several clocks taken at one moment, from which the viewer
/// converts timestamps between them.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ClockSnapshot {
    /// The readings.
    #[prost(message, repeated, tag = "1")]
    pub clocks: ::prost::alloc::vec::Vec<clock_snapshot::Clock>,
    /// Clock that the trace's timeline is shown in.
    #[prost(enumeration = "BuiltinClock", optional, tag = "2")]
    pub primary_trace_clock: ::core::option::Option<i32>,
}
/// Nested message and enum types in `ClockSnapshot`.
pub mod clock_snapshot {
    /// One clock's reading.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
    pub struct Clock {
        /// A `BuiltinClock` value, or 64 to 127 for a clock private to the packet
        /// sequence.
        #[prost(uint32, optional, tag = "1")]
        pub clock_id: ::core::option::Option<u32>,
        /// The reading, in nanoseconds unless `unit_multiplier_ns` says otherwise.
        #[prost(uint64, optional, tag = "2")]
        pub timestamp: ::core::option::Option<u64>,
        /// Timestamps in this clock are differences from the previous packet's; the
        /// first one counts from this reading. Only for private clocks.
        #[prost(bool, optional, tag = "3")]
        pub is_incremental: ::core::option::Option<bool>,
        /// Nanoseconds per tick, 1 when absent. Must not vary for one clock.
        #[prost(uint64, optional, tag = "4")]
        pub unit_multiplier_ns: ::core::option::Option<u64>,
    }
}
/// Values assumed for absent fields of a sequence's packets.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TracePacketDefaults {
    /// Assumed `TracePacket.timestamp_clock_id`.
    #[prost(uint32, optional, tag = "58")]
    pub timestamp_clock_id: ::core::option::Option<u32>,
    /// Assumed `TrackEvent` fields.
    #[prost(message, optional, tag = "11")]
    pub track_event_defaults: ::core::option::Option<TrackEventDefaults>,
}
/// Values assumed for absent fields of a sequence's track events.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TrackEventDefaults {
    /// Assumed `TrackEvent.track_uuid`.
    #[prost(uint64, optional, tag = "11")]
    pub track_uuid: ::core::option::Option<u64>,
    /// Assumed `TrackEvent.extra_counter_track_uuids`.
    #[prost(uint64, repeated, packed = "false", tag = "31")]
    pub extra_counter_track_uuids: ::prost::alloc::vec::Vec<u64>,
    /// Assumed `TrackEvent.extra_double_counter_track_uuids`.
    #[prost(uint64, repeated, packed = "false", tag = "45")]
    pub extra_double_counter_track_uuids: ::prost::alloc::vec::Vec<u64>,
}
/// Definition of a track: a row of the timeline that events are put on. Holds
/// for the whole trace, whichever sequence it is written on.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TrackDescriptor {
    /// Id of the track, unique in the trace. 0 is the implicit root.
    #[prost(uint64, optional, tag = "1")]
    pub uuid: ::core::option::Option<u64>,
    /// Track this one is shown under.
    #[prost(uint64, optional, tag = "5")]
    pub parent_uuid: ::core::option::Option<u64>,
    /// Explanation shown with the track.
    #[prost(string, optional, tag = "14")]
    pub description: ::core::option::Option<::prost::alloc::string::String>,
    /// Makes this the track of a process.
    #[prost(message, optional, tag = "3")]
    pub process: ::core::option::Option<ProcessDescriptor>,
    /// Makes this the track of a thread.
    #[prost(message, optional, tag = "4")]
    pub thread: ::core::option::Option<ThreadDescriptor>,
    /// Makes this a counter track, which takes counter events only.
    #[prost(message, optional, tag = "8")]
    pub counter: ::core::option::Option<CounterDescriptor>,
    /// How this track's children are sorted.
    #[prost(enumeration = "track_descriptor::ChildTracksOrdering", optional, tag = "11")]
    pub child_ordering: ::core::option::Option<i32>,
    /// Position among the siblings, smallest first, where the parent sorts
    /// explicitly. For process and thread tracks the root descriptor has to ask
    /// for it, see `process_ordering` and `thread_ordering`.
    #[prost(int32, optional, tag = "12")]
    pub sibling_order_rank: ::core::option::Option<i32>,
    /// Which siblings this track is shown as one with.
    #[prost(
        enumeration = "track_descriptor::SiblingMergeBehavior",
        optional,
        tag = "15"
    )]
    pub sibling_merge_behavior: ::core::option::Option<i32>,
    /// How processes are sorted. Read from the root descriptor (uuid 0) only.
    #[prost(enumeration = "track_descriptor::ProcessOrdering", optional, tag = "19")]
    pub process_ordering: ::core::option::Option<i32>,
    /// How the threads of each process are sorted. Read from the root descriptor
    /// (uuid 0) only.
    #[prost(enumeration = "track_descriptor::ThreadOrdering", optional, tag = "20")]
    pub thread_ordering: ::core::option::Option<i32>,
    /// Name of the track.
    #[prost(oneof = "track_descriptor::StaticOrDynamicName", tags = "2, 10")]
    pub static_or_dynamic_name: ::core::option::Option<
        track_descriptor::StaticOrDynamicName,
    >,
    /// Key that siblings to be merged share.
    #[prost(oneof = "track_descriptor::SiblingMergeKeyField", tags = "16, 17")]
    pub sibling_merge_key_field: ::core::option::Option<
        track_descriptor::SiblingMergeKeyField,
    >,
}
/// Nested message and enum types in `TrackDescriptor`.
pub mod track_descriptor {
    /// How a track's children are sorted.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum ChildTracksOrdering {
        /// Viewer's choice.
        Unknown = 0,
        /// By name.
        Lexicographic = 1,
        /// By the time of the first event.
        Chronological = 2,
        /// By `sibling_order_rank`.
        Explicit = 3,
    }
    impl ChildTracksOrdering {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unknown => "UNKNOWN",
                Self::Lexicographic => "LEXICOGRAPHIC",
                Self::Chronological => "CHRONOLOGICAL",
                Self::Explicit => "EXPLICIT",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "UNKNOWN" => Some(Self::Unknown),
                "LEXICOGRAPHIC" => Some(Self::Lexicographic),
                "CHRONOLOGICAL" => Some(Self::Chronological),
                "EXPLICIT" => Some(Self::Explicit),
                _ => None,
            }
        }
    }
    /// Which sibling tracks are shown as one.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum SiblingMergeBehavior {
        /// Viewer's choice, which is by name.
        Unspecified = 0,
        /// Those with the same name.
        ByTrackName = 1,
        /// None: the track stays by itself.
        None = 2,
        /// Those with the same merge key.
        BySiblingMergeKey = 3,
    }
    impl SiblingMergeBehavior {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "SIBLING_MERGE_BEHAVIOR_UNSPECIFIED",
                Self::ByTrackName => "SIBLING_MERGE_BEHAVIOR_BY_TRACK_NAME",
                Self::None => "SIBLING_MERGE_BEHAVIOR_NONE",
                Self::BySiblingMergeKey => "SIBLING_MERGE_BEHAVIOR_BY_SIBLING_MERGE_KEY",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "SIBLING_MERGE_BEHAVIOR_UNSPECIFIED" => Some(Self::Unspecified),
                "SIBLING_MERGE_BEHAVIOR_BY_TRACK_NAME" => Some(Self::ByTrackName),
                "SIBLING_MERGE_BEHAVIOR_NONE" => Some(Self::None),
                "SIBLING_MERGE_BEHAVIOR_BY_SIBLING_MERGE_KEY" => {
                    Some(Self::BySiblingMergeKey)
                }
                _ => None,
            }
        }
    }
    /// How processes are sorted. Read from the root descriptor (uuid 0) only.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum ProcessOrdering {
        /// Viewer's choice.
        Unspecified = 0,
        /// By the process track's `sibling_order_rank`.
        Explicit = 1,
    }
    impl ProcessOrdering {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "PROCESS_ORDERING_UNSPECIFIED",
                Self::Explicit => "PROCESS_ORDERING_EXPLICIT",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "PROCESS_ORDERING_UNSPECIFIED" => Some(Self::Unspecified),
                "PROCESS_ORDERING_EXPLICIT" => Some(Self::Explicit),
                _ => None,
            }
        }
    }
    /// How the threads of each process are sorted. Read from the root descriptor
    /// (uuid 0) only.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum ThreadOrdering {
        /// Viewer's choice.
        Unspecified = 0,
        /// By the thread track's `sibling_order_rank`.
        Explicit = 1,
    }
    impl ThreadOrdering {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "THREAD_ORDERING_UNSPECIFIED",
                Self::Explicit => "THREAD_ORDERING_EXPLICIT",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "THREAD_ORDERING_UNSPECIFIED" => Some(Self::Unspecified),
                "THREAD_ORDERING_EXPLICIT" => Some(Self::Explicit),
                _ => None,
            }
        }
    }
    /// Name of the track.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum StaticOrDynamicName {
        /// A name made at run time.
        #[prost(string, tag = "2")]
        Name(::prost::alloc::string::String),
        /// A name fixed at build time.
        #[prost(string, tag = "10")]
        StaticName(::prost::alloc::string::String),
    }
    /// Key that siblings to be merged share.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum SiblingMergeKeyField {
        /// As text.
        #[prost(string, tag = "16")]
        SiblingMergeKey(::prost::alloc::string::String),
        /// As a number.
        #[prost(uint64, tag = "17")]
        SiblingMergeKeyInt(u64),
    }
}
/// The process that a track stands for.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ProcessDescriptor {
    /// Process id, unique in the trace.
    #[prost(int32, optional, tag = "1")]
    pub pid: ::core::option::Option<i32>,
    /// Command line, one entry per argument.
    #[prost(string, repeated, tag = "2")]
    pub cmdline: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Name shown for the process.
    #[prost(string, optional, tag = "6")]
    pub process_name: ::core::option::Option<::prost::alloc::string::String>,
    /// Start of the process.
    #[prost(int64, optional, tag = "7")]
    pub start_timestamp_ns: ::core::option::Option<i64>,
    /// Short notes shown after the name.
    #[prost(string, repeated, tag = "8")]
    pub process_labels: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
}
/// The thread that a track stands for.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ThreadDescriptor {
    /// Id of the process the thread belongs to.
    #[prost(int32, optional, tag = "1")]
    pub pid: ::core::option::Option<i32>,
    /// Thread id. Equal to `pid` for the main thread.
    #[prost(int64, optional, tag = "2")]
    pub tid: ::core::option::Option<i64>,
    /// Name shown for the thread.
    #[prost(string, optional, tag = "5")]
    pub thread_name: ::core::option::Option<::prost::alloc::string::String>,
}
/// Properties of a counter track.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct CounterDescriptor {
    /// Unit of the values.
    #[prost(enumeration = "counter_descriptor::Unit", optional, tag = "3")]
    pub unit: ::core::option::Option<i32>,
    /// Factor that takes a written value to `unit`.
    #[prost(int64, optional, tag = "4")]
    pub unit_multiplier: ::core::option::Option<i64>,
    /// Values are differences from the sequence's previous value.
    #[prost(bool, optional, tag = "5")]
    pub is_incremental: ::core::option::Option<bool>,
    /// Unit of the values where `unit` has no fitting one.
    #[prost(string, optional, tag = "6")]
    pub unit_name: ::core::option::Option<::prost::alloc::string::String>,
    /// Sibling counters with the same key share the range of their vertical axis.
    #[prost(string, optional, tag = "7")]
    pub y_axis_share_key: ::core::option::Option<::prost::alloc::string::String>,
}
/// Nested message and enum types in `CounterDescriptor`.
pub mod counter_descriptor {
    /// Units known to the viewer.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum Unit {
        /// None, or the one in `unit_name`.
        Unspecified = 0,
        /// Nanoseconds.
        TimeNs = 1,
        /// A plain number.
        Count = 2,
        /// Bytes.
        SizeBytes = 3,
    }
    impl Unit {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "UNIT_UNSPECIFIED",
                Self::TimeNs => "UNIT_TIME_NS",
                Self::Count => "UNIT_COUNT",
                Self::SizeBytes => "UNIT_SIZE_BYTES",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "UNIT_UNSPECIFIED" => Some(Self::Unspecified),
                "UNIT_TIME_NS" => Some(Self::TimeNs),
                "UNIT_COUNT" => Some(Self::Count),
                "UNIT_SIZE_BYTES" => Some(Self::SizeBytes),
                _ => None,
            }
        }
    }
}
/// Something that happens on a track.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TrackEvent {
    /// Categories, by interned id.
    #[prost(uint64, repeated, packed = "false", tag = "3")]
    pub category_iids: ::prost::alloc::vec::Vec<u64>,
    /// Arguments shown with the event.
    #[prost(message, repeated, tag = "4")]
    pub debug_annotations: ::prost::alloc::vec::Vec<DebugAnnotation>,
    /// Kind of the event.
    #[prost(enumeration = "track_event::Type", optional, tag = "9")]
    pub r#type: ::core::option::Option<i32>,
    /// Track the event is on. When absent, the sequence's default holds.
    #[prost(uint64, optional, tag = "11")]
    pub track_uuid: ::core::option::Option<u64>,
    /// Categories, in full.
    #[prost(string, repeated, tag = "22")]
    pub categories: ::prost::alloc::vec::Vec<::prost::alloc::string::String>,
    /// Counter tracks that `extra_counter_values` go to, in the same order. When
    /// absent, the sequence's default holds.
    #[prost(uint64, repeated, packed = "false", tag = "31")]
    pub extra_counter_track_uuids: ::prost::alloc::vec::Vec<u64>,
    /// Counter values that come with an event of another kind.
    #[prost(int64, repeated, packed = "false", tag = "12")]
    pub extra_counter_values: ::prost::alloc::vec::Vec<i64>,
    /// Counter tracks that `extra_double_counter_values` go to, in the same order.
    /// When absent, the sequence's default holds.
    #[prost(uint64, repeated, packed = "false", tag = "45")]
    pub extra_double_counter_track_uuids: ::prost::alloc::vec::Vec<u64>,
    /// Floating point counter values that come with an event of another kind.
    #[prost(double, repeated, packed = "false", tag = "46")]
    pub extra_double_counter_values: ::prost::alloc::vec::Vec<f64>,
    /// Flows through this event: the viewer draws an arrow from one event of a
    /// flow to the next.
    #[prost(fixed64, repeated, packed = "false", tag = "47")]
    pub flow_ids: ::prost::alloc::vec::Vec<u64>,
    /// Flows that end with this event.
    #[prost(fixed64, repeated, packed = "false", tag = "48")]
    pub terminating_flow_ids: ::prost::alloc::vec::Vec<u64>,
    /// Name of the event. A slice's end needs none.
    #[prost(oneof = "track_event::NameField", tags = "10, 23")]
    pub name_field: ::core::option::Option<track_event::NameField>,
    /// New value of the counter that the event's track stands for.
    #[prost(oneof = "track_event::CounterValueField", tags = "30, 44")]
    pub counter_value_field: ::core::option::Option<track_event::CounterValueField>,
    /// Mark shared by events that belong together, wherever they are; the viewer
    /// gives them one colour.
    #[prost(oneof = "track_event::CorrelationIdField", tags = "52, 53, 54")]
    pub correlation_id_field: ::core::option::Option<track_event::CorrelationIdField>,
}
/// Nested message and enum types in `TrackEvent`.
pub mod track_event {
    /// Kinds of event.
    #[derive(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::prost::Enumeration
    )]
    #[repr(i32)]
    pub enum Type {
        /// Not given.
        Unspecified = 0,
        /// A slice starts.
        SliceBegin = 1,
        /// The innermost open slice of the track ends.
        SliceEnd = 2,
        /// A point in time.
        Instant = 3,
        /// A counter takes a new value.
        Counter = 4,
    }
    impl Type {
        /// String value of the enum field names used in the ProtoBuf definition.
        ///
        /// The values are not transformed in any way and thus are considered stable
        /// (if the ProtoBuf definition does not change) and safe for programmatic use.
        pub fn as_str_name(&self) -> &'static str {
            match self {
                Self::Unspecified => "TYPE_UNSPECIFIED",
                Self::SliceBegin => "TYPE_SLICE_BEGIN",
                Self::SliceEnd => "TYPE_SLICE_END",
                Self::Instant => "TYPE_INSTANT",
                Self::Counter => "TYPE_COUNTER",
            }
        }
        /// Creates an enum from field names used in the ProtoBuf definition.
        pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
            match value {
                "TYPE_UNSPECIFIED" => Some(Self::Unspecified),
                "TYPE_SLICE_BEGIN" => Some(Self::SliceBegin),
                "TYPE_SLICE_END" => Some(Self::SliceEnd),
                "TYPE_INSTANT" => Some(Self::Instant),
                "TYPE_COUNTER" => Some(Self::Counter),
                _ => None,
            }
        }
    }
    /// Name of the event. A slice's end needs none.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum NameField {
        /// Interned id of the name.
        #[prost(uint64, tag = "10")]
        NameIid(u64),
        /// The name itself.
        #[prost(string, tag = "23")]
        Name(::prost::alloc::string::String),
    }
    /// New value of the counter that the event's track stands for.
    #[derive(Clone, Copy, PartialEq, ::prost::Oneof)]
    pub enum CounterValueField {
        /// As an integer.
        #[prost(int64, tag = "30")]
        CounterValue(i64),
        /// As a floating point number.
        #[prost(double, tag = "44")]
        DoubleCounterValue(f64),
    }
    /// Mark shared by events that belong together, wherever they are; the viewer
    /// gives them one colour.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum CorrelationIdField {
        /// As a number.
        #[prost(uint64, tag = "52")]
        CorrelationId(u64),
        /// As text.
        #[prost(string, tag = "53")]
        CorrelationIdStr(::prost::alloc::string::String),
        /// As the interned id of a text.
        #[prost(uint64, tag = "54")]
        CorrelationIdStrIid(u64),
    }
}
/// A named argument of an event. Its value is one of `value`, a dictionary or an
/// array.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct DebugAnnotation {
    /// Members of a dictionary, each with a name.
    #[prost(message, repeated, tag = "11")]
    pub dict_entries: ::prost::alloc::vec::Vec<DebugAnnotation>,
    /// Elements of an array.
    #[prost(message, repeated, tag = "12")]
    pub array_values: ::prost::alloc::vec::Vec<DebugAnnotation>,
    /// Name of the argument. Elements of an array have none.
    #[prost(oneof = "debug_annotation::NameField", tags = "1, 10")]
    pub name_field: ::core::option::Option<debug_annotation::NameField>,
    /// A plain value.
    #[prost(oneof = "debug_annotation::Value", tags = "2, 3, 4, 5, 6, 7, 9, 17")]
    pub value: ::core::option::Option<debug_annotation::Value>,
}
/// Nested message and enum types in `DebugAnnotation`.
pub mod debug_annotation {
    /// Name of the argument. Elements of an array have none.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum NameField {
        /// Interned id of the name.
        #[prost(uint64, tag = "1")]
        NameIid(u64),
        /// The name itself.
        #[prost(string, tag = "10")]
        Name(::prost::alloc::string::String),
    }
    /// A plain value.
    #[derive(Clone, PartialEq, ::prost::Oneof)]
    pub enum Value {
        /// True or false.
        #[prost(bool, tag = "2")]
        BoolValue(bool),
        /// A number that is not negative.
        #[prost(uint64, tag = "3")]
        UintValue(u64),
        /// A signed number.
        #[prost(int64, tag = "4")]
        IntValue(i64),
        /// A floating point number.
        #[prost(double, tag = "5")]
        DoubleValue(f64),
        /// A text.
        #[prost(string, tag = "6")]
        StringValue(::prost::alloc::string::String),
        /// An address, shown in hexadecimal.
        #[prost(uint64, tag = "7")]
        PointerValue(u64),
        /// A JSON document, which the viewer takes apart.
        #[prost(string, tag = "9")]
        LegacyJsonValue(::prost::alloc::string::String),
        /// Interned id of a text.
        #[prost(uint64, tag = "17")]
        StringValueIid(u64),
    }
}
/// Entries for a sequence's interning tables. Each table numbers its entries
/// apart.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct InternedData {
    /// For `TrackEvent.category_iids`.
    #[prost(message, repeated, tag = "1")]
    pub event_categories: ::prost::alloc::vec::Vec<EventCategory>,
    /// For `TrackEvent.name_iid`.
    #[prost(message, repeated, tag = "2")]
    pub event_names: ::prost::alloc::vec::Vec<EventName>,
    /// For `DebugAnnotation.name_iid`.
    #[prost(message, repeated, tag = "3")]
    pub debug_annotation_names: ::prost::alloc::vec::Vec<DebugAnnotationName>,
    /// For `DebugAnnotation.string_value_iid`.
    #[prost(message, repeated, tag = "29")]
    pub debug_annotation_string_values: ::prost::alloc::vec::Vec<InternedString>,
    /// For `TrackEvent.correlation_id_str_iid`.
    #[prost(message, repeated, tag = "43")]
    pub correlation_id_str: ::prost::alloc::vec::Vec<InternedString>,
}
/// An interned event category.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct EventCategory {
    /// Id of the entry, non-zero.
    #[prost(uint64, optional, tag = "1")]
    pub iid: ::core::option::Option<u64>,
    /// The category.
    #[prost(string, optional, tag = "2")]
    pub name: ::core::option::Option<::prost::alloc::string::String>,
}
/// An interned event name.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct EventName {
    /// Id of the entry, non-zero.
    #[prost(uint64, optional, tag = "1")]
    pub iid: ::core::option::Option<u64>,
    /// The name.
    #[prost(string, optional, tag = "2")]
    pub name: ::core::option::Option<::prost::alloc::string::String>,
}
/// An interned argument name.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct DebugAnnotationName {
    /// Id of the entry, non-zero.
    #[prost(uint64, optional, tag = "1")]
    pub iid: ::core::option::Option<u64>,
    /// The name.
    #[prost(string, optional, tag = "2")]
    pub name: ::core::option::Option<::prost::alloc::string::String>,
}
/// An interned text.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct InternedString {
    /// Id of the entry, non-zero.
    #[prost(uint64, optional, tag = "1")]
    pub iid: ::core::option::Option<u64>,
    /// The text, in UTF-8.
    #[prost(bytes = "vec", optional, tag = "2")]
    pub str: ::core::option::Option<::prost::alloc::vec::Vec<u8>>,
}
/// Key/value pairs that describe the trace. Trace processor puts them into its
/// `metadata` table as `trace_attribute.` followed by the key, and the viewer
/// shows them in its overview. Versions that do not know the message ignore it.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct TraceAttributes {
    /// The pairs. A later value replaces an earlier one with the same key.
    #[prost(message, repeated, tag = "1")]
    pub attribute: ::prost::alloc::vec::Vec<trace_attributes::Attribute>,
}
/// Nested message and enum types in `TraceAttributes`.
pub mod trace_attributes {
    /// One pair.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
    pub struct Attribute {
        /// Name of the attribute.
        #[prost(string, optional, tag = "1")]
        pub key: ::core::option::Option<::prost::alloc::string::String>,
        /// Value of the attribute.
        #[prost(oneof = "attribute::Value", tags = "2, 3")]
        pub value: ::core::option::Option<attribute::Value>,
    }
    /// Nested message and enum types in `Attribute`.
    pub mod attribute {
        /// Value of the attribute.
        #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
        pub enum Value {
            /// As a number.
            #[prost(int64, tag = "2")]
            LongValue(i64),
            /// As text.
            #[prost(string, tag = "3")]
            StringValue(::prost::alloc::string::String),
        }
    }
}
/// Legacy Chrome bundle, used only for its key/value metadata.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ChromeEventBundle {
    /// The pairs.
    #[prost(message, repeated, tag = "2")]
    pub metadata: ::prost::alloc::vec::Vec<ChromeMetadata>,
}
/// A key/value pair that describes the trace. Trace processor puts it into its
/// `metadata` table as `cr-` followed by the name; pairs of a second or later
/// bundle get the bundle's number in between. Understood by versions that do not
/// know `TraceAttributes`.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ChromeMetadata {
    /// Name of the pair.
    #[prost(string, optional, tag = "1")]
    pub name: ::core::option::Option<::prost::alloc::string::String>,
    /// Value of the pair.
    #[prost(oneof = "chrome_metadata::Value", tags = "2, 3, 4, 5")]
    pub value: ::core::option::Option<chrome_metadata::Value>,
}
/// Nested message and enum types in `ChromeMetadata`.
pub mod chrome_metadata {
    /// Value of the pair.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum Value {
        /// As text.
        #[prost(string, tag = "2")]
        StringValue(::prost::alloc::string::String),
        /// As true or false.
        #[prost(bool, tag = "3")]
        BoolValue(bool),
        /// As a number.
        #[prost(int64, tag = "4")]
        IntValue(i64),
        /// As a JSON document.
        #[prost(string, tag = "5")]
        JsonValue(::prost::alloc::string::String),
    }
}
/// Clocks known to the trace viewer. Values double as clock ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum BuiltinClock {
    /// Not known.
    Unknown = 0,
    /// Wall clock, CLOCK_REALTIME.
    Realtime = 1,
    /// CLOCK_REALTIME_COARSE.
    RealtimeCoarse = 2,
    /// CLOCK_MONOTONIC.
    Monotonic = 3,
    /// CLOCK_MONOTONIC_COARSE.
    MonotonicCoarse = 4,
    /// CLOCK_MONOTONIC_RAW.
    MonotonicRaw = 5,
    /// CLOCK_BOOTTIME, the viewer's usual trace clock.
    Boottime = 6,
    /// The CPU's time stamp counter.
    Tsc = 9,
    /// Clock of the kernel's perf events.
    Perf = 10,
    /// A clock private to one trace file.
    TraceFile = 11,
}
impl BuiltinClock {
    /// String value of the enum field names used in the ProtoBuf definition.
    ///
    /// The values are not transformed in any way and thus are considered stable
    /// (if the ProtoBuf definition does not change) and safe for programmatic use.
    pub fn as_str_name(&self) -> &'static str {
        match self {
            Self::Unknown => "BUILTIN_CLOCK_UNKNOWN",
            Self::Realtime => "BUILTIN_CLOCK_REALTIME",
            Self::RealtimeCoarse => "BUILTIN_CLOCK_REALTIME_COARSE",
            Self::Monotonic => "BUILTIN_CLOCK_MONOTONIC",
            Self::MonotonicCoarse => "BUILTIN_CLOCK_MONOTONIC_COARSE",
            Self::MonotonicRaw => "BUILTIN_CLOCK_MONOTONIC_RAW",
            Self::Boottime => "BUILTIN_CLOCK_BOOTTIME",
            Self::Tsc => "BUILTIN_CLOCK_TSC",
            Self::Perf => "BUILTIN_CLOCK_PERF",
            Self::TraceFile => "BUILTIN_CLOCK_TRACE_FILE",
        }
    }
    /// Creates an enum from field names used in the ProtoBuf definition.
    pub fn from_str_name(value: &str) -> ::core::option::Option<Self> {
        match value {
            "BUILTIN_CLOCK_UNKNOWN" => Some(Self::Unknown),
            "BUILTIN_CLOCK_REALTIME" => Some(Self::Realtime),
            "BUILTIN_CLOCK_REALTIME_COARSE" => Some(Self::RealtimeCoarse),
            "BUILTIN_CLOCK_MONOTONIC" => Some(Self::Monotonic),
            "BUILTIN_CLOCK_MONOTONIC_COARSE" => Some(Self::MonotonicCoarse),
            "BUILTIN_CLOCK_MONOTONIC_RAW" => Some(Self::MonotonicRaw),
            "BUILTIN_CLOCK_BOOTTIME" => Some(Self::Boottime),
            "BUILTIN_CLOCK_TSC" => Some(Self::Tsc),
            "BUILTIN_CLOCK_PERF" => Some(Self::Perf),
            "BUILTIN_CLOCK_TRACE_FILE" => Some(Self::TraceFile),
            _ => None,
        }
    }
}

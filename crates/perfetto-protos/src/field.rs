// @generated from proto/perfetto_trace.proto. Do not edit; regenerate with
//     cargo run -p xtask -- protos

//! Field numbers, by message, for code that encodes messages by hand.
//!
//! `TrackEvent.name_iid` is [`track_event::NAME_IID`]; nested messages are
//! nested modules, named as those of the prost types.

/// Field numbers of `Trace`.
pub mod trace {
    /// `repeated TracePacket packet`
    pub const PACKET: u32 = 1;
}

/// Field numbers of `TracePacket`.
pub mod trace_packet {
    /// `ChromeEventBundle chrome_events`
    pub const CHROME_EVENTS: u32 = 5;
    /// `ClockSnapshot clock_snapshot`
    pub const CLOCK_SNAPSHOT: u32 = 6;
    /// `uint64 timestamp`
    pub const TIMESTAMP: u32 = 8;
    /// `uint32 trusted_packet_sequence_id`
    pub const TRUSTED_PACKET_SEQUENCE_ID: u32 = 10;
    /// `TrackEvent track_event`
    pub const TRACK_EVENT: u32 = 11;
    /// `InternedData interned_data`
    pub const INTERNED_DATA: u32 = 12;
    /// `uint32 sequence_flags`
    pub const SEQUENCE_FLAGS: u32 = 13;
    /// `bool incremental_state_cleared`
    pub const INCREMENTAL_STATE_CLEARED: u32 = 41;
    /// `uint32 previous_packet_dropped`
    pub const PREVIOUS_PACKET_DROPPED: u32 = 42;
    /// `bytes compressed_packets`
    pub const COMPRESSED_PACKETS: u32 = 50;
    /// `uint32 timestamp_clock_id`
    pub const TIMESTAMP_CLOCK_ID: u32 = 58;
    /// `TracePacketDefaults trace_packet_defaults`
    pub const TRACE_PACKET_DEFAULTS: u32 = 59;
    /// `TrackDescriptor track_descriptor`
    pub const TRACK_DESCRIPTOR: u32 = 60;
    /// `TracingServiceEvent service_event`
    pub const SERVICE_EVENT: u32 = 69;
    /// `bool first_packet_on_sequence`
    pub const FIRST_PACKET_ON_SEQUENCE: u32 = 87;
    /// `TraceUuid trace_uuid`
    pub const TRACE_UUID: u32 = 89;
    /// `TraceAttributes trace_attributes`
    pub const TRACE_ATTRIBUTES: u32 = 126;
}

/// Field numbers of `TraceUuid`.
pub mod trace_uuid {
    /// `int64 msb`
    pub const MSB: u32 = 1;
    /// `int64 lsb`
    pub const LSB: u32 = 2;
}

/// Field numbers of `TracingServiceEvent`.
pub mod tracing_service_event {
    /// `bool all_data_sources_flushed`
    pub const ALL_DATA_SOURCES_FLUSHED: u32 = 3;
    /// `bool read_tracing_buffers_completed`
    pub const READ_TRACING_BUFFERS_COMPLETED: u32 = 4;
}

/// Field numbers of `ClockSnapshot`.
pub mod clock_snapshot {
    /// `repeated ClockSnapshot.Clock clocks`
    pub const CLOCKS: u32 = 1;
    /// `BuiltinClock primary_trace_clock`
    pub const PRIMARY_TRACE_CLOCK: u32 = 2;

    /// Field numbers of `ClockSnapshot.Clock`.
    pub mod clock {
        /// `uint32 clock_id`
        pub const CLOCK_ID: u32 = 1;
        /// `uint64 timestamp`
        pub const TIMESTAMP: u32 = 2;
        /// `bool is_incremental`
        pub const IS_INCREMENTAL: u32 = 3;
        /// `uint64 unit_multiplier_ns`
        pub const UNIT_MULTIPLIER_NS: u32 = 4;
    }
}

/// Field numbers of `TracePacketDefaults`.
pub mod trace_packet_defaults {
    /// `TrackEventDefaults track_event_defaults`
    pub const TRACK_EVENT_DEFAULTS: u32 = 11;
    /// `uint32 timestamp_clock_id`
    pub const TIMESTAMP_CLOCK_ID: u32 = 58;
}

/// Field numbers of `TrackEventDefaults`.
pub mod track_event_defaults {
    /// `uint64 track_uuid`
    pub const TRACK_UUID: u32 = 11;
    /// `repeated uint64 extra_counter_track_uuids`
    pub const EXTRA_COUNTER_TRACK_UUIDS: u32 = 31;
    /// `repeated uint64 extra_double_counter_track_uuids`
    pub const EXTRA_DOUBLE_COUNTER_TRACK_UUIDS: u32 = 45;
}

/// Field numbers of `TrackDescriptor`.
pub mod track_descriptor {
    /// `uint64 uuid`
    pub const UUID: u32 = 1;
    /// `string name`
    pub const NAME: u32 = 2;
    /// `ProcessDescriptor process`
    pub const PROCESS: u32 = 3;
    /// `ThreadDescriptor thread`
    pub const THREAD: u32 = 4;
    /// `uint64 parent_uuid`
    pub const PARENT_UUID: u32 = 5;
    /// `CounterDescriptor counter`
    pub const COUNTER: u32 = 8;
    /// `string static_name`
    pub const STATIC_NAME: u32 = 10;
    /// `TrackDescriptor.ChildTracksOrdering child_ordering`
    pub const CHILD_ORDERING: u32 = 11;
    /// `int32 sibling_order_rank`
    pub const SIBLING_ORDER_RANK: u32 = 12;
    /// `string description`
    pub const DESCRIPTION: u32 = 14;
    /// `TrackDescriptor.SiblingMergeBehavior sibling_merge_behavior`
    pub const SIBLING_MERGE_BEHAVIOR: u32 = 15;
    /// `string sibling_merge_key`
    pub const SIBLING_MERGE_KEY: u32 = 16;
    /// `uint64 sibling_merge_key_int`
    pub const SIBLING_MERGE_KEY_INT: u32 = 17;
    /// `TrackDescriptor.ProcessOrdering process_ordering`
    pub const PROCESS_ORDERING: u32 = 19;
    /// `TrackDescriptor.ThreadOrdering thread_ordering`
    pub const THREAD_ORDERING: u32 = 20;
}

/// Field numbers of `ProcessDescriptor`.
pub mod process_descriptor {
    /// `int32 pid`
    pub const PID: u32 = 1;
    /// `repeated string cmdline`
    pub const CMDLINE: u32 = 2;
    /// `string process_name`
    pub const PROCESS_NAME: u32 = 6;
    /// `int64 start_timestamp_ns`
    pub const START_TIMESTAMP_NS: u32 = 7;
    /// `repeated string process_labels`
    pub const PROCESS_LABELS: u32 = 8;
}

/// Field numbers of `ThreadDescriptor`.
pub mod thread_descriptor {
    /// `int32 pid`
    pub const PID: u32 = 1;
    /// `int64 tid`
    pub const TID: u32 = 2;
    /// `string thread_name`
    pub const THREAD_NAME: u32 = 5;
}

/// Field numbers of `CounterDescriptor`.
pub mod counter_descriptor {
    /// `CounterDescriptor.Unit unit`
    pub const UNIT: u32 = 3;
    /// `int64 unit_multiplier`
    pub const UNIT_MULTIPLIER: u32 = 4;
    /// `bool is_incremental`
    pub const IS_INCREMENTAL: u32 = 5;
    /// `string unit_name`
    pub const UNIT_NAME: u32 = 6;
    /// `string y_axis_share_key`
    pub const Y_AXIS_SHARE_KEY: u32 = 7;
}

/// Field numbers of `TrackEvent`.
pub mod track_event {
    /// `repeated uint64 category_iids`
    pub const CATEGORY_IIDS: u32 = 3;
    /// `repeated DebugAnnotation debug_annotations`
    pub const DEBUG_ANNOTATIONS: u32 = 4;
    /// `TrackEvent.Type type`
    pub const TYPE: u32 = 9;
    /// `uint64 name_iid`
    pub const NAME_IID: u32 = 10;
    /// `uint64 track_uuid`
    pub const TRACK_UUID: u32 = 11;
    /// `repeated int64 extra_counter_values`
    pub const EXTRA_COUNTER_VALUES: u32 = 12;
    /// `repeated string categories`
    pub const CATEGORIES: u32 = 22;
    /// `string name`
    pub const NAME: u32 = 23;
    /// `int64 counter_value`
    pub const COUNTER_VALUE: u32 = 30;
    /// `repeated uint64 extra_counter_track_uuids`
    pub const EXTRA_COUNTER_TRACK_UUIDS: u32 = 31;
    /// `double double_counter_value`
    pub const DOUBLE_COUNTER_VALUE: u32 = 44;
    /// `repeated uint64 extra_double_counter_track_uuids`
    pub const EXTRA_DOUBLE_COUNTER_TRACK_UUIDS: u32 = 45;
    /// `repeated double extra_double_counter_values`
    pub const EXTRA_DOUBLE_COUNTER_VALUES: u32 = 46;
    /// `repeated fixed64 flow_ids`
    pub const FLOW_IDS: u32 = 47;
    /// `repeated fixed64 terminating_flow_ids`
    pub const TERMINATING_FLOW_IDS: u32 = 48;
    /// `uint64 correlation_id`
    pub const CORRELATION_ID: u32 = 52;
    /// `string correlation_id_str`
    pub const CORRELATION_ID_STR: u32 = 53;
    /// `uint64 correlation_id_str_iid`
    pub const CORRELATION_ID_STR_IID: u32 = 54;
}

/// Field numbers of `DebugAnnotation`.
pub mod debug_annotation {
    /// `uint64 name_iid`
    pub const NAME_IID: u32 = 1;
    /// `bool bool_value`
    pub const BOOL_VALUE: u32 = 2;
    /// `uint64 uint_value`
    pub const UINT_VALUE: u32 = 3;
    /// `int64 int_value`
    pub const INT_VALUE: u32 = 4;
    /// `double double_value`
    pub const DOUBLE_VALUE: u32 = 5;
    /// `string string_value`
    pub const STRING_VALUE: u32 = 6;
    /// `uint64 pointer_value`
    pub const POINTER_VALUE: u32 = 7;
    /// `string legacy_json_value`
    pub const LEGACY_JSON_VALUE: u32 = 9;
    /// `string name`
    pub const NAME: u32 = 10;
    /// `repeated DebugAnnotation dict_entries`
    pub const DICT_ENTRIES: u32 = 11;
    /// `repeated DebugAnnotation array_values`
    pub const ARRAY_VALUES: u32 = 12;
    /// `uint64 string_value_iid`
    pub const STRING_VALUE_IID: u32 = 17;
}

/// Field numbers of `InternedData`.
pub mod interned_data {
    /// `repeated EventCategory event_categories`
    pub const EVENT_CATEGORIES: u32 = 1;
    /// `repeated EventName event_names`
    pub const EVENT_NAMES: u32 = 2;
    /// `repeated DebugAnnotationName debug_annotation_names`
    pub const DEBUG_ANNOTATION_NAMES: u32 = 3;
    /// `repeated InternedString debug_annotation_string_values`
    pub const DEBUG_ANNOTATION_STRING_VALUES: u32 = 29;
    /// `repeated InternedString correlation_id_str`
    pub const CORRELATION_ID_STR: u32 = 43;
}

/// Field numbers of `EventCategory`.
pub mod event_category {
    /// `uint64 iid`
    pub const IID: u32 = 1;
    /// `string name`
    pub const NAME: u32 = 2;
}

/// Field numbers of `EventName`.
pub mod event_name {
    /// `uint64 iid`
    pub const IID: u32 = 1;
    /// `string name`
    pub const NAME: u32 = 2;
}

/// Field numbers of `DebugAnnotationName`.
pub mod debug_annotation_name {
    /// `uint64 iid`
    pub const IID: u32 = 1;
    /// `string name`
    pub const NAME: u32 = 2;
}

/// Field numbers of `InternedString`.
pub mod interned_string {
    /// `uint64 iid`
    pub const IID: u32 = 1;
    /// `bytes str`
    pub const STR: u32 = 2;
}

/// Field numbers of `TraceAttributes`.
pub mod trace_attributes {
    /// `repeated TraceAttributes.Attribute attribute`
    pub const ATTRIBUTE: u32 = 1;

    /// Field numbers of `TraceAttributes.Attribute`.
    pub mod attribute {
        /// `string key`
        pub const KEY: u32 = 1;
        /// `int64 long_value`
        pub const LONG_VALUE: u32 = 2;
        /// `string string_value`
        pub const STRING_VALUE: u32 = 3;
    }
}

/// Field numbers of `ChromeEventBundle`.
pub mod chrome_event_bundle {
    /// `repeated ChromeMetadata metadata`
    pub const METADATA: u32 = 2;
}

/// Field numbers of `ChromeMetadata`.
pub mod chrome_metadata {
    /// `string name`
    pub const NAME: u32 = 1;
    /// `string string_value`
    pub const STRING_VALUE: u32 = 2;
    /// `bool bool_value`
    pub const BOOL_VALUE: u32 = 3;
    /// `int64 int_value`
    pub const INT_VALUE: u32 = 4;
    /// `string json_value`
    pub const JSON_VALUE: u32 = 5;
}

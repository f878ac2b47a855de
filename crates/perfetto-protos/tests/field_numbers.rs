//! The field number constants agree with what the prost types put on the wire.
//!
//! Each case encodes a message with a single field set and reads the number
//! back from the encoded key. The wire type is checked as well, as this is what
//! a hand-written encoder has to choose by itself.

use bigtpu_perfetto_protos::prost::encoding::{WireType, decode_key};
use bigtpu_perfetto_protos::prost::{DecodeError, Message};
use bigtpu_perfetto_protos::*;

/// Number and wire type of the first field of an encoded message.
fn first_key(message: &impl Message) -> Result<(u32, WireType), DecodeError> {
    decode_key(&mut message.encode_to_vec().as_slice())
}

/// Checks one message per line: `FIELD wire type: field of the message = value`.
macro_rules! check {
    ($message:ty, $fields:path, {
        $($constant:ident $wire:ident: $field:ident = $value:expr,)*
    }) => {{
        use $fields as fields;
        $(
            let message = <$message>::default();
            let message = { let mut message = message; message.$field = $value; message };
            assert_eq!(
                first_key(&message)?,
                (fields::$constant, WireType::$wire),
                "{}.{}", stringify!($message), stringify!($constant),
            );
        )*
    }};
}

#[test]
fn packets() -> Result<(), DecodeError> {
    use trace_packet::{Data, OptionalTrustedPacketSequenceId as Sequence};

    check!(Trace, field::trace, {
        PACKET LengthDelimited: packet = vec![TracePacket::default()],
    });
    check!(TracePacket, field::trace_packet, {
        CHROME_EVENTS LengthDelimited: data = Some(Data::ChromeEvents(ChromeEventBundle::default())),
        CLOCK_SNAPSHOT LengthDelimited: data = Some(Data::ClockSnapshot(ClockSnapshot::default())),
        TIMESTAMP Varint: timestamp = Some(1),
        TRUSTED_PACKET_SEQUENCE_ID Varint: optional_trusted_packet_sequence_id =
            Some(Sequence::TrustedPacketSequenceId(1)),
        TRACK_EVENT LengthDelimited: data = Some(Data::TrackEvent(TrackEvent::default())),
        INTERNED_DATA LengthDelimited: interned_data = Some(InternedData::default()),
        SEQUENCE_FLAGS Varint: sequence_flags = Some(1),
        INCREMENTAL_STATE_CLEARED Varint: incremental_state_cleared = Some(true),
        PREVIOUS_PACKET_DROPPED Varint: previous_packet_dropped = Some(1),
        COMPRESSED_PACKETS LengthDelimited: data = Some(Data::CompressedPackets(vec![1])),
        TIMESTAMP_CLOCK_ID Varint: timestamp_clock_id = Some(1),
        TRACE_PACKET_DEFAULTS LengthDelimited: trace_packet_defaults =
            Some(TracePacketDefaults::default()),
        TRACK_DESCRIPTOR LengthDelimited: data =
            Some(Data::TrackDescriptor(TrackDescriptor::default())),
        FIRST_PACKET_ON_SEQUENCE Varint: first_packet_on_sequence = Some(true),
        TRACE_UUID LengthDelimited: data = Some(Data::TraceUuid(TraceUuid::default())),
        TRACE_ATTRIBUTES LengthDelimited: data =
            Some(Data::TraceAttributes(TraceAttributes::default())),
    });
    check!(TraceUuid, field::trace_uuid, {
        MSB Varint: msb = Some(1),
        LSB Varint: lsb = Some(1),
    });
    check!(TracePacketDefaults, field::trace_packet_defaults, {
        TIMESTAMP_CLOCK_ID Varint: timestamp_clock_id = Some(1),
        TRACK_EVENT_DEFAULTS LengthDelimited: track_event_defaults =
            Some(TrackEventDefaults::default()),
    });
    check!(TrackEventDefaults, field::track_event_defaults, {
        TRACK_UUID Varint: track_uuid = Some(1),
        EXTRA_COUNTER_TRACK_UUIDS Varint: extra_counter_track_uuids = vec![1],
        EXTRA_DOUBLE_COUNTER_TRACK_UUIDS Varint: extra_double_counter_track_uuids = vec![1],
    });
    Ok(())
}

#[test]
fn clocks() -> Result<(), DecodeError> {
    check!(ClockSnapshot, field::clock_snapshot, {
        CLOCKS LengthDelimited: clocks = vec![clock_snapshot::Clock::default()],
        PRIMARY_TRACE_CLOCK Varint: primary_trace_clock = Some(BuiltinClock::Boottime.into()),
    });
    check!(clock_snapshot::Clock, field::clock_snapshot::clock, {
        CLOCK_ID Varint: clock_id = Some(1),
        TIMESTAMP Varint: timestamp = Some(1),
        IS_INCREMENTAL Varint: is_incremental = Some(true),
        UNIT_MULTIPLIER_NS Varint: unit_multiplier_ns = Some(1),
    });
    Ok(())
}

#[test]
fn tracks() -> Result<(), DecodeError> {
    use track_descriptor::{SiblingMergeKeyField as Key, StaticOrDynamicName as Name};

    check!(TrackDescriptor, field::track_descriptor, {
        UUID Varint: uuid = Some(1),
        NAME LengthDelimited: static_or_dynamic_name = Some(Name::Name("a".into())),
        PROCESS LengthDelimited: process = Some(ProcessDescriptor::default()),
        THREAD LengthDelimited: thread = Some(ThreadDescriptor::default()),
        PARENT_UUID Varint: parent_uuid = Some(1),
        COUNTER LengthDelimited: counter = Some(CounterDescriptor::default()),
        STATIC_NAME LengthDelimited: static_or_dynamic_name = Some(Name::StaticName("a".into())),
        CHILD_ORDERING Varint: child_ordering = Some(1),
        SIBLING_ORDER_RANK Varint: sibling_order_rank = Some(1),
        DESCRIPTION LengthDelimited: description = Some("a".into()),
        SIBLING_MERGE_BEHAVIOR Varint: sibling_merge_behavior = Some(1),
        SIBLING_MERGE_KEY LengthDelimited: sibling_merge_key_field =
            Some(Key::SiblingMergeKey("a".into())),
        SIBLING_MERGE_KEY_INT Varint: sibling_merge_key_field = Some(Key::SiblingMergeKeyInt(1)),
        PROCESS_ORDERING Varint: process_ordering = Some(1),
        THREAD_ORDERING Varint: thread_ordering = Some(1),
    });
    check!(ProcessDescriptor, field::process_descriptor, {
        PID Varint: pid = Some(1),
        CMDLINE LengthDelimited: cmdline = vec!["a".into()],
        PROCESS_NAME LengthDelimited: process_name = Some("a".into()),
        START_TIMESTAMP_NS Varint: start_timestamp_ns = Some(1),
        PROCESS_LABELS LengthDelimited: process_labels = vec!["a".into()],
    });
    check!(ThreadDescriptor, field::thread_descriptor, {
        PID Varint: pid = Some(1),
        TID Varint: tid = Some(1),
        THREAD_NAME LengthDelimited: thread_name = Some("a".into()),
    });
    check!(CounterDescriptor, field::counter_descriptor, {
        UNIT Varint: unit = Some(1),
        UNIT_MULTIPLIER Varint: unit_multiplier = Some(1),
        IS_INCREMENTAL Varint: is_incremental = Some(true),
        UNIT_NAME LengthDelimited: unit_name = Some("a".into()),
        Y_AXIS_SHARE_KEY LengthDelimited: y_axis_share_key = Some("a".into()),
    });
    Ok(())
}

#[test]
fn events() -> Result<(), DecodeError> {
    use track_event::{CorrelationIdField as Correlation, CounterValueField as Counter, NameField};

    check!(TrackEvent, field::track_event, {
        CATEGORY_IIDS Varint: category_iids = vec![1],
        DEBUG_ANNOTATIONS LengthDelimited: debug_annotations = vec![DebugAnnotation::default()],
        TYPE Varint: r#type = Some(1),
        NAME_IID Varint: name_field = Some(NameField::NameIid(1)),
        TRACK_UUID Varint: track_uuid = Some(1),
        EXTRA_COUNTER_VALUES Varint: extra_counter_values = vec![1],
        CATEGORIES LengthDelimited: categories = vec!["a".into()],
        NAME LengthDelimited: name_field = Some(NameField::Name("a".into())),
        COUNTER_VALUE Varint: counter_value_field = Some(Counter::CounterValue(1)),
        EXTRA_COUNTER_TRACK_UUIDS Varint: extra_counter_track_uuids = vec![1],
        DOUBLE_COUNTER_VALUE SixtyFourBit: counter_value_field =
            Some(Counter::DoubleCounterValue(1.0)),
        EXTRA_DOUBLE_COUNTER_TRACK_UUIDS Varint: extra_double_counter_track_uuids = vec![1],
        EXTRA_DOUBLE_COUNTER_VALUES SixtyFourBit: extra_double_counter_values = vec![1.0],
        FLOW_IDS SixtyFourBit: flow_ids = vec![1],
        TERMINATING_FLOW_IDS SixtyFourBit: terminating_flow_ids = vec![1],
        CORRELATION_ID Varint: correlation_id_field = Some(Correlation::CorrelationId(1)),
        CORRELATION_ID_STR LengthDelimited: correlation_id_field =
            Some(Correlation::CorrelationIdStr("a".into())),
        CORRELATION_ID_STR_IID Varint: correlation_id_field =
            Some(Correlation::CorrelationIdStrIid(1)),
    });
    Ok(())
}

#[test]
fn debug_annotations() -> Result<(), DecodeError> {
    use debug_annotation::{NameField, Value};

    check!(DebugAnnotation, field::debug_annotation, {
        NAME_IID Varint: name_field = Some(NameField::NameIid(1)),
        BOOL_VALUE Varint: value = Some(Value::BoolValue(true)),
        UINT_VALUE Varint: value = Some(Value::UintValue(1)),
        INT_VALUE Varint: value = Some(Value::IntValue(1)),
        DOUBLE_VALUE SixtyFourBit: value = Some(Value::DoubleValue(1.0)),
        STRING_VALUE LengthDelimited: value = Some(Value::StringValue("a".into())),
        POINTER_VALUE Varint: value = Some(Value::PointerValue(1)),
        LEGACY_JSON_VALUE LengthDelimited: value = Some(Value::LegacyJsonValue("1".into())),
        NAME LengthDelimited: name_field = Some(NameField::Name("a".into())),
        DICT_ENTRIES LengthDelimited: dict_entries = vec![DebugAnnotation::default()],
        ARRAY_VALUES LengthDelimited: array_values = vec![DebugAnnotation::default()],
        STRING_VALUE_IID Varint: value = Some(Value::StringValueIid(1)),
    });
    Ok(())
}

#[test]
fn interned_data() -> Result<(), DecodeError> {
    check!(InternedData, field::interned_data, {
        EVENT_CATEGORIES LengthDelimited: event_categories = vec![EventCategory::default()],
        EVENT_NAMES LengthDelimited: event_names = vec![EventName::default()],
        DEBUG_ANNOTATION_NAMES LengthDelimited: debug_annotation_names =
            vec![DebugAnnotationName::default()],
        DEBUG_ANNOTATION_STRING_VALUES LengthDelimited: debug_annotation_string_values =
            vec![InternedString::default()],
        CORRELATION_ID_STR LengthDelimited: correlation_id_str = vec![InternedString::default()],
    });
    check!(EventCategory, field::event_category, {
        IID Varint: iid = Some(1),
        NAME LengthDelimited: name = Some("a".into()),
    });
    check!(EventName, field::event_name, {
        IID Varint: iid = Some(1),
        NAME LengthDelimited: name = Some("a".into()),
    });
    check!(DebugAnnotationName, field::debug_annotation_name, {
        IID Varint: iid = Some(1),
        NAME LengthDelimited: name = Some("a".into()),
    });
    check!(InternedString, field::interned_string, {
        IID Varint: iid = Some(1),
        STR LengthDelimited: str = Some(b"a".to_vec()),
    });
    Ok(())
}

#[test]
fn metadata() -> Result<(), DecodeError> {
    use chrome_metadata::Value as ChromeValue;
    use trace_attributes::{Attribute, attribute::Value};

    check!(TraceAttributes, field::trace_attributes, {
        ATTRIBUTE LengthDelimited: attribute = vec![Attribute::default()],
    });
    check!(Attribute, field::trace_attributes::attribute, {
        KEY LengthDelimited: key = Some("a".into()),
        LONG_VALUE Varint: value = Some(Value::LongValue(1)),
        STRING_VALUE LengthDelimited: value = Some(Value::StringValue("a".into())),
    });
    check!(ChromeEventBundle, field::chrome_event_bundle, {
        METADATA LengthDelimited: metadata = vec![ChromeMetadata::default()],
    });
    check!(ChromeMetadata, field::chrome_metadata, {
        NAME LengthDelimited: name = Some("a".into()),
        STRING_VALUE LengthDelimited: value = Some(ChromeValue::StringValue("a".into())),
        BOOL_VALUE Varint: value = Some(ChromeValue::BoolValue(true)),
        INT_VALUE Varint: value = Some(ChromeValue::IntValue(1)),
        JSON_VALUE LengthDelimited: value = Some(ChromeValue::JsonValue("1".into())),
    });
    Ok(())
}

//! Events as Arrow: the consumer takes the buffers over, nothing is copied.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bigtpu_emit_events::{Type, Values, column_types};
use bigtpu_session::Run;

/// Rows of a batch: as many as of a row group of `events.parquet`.
const BATCH: usize = 1 << 17;

/// All events of a run.
pub(crate) fn stream(run: &Run<'_>) -> Result<FFI_ArrowArrayStream, ArrowError> {
    let schema = Arc::new(schema());
    let batches = run.event_columns(BATCH, array).into_iter();
    let batches = batches.map(|columns| RecordBatch::try_new(Arc::clone(&schema), columns));
    let batches = batches.collect::<Result<Vec<_>, _>>()?.into_iter().map(Ok);
    let reader = RecordBatchIterator::new(batches, schema);
    Ok(FFI_ArrowArrayStream::new(Box::new(reader)))
}

fn schema() -> Schema {
    let field = |(name, kind)| {
        let kind = match kind {
            Type::Int => DataType::Int64,
            Type::Float => DataType::Float64,
            Type::Text => DataType::Utf8,
            Type::Bool => DataType::Boolean,
        };
        Field::new(name, kind, true)
    };
    Schema::new(column_types().map(field).collect::<Vec<_>>())
}

fn array(values: Values<'_>) -> ArrayRef {
    match values {
        Values::Int(values) => Arc::new(Int64Array::from(values)),
        Values::Float(values) => Arc::new(Float64Array::from(values)),
        Values::Text(values) => Arc::new(StringArray::from(values)),
        Values::Bool(values) => Arc::new(BooleanArray::from(values)),
    }
}

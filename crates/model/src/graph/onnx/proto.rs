//! The part of ONNX's messages that a graph's shapes depend on. Field numbers are those of
//! `onnx.proto`; all other fields are skipped.

use bytes::Bytes;

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Model {
    #[prost(message, optional, tag = "7")]
    pub(crate) graph: Option<GraphProto>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    pub(crate) node: Vec<NodeProto>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) output: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "13")]
    pub(crate) value_info: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(crate) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(crate) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(crate) name: String,
    #[prost(string, tag = "4")]
    pub(crate) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) attribute: Vec<Attribute>,
    #[prost(string, tag = "7")]
    pub(crate) domain: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Attribute {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(float, optional, tag = "2")]
    pub(crate) f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    pub(crate) i: Option<i64>,
    #[prost(bytes = "bytes", tag = "4")]
    pub(crate) s: Bytes,
    #[prost(message, optional, tag = "5")]
    pub(crate) t: Option<Tensor>,
    #[prost(message, optional, tag = "6")]
    pub(crate) g: Option<GraphProto>,
    #[prost(float, repeated, tag = "7")]
    pub(crate) floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8")]
    pub(crate) ints: Vec<i64>,
}

/// Data that is not needed as numbers stays where it lies in the file.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Tensor {
    #[prost(int64, repeated, tag = "1")]
    pub(crate) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(crate) data_type: i32,
    #[prost(float, repeated, tag = "4")]
    pub(crate) float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(crate) int32_data: Vec<i32>,
    #[prost(int64, repeated, tag = "7")]
    pub(crate) int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    pub(crate) name: String,
    #[prost(bytes = "bytes", tag = "9")]
    pub(crate) raw_data: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) r#type: Option<Type>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Type {
    #[prost(message, optional, tag = "1")]
    pub(crate) tensor_type: Option<TensorType>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TensorType {
    #[prost(message, optional, tag = "2")]
    pub(crate) shape: Option<TensorShape>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TensorShape {
    #[prost(message, repeated, tag = "1")]
    pub(crate) dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Dimension {
    #[prost(oneof = "DimensionValue", tags = "1, 2")]
    pub(crate) value: Option<DimensionValue>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum DimensionValue {
    #[prost(int64, tag = "1")]
    Size(i64),
    #[prost(string, tag = "2")]
    Name(String),
}

/// Element types that shapes may be computed from.
const FLOAT: i32 = 1;
const INT32: i32 = 6;
const INT64: i32 = 7;
const BOOL: i32 = 9;

/// Longest tensor that is looked at as numbers.
const LONGEST: usize = 4096;

impl Tensor {
    /// Its numbers, if they are whole and few.
    pub(crate) fn numbers(&self) -> Option<Vec<i64>> {
        let numbers: Vec<i64> = match self.data_type {
            INT64 if !self.int64_data.is_empty() => self.int64_data.clone(),
            INT32 | BOOL if !self.int32_data.is_empty() => {
                self.int32_data.iter().map(|&number| number.into()).collect()
            }
            INT64 if self.raw_data.len() <= 8 * LONGEST => {
                let (chunks, _) = self.raw_data.as_chunks::<8>();
                chunks.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect()
            }
            INT32 if self.raw_data.len() <= 4 * LONGEST => {
                let (chunks, _) = self.raw_data.as_chunks::<4>();
                chunks.iter().map(|bytes| i32::from_le_bytes(*bytes).into()).collect()
            }
            BOOL if self.raw_data.len() <= LONGEST => {
                self.raw_data.iter().map(|&byte| byte.into()).collect()
            }
            _ => return None,
        };
        (numbers.len() <= LONGEST).then_some(numbers)
    }

    /// Its numbers, if they are few and of single precision.
    pub(crate) fn floats(&self) -> Option<Vec<f32>> {
        if self.data_type != FLOAT || self.raw_data.len() > 4 * LONGEST {
            return None;
        }
        if !self.float_data.is_empty() {
            return (self.float_data.len() <= LONGEST).then(|| self.float_data.clone());
        }
        let (chunks, _) = self.raw_data.as_chunks::<4>();
        Some(chunks.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// Its shape.
    pub(crate) fn shape(&self) -> Vec<u64> {
        self.dims.iter().map(|&size| u64::try_from(size).unwrap_or(0)).collect()
    }
}

impl NodeProto {
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attribute.iter().find(|attribute| attribute.name == name)
    }

    pub(crate) fn int(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.i
    }

    pub(crate) fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|attribute| attribute.ints.as_slice())
    }

    pub(crate) fn floats(&self, name: &str) -> Option<&[f32]> {
        self.attribute(name).map(|attribute| attribute.floats.as_slice())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    pub(crate) fn graph(&self, name: &str) -> Option<&GraphProto> {
        self.attribute(name)?.g.as_ref()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(&self.attribute(name)?.s).ok()
    }

    pub(crate) fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.attribute(name)?.t.as_ref()
    }

    /// Name in messages: many exporters leave names empty.
    pub(crate) fn label(&self) -> String {
        let unnamed = || self.output.first().cloned().unwrap_or_default();
        if self.name.is_empty() { unnamed() } else { self.name.clone() }
    }
}

//! The part of ONNX's messages that a graph's shapes depend on. Field numbers are those of
//! `onnx.proto`; all other fields are skipped.

use bytes::Bytes;

use super::tensor::Tensor as KnownTensor;

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
    #[prost(double, repeated, tag = "10")]
    pub(crate) double_data: Vec<f64>,
    #[prost(uint64, repeated, tag = "11")]
    pub(crate) uint64_data: Vec<u64>,
    #[prost(int32, tag = "14")]
    pub(crate) data_location: i32,
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
const UINT8: i32 = 2;
const INT8: i32 = 3;
const INT16: i32 = 5;
const INT32: i32 = 6;
const INT64: i32 = 7;
const BOOL: i32 = 9;
const FLOAT16: i32 = 10;
const DOUBLE: i32 = 11;
const UINT32: i32 = 12;
const UINT64: i32 = 13;
const BFLOAT16: i32 = 16;

/// `data_location` of a tensor whose elements are in another file.
const EXTERNAL: i32 = 1;

/// A number of half precision.
fn from_half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * (-24_f32).exp2(),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * ((exponent - 15) as f32).exp2(),
    }
}

impl Tensor {
    /// Its elements, if they are few, of a common type, and in the file itself.
    pub(super) fn known(&self) -> Option<KnownTensor> {
        if self.data_location == EXTERNAL {
            return None;
        }
        let shape = self.shape();
        let count = super::tensor::size(&shape)?;
        let raw = self.raw_data.as_ref();
        let whole: Vec<i64> = match self.data_type {
            FLOAT | DOUBLE | FLOAT16 | BFLOAT16 => {
                return KnownTensor::real(shape, self.floats(count)?);
            }
            INT64 | UINT64 if !self.int64_data.is_empty() => self.int64_data.clone(),
            UINT64 if !self.uint64_data.is_empty() => {
                self.uint64_data.iter().map(|&number| number as i64).collect()
            }
            INT64 | UINT64 => {
                let (chunks, _) = raw.as_chunks::<8>();
                chunks.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect()
            }
            _ if !self.int32_data.is_empty() => {
                self.int32_data.iter().map(|&number| number.into()).collect()
            }
            INT32 | UINT32 => {
                let (chunks, _) = raw.as_chunks::<4>();
                let is_signed = self.data_type == INT32;
                let of = |bytes: &[u8; 4]| {
                    if is_signed {
                        i32::from_le_bytes(*bytes).into()
                    } else {
                        u32::from_le_bytes(*bytes).into()
                    }
                };
                chunks.iter().map(of).collect()
            }
            INT16 => {
                let (chunks, _) = raw.as_chunks::<2>();
                chunks.iter().map(|bytes| i16::from_le_bytes(*bytes).into()).collect()
            }
            INT8 => raw.iter().map(|&byte| i64::from(byte as i8)).collect(),
            UINT8 | BOOL => raw.iter().map(|&byte| byte.into()).collect(),
            _ => return None,
        };
        KnownTensor::whole(shape, whole)
    }

    fn floats(&self, count: usize) -> Option<Vec<f32>> {
        let raw = self.raw_data.as_ref();
        Some(match self.data_type {
            FLOAT if !self.float_data.is_empty() => self.float_data.clone(),
            FLOAT => {
                let (chunks, _) = raw.as_chunks::<4>();
                chunks.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
            }
            DOUBLE if !self.double_data.is_empty() => {
                self.double_data.iter().map(|&number| number as f32).collect()
            }
            DOUBLE => {
                let (chunks, _) = raw.as_chunks::<8>();
                chunks.iter().map(|bytes| f64::from_le_bytes(*bytes) as f32).collect()
            }
            half => {
                let bits: Vec<u16> = if self.int32_data.is_empty() {
                    let (chunks, _) = raw.as_chunks::<2>();
                    chunks.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()
                } else {
                    self.int32_data.iter().map(|&number| number as u16).collect()
                };
                (bits.len() == count).then_some(())?;
                let of = |bits: u16| match half {
                    BFLOAT16 => f32::from_bits(u32::from(bits) << 16),
                    _ => from_half(bits),
                };
                bits.into_iter().map(of).collect()
            }
        })
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

    pub(crate) fn float(&self, name: &str) -> Option<f32> {
        self.attribute(name)?.f
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

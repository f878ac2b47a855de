//! Element types of tensors.

use bigtpu_messages::error_message;
use std::fmt;
use std::str::FromStr;

/// Type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataType {
    /// 64-bit floating point or integer.
    Bits64,
    /// 32-bit floating point.
    Fp32,
    /// 32-bit floating point with 10 bits of mantissa, in matrix units.
    Tf32,
    /// 32-bit integer.
    Int32,
    /// 16-bit floating point.
    Fp16,
    /// 16-bit floating point with 8 bits of exponent.
    Bf16,
    /// 16-bit integer.
    Int16,
    /// 8-bit floating point.
    Fp8,
    /// 8-bit integer.
    Int8,
    /// 4-bit integer.
    Int4,
}

/// Types, each with its name and the other names under which files and frameworks know it.
const NAMES: [(DataType, &str, &[&str]); 10] = [
    (DataType::Bits64, "fp64", &["float64", "double", "int64", "long", "long int", "f64", "i64"]),
    (DataType::Fp32, "fp32", &["float32", "float", "f32", "single"]),
    (DataType::Tf32, "tf32", &["tensorfloat32"]),
    (DataType::Int32, "int32", &["int", "i32", "uint32"]),
    (DataType::Fp16, "fp16", &["float16", "half", "f16", "c10::half"]),
    (DataType::Bf16, "bf16", &["bfloat16", "bfp16", "c10::bfloat16"]),
    (DataType::Int16, "int16", &["short", "i16", "uint16"]),
    (DataType::Fp8, "fp8", &["float8", "float8_e4m3fn", "float8_e5m2", "f8"]),
    (DataType::Int8, "int8", &["i8", "uint8", "char", "unsigned char", "signed char", "bool"]),
    (DataType::Int4, "int4", &["i4", "uint4"]),
];

impl DataType {
    /// All types, the widest first.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(data_type, ..)| *data_type)
    }

    /// Short name, such as `bf16`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = NAMES.iter().find(|(data_type, ..)| *data_type == self);
        named.map_or("", |(_, name, _)| name)
    }

    /// Bits of an element in memory.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Bits64 => 64,
            Self::Fp32 | Self::Tf32 | Self::Int32 => 32,
            Self::Fp16 | Self::Bf16 | Self::Int16 => 16,
            Self::Fp8 | Self::Int8 => 8,
            Self::Int4 => 4,
        }
    }

    /// Bytes of an element in memory; half a byte for 4-bit types.
    #[must_use]
    pub fn bytes(self) -> f64 {
        f64::from(self.bits()) / 8.0
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text names no data type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-unknown-data-type", value = .0))]
pub struct UnknownDataType(pub String);

impl FromStr for DataType {
    type Err = UnknownDataType;

    fn from_str(text: &str) -> Result<Self, UnknownDataType> {
        let lower = text.trim().to_ascii_lowercase();
        let lower = lower.strip_prefix("torch.").unwrap_or(&lower);
        NAMES
            .iter()
            .find(|(_, name, others)| *name == lower || others.contains(&lower))
            .map(|(data_type, ..)| *data_type)
            .ok_or_else(|| UnknownDataType(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        for data_type in DataType::all() {
            assert_eq!(data_type.name().parse(), Ok(data_type));
        }
        assert_eq!("bfloat16".parse(), Ok(DataType::Bf16));
        assert_eq!("BFP16".parse(), Ok(DataType::Bf16));
        assert_eq!("torch.float32".parse(), Ok(DataType::Fp32));
        assert_eq!(DataType::Int4.bytes(), 0.5);
        let error = "floaty".parse::<DataType>().unwrap_err().to_string();
        assert!(error.starts_with("`floaty` is not a data type"), "{error}");
    }
}

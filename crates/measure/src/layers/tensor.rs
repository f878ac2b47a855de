//! A tensor's type, such as `<1x3x8x8xf16>`.

use std::fmt;

/// A tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The model's name; empty where it is not known.
    pub name: String,
    /// Sizes, outermost first.
    pub shape: Vec<u64>,
    /// Data type as the workbook names it, such as `FP16`.
    pub data_type: String,
    /// Where the compiler put it, in bytes; `None` where that is not known.
    pub address: Option<u64>,
    /// Whether it is a weight or another constant of the model; `None` where that is not known.
    pub is_constant: Option<bool>,
    /// Bits of an element.
    bits: u64,
}

impl Tensor {
    /// Reads a tensor's type; `None` if the text is not a type.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let inner = text.trim().trim_start_matches('<').trim_end_matches('>');
        let mut shape = Vec::new();
        let mut rest = inner;
        while let Some((size, after)) = rest.split_once('x') {
            let Ok(size) = size.parse() else { break };
            shape.push(size);
            rest = after;
        }
        let kind = rest.trim_end_matches(|c: char| c.is_ascii_digit());
        // f8E4M3 and the like: the width is the first number.
        let letters: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        let width: String =
            rest.chars().skip(letters.len()).take_while(char::is_ascii_digit).collect();
        let bits: u64 = width.parse().ok()?;
        let name = match (letters.as_str(), kind) {
            ("f", _) => "FP",
            ("bf", _) => "BF",
            ("i" | "si", _) => "INT",
            ("u" | "ui", _) => "UINT",
            _ => return None,
        };
        Some(Self {
            name: String::new(),
            shape,
            data_type: format!("{name}{bits}"),
            address: None,
            is_constant: None,
            bits,
        })
    }

    /// Gives the tensor its name in the model.
    pub(crate) fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Puts the tensor at an address.
    pub(crate) fn with_address(self, address: Option<u64>) -> Self {
        Self { address, ..self }
    }

    /// Sets whether the tensor is a constant.
    pub(crate) fn constant(self, is_constant: Option<bool>) -> Self {
        Self { is_constant, ..self }
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let elements = self.shape.iter().fold(1u64, |n, &size| n.saturating_mul(size));
        elements.saturating_mul(self.bits).div_ceil(8)
    }

    /// The first four sizes, missing ones as 1.
    #[must_use]
    pub fn nchw(&self) -> [u64; 4] {
        std::array::from_fn(|at| self.shape.get(at).copied().unwrap_or(1))
    }
}

/// Shape and data type, such as `1x3x128x128 FP32`.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        write!(f, "{} {}", shape.join("x"), self.data_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_shape_name_and_size() {
        let tensor = Tensor::of_text("<4x3x3x3xf16>").unwrap();
        assert_eq!((tensor.bytes(), tensor.data_type.as_str()), (216, "FP16"));
        assert_eq!(Tensor::of_text("<64xbf16>").unwrap().nchw(), [64, 1, 1, 1]);
        assert_eq!(Tensor::of_text("<2x1xsi8>").unwrap().data_type, "INT8");
        assert_eq!(Tensor::of_text("<2x1xu32>").unwrap().data_type, "UINT32");
        assert_eq!(Tensor::of_text("<3xi4>").unwrap().bytes(), 2);
        assert_eq!(Tensor::of_text("<3xf8E4M3>").unwrap().data_type, "FP8");
        assert_eq!(Tensor::of_text("<3xfoo>"), None);
        assert_eq!(Tensor::of_text(""), None);
        assert_eq!(Tensor::of_text("<4x3x3x3xf16>").unwrap().to_string(), "4x3x3x3 FP16");
    }
}

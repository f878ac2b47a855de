//! What a layer is called: one form in all outputs.

use std::fmt;
use std::ops::Range;

/// A layer's name in the model with its operation, such as `81_Conv (Conv2D)`; `5 Conv2D` where the model gives it no name, as places
/// call it (`layer 5 Conv2D`). Compilers split an operation into layers of one name, so the number of a named one stands beside it: in a
/// column of its own, or as [`layer_place`] says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerLabel {
    text: String,
    /// Bytes of the name in it, or of the operation where there is no name.
    name: Range<usize>,
}

impl LayerLabel {
    /// `name`: the model's name of its first result, or nothing. `id`: its number, from 1.
    #[must_use]
    pub fn new(name: &str, operation: &str, id: u64) -> Self {
        match name {
            "" => {
                let text = numbered(id, operation);
                Self { name: text.len() - operation.len()..text.len(), text }
            }
            name => Self { text: format!("{name} ({operation})"), name: 0..name.len() },
        }
    }

    /// The label.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The model's name alone, such as `81_Conv`; the operation where there is none. Patterns match it as well as the label.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    /// Whether a test of names is true of the label, or of the model's name alone.
    pub fn matches(&self, test: impl Fn(&str) -> bool) -> bool {
        test(&self.text) || test(self.name())
    }
}

impl fmt::Display for LayerLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A label behind its number, where no column has it: `5 81_Conv (Conv2D)`, or `5 Conv2D` where the model gives the layer no name: that
/// label has its number already, and no operation in brackets.
#[must_use]
pub fn numbered_layer(id: u64, label: &str) -> String {
    let has_number = !label.ends_with(')') && label.starts_with(&numbered(id, ""));
    if has_number { label.to_owned() } else { numbered(id, label) }
}

fn numbered(id: u64, name: &str) -> String {
    format!("{id} {name}")
}

/// Whether a label is that of a layer without a name in the model.
#[must_use]
pub fn is_unnamed(label: &str) -> bool {
    let number = label.split_once(' ').filter(|_| !label.ends_with(')')).map(|(number, _)| number);
    number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A layer's place in a list of kernels and layers: `layer 5 81_Conv (Conv2D)`.
#[must_use]
pub fn layer_place(id: u64, label: &str) -> String {
    format!("layer {}", numbered_layer(id, label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_one_form_and_its_number_stands_before_it() {
        let named = LayerLabel::new("81_Conv", "Conv2D", 5);
        assert_eq!((named.as_str(), named.name()), ("81_Conv (Conv2D)", "81_Conv"));
        assert_eq!(layer_place(5, named.as_str()), "layer 5 81_Conv (Conv2D)");
        let unnamed = LayerLabel::new("", "Conv2D", 5);
        assert_eq!((unnamed.as_str(), unnamed.name()), ("5 Conv2D", "Conv2D"));
        assert_eq!(layer_place(5, unnamed.as_str()), "layer 5 Conv2D");
        let numeral = LayerLabel::new("5 a", "Conv2D", 5);
        assert_eq!(layer_place(5, numeral.as_str()), "layer 5 5 a (Conv2D)");
        assert!(is_unnamed("3 Conv2D"));
        assert!(
            ["81_Conv (Conv2D)", "5 a (Conv2D)", "kernel", "b 3"]
                .iter()
                .all(|name| !is_unnamed(name))
        );
        assert!(named.matches(|name| name == "81_Conv") && !named.matches(|name| name == "Conv"));
    }
}

//! What a layer is called: one form in all outputs.

use std::fmt;

/// A layer's name in the model with its operation, such as `81_Conv (Conv2D)`; `Conv2D #5` where the model gives it no name. Compilers split
/// an operation into layers of one name, so its number stands beside it: in a column of its own, or as [`layer_place`] says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerLabel {
    text: String,
    /// Bytes of the name, or of the operation where there is no name.
    name_bytes: usize,
}

impl LayerLabel {
    /// `name`: the model's name of its first result, or nothing. `id`: its number, from 1.
    #[must_use]
    pub fn new(name: &str, operation: &str, id: u64) -> Self {
        match name {
            "" => Self { text: format!("{operation} #{id}"), name_bytes: operation.len() },
            name => Self { text: format!("{name} ({operation})"), name_bytes: name.len() },
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
        self.text.get(..self.name_bytes).unwrap_or_default()
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

/// A label behind its number, where no column has it: `5 81_Conv (Conv2D)`, or `5 Conv2D` where the model gives the layer no name.
#[must_use]
pub fn numbered_layer(id: u64, label: &str) -> String {
    format!("{id} {}", label.strip_suffix(&format!(" #{id}")).unwrap_or(label))
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
        assert_eq!((unnamed.as_str(), unnamed.name()), ("Conv2D #5", "Conv2D"));
        assert_eq!(layer_place(5, unnamed.as_str()), "layer 5 Conv2D");
        assert!(named.matches(|name| name == "81_Conv") && !named.matches(|name| name == "Conv"));
    }
}

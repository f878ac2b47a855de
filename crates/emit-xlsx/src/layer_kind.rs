//! Kinds of layers, by the names of their operations.

/// The kind of a layer that is of no other.
pub(crate) const OTHERS: &str = "Others";

const KINDS: [(&str, &[&str]); 13] = [
    ("Conv", &["conv", "conv2d", "conv3d", "deconv", "deconv3d"]),
    ("Pool", &["pool", "pool2d"]),
    ("MatMul", &["matmul", "batch_matmul", "a16matmul"]),
    ("FC", &["fc"]),
    ("Softmax", &["softmax"]),
    ("Reduce", &["reduce"]),
    ("Lut", &["lut"]),
    ("Cast", &["cast"]),
    ("MulShift", &["mulshift"]),
    ("Attention", &["attention", "fattention"]),
    ("Active", &["active", "leakyrelu", "prelu"]),
    (
        "LayerNorm",
        &["groupnorm", "layernorm", "group_norm", "layer_norm", "instancenorm", "pixelnorm"],
    ),
    (
        "Eltwise",
        &[
            "add",
            "sub",
            "mul",
            "div",
            "max",
            "min",
            "addconst",
            "mulconst",
            "subconst",
            "maxconst",
            "minconst",
            "broadcast_binary",
            "eltwise",
            "eltwise_binary",
            "binaryshift",
            "binaryconstshift",
            "clip",
            "compare",
            "compareconst",
        ],
    ),
];

/// The kind of a layer.
pub(crate) fn kind_of(layer: &str) -> &'static str {
    let name = layer.to_lowercase();
    let found = KINDS.iter().find(|(_, names)| names.contains(&name.as_str()));
    found.map_or(OTHERS, |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_the_lower_case_name() {
        let of = |names: [&str; 4]| names.map(kind_of);
        assert_eq!(
            of(["CONV3D", "Add", "Batch_matmul", "Foo"]),
            ["Conv", "Eltwise", "MatMul", "Others"]
        );
    }
}

//! The head of `final.mlir`.

/// The model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Module {
    /// Name.
    pub name: String,
    /// Floating point operations of a run.
    pub flops: u64,
    /// Data type that it computes in, in lower case, such as `f16`.
    pub mode: String,
}

impl Module {
    /// Whether the text has a module with all its attributes.
    pub(crate) fn is_whole(text: &str) -> bool {
        let Some((_, rest)) = text.split_once("module @") else { return false };
        let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
        for byte in rest.bytes() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_quoted => is_escaped = true,
                b'"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                b'{' => depth += 1,
                // The first braces are around the attributes, or, without any, around the module.
                b'}' if depth == 1 => return true,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        false
    }

    /// Reads the module's attributes; what is missing is empty.
    pub(crate) fn of_text(text: &str) -> Self {
        let after = |key: &str| text.split_once(key).map_or("", |(_, rest)| rest).trim_start();
        let attribute = |key: &str| after(key).strip_prefix('=').unwrap_or("").trim_start();
        let end = |c: char| c.is_whitespace() || c == '{';
        let name = after("module @").split(end).next().unwrap_or("");
        let flops = attribute("module.FLOPs");
        let flops = flops.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
        let mode = attribute("module.mode").strip_prefix('"').unwrap_or("");
        Self {
            name: name.to_owned(),
            flops: flops.parse().unwrap_or(0),
            mode: mode.split('"').next().unwrap_or("").to_lowercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found() {
        let text = "module @net_1 attributes {module.chip = \"x\", module.FLOPs = 123 : i64, module.mode = \"W4F16\"} {\n}";
        let module = Module::of_text(text);
        assert_eq!(
            (module.name.as_str(), module.flops, module.mode.as_str()),
            ("net_1", 123, "w4f16")
        );
        assert_eq!(Module::of_text("func {"), Module::default());
        assert!(Module::is_whole(text) && Module::is_whole("module @x {\n}"));
        assert!(Module::is_whole("module @x attributes {a = \"}\\\"}\", b = {c = 1}} {"));
        let cuts = [
            &text[..60],
            "module @x attributes {a = \"}\", b = {c = 1}",
            "module @",
            "func {}",
            "",
        ];
        assert!(cuts.iter().all(|text| !Module::is_whole(text)));
    }
}

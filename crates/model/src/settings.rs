//! What a run needs to know next to operators and machines.

use bigtpu_machine::DataType;

/// Which formulas are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Semantics {
    /// Operations and bytes from true shapes.
    #[default]
    Own,
    /// The UPMEM LLM framework's formulas, including its errors.
    Upmem,
}

/// Attention, where the shapes alone do not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attention {
    /// Heads of keys and values (grouped-query attention).
    pub kv_heads: Option<u32>,
    /// Rows of keys and values that a query attends to (sliding window).
    pub window: Option<u32>,
}

/// Mixture of experts: when the chosen experts' outputs go to the host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Experts {
    /// Context whose execution ends an expert.
    pub end: Option<String>,
    /// Experts that a token goes through.
    pub per_token: u32,
}

/// Settings of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphSettings {
    /// Formulas.
    pub semantics: Semantics,
    /// Type of elements where an operator names none; bf16 when `None`.
    pub data_type: Option<DataType>,
    /// Sequences that run together: tokens of a pass.
    pub batch: u32,
    /// Context whose execution ends a pass.
    pub last_layer: String,
    /// Attention.
    pub attention: Attention,
    /// Experts.
    pub experts: Experts,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self {
            semantics: Semantics::Own,
            data_type: None,
            batch: 1,
            last_layer: "lm_head".to_owned(),
            attention: Attention::default(),
            experts: Experts::default(),
        }
    }
}

//! One entry of `tensor_location.json`.

use serde_json::Value;

use crate::layers::label::LayerLabel;
use crate::layers::tensor::Tensor;

/// A layer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layer {
    /// The operation, such as `Conv2D`.
    pub name: String,
    /// What runs it, such as `TPU`.
    pub engine: String,
    /// The core whose commands it has.
    pub core: u32,
    /// `Cmd Id`s of its TIU commands: after the first, up to the second.
    pub tiu: (i64, i64),
    /// `Cmd Id`s of its DMA commands: after the first, up to the second.
    pub dma: (i64, i64),
    /// What it reads; nothing where the file says nothing of it. Weights from the third on.
    pub operands: Vec<Option<Tensor>>,
    /// What it writes.
    pub results: Vec<Option<Tensor>>,
    /// The model's name of its first result; empty where the file gives none. Compilers call the layer so.
    pub result_name: String,
    /// Its line in `final.mlir`, from 1.
    pub line: Option<u64>,
    /// Whether it is one of a group whose tensors stay in local memory; not known where nothing says so.
    pub is_local: Option<bool>,
}

impl Layer {
    /// How all outputs name it. `id`: its number, from 1.
    #[must_use]
    pub fn label(&self, id: u64) -> LayerLabel {
        LayerLabel::new(&self.result_name, &self.name, id)
    }

    /// A layer from its entry. What the entry lacks is empty.
    pub(crate) fn of_entry(entry: &Value) -> Self {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let (engine, name) = match text("opcode").split_once('.') {
            Some((engine, name)) => (engine.to_uppercase(), name),
            None => (String::new(), text("opcode")),
        };
        let ids = |key: &str, at: usize| -> i64 {
            entry.get(key).and_then(|ids| ids.get(at)).and_then(Value::as_i64).unwrap_or(0)
        };
        let range = |at| (ids("tiu_dma_id(before)", at), ids("tiu_dma_id(after)", at));
        let tensors = |key: &str| -> Vec<Option<Tensor>> {
            let list = entry.get(key).and_then(Value::as_array);
            let tensors = list.into_iter().flatten().map(|entry| {
                let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
                let tensor = Tensor::of_text(entry.get("memory_type")?.as_str()?)?;
                Some(tensor.named(name).with_address(entry.get("address").and_then(Value::as_u64)))
            });
            tensors.collect()
        };
        let core = entry.get("core_id").and_then(Value::as_u64);
        let result_name = entry.pointer("/results/0/name").and_then(Value::as_str);
        Self {
            name: name.to_owned(),
            engine,
            core: core.and_then(|core| u32::try_from(core).ok()).unwrap_or(0),
            tiu: range(0),
            dma: range(1),
            operands: tensors("operands"),
            results: tensors("results"),
            result_name: result_name.unwrap_or_default().to_owned(),
            line: entry.get("file-line").and_then(Value::as_u64),
            is_local: entry.get("is_local").and_then(Value::as_bool),
        }
    }

    /// Whether it has TIU commands and does more than move data.
    #[must_use]
    pub fn computes(&self) -> bool {
        self.tiu.1 > self.tiu.0 && !matches!(self.name.as_str(), "Load" | "Store")
    }
}

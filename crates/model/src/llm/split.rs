//! How a model is divided over devices, and what is asked of it.

use bigtpu_machine::DataType;
use bigtpu_messages::error_message;

use crate::llm::architecture::{Architecture, FeedForward, Heads, Stacks};
use crate::llm::error::LlmError;

/// Devices that a split may have.
const MOST_DEVICES: u64 = 65_536;

/// Degrees of parallelism. A stage has `tensor x experts` devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Split {
    /// Devices that share each matrix.
    pub tensor: u32,
    /// Stages of consecutive layers.
    pub pipeline: u32,
    /// Groups of devices among which experts and sequences are divided.
    pub experts: u32,
}

impl Default for Split {
    fn default() -> Self {
        Self { tensor: 1, pipeline: 1, experts: 1 }
    }
}

/// What is asked of a model. All sequences have the same length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LlmLoad {
    /// Sequences that run together.
    pub batch: u32,
    /// Tokens of a prompt.
    pub context: u32,
    /// Tokens that are generated for a sequence; the prompt gives the first one.
    pub output_tokens: u32,
}

/// Types of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types {
    /// Type of activations and of the arithmetic, and of weights that are not quantized: embedding, normalizations,
    /// router.
    pub activations: DataType,
    /// Type of the matrices of the layers.
    pub weights: DataType,
    /// Type of the weights of the last product with the vocabulary.
    pub head: DataType,
    /// Type of stored keys and values.
    pub cache: DataType,
}

impl Split {
    /// All devices.
    #[must_use]
    pub fn devices(&self) -> u64 {
        [self.tensor, self.pipeline, self.experts].into_iter().map(u64::from).product()
    }

    /// Checks that a model can be divided like this.
    ///
    /// # Errors
    /// Heads, widths, layers or experts can't be divided, or there are too many devices.
    pub fn check(&self, model: &Architecture) -> Result<(), LlmError> {
        let Self { tensor, pipeline, experts } = *self;
        let wrong = |option, value, what| Err(LlmError::Split { option, value, what });
        if self.devices() > MOST_DEVICES {
            let what = error_message!(
                "problem-llm-devices",
                devices = self.devices(),
                most = MOST_DEVICES
            );
            return wrong("--tensor-parallel", tensor, what);
        }
        let shared = u64::from(tensor);
        let (queries, stored) = match model.heads {
            Heads::Grouped(heads) => (heads.queries, heads.stored),
            Heads::Latent(heads) => (heads.queries, 1),
        };
        if queries % shared != 0 || (stored % shared != 0 && shared % stored != 0) {
            let what = error_message!("problem-llm-heads", queries, stored);
            return wrong("--tensor-parallel", tensor, what);
        }
        if let (Stacks::EncoderDecoder { .. }, 2..) = (&model.stacks, pipeline) {
            let what = error_message!("problem-llm-encoder");
            return wrong("--pipeline-parallel", pipeline, what);
        }
        let layers = model.layers.len();
        if pipeline as usize > layers {
            return wrong(
                "--pipeline-parallel",
                pipeline,
                error_message!("problem-llm-layers", layers),
            );
        }
        let mut has_experts = false;
        for layer in &model.layers {
            let inners = match layer.feed_forward {
                FeedForward::Dense { inner, .. } => [inner, inner],
                FeedForward::Experts(each) => {
                    has_experts = true;
                    if each.count % u64::from(experts) != 0 {
                        let what = error_message!("problem-llm-experts", count = each.count);
                        return wrong("--expert-parallel", experts, what);
                    }
                    [each.inner, each.shared_inner]
                }
            };
            if let Some(inner) = inners.into_iter().find(|inner| inner % shared != 0) {
                let what = error_message!("problem-llm-width", width = inner);
                return wrong("--tensor-parallel", tensor, what);
            }
        }
        if experts > 1 && !has_experts {
            return wrong("--expert-parallel", experts, error_message!("problem-llm-no-experts"));
        }
        Ok(())
    }

    /// The layers of a stage, the first of which have one more where they can't be divided evenly.
    #[must_use]
    pub fn stage(&self, layers: usize, stage: u32) -> std::ops::Range<usize> {
        let stages = self.pipeline.max(1) as usize;
        let (each, more) = (layers / stages, layers % stages);
        let begin = |stage: usize| stage * each + stage.min(more);
        begin(stage as usize)..begin(stage as usize + 1)
    }
}

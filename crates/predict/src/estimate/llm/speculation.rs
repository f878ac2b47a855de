//! Speculative decoding: a smaller model proposes tokens, and one pass of the model checks all of them.
//!
//! Each of the `gamma` proposed tokens is accepted with the probability `alpha`, independently of the others; the first
//! that is refused is replaced by one of the model's own, and after the last there is one more. A step so gives (1 -
//! alpha^(gamma + 1)) / (1 - alpha) tokens (Leviathan, Kalman, Matias: Fast Inference from Transformers via Speculative
//! Decoding, ICML 2023, equation 1).

use bigtpu_messages::{Message, error_message};
use bigtpu_model::llm::{Architecture, LlmError, Split, StoredBytes, Types, stored_bytes};

use crate::estimate::llm::run::{Costed, LlmJob};
use crate::links::Links;

/// The smaller model, and how often it is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draft<'a> {
    /// The model.
    pub model: &'a Architecture,
    /// Types of its elements.
    pub types: Types,
    /// Tokens that it proposes in a step (gamma), from 1.
    pub tokens: u32,
    /// Probability that a proposed token is accepted (alpha), 0 to 1.
    pub acceptance: f64,
}

/// What proposals give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speculation {
    /// Tokens that are proposed in a step.
    pub draft_tokens: u32,
    /// Probability that one is accepted.
    pub acceptance: f64,
    /// Tokens that a step gives, on average.
    pub tokens_a_step: f64,
    /// Mean time of a token of the smaller model, in ns.
    pub draft_ns: f64,
    /// Mean time of the pass that checks the proposals, in ns.
    pub check_ns: f64,
    /// Mean time of a further token without proposals, in ns.
    pub plain_ns: f64,
}

impl Draft<'_> {
    /// Tokens that a step gives, on average.
    #[must_use]
    pub fn tokens_a_step(&self) -> f64 {
        // The sum of alpha^0 to alpha^gamma, which has no division by 0 where all are accepted.
        (0..=self.tokens).map(|power| self.acceptance.powi(power as i32)).sum()
    }

    /// Checks that both models can work together.
    ///
    /// # Errors
    /// Stages or groups of experts, models that generate nothing or with other tokens, heads that can't be divided.
    pub fn check(&self, model: &Architecture, split: Split) -> Result<(), LlmError> {
        let wrong = |what: Message| Err(LlmError::Draft { what });
        if !model.generates() || !self.model.generates() {
            return wrong(error_message!("problem-draft-generates"));
        }
        let (own, target) = (self.model.vocabulary, model.vocabulary);
        // Tables are padded to other multiples; another tokenizer has another size altogether.
        if own.abs_diff(target) * 20 > target {
            return wrong(error_message!("problem-draft-tokenizer", own, target));
        }
        if split.pipeline > 1 || split.experts > 1 {
            return wrong(error_message!("problem-draft-split"));
        }
        split.check(self.model)
    }
}

impl<'a> LlmJob<'a> {
    /// The smaller model on the same devices.
    pub(super) fn draft_job(&self) -> Option<LlmJob<'a>> {
        let Draft { model, types, .. } = self.draft?;
        Some(LlmJob { model, types, draft: None, ..*self })
    }

    /// What proposals give; `None` without any, or without a further token.
    pub(super) fn speculation(&self, links: Option<Links>) -> Option<Speculation> {
        let (draft, job) = (self.draft?, self.draft_job()?);
        let tokens = self.further_tokens();
        if tokens == 0 {
            return None;
        }
        let mean =
            |job: &LlmJob<'_>, rows: u64| job.passes(rows, 1.0, links).whole_ns() / tokens as f64;
        Some(Speculation {
            draft_tokens: draft.tokens,
            acceptance: draft.acceptance,
            tokens_a_step: draft.tokens_a_step(),
            draft_ns: mean(&job, 1),
            check_ns: mean(self, u64::from(draft.tokens) + 1),
            plain_ns: mean(self, 1),
        })
    }

    /// Bytes of the fullest device, with those of the smaller model.
    pub(super) fn stored(&self) -> StoredBytes {
        let own = stored_bytes(self.model, self.request, self.split, self.types);
        let own = self.kept_on_device(own);
        let Some(draft) = self.draft else { return own };
        let more = stored_bytes(draft.model, self.request, self.split, draft.types);
        StoredBytes {
            weights: own.weights + more.weights,
            cache: own.cache + more.cache,
            // Both models take turns.
            activations: own.activations.max(more.activations),
        }
    }
}

/// Says that steps are of the smaller model.
pub(super) fn of_draft(steps: Vec<Costed>) -> impl Iterator<Item = Costed> {
    steps.into_iter().map(|mut one| {
        one.step.operator.context.insert_str(0, "draft.");
        one
    })
}

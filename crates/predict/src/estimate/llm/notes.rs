//! What the estimate of a language model assumes, in sentences.

use bigtpu_messages::{Arg, Message, Notes, message};
use bigtpu_model::llm::{FeedForward, Stacks};

use crate::estimate::expected::MeasuredEvidence;
use crate::estimate::llm::result::LlmEstimate;
use crate::estimate::llm::run::LlmJob;
use crate::estimate::notes::{self, gigabytes};

impl LlmJob<'_> {
    pub(super) fn notes(&self, found: &LlmEstimate) -> Notes {
        let name = &self.machine.name;
        let mut all: Notes =
            notes::peak(self.machine, self.types.activations).into_iter().collect();
        if !found.estimate.energy_known {
            all.push(message!("llm-energy-unknown", machine = name));
        }
        if let (Some(given), Some(own)) = (self.memory_bytes, self.machine.memory_bytes)
            && given != own
        {
            let [given, own] = [given, own].map(|bytes| gigabytes(bytes as f64));
            all.push(message!("llm-memory-given", machine = name, given = given, own = own));
        }
        let needed = gigabytes(found.stored.total());
        match (found.fits(), found.device_bytes) {
            (Some(false), Some(bytes)) => {
                let size = gigabytes(bytes as f64);
                all.push(message!("llm-no-fit", machine = name, needed = needed, size = size));
            }
            (None, _) => all.push(message!("llm-memory-unknown", machine = name)),
            _ => {}
        }
        if let (Some(_), None) = (found.links, self.links) {
            let sources = &self.machine.sources;
            let source = sources.get("c2c_bw_GBs").or_else(|| sources.get("*"));
            let source = match source {
                Some(source) => source.clone(),
                None => message!("llm-its-description"),
            };
            let rate = self.machine.chip_to_chip.gbps.unwrap_or(0.0).to_string();
            all.push(message!("llm-links", machine = name, rate = rate, source = source));
        }
        all.extend(self.calibration(found));
        all.extend(self.way_of_running(found));
        // How far the times may be from a device; the units of a chip with an array are known.
        let [prompt, token] = &found.evidence;
        all.push(match (self.measured(), self.own_phases(), self.machine.array) {
            (Some(_), _, _) => message!("llm-calibrated"),
            (None, Some(_), _) => {
                let own =
                    |evidence: &MeasuredEvidence| if evidence.is_own { evidence.rows } else { 0 };
                message!("llm-own-rows", first = own(prompt), further = own(token))
            }
            (None, None, Some(_)) => message!("llm-expected"),
            (None, None, None) => message!("llm-at-roofs"),
        });
        let experts = |layer: &bigtpu_model::llm::LlmLayer| {
            matches!(layer.feed_forward, FeedForward::Experts(_))
        };
        if self.model.layers.iter().any(experts) {
            all.push(message!("llm-even-experts"));
        }
        if self.split.pipeline > 1 {
            all.push(message!("llm-one-batch"));
        }
        all
    }

    /// What differs from a decoder that runs alone, with all it needs on the device.
    fn way_of_running(&self, found: &LlmEstimate) -> Vec<Message> {
        let mut all = Vec::new();
        match self.model.stacks {
            Stacks::Decoder => {}
            Stacks::Encoder { .. } => all.push(message!("llm-encoder")),
            Stacks::EncoderDecoder { .. } => all.push(message!("llm-encoder-decoder")),
        }
        if let Some(own) = found.speculation {
            let mean = found.token_ns.map_or(own.plain_ns, |token| token.mean);
            all.push(message!(
                "llm-speculation",
                machine = &self.machine.name,
                tokens = u64::from(own.draft_tokens),
                acceptance = own.acceptance.to_string(),
                step = format!("{:.2}", own.tokens_a_step),
                speedup = format!("{:.2}", own.plain_ns / mean.max(f64::MIN_POSITIVE))
            ));
        }
        if self.offload.is_used() {
            let [weights, cache] = [self.offload.weights, self.offload.cache];
            let gbps = self.offload.gbps.or(self.machine.host_to_device.gbps).unwrap_or(0.0);
            all.push(message!(
                "llm-offload",
                machine = &self.machine.name,
                weights = (weights * 100.0).round().to_string(),
                cache = (cache * 100.0).round().to_string(),
                rate = gbps.to_string()
            ));
        }
        if !all.is_empty() && self.machine.array.is_some() {
            all.push(message!("llm-not-measured-so"));
        }
        all
    }

    fn calibration(&self, found: &LlmEstimate) -> Option<Message> {
        let name = &self.machine.name;
        let given = self.efficiencies?;
        let Some(measured) = self.measured() else {
            return Some(message!("llm-at-peaks", machine = name, chip = &given.chip));
        };
        let kinds = || found.operators.iter().map(|operator| operator.kind);
        let shares = Arg::Items(measured.described(kinds()));
        let missing = measured.missing(kinds());
        Some(match missing.is_empty() {
            true => message!("llm-measured", machine = name, shares = shares),
            false => message!(
                "llm-measured-in-part",
                machine = name,
                shares = shares,
                missing = Arg::Items(missing)
            ),
        })
    }
}

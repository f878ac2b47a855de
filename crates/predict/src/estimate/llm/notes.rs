//! What the estimate of a language model assumes, in sentences.

use bigtpu_model::llm::FeedForward;

use crate::estimate::llm::result::LlmEstimate;
use crate::estimate::llm::run::LlmJob;
use crate::estimate::notes;

/// How far the times may be from a device.
const AT_ROOFS: &str = "each operator is taken to reach its roof, because no language model was measured on this machine: times have no range";
const CALIBRATED: &str = "the dump's shares of the roofs make these times, so that they have no range; what the dump does not contain is taken to reach its roof, without gaps between launches";
/// Chips whose units are known.
const EXPECTED: &str = "times are expected ones: those at the roofs times what language models were measured to take on BM1684X and BM1688, whose prompts compute all scores (docs/prediction/measured.md)";

impl LlmJob<'_> {
    pub(super) fn notes(&self, found: &LlmEstimate) -> Vec<String> {
        let name = &self.machine.name;
        let mut all: Vec<String> =
            notes::peak(self.machine, self.types.activations).into_iter().collect();
        if !found.estimate.energy_known {
            all.push(format!("{name}: energy is unknown, because pj_per_tflop, mem_pj_per_bit or c2c_pj_per_bit is missing in its description"));
        }
        if let (Some(given), Some(own)) = (self.memory_bytes, self.machine.memory_bytes)
            && given != own
        {
            let [given, own] = [given, own].map(|bytes| bytes as f64 / 1e9);
            all.push(format!(
                "{name}: {given:.1} GB of memory as given, where its description has {own:.1} GB"
            ));
        }
        let needed = found.stored.total() / 1e9;
        match (found.fits(), found.device_bytes) {
            (Some(false), Some(bytes)) => {
                let size = bytes as f64 / 1e9;
                all.push(format!("{name}: a device needs {needed:.1} GB, and its memory holds {size:.1} GB; the model does not fit"));
            }
            (None, _) => {
                all.push(format!("{name}: the size of its memory is not known; --memory gives it"))
            }
            _ => {}
        }
        if let (Some(_), None) = (found.links, self.links) {
            let sources = &self.machine.sources;
            let source = sources.get("c2c_bw_GBs").or_else(|| sources.get("*"));
            let source = source.map_or("its description", String::as_str);
            let gbps = self.machine.chip_to_chip.gbps.unwrap_or(0.0);
            all.push(format!("{name}: links of {gbps} GB/s ({source})"));
        }
        all.extend(self.calibration(found));
        let what = match (found.calibrated, self.machine.array) {
            (true, _) => CALIBRATED,
            (false, Some(_)) => EXPECTED,
            (false, None) => AT_ROOFS,
        };
        all.push(what.to_owned());
        let experts = |layer: &bigtpu_model::llm::Layer| {
            matches!(layer.feed_forward, FeedForward::Experts(_))
        };
        if self.model.layers.iter().any(experts) {
            all.push(
                "tokens are taken to choose experts evenly and independently of each other"
                    .to_owned(),
            );
        }
        if self.split.pipeline > 1 {
            all.push("one batch is in flight, so that one stage works at a time; further batches need caches of their own".to_owned());
        }
        all
    }

    fn calibration(&self, found: &LlmEstimate) -> Option<String> {
        let name = &self.machine.name;
        let given = self.efficiencies?;
        let Some(measured) = self.measured() else {
            return Some(format!(
                "{name}: at its peaks, because the efficiencies were measured on {}",
                given.chip
            ));
        };
        let kinds = || found.operators.iter().map(|operator| operator.kind);
        let missing = measured.missing(kinds());
        let rest = if missing.is_empty() {
            String::new()
        } else {
            format!("; not measured, so at the peaks: {}", missing.join(", "))
        };
        Some(format!("{name}: measured shares of the roofs: {}{rest}", measured.in_words(kinds())))
    }
}

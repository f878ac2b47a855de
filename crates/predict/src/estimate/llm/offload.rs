//! Weights, and keys and values, that the host keeps and each pass loads.
//!
//! While a layer computes, the next one's share is loaded, and the cache's new rows go back: of computing, loading and
//! storing the longest counts (Sheng et al.: FlexGen, ICML 2023, section 4.3, with one batch).

use bigtpu_machine::Link;
use bigtpu_messages::error_message;
use bigtpu_model::llm::{LlmError, LlmStep, Split, StoredBytes, prompt};
use bigtpu_model::{Kind, Operator, Shape};

use crate::estimate::cost::{Cost, add};
use crate::estimate::llm::bound::TimeByBound;
use crate::estimate::llm::run::{Costed, LlmJob, Passes, UnknownLink};

/// Layers whose loaded share a device has at a time: one that computes, one that is loaded.
const LAYERS_AT_A_TIME: f64 = 2.0;

/// Shares that the host keeps, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Offload {
    /// Share of the layers' weights.
    pub weights: f64,
    /// Share of the cache of keys and values.
    pub cache: f64,
    /// Bandwidth between host and device in GB/s, one direction; `None`: that of the machine's description.
    pub gbps: Option<f64>,
}

/// A link to the host in both directions.
#[derive(Debug, Clone, Copy)]
pub(super) struct HostLink {
    to_device: Link,
    to_host: Link,
}

impl Offload {
    /// Whether the host keeps anything.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.weights > 0.0 || self.cache > 0.0
    }

    /// Checks that a split can load from the host.
    ///
    /// # Errors
    /// Several stages.
    pub fn check(&self, split: Split) -> Result<(), LlmError> {
        if self.is_used() && split.pipeline > 1 {
            return Err(LlmError::Split {
                option: "--pipeline-parallel",
                value: split.pipeline,
                what: error_message!("problem-llm-host-stages"),
            });
        }
        Ok(())
    }
}

impl LlmJob<'_> {
    /// The link to the host, if something is kept there.
    pub(super) fn host_link(&self) -> Result<Option<HostLink>, UnknownLink> {
        if !self.offload.is_used() {
            return Ok(None);
        }
        let link = |own: Link| {
            let gbps = self.offload.gbps.or(own.gbps);
            gbps.map(|gbps| Link { gbps: Some(gbps), ..own })
        };
        let to_device = link(self.machine.host_to_device);
        let to_host = link(self.machine.device_to_host);
        match (to_device, to_host.or(to_device)) {
            (Some(to_device), Some(to_host)) => Ok(Some(HostLink { to_device, to_host })),
            _ => Err(UnknownLink::Host { machine: self.machine.name.clone() }),
        }
    }

    /// Bytes of the weights of all layers, and of the largest one, on a device.
    fn layer_bytes(&self) -> [f64; 2] {
        let steps = prompt(self.model, self.request, self.split, self.types);
        let of_layers = |step: &&LlmStep| step.is_of_layer;
        let all: f64 = steps
            .iter()
            .filter(of_layers)
            .map(|step| step.stored_bytes() * step.times as f64)
            .sum();
        let layers = self.model.all_layers() as f64;
        [all, all / layers.max(1.0)]
    }

    /// What stays on a device of the bytes of a model.
    pub(super) fn kept_on_device(&self, whole: StoredBytes) -> StoredBytes {
        if !self.offload.is_used() {
            return whole;
        }
        let Offload { weights, cache, .. } = self.offload;
        let [all, one] = self.layer_bytes();
        let layers = self.model.layers.len().max(1) as f64;
        let loaded = (LAYERS_AT_A_TIME * one).min(all);
        let rows = (LAYERS_AT_A_TIME / layers).min(1.0) * whole.cache;
        StoredBytes {
            weights: whole.weights - weights * (all - loaded),
            cache: whole.cache - cache * (whole.cache - rows),
            ..whole
        }
    }

    /// Adds to both phases the time of loading and storing that computing does not hide; gives the least time of the
    /// prompt.
    pub(super) fn offloaded(
        &self,
        link: HostLink,
        prompt: &mut Vec<Costed>,
        tokens: &mut Passes,
    ) -> f64 {
        let Offload { weights, cache, .. } = self.offload;
        let loaded = weights * self.layer_bytes()[0];
        let rows = |tokens: u32| {
            let request = bigtpu_model::llm::LlmLoad { output_tokens: tokens, ..self.request };
            cache
                * bigtpu_model::llm::stored_bytes(self.model, request, self.split, self.types).cache
        };
        let stored = rows(1);
        let moved = [loaded, stored];
        let computing: f64 = prompt.iter().map(|one| one.cost.time_ns).sum();
        let mut sum = link.cost(moved);
        sum.time_ns = (sum.time_ns - computing).max(0.0);
        let least = link.cost(moved).time_ns;
        prompt.push(self.hidden(sum, 1.0));
        let further = self.further_tokens();
        if further == 0 {
            return least;
        }
        // A pass reads all rows that are stored, and adds one; passes with several new rows are fewer.
        let passes = self.draft.map_or(1.0, |draft| 1.0 / draft.tokens_a_step());
        let mut sum = Cost::default();
        let (first, last) = (tokens.first, tokens.last);
        let steps = (further - 1).max(1) as f64;
        let [shortest, longest] = [stored, rows(self.request.output_tokens)];
        let row = (longest - shortest) / further as f64;
        for number in 0..further {
            let computing = first + (last - first) * number as f64 / steps;
            let read = (loaded + shortest + row * number as f64) * passes;
            let mut one = link.cost([read, row]);
            tokens.least_of_host += one.time_ns;
            one.time_ns = (one.time_ns - computing).max(0.0);
            if number == 0 {
                tokens.first += one.time_ns;
            }
            if number + 1 == further {
                tokens.last += one.time_ns;
            }
            sum.add(&one);
        }
        tokens.least = tokens.least.max(tokens.least_of_host);
        tokens.steps.push(self.hidden(sum, further as f64 * passes));
        least
    }

    /// A step of messages with the host.
    fn hidden(&self, cost: Cost, executions: f64) -> Costed {
        let mut operator = Operator::new(
            "HostLink",
            "offload",
            Kind::Free,
            [Shape::new(), Shape::new(), Shape::new()],
        );
        operator.data_type = Some(self.types.activations);
        // Each device has a link of its own.
        let mut cost = cost.repeated(1.0, self.split.devices() as f64);
        for bytes in [&mut cost.transfers.host_to_device, &mut cost.transfers.device_to_host] {
            *bytes = bytes.map(|bytes| bytes * self.split.devices() as f64);
        }
        let mut by_bound = TimeByBound::default();
        by_bound.add(&cost);
        Costed { step: LlmStep::new(operator), executions, cost, by_bound }
    }
}

impl HostLink {
    /// Bytes to the device and back at the same time.
    fn cost(&self, [to_device, to_host]: [f64; 2]) -> Cost {
        let time = |link: Link, bytes: f64| match (bytes > 0.0, link.gbps) {
            (true, Some(gbps)) => bytes / gbps + link.latency_ns,
            _ => 0.0,
        };
        let (load, store) = (time(self.to_device, to_device), time(self.to_host, to_host));
        let mut cost = Cost { time_ns: load.max(store), ..Cost::default() };
        add(&mut cost.time.host_to_device, load);
        add(&mut cost.time.device_to_host, store);
        add(&mut cost.transfers.host_to_device, to_device);
        add(&mut cost.transfers.device_to_host, to_host);
        cost.energy.host_to_device = self.to_device.pj_per_bit.map(|pj| 8.0 * to_device * pj);
        cost.energy.device_to_host = self.to_host.pj_per_bit.map(|pj| 8.0 * to_host * pj);
        cost
    }
}

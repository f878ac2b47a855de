//! What `search --json` prints (docs/search.schema.json).

use serde_json::{Error, Map, Value, json, to_string};

use bigtpu_messages::Language;
use bigtpu_predict::search::Start;

use super::{ChainFound, Found, Outcome, SearchRequest};

/// Version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

impl Outcome {
    /// What was searched.
    ///
    /// # Errors
    /// [`Error`] when a number can't be written.
    pub fn json(&self, request: &SearchRequest) -> Result<String, Error> {
        match self {
            Self::Found(found) => found.json(request),
            Self::Evaluated(found) => to_string(found),
            Self::Chain(found) => found.json(),
        }
    }
}

impl Found {
    /// The best strategy and how it was found.
    ///
    /// # Errors
    /// [`Error`] when a number can't be written.
    pub fn json(&self, request: &SearchRequest) -> Result<String, Error> {
        let of = |name: &str| self.start_ms.iter().find(|(known, _)| *known == name);
        let one_device = of(Start::OneDevice.name()).map(|(_, ms)| *ms);
        let starts: Map<String, Value> = self
            .start_ms
            .iter()
            .filter(|(name, _)| *name != Start::OneDevice.name())
            .map(|(name, ms)| (name.replace('-', "_"), json!(ms)))
            .collect();
        to_string(&json!({
            "schema_version": SCHEMA_VERSION,
            "seed": request.seed(),
            "budget": request.proposals(),
            "start_ms": starts,
            "one_device_ms": one_device,
            "best_ms": self.best.total_ms,
            "best_from": self.from,
            "bound_ms": self.search.bound_ms,
            "gap": self.gap(),
            "proven": self.search.is_proven,
            "notes": self.notes.iter().map(|note| note.text(Language::English)).collect::<Vec<_>>(),
            "note_messages": self.notes,
            "estimated_share": self.best.estimated_share,
            "best": self.configs,
            "links": self.links,
            "log": self.search.log,
            "simulations_per_second": self.search.simulations_per_second.round(),
        }))
    }
}

impl ChainFound {
    /// The best stages.
    ///
    /// # Errors
    /// [`Error`] when a number can't be written.
    pub fn json(&self) -> Result<String, Error> {
        let Self { parts, plan, devices, links, .. } = self;
        to_string(&json!({
            "schema_version": SCHEMA_VERSION,
            "devices": devices.devices,
            "one_device_ms": self.one_device_ns / 1e6,
            "best_ms": plan.ns as f64 / 1e6,
            "microbatches": plan.microbatches,
            "stages": plan.stages,
            // One device sends nothing.
            "link_gbps": links.map(|links| links.gbps),
            "link_latency_ns": devices.latency_ns,
            "links": links,
            "bubble_ratio": self.bubble_ratio,
            "memory_is_known": parts.iter().any(|part| part.weight_bytes > 0),
        }))
    }
}

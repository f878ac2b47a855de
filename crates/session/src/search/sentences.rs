//! What was searched in tables and sentences, as the console shows it.

use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;
use bigtpu_predict::search::Evaluation;

use super::{ChainFound, ChargedLinks, Found, SearchRequest};
use crate::note::remark;

impl Found {
    /// The starts and the best strategy side by side.
    #[must_use]
    pub fn times_table(&self, language: Language) -> Table {
        let first = self.start_ms.first().map_or(0.0, |(_, ms)| *ms);
        let ratio = |ms: f64| if ms > 0.0 { format!("{:.2}", first / ms) } else { String::new() };
        let row = |name: String, ms: f64| [name, format!("{ms:.6}"), ratio(ms)];
        let starts = self.start_ms.iter().map(|(name, ms)| row(name.replace('-', " "), *ms));
        // Without a search, the last row is what was asked for, which may be worse than another row.
        let last = if self.search.bound_ms.is_none() && self.search.log.len() <= 1 {
            message!("search-as-asked")
        } else {
            message!("search-best")
        };
        let best = row(last.text(language), self.best.total_ms);
        let rows: Vec<_> = starts.chain([best]).collect();
        let header = ["search-strategy", "search-time", "search-speedup"];
        let word = |id| Message::new(id).text(language);
        Table::new(word("search-strategies"), header.map(word), rows)
    }

    /// The best strategy, the first of its operators.
    #[must_use]
    pub fn strategy_table(&self, rows: usize, language: Language) -> Table {
        let joined =
            |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let configs = self.configs.iter().take(rows).zip(&self.graph.ops).map(|(config, op)| {
            [op.name.clone(), op.kind.clone(), joined(&config.dims), joined(&config.devices)]
        });
        let header = ["search-operator", "search-type", "search-parts", "search-devices"];
        let word = |id| Message::new(id).text(language);
        Table::new(word("search-best-strategy"), header.map(word), configs)
    }

    /// How it was found, and over which links.
    #[must_use]
    pub fn sentences(&self, request: &SearchRequest) -> Vec<Message> {
        let found = message!(
            "search-found",
            proposals = request.proposals(),
            seed = request.seed().to_string(),
            from = self.from,
            estimated = Arg::Share(self.best.estimated_share)
        );
        let links = self.links.as_ref().map(ChargedLinks::sentence);
        let notes = self.notes.iter().cloned().map(remark);
        [found].into_iter().chain(self.gap_sentence()).chain(links).chain(notes).collect()
    }

    /// How far the best strategy may be from the best there is, as a share of the latter's least time; `None` where no
    /// bound is known.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        let bound = self.search.bound_ms.filter(|ms| *ms > 0.0)?;
        Some((self.best.total_ms / bound - 1.0).max(0.0))
    }

    fn gap_sentence(&self) -> Option<Message> {
        if self.search.is_proven {
            return Some(message!("search-proven"));
        }
        let (bound, gap) = (self.search.bound_ms?, self.gap()?);
        Some(message!("search-gap", bound = Arg::Value(bound, 6), gap = Arg::Share(gap)))
    }
}

impl ChargedLinks {
    /// They, with who says what they are.
    #[must_use]
    pub fn sentence(&self) -> Message {
        message!(
            "search-links",
            rate = self.gbps.to_string(),
            rate_from = self.gbps_from.word(),
            latency = self.latency_ns.to_string(),
            latency_from = self.latency_from.word()
        )
    }
}

impl ChainFound {
    /// The stages.
    #[must_use]
    pub fn stages_table(&self, language: Language) -> Table {
        let rows = self.plan.stages.iter().enumerate().map(|(number, stage)| {
            [
                number.to_string(),
                self.names(stage.layers),
                stage.tensor_parallel.to_string(),
                format!("{:.3}", stage.ns as f64 / 1e3),
                format!("{:.1}", stage.bytes as f64 / 1_048_576.0),
            ]
        });
        let header = [
            "search-stage",
            "search-layers",
            "search-devices",
            "search-microbatch-time",
            "search-device-memory",
        ];
        let word = |id| Message::new(id).text(language);
        Table::new(word("search-best-stages"), header.map(word), rows)
    }

    /// The whole time, the links, and what was not charged.
    #[must_use]
    pub fn sentences(&self, request: &SearchRequest) -> Vec<Message> {
        let Self { plan, one_device_ns, bubble_ratio, devices, .. } = self;
        let best = plan.ns as f64;
        let speedup = if best > 0.0 { one_device_ns / best } else { 1.0 };
        let mut all = vec![message!(
            "search-chain",
            microbatches = u64::from(plan.microbatches),
            time = Arg::Value(best / 1e6, 6),
            one_device = Arg::Value(one_device_ns / 1e6, 6),
            speedup = Arg::Factor(speedup),
            bubble = Arg::Share(*bubble_ratio)
        )];
        all.extend(self.links.map(|links| message!("search-one-pass", links = links.sentence())));
        if devices.devices > 1 && !devices.divides_layers {
            all.push(remark(message!("search-not-divided")));
        }
        if devices.devices > 1 && request.memory.is_none() {
            all.push(remark(message!("search-memory-unchecked")));
        }
        all
    }
}

/// The time of a given strategy.
#[must_use]
pub fn evaluation_table(found: &Evaluation, language: Language) -> Table {
    let word = |id| Message::new(id).text(language);
    let row = |name, ms: f64| [word(name), format!("{ms:.6}")];
    let rows = [
        row("search-computing", found.compute_and_comm_ms),
        row("search-update", found.update_ms),
        row("search-penalty", found.memory_penalty_ms),
        row("search-total", found.total_ms),
    ];
    Table::new(word("search-strategy"), ["search-part", "search-time"].map(word), rows)
}

//! What was searched in tables and sentences, as the console shows it.

use bigtpu_output::Table;
use bigtpu_predict::search::Evaluation;

use super::{ChainFound, ChargedLinks, Found, SearchRequest};

impl Found {
    /// The starts and the best strategy side by side.
    #[must_use]
    pub fn times_table(&self) -> Table {
        let first = self.start_ms.first().map_or(0.0, |(_, ms)| *ms);
        let ratio = |ms: f64| if ms > 0.0 { format!("{:.2}", first / ms) } else { String::new() };
        let row = |name: String, ms: f64| [name, format!("{ms:.6}"), ratio(ms)];
        let starts = self.start_ms.iter().map(|(name, ms)| row(name.replace('-', " "), *ms));
        // Without a search, the last row is what was asked for, which may be worse than another row.
        let last = if self.search.bound_ms.is_none() && self.search.log.len() <= 1 {
            "as asked for"
        } else {
            "best"
        };
        let best = row(last.to_owned(), self.best.total_ms);
        let rows: Vec<_> = starts.chain([best]).collect();
        Table::new("Strategies", ["Strategy", "Time (ms)", "Speedup"], rows)
    }

    /// The best strategy, the first of its operators.
    #[must_use]
    pub fn strategy_table(&self, rows: usize) -> Table {
        let joined =
            |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let configs = self.configs.iter().take(rows).zip(&self.graph.ops).map(|(config, op)| {
            [op.name.clone(), op.kind.clone(), joined(&config.dims), joined(&config.devices)]
        });
        let header = ["Operator", "Type", "Parts (batch first)", "Devices"];
        Table::new("Best strategy", header, configs)
    }

    /// How it was found, and over which links.
    #[must_use]
    pub fn sentences(&self, request: &SearchRequest) -> Vec<String> {
        let found = format!(
            "{} proposals from each start, seed {}; the best came from the start {}. {:.0} % of the computing time is estimated, not measured.",
            request.proposals(),
            request.seed(),
            self.from,
            self.best.estimated_share * 100.0
        );
        let links = self.links.as_ref().map(ChargedLinks::sentence);
        let notes = self.notes.iter().map(|note| format!("note: {note}"));
        [found].into_iter().chain(self.gap_sentence()).chain(links).chain(notes).collect()
    }

    /// How far the best strategy may be from the best there is, as a share of the latter's least time; `None` where no
    /// bound is known.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        let bound = self.search.bound_ms.filter(|ms| *ms > 0.0)?;
        Some((self.best.total_ms / bound - 1.0).max(0.0))
    }

    fn gap_sentence(&self) -> Option<String> {
        if self.search.is_proven {
            return Some("no strategy is faster: all of them were tried or ruled out".to_owned());
        }
        let (bound, gap) = (self.search.bound_ms?, self.gap()?);
        Some(format!(
            "no strategy takes less than {bound:.6} ms (longest way through the graph, or an even share of the work): the best one is at most {:.1} % above the fastest",
            gap * 100.0
        ))
    }
}

impl ChargedLinks {
    /// They, with who says what they are.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!(
            "links: {} GB/s ({}), {} ns of latency ({})",
            self.gbps,
            self.gbps_from.words(),
            self.latency_ns,
            self.latency_from.words()
        )
    }
}

impl ChainFound {
    /// The stages.
    #[must_use]
    pub fn stages_table(&self) -> Table {
        let rows = self.plan.stages.iter().enumerate().map(|(number, stage)| {
            [
                number.to_string(),
                self.names(stage.layers),
                stage.tensor_parallel.to_string(),
                format!("{:.3}", stage.ns as f64 / 1e3),
                format!("{:.1}", stage.bytes as f64 / 1_048_576.0),
            ]
        });
        let header =
            ["Stage", "Layers", "Devices", "Time of a microbatch (us)", "Memory of a device (MiB)"];
        Table::new("Best stages", header, rows)
    }

    /// The whole time, the links, and what was not charged.
    #[must_use]
    pub fn sentences(&self, request: &SearchRequest) -> Vec<String> {
        let Self { plan, one_device_ns, bubble_ratio, devices, .. } = self;
        let best = plan.ns as f64;
        let mut all = vec![format!(
            "{} {}: {:.6} ms, {:.6} ms on one device (speedup {:.2}); bubble {:.1} %",
            plan.microbatches,
            if plan.microbatches == 1 { "microbatch" } else { "microbatches" },
            best / 1e6,
            one_device_ns / 1e6,
            if best > 0.0 { one_device_ns / best } else { 1.0 },
            bubble_ratio * 100.0
        )];
        all.extend(
            self.links.map(|links| links.sentence() + "; a microbatch is one measured pass"),
        );
        if devices.devices > 1 && !devices.divides_layers {
            all.push("note: the file does not say how long the engines worked, so no layer is divided over devices".to_owned());
        }
        if devices.devices > 1 && request.memory.is_none() {
            all.push("note: memory is not checked".to_owned());
        }
        all
    }
}

/// The time of a given strategy.
#[must_use]
pub fn evaluation_table(found: &Evaluation) -> Table {
    let row = |name: &str, ms: f64| [name.to_owned(), format!("{ms:.6}")];
    let rows = [
        row("computing and communication", found.compute_and_comm_ms),
        row("update of weights", found.update_ms),
        row("memory penalty", found.memory_penalty_ms),
        row("total", found.total_ms),
    ];
    Table::new("Strategy", ["Part", "Time (ms)"], rows)
}

//! What was measured, as the console shows it.

use bigtpu_messages::{Language, Message};
use bigtpu_model::costs::Part;
use bigtpu_output::Table;

use super::MeasuredCosts;

impl MeasuredCosts {
    /// The parts in a table, the first of them.
    #[must_use]
    pub fn table(&self, rows: usize, language: Language) -> Table {
        let costs = &self.costs;
        let has_phases = costs.parts.iter().any(|part| part.phase.is_some());
        let has_energy = costs.parts.iter().any(|part| part.energy_pj.is_some());
        let mut header = vec!["Part", "Kind"];
        header.extend(has_phases.then_some("Phase"));
        header.extend([
            "Executions",
            "Cores",
            "Wall(us)",
            "p50(us)",
            "p95(us)",
            "Step(us)",
            "TIU(us)",
            "DMA(us)",
            "Exposed(us)",
            "DDR(KiB)",
            "MOps",
        ]);
        header.extend(has_energy.then_some("Energy(uJ)"));
        let row = |part: &Part| {
            let us = |ns: f64| format!("{:.3}", ns / 1e3);
            let engine = |name: &str| part.engines.get(name).copied().unwrap_or_default();
            let all = || part.engines.values();
            let tiu = engine("TIU");
            let busy: f64 = all().map(|engine| engine.busy_ns).sum();
            let mut row = vec![part.name.clone(), part.kind.name().to_owned()];
            row.extend(has_phases.then(|| part.phase.map_or("", |phase| phase.name()).to_owned()));
            row.extend([
                part.executions.to_string(),
                part.cores_used.to_string(),
                us(part.wall_ns.mean),
                us(part.wall_ns.p50 as f64),
                us(part.wall_ns.p95 as f64),
                us(part.step_ns.mean),
                us(tiu.busy_ns),
                us(busy - tiu.busy_ns),
                us(part.exposed_transfer_ns),
                format!("{:.1}", all().map(|engine| engine.ddr_bytes).sum::<f64>() / 1024.0),
                format!("{:.3}", tiu.ops / 1e6),
            ]);
            let total = part.energy_pj.and_then(|energy| energy.total);
            row.extend(
                has_energy.then(|| total.map_or("-".to_owned(), |pj| format!("{:.3}", pj / 1e6))),
            );
            row
        };
        let title = Message::new("costs-table").text(language);
        Table::new(title, header, costs.parts.iter().take(rows).map(row))
    }
}

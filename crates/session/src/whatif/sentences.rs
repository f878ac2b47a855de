//! The answer in sentences and tables, as the console shows it.

use bigtpu_measure::round4;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;
use bigtpu_predict::estimate::ERRORS_OF_COMMANDS;
use bigtpu_replay::{KernelTime, Piece, SensitivityRow};

use super::answer::Answer;
use crate::note::remark;

/// Pieces of the critical path shown.
const PIECES: usize = 5;
/// Kernels shown.
const KERNELS: usize = 10;

impl Answer {
    /// What was predicted, with its ranges.
    #[must_use]
    pub fn headline(&self) -> Vec<Message> {
        let (before, after) = (self.measured_ns, self.predicted_ns);
        if self.changes.is_empty() {
            return vec![message!("whatif-measured", time = Arg::TimeNs(before))];
        }
        let changes: Vec<String> = self.changes.iter().map(|change| short(change)).collect();
        let predicted = message!(
            "whatif-predicted",
            changes = changes.join(", "),
            after = Arg::TimeNs(after),
            before = Arg::TimeNs(before),
            saved = saved(before, after)
        );
        let by_machines = self.machine_range_ns.map(|[least, most]| {
            let [held, all] = ERRORS_OF_COMMANDS.held_without_prediction;
            message!(
                "whatif-likely-range",
                least = Arg::TimeNs(least),
                most = Arg::TimeNs(most),
                held = u64::from(held),
                all = u64::from(all)
            )
        });
        [Some(predicted), self.range(), by_machines].into_iter().flatten().collect()
    }

    /// The range of the prediction, if idle time without a known cause matters.
    fn range(&self) -> Option<Message> {
        let (least, most) = self.predicted_range_ns;
        let [from, to] = [least, most].map(Arg::TimeNs);
        (least < most).then(|| match self.rules {
            Some(_) => message!("whatif-range-of-commands", least = from, most = to),
            None => message!("whatif-range", least = from, most = to),
        })
    }

    /// The kernels whose time changes most.
    #[must_use]
    pub fn kernels_table(&self, language: Language) -> Table {
        let row = |k: &KernelTime| {
            vec![
                k.kernel.clone(),
                k.launches.to_string(),
                us(k.measured_ns),
                us(k.predicted_ns),
                gain(k.measured_ns, k.predicted_ns),
            ]
        };
        Table::new(
            message!("whatif-kernels").text(language),
            ["Kernel", "Launches", "Measured(us)", "Predicted(us)", "Change"],
            self.by_kernel.iter().take(KERNELS).map(row),
        )
    }

    /// What the measured run waited for.
    #[must_use]
    pub fn path_table(&self, language: Language) -> Table {
        let row = |p: &Piece| {
            let share = format!("{:.1} %", p.share * 100.0);
            let owner = p.owner().to_owned();
            vec![p.reason.message().text(language), p.engine.clone(), owner, us(p.ns), share]
        };
        Table::new(
            message!("whatif-path").text(language),
            ["Reason", "Engine", "Kernel or layer", "Path(us)", "Share"],
            self.critical_path.iter().take(PIECES).map(row),
        )
    }

    /// The predicted time with one part faster.
    #[must_use]
    pub fn sensitivity_table(&self, language: Language) -> Table {
        let base = self.measured_ns;
        let row = |r: &SensitivityRow| {
            let cell = |ns: i64| format!("{} ({})", us(ns), gain(base, ns));
            vec![r.what.clone(), cell(r.faster_1_1_ns), cell(r.faster_2_ns), cell(r.infinite_ns)]
        };
        Table::new(
            message!("whatif-sensitivity").text(language),
            ["Part", "1.1x(us)", "2x(us)", "infinite(us)"],
            self.sensitivity.iter().map(row),
        )
    }

    /// What no tuning gets below.
    #[must_use]
    pub fn bounds_line(&self) -> Option<Message> {
        let bounds = self.bounds.as_ref()?;
        let [hidden, ideal] =
            [bounds.transfers_hidden_ns, bounds.engines_ideal_ns].map(Arg::TimeNs);
        Some(message!("whatif-bounds", hidden = hidden, ideal = ideal))
    }

    /// What the prediction rests on.
    #[must_use]
    pub fn confidence_lines(&self) -> Vec<Message> {
        let confidence = &self.confidence;
        let fit = match confidence.dma_fit_error {
            Some(error) => message!("whatif-fit", error = Arg::Share(error)),
            None => message!("whatif-no-fit"),
        };
        let mut lines = Vec::new();
        if let Some(rules) = &self.rules {
            lines.push(message!(
                "whatif-rules",
                exact = Arg::Share(rules.exact),
                fitted = Arg::Share(rules.fitted),
                estimated = Arg::Share(rules.estimated),
                unknown = Arg::Share(rules.not_validated),
                kept = Arg::Share(rules.without_bits)
            ));
        }
        if let Some(cache) = &self.cache {
            let mib = |bytes: u64| format!("{:.2} MiB", bytes as f64 / (1 << 20) as f64);
            lines.push(message!(
                "whatif-cache",
                size = mib(cache.bytes),
                rate = cache.gbps.to_string(),
                hits = cache.hits,
                loads = cache.loads,
                hit_bytes = mib(cache.hit_bytes),
                load_bytes = mib(cache.load_bytes),
                constants = cache.constants,
                constant_bytes = mib(cache.constant_bytes)
            ));
        }
        lines.push(message!(
            "whatif-based-on",
            certain = Arg::Share(confidence.certain),
            checked = Arg::Share(confidence.checked),
            inferred = Arg::Share(confidence.inferred),
            fit = fit,
            unexplained = Arg::Share(confidence.unexplained)
        ));
        lines.extend(confidence.notes.iter().cloned().map(remark));
        lines
    }
}

fn us(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1000.0)
}

/// What is saved in words: `28.95 % less time (1.41x)`.
fn saved(before: i64, after: i64) -> Message {
    if before == after || before <= 0 || after <= 0 {
        return message!("whatif-same");
    }
    let (before, after) = (before as f64, after as f64);
    let change = Arg::Percent((after - before).abs() * 100.0 / before);
    match after < before {
        true => message!("whatif-less", change = change, factor = Arg::Factor(before / after)),
        false => message!("whatif-more", change = change, factor = Arg::Factor(after / before)),
    }
}

/// A change in percent: `-12.3 %`.
fn gain(before: i64, after: i64) -> String {
    format!("{:+.1} %", (after - before) as f64 * 100.0 / before.max(1) as f64)
}

/// A change as `--scale` takes it, with at most four decimals: ratios of two machines have any number of them.
fn short(change: &str) -> String {
    let parts =
        change.rsplit_once('=').and_then(|(part, by)| Some((part, by.parse::<f64>().ok()?)));
    match parts {
        Some((part, factor)) if factor.abs() >= 0.01 => format!("{part}={}", round4(factor)),
        _ => change.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn factors_have_four_decimals_at_most() {
        assert_eq!(short("tiu=8.88888888888889"), "tiu=8.8889");
        assert_eq!(short("layer:a=b=2"), "layer:a=b=2");
        assert_eq!(short("core:0=0.00012345"), "core:0=0.00012345");
        assert_eq!(short("ddr=inf"), "ddr=inf");
    }
}

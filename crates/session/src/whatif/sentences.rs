//! The answer in sentences and tables, as the console shows it.

use bigtpu_measure::round4;
use bigtpu_output::Table;
use bigtpu_predict::estimate::ERRORS_OF_COMMANDS;
use bigtpu_replay::{KernelTime, Piece, SensitivityRow};

use super::answer::Answer;

/// Pieces of the critical path shown.
const PIECES: usize = 5;
/// Kernels shown.
const KERNELS: usize = 10;

impl Answer {
    /// What was predicted, with its ranges.
    #[must_use]
    pub fn headline(&self) -> Vec<String> {
        if self.changes.is_empty() {
            return vec![format!("Measured: {} us", us(self.measured_ns))];
        }
        let predicted = format!(
            "With {}: {} us instead of {} us: {}",
            self.changes.iter().map(|change| short(change)).collect::<Vec<_>>().join(", "),
            us(self.predicted_ns),
            us(self.measured_ns),
            saved(self.measured_ns, self.predicted_ns)
        );
        let by_machines = self.machine_range_ns.map(|[least, most]| {
            format!(
                "Likely range: {} to {} us, by the errors of twelve predictions between four measured chips (made without the one that it is tested on, it holds {} of {})",
                us(least),
                us(most),
                ERRORS_OF_COMMANDS.held_without_prediction[0],
                ERRORS_OF_COMMANDS.held_without_prediction[1]
            )
        });
        [Some(predicted), self.range(), by_machines].into_iter().flatten().collect()
    }

    /// The range of the prediction, if idle time without a known cause matters.
    fn range(&self) -> Option<String> {
        let (least, most) = self.predicted_range_ns;
        let of_commands = match self.rules {
            Some(_) => {
                " Times of single commands by the rules of another chip were up to 4 % off; commands without a rule may keep their cycles."
            }
            None => "",
        };
        (least < most).then(|| {
            format!(
                "Range: {} to {} us. The prediction keeps idle time whose cause is not known; the range is for idle time that changes \
                 with what is changed.{of_commands}",
                us(least),
                us(most)
            )
        })
    }

    /// The kernels whose time changes most.
    #[must_use]
    pub fn kernels_table(&self) -> Table {
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
            "Kernels (time summed over cores)",
            ["Kernel", "Launches", "Measured(us)", "Predicted(us)", "Change"],
            self.by_kernel.iter().take(KERNELS).map(row),
        )
    }

    /// What the measured run waited for.
    #[must_use]
    pub fn path_table(&self) -> Table {
        let row = |p: &Piece| {
            let share = format!("{:.1} %", p.share * 100.0);
            let owner = p.owner().to_owned();
            vec![p.reason.name().to_owned(), p.engine.clone(), owner, us(p.ns), share]
        };
        Table::new(
            "Critical path: its longest parts",
            ["Reason", "Engine", "Kernel or layer", "Path(us)", "Share"],
            self.critical_path.iter().take(PIECES).map(row),
        )
    }

    /// The predicted time with one part faster.
    #[must_use]
    pub fn sensitivity_table(&self) -> Table {
        let base = self.measured_ns;
        let row = |r: &SensitivityRow| {
            let cell = |ns: i64| format!("{} ({})", us(ns), gain(base, ns));
            vec![r.what.clone(), cell(r.faster_1_1_ns), cell(r.faster_2_ns), cell(r.infinite_ns)]
        };
        Table::new(
            "Sensitivity: predicted time with one part faster",
            ["Part", "1.1x(us)", "2x(us)", "infinite(us)"],
            self.sensitivity.iter().map(row),
        )
    }

    /// What no tuning gets below.
    #[must_use]
    pub fn bounds_line(&self) -> Option<String> {
        let bounds = self.bounds.as_ref()?;
        Some(format!(
            "Lower bounds: {} us if transfers took no time, {} us if no work took any time",
            us(bounds.transfers_hidden_ns),
            us(bounds.engines_ideal_ns)
        ))
    }

    /// What the prediction rests on.
    #[must_use]
    pub fn confidence_lines(&self) -> Vec<String> {
        let confidence = &self.confidence;
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let fit = confidence
            .dma_fit_error
            .map_or("no fit".to_owned(), |error| format!("median error {}", percent(error)));
        let mut lines = Vec::new();
        if let Some(rules) = &self.rules {
            lines.push(format!(
                "Time of the single commands there: {} exact, {} fitted, {} estimated, {} not validated; {} have no full bits and keep their time",
                percent(rules.exact),
                percent(rules.fitted),
                percent(rules.estimated),
                percent(rules.not_validated),
                percent(rules.without_bits)
            ));
        }
        if let Some(cache) = &self.cache {
            let mib = |bytes: u64| format!("{:.2} MiB", bytes as f64 / (1 << 20) as f64);
            lines.push(format!(
                "Cache of {} at {} GB/s: it serves {} of {} loads from DDR ({} of {}); {} constants take {}",
                mib(cache.bytes),
                cache.gbps,
                cache.hits,
                cache.loads,
                mib(cache.hit_bytes),
                mib(cache.load_bytes),
                cache.constants,
                mib(cache.constant_bytes)
            ));
        }
        lines.push(format!(
            "Based on dependences: {} certain, {} checked, {} inferred; transfers: {fit}; unexplained idle: {} of the wall \
             time",
            percent(confidence.certain),
            percent(confidence.checked),
            percent(confidence.inferred),
            percent(confidence.unexplained)
        ));
        lines.extend(confidence.notes.iter().map(|note| format!("note: {note}")));
        lines
    }
}

fn us(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1000.0)
}

/// What is saved in words: `28.95 % less time (1.41x)`.
fn saved(before: i64, after: i64) -> String {
    if before == after || before <= 0 || after <= 0 {
        return "the same time".to_owned();
    }
    let (before, after) = (before as f64, after as f64);
    let share = (after - before).abs() * 100.0 / before;
    match after < before {
        true => format!("{share:.2} % less time ({:.2}x)", before / after),
        false => format!("{share:.2} % more time ({:.2}x slower)", after / before),
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

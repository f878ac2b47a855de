//! What a trace is cut to: `--window`, `--kernel`.

use std::str::FromStr;

use anyhow::{Result, bail};
use bigtpu_output::Untrusted;
use bigtpu_session::{Cut, Run};

/// A part of the run for the trace.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CutArgs {
    /// Write only this time of the run to the trace, such as 100us:1.5ms, 2ms: or :500us; ns, us (also without a unit),
    /// ms or s from the first event. All other results are of the whole run
    #[arg(long, value_name = "FROM:TO", conflicts_with = "trace_file")]
    window: Option<Window>,

    /// Write only the times to the trace in which a kernel or layer of this name ran; * is any text, as in 'matmul*'
    #[arg(long, value_name = "NAME", conflicts_with = "trace_file")]
    kernel: Option<String>,
}

impl CutArgs {
    /// Whether the trace is to be cut.
    pub(crate) fn is_any(&self) -> bool {
        self.window.is_some() || self.kernel.is_some()
    }

    /// Cuts the trace of a run. Returns what it is cut to, in words; `None` where it is not cut.
    ///
    /// # Errors
    /// When no kernel or layer has such a name, or nothing is in the window.
    pub(crate) fn apply(&self, run: &mut Run<'_>) -> Result<Option<String>> {
        let mut cut = match &self.kernel {
            None => None,
            Some(name) => match run.when(name) {
                Some(cut) => Some(cut),
                None => bail!("{}", no_kernel(name, run)),
            },
        };
        if let Some(Window { from, to }) = self.window {
            let window = Cut::new(vec![(from, to)]);
            let both = match (&cut, &window) {
                (Some(cut), Some(window)) => cut.and(window),
                _ => window,
            };
            let Some(both) = both else {
                bail!(
                    "--window and --kernel have no time in common: the kernel runs at other times"
                )
            };
            cut = Some(both);
        }
        let Some(cut) = cut else { return Ok(None) };
        let events = || run.profile.tracks().map(|track| &track.events);
        let times = || events().flat_map(|e| e.start.iter().zip(&e.end));
        let kept = times().filter(|&(&start, &end)| cut.holds(start, end)).count();
        if kept == 0 {
            let end = run.profile.latest_end as f64 / 1e3;
            bail!("--window: nothing ran then; the run ends at {end:.3} us");
        }
        let all = run.profile.event_count();
        run.cut_trace(cut);
        Ok(Some(format!("note: the trace is cut to {kept} of {all} events (--window, --kernel)")))
    }
}

fn no_kernel(name: &str, run: &Run<'_>) -> String {
    const FEW: usize = 12;
    let kernels = run.analysis.report.kernels.iter().map(|kernel| kernel.kernel.clone());
    let layers = run.layers.iter().flat_map(|layers| &layers.layers).map(|layer| layer.title());
    let known: Vec<String> = kernels.chain(layers).collect();
    let few = known.iter().take(FEW).map(|name| Untrusted::from(name).line().to_string());
    let few: Vec<String> = few.collect();
    let more = if known.len() > FEW { ", ..." } else { "" };
    let name = Untrusted::from(name);
    format!(
        "--kernel {}: no kernel or layer has this name; the run has: {}{more}",
        name.line(),
        few.join(", ")
    )
}

/// `--window`, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    from: i64,
    to: i64,
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a time FROM:TO; write for example 100us:1.5ms");
        let (from, to) = text.split_once(':').ok_or_else(wrong)?;
        let time = |text: &str, open: i64| match text.trim() {
            "" => Some(open),
            text => nanoseconds(text),
        };
        let (from, to) = time(from, i64::MIN).zip(time(to, i64::MAX)).ok_or_else(wrong)?;
        if from >= to {
            return Err(format!("{text:?} ends before it starts"));
        }
        Ok(Self { from, to })
    }
}

fn nanoseconds(text: &str) -> Option<i64> {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let with_unit = units.iter().find_map(|(unit, ns)| Some((text.strip_suffix(unit)?, *ns)));
    let (digits, ns) = with_unit.unwrap_or((text, 1e3));
    let value: f64 = digits.trim().parse().ok()?;
    (value.is_finite() && value.abs() < 1e15).then(|| (value * ns).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let window = |text: &str| text.parse::<Window>().map(|w| (w.from, w.to));
        assert_eq!(window("100us:1.5ms"), Ok((100_000, 1_500_000)));
        assert_eq!(window("2:3"), Ok((2_000, 3_000)));
        assert_eq!(window("7ns:"), Ok((7, i64::MAX)));
        assert_eq!(window(":1s"), Ok((i64::MIN, 1_000_000_000)));
        for wrong in ["5", "a:b", "5:1", "1us:1us", "nan:1"] {
            assert!(window(wrong).is_err(), "{wrong}");
        }
    }
}

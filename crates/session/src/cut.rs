//! What a trace is cut to: a time, a kernel.

use bigtpu_messages::error_message;
use std::str::FromStr;

use bigtpu_emit_perfetto::held;
use bigtpu_measure::NamePattern;
use bigtpu_messages::{Message, message};
use bigtpu_output::Untrusted;
use bigtpu_scene::Cut;

use crate::run::Run;

/// A part of the run for the trace.
#[derive(Debug, Clone, Default)]
pub struct CutRequest {
    /// Only this time of the run.
    pub window: Option<TimeWindow>,
    /// Only the times in which a kernel or layer of this name ran: a [`NamePattern`].
    pub kernel: Option<String>,
}

/// Why a trace can't be cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// No kernel or layer has the name; the message says which there are.
    #[error("{0}")]
    NoKernel(Message),
    /// The kernel never runs in the window.
    #[error("{}", error_message!("error-cut-nothing-in-common"))]
    NothingInCommon,
    /// The run has no event in the window.
    #[error("{}", error_message!("error-cut-nothing-ran", value = format_args!("{:.3}", .0)))]
    NothingRan(f64),
}

impl CutRequest {
    /// Whether the trace is to be cut.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.window.is_some() || self.kernel.is_some()
    }

    /// Cuts the trace of a run. Returns what it is cut to, in words; `None` where it is not cut.
    ///
    /// # Errors
    /// [`CutError`] when no kernel or layer has such a name, or nothing is in the window.
    pub fn apply(&self, run: &mut Run<'_>) -> Result<Option<Message>, CutError> {
        let mut cut = match &self.kernel {
            None => None,
            Some(name) => match run.when(&NamePattern::new(name)) {
                Some(cut) => Some(cut),
                None => return Err(CutError::NoKernel(no_kernel(name, run))),
            },
        };
        if let Some(TimeWindow { from, to }) = self.window {
            let window = Cut::new(vec![(from, to)]);
            let both = match (&cut, &window) {
                (Some(cut), Some(window)) => cut.and(window),
                _ => window,
            };
            cut = Some(both.ok_or(CutError::NothingInCommon)?);
        }
        let Some(cut) = cut else { return Ok(None) };
        let kept = held(&run.profile, &cut);
        if kept == 0 {
            return Err(CutError::NothingRan(run.profile.latest_end as f64 / 1e3));
        }
        let all = run.profile.event_count();
        run.cut_trace(cut);
        Ok(Some(message!("report-cut", kept = kept, all = all)))
    }
}

fn no_kernel(name: &str, run: &Run<'_>) -> Message {
    const FEW: usize = 12;
    let kernels = run.report().kernels.iter().map(|kernel| kernel.kernel.clone());
    let layers = run.layers.iter().flat_map(|layers| (1..).zip(&layers.layers));
    let layers = layers.map(|(id, layer)| layer.label(id).to_string());
    let known: Vec<String> = kernels.chain(layers).collect();
    let few = known.iter().take(FEW).map(|name| Untrusted::from(name).line().to_string());
    let few: Vec<String> = few.collect();
    let more = if known.len() > FEW { ", ..." } else { "" };
    let names = few.join(", ") + more;
    error_message!("problem-no-kernel", name = Untrusted::from(name).line(), names)
}

/// A time of a run, in ns from its first event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeWindow {
    from: i64,
    to: i64,
}

/// A text that is no time of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWindow {
    /// The text does not have the form of a window.
    #[error("{}", error_message!("error-cut-form", value = format_args!("{:?}", .0)))]
    Form(String),
    /// The window has no length.
    #[error("{}", error_message!("error-cut-empty", value = format_args!("{:?}", .0)))]
    Empty(String),
}

impl FromStr for TimeWindow {
    type Err = NoWindow;

    fn from_str(text: &str) -> Result<Self, NoWindow> {
        let wrong = || NoWindow::Form(text.to_owned());
        let (from, to) = text.split_once(':').ok_or_else(wrong)?;
        let time = |text: &str, open: i64| match text.trim() {
            "" => Some(open),
            text => nanoseconds(text),
        };
        let (from, to) = time(from, i64::MIN).zip(time(to, i64::MAX)).ok_or_else(wrong)?;
        if from >= to {
            return Err(NoWindow::Empty(text.to_owned()));
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
        let window = |text: &str| text.parse::<TimeWindow>().map(|w| (w.from, w.to));
        assert_eq!(window("100us:1.5ms"), Ok((100_000, 1_500_000)));
        assert_eq!(window("2:3"), Ok((2_000, 3_000)));
        assert_eq!(window("7ns:"), Ok((7, i64::MAX)));
        assert_eq!(window(":1s"), Ok((i64::MIN, 1_000_000_000)));
        for wrong in ["5", "a:b", "5:1", "1us:1us", "nan:1"] {
            assert!(window(wrong).is_err(), "{wrong}");
        }
    }
}

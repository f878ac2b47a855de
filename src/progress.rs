//! Progress bars on stderr, when it is a terminal.

use std::time::Duration;

use bigtpu_emit::{Progress, Quiet, Task};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::standard;

/// Bars, or nothing.
pub(crate) fn progress(quiet: bool) -> Box<dyn Progress> {
    if quiet || !standard::are_terminals()[1] { Box::new(Quiet) } else { Box::new(Bars::default()) }
}

#[derive(Default)]
struct Bars(MultiProgress);

impl Progress for Bars {
    fn task(&self, name: &str, total: u64) -> Box<dyn Task> {
        if total == 0 {
            let spinner = self.0.add(ProgressBar::new_spinner());
            spinner.set_message(name.to_owned());
            spinner.enable_steady_tick(TICK);
            return Box::new(Bar(spinner));
        }
        let bar = self.0.add(ProgressBar::new(total));
        bar.set_message(name.to_owned());
        let style =
            ProgressStyle::with_template("{msg:>16} [{bar:40}] {human_pos}/{human_len} {eta}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(TICK);
        Box::new(Bar(bar))
    }
}

const TICK: Duration = Duration::from_millis(200);

struct Bar(ProgressBar);

impl Task for Bar {
    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

//! Progress bars on stderr, when it is a terminal.

use std::time::Duration;

use bigtpu_emit::{Progress, ProgressTask, Quiet};
use bigtpu_emit_text::console::standard;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Bars, or nothing.
pub(crate) fn progress(quiet: bool) -> Box<dyn Progress> {
    if quiet || !standard::are_terminals()[1] { Box::new(Quiet) } else { Box::new(Bars::default()) }
}

#[derive(Default)]
struct Bars(MultiProgress);

impl Progress for Bars {
    fn task(&self, name: &str, total: u64) -> Box<dyn ProgressTask> {
        // Whole before it is shown: each change of a bar on the screen is drawn.
        let bar = match total {
            0 => ProgressBar::new_spinner(),
            _ => ProgressBar::new(total).with_style(style()),
        };
        let bar = self.0.add(bar.with_message(name.to_owned()));
        bar.enable_steady_tick(TICK);
        Box::new(Bar(bar))
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{msg:>16} [{bar:40}] {human_pos}/{human_len} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

const TICK: Duration = Duration::from_millis(200);

struct Bar(ProgressBar);

impl ProgressTask for Bar {
    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that remembers what was written.
    #[derive(Debug, Clone, Default)]
    struct Recorded(Arc<Mutex<String>>);

    impl TermLike for Recorded {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_has_its_style_and_name_from_the_first_moment() {
        let screen = Recorded::default();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let bars = Bars(MultiProgress::with_draw_target(target));
        // A terminal is drawn on from time to time only.
        for (name, total, expected) in [("workbook", 4096, "workbook ["), ("reading", 0, "reading")]
        {
            let task = bars.task(name, total);
            while !screen.0.lock().unwrap().contains(expected) {
                task.advance(1);
                std::thread::yield_now();
            }
        }
        let shown = screen.0.lock().unwrap().clone();
        assert!(!shown.contains(['█', '░']), "{shown:?}");
    }
}

//! Progress of an analysis, told to the page.

use std::sync::atomic::{AtomicU64, Ordering};

use bigtpu_emit::{Progress, ProgressTask};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A function of the worker: a task, how many of its steps are done, and of how many; 0 where that is not known.
    #[wasm_bindgen(js_name = showAnalyzerProgress)]
    fn show(task: &str, done: f64, total: f64);

    /// A function of the worker: why the analysis ended where no error says it.
    #[wasm_bindgen(js_name = showAnalyzerPanic)]
    fn show_panic(text: &str);
}

/// Tells the page the text of a panic: the module itself ends with a trap, which has none.
pub(crate) fn tell_panics() {
    std::panic::set_hook(Box::new(|info| show_panic(&info.to_string())));
}

/// Tells the page how far a task is, a hundred times at most.
pub(crate) struct ToPage;

struct Told {
    name: String,
    total: u64,
    done: AtomicU64,
}

impl Progress for ToPage {
    fn task(&self, name: &str, total: u64) -> Box<dyn ProgressTask> {
        show(name, 0.0, total as f64);
        Box::new(Told { name: name.to_owned(), total, done: AtomicU64::new(0) })
    }
}

impl ProgressTask for Told {
    fn advance(&self, steps: u64) {
        let before = self.done.fetch_add(steps, Ordering::Relaxed);
        let done = before + steps;
        let hundredth = (self.total / 100).max(1);
        if before / hundredth != done / hundredth {
            show(&self.name, done as f64, self.total as f64);
        }
    }
}

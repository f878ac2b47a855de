//! The table of results.

/// Rows: what, target, measured, whether it holds.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<(String, String, String, bool)>);

impl Table {
    pub(crate) fn row(&mut self, what: &str, target: &str, measured: String, holds: bool) {
        eprintln!("{} {what}: {measured}", if holds { "ok    " } else { "FAILED" });
        self.0.push((what.to_owned(), target.to_owned(), measured, holds));
    }

    pub(crate) fn print(&self) {
        println!("| what | target | measured | |\n|---|---|---|---|");
        for (what, target, measured, holds) in &self.0 {
            println!(
                "| {what} | {target} | {measured} | {} |",
                if *holds { "ok" } else { "FAILED" }
            );
        }
    }
}

/// `a of b`, and the share.
pub(crate) fn share(part: usize, whole: usize) -> String {
    format!("{part} of {whole} ({:.2}%)", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Whether at least so many percent of the whole are in the part.
pub(crate) fn is_at_least(part: usize, whole: usize, percent: f64) -> bool {
    part as f64 >= percent / 100.0 * whole as f64
}

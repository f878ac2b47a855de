//! How much longer something takes in several dumps.

use super::median;

/// Ratios and losses of something in several dumps. `W` says where it lost most.
pub(super) struct Sum<W> {
    ratios: Vec<f64>,
    lost: f64,
    worst: Option<(f64, W)>,
}

/// What a [`Sum`] says.
pub(super) struct Total<W> {
    /// Dumps.
    pub(super) calls: usize,
    /// The median of the ratios.
    pub(super) ratio: f64,
    /// ns, summed.
    pub(super) lost_ns: i64,
    /// Where it lost most; the first of several.
    pub(super) worst: W,
}

impl<W> Default for Sum<W> {
    fn default() -> Self {
        Self { ratios: Vec::new(), lost: 0.0, worst: None }
    }
}

impl<W> Sum<W> {
    /// A dump in which it takes `ratio` times as long as usual, and `lost` ns more.
    pub(super) fn add(&mut self, ratio: f64, lost: f64, place: W) {
        if self.worst.as_ref().is_none_or(|(most, _)| lost > *most) {
            self.worst = Some((lost, place));
        }
        self.ratios.push(ratio);
        self.lost += lost;
    }

    /// All of it; `None` of no dump.
    pub(super) fn total(self) -> Option<Total<W>> {
        let (_, worst) = self.worst?;
        let calls = self.ratios.len();
        let lost_ns = self.lost.round() as i64;
        Some(Total { calls, ratio: median(self.ratios), lost_ns, worst })
    }
}

//! Curves of a light trace: their means over windows of time.

use std::iter::Peekable;

/// Means of a curve of `N` values over windows of time, as the steps of a new curve with the same integral. Where it does not
/// change it has no step.
pub(crate) struct Windows<I: Iterator<Item = (i64, [f64; N])>, const N: usize> {
    steps: Peekable<I>,
    width: i64,
    /// The curve's end, in ns: the last window ends there.
    end: i64,
    /// Where the next window starts; `None` before the first step.
    at: Option<i64>,
    /// The curve's values there.
    values: [f64; N],
    /// Values of the new curve there.
    shown: [f64; N],
    /// The values of its last step.
    told: Option<[f64; N]>,
}

impl<I: Iterator<Item = (i64, [f64; N])>, const N: usize> Windows<I, N> {
    /// `steps`: in time order; `width` of a window and `end` of the curve in ns.
    pub(crate) fn new(steps: I, width: i64, end: i64) -> Self {
        let zero = [0.0; N];
        let steps = steps.peekable();
        Self { steps, width: width.max(1), end, at: None, values: zero, shown: zero, told: None }
    }

    /// Where the window that holds a time ends.
    fn end_of(&self, time: i64) -> i64 {
        let end = time.saturating_add(self.width - time.rem_euclid(self.width));
        if end > self.end && self.end > time { self.end } else { end }
    }

    /// The next step, which may have the values of the last one.
    fn step(&mut self) -> Option<(i64, [f64; N])> {
        let next = self.steps.peek().map(|step| step.0);
        let begin = match (self.at, next) {
            // Nothing changes in this window, but something did in the one before.
            (Some(at), next) if next.is_none_or(|next| next >= self.end_of(at)) => {
                if self.shown != self.values {
                    self.shown = self.values;
                    return Some((at, self.values));
                }
                let next = next?;
                next - next.rem_euclid(self.width)
            }
            (Some(at), _) => at,
            (None, next) => next?,
        };
        let begin = begin.max(self.at.unwrap_or(begin));
        let end = self.end_of(begin);
        let (mut since, mut sums) = (begin, [0.0; N]);
        loop {
            let step = self.steps.next_if(|step| step.0 < end);
            let until = step.map_or(end, |step| step.0.max(since));
            for (sum, value) in sums.iter_mut().zip(self.values) {
                *sum += (until - since) as f64 * value;
            }
            since = until;
            let Some((_, values)) = step else { break };
            self.values = values;
        }
        self.at = Some(end);
        self.shown = sums.map(|sum| sum / (end - begin) as f64);
        Some((begin, self.shown))
    }
}

impl<I: Iterator<Item = (i64, [f64; N])>, const N: usize> Iterator for Windows<I, N> {
    type Item = (i64, [f64; N]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (begin, values) = self.step()?;
            if self.told.replace(values) != Some(values) {
                return Some((begin, values));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integral(steps: &[(i64, [f64; 1])], until: i64) -> f64 {
        let ends = steps.iter().skip(1).map(|step| step.0).chain([until]);
        steps.iter().zip(ends).map(|((start, [value]), end)| (end - start) as f64 * value).sum()
    }

    #[test]
    fn means_of_windows_have_the_integral_of_the_curve() {
        let steps = [
            (3, [8.0]),
            (5, [0.0]),
            (12, [4.0]),
            (12, [2.0]),
            (47, [0.0]),
            (90, [1.0]),
            (93, [0.0]),
        ];
        let means: Vec<_> = Windows::new(steps.into_iter(), 10, 95).collect();
        let expected = [
            (3, [16.0 / 7.0]),
            (10, [1.6]),
            (20, [2.0]),
            (40, [1.4]),
            (50, [0.0]),
            (90, [0.6]),
            (95, [0.0]),
        ];
        assert_eq!(means, expected);
        assert!((integral(&means, 100) - integral(&steps, 100)).abs() < 1e-9);
    }

    /// A source must have something to write in each of its turns.
    #[test]
    fn windows_with_the_same_mean_are_one_step() {
        let steps = (0..40).map(|at| (at * 5, [f64::from(at as i32 % 2)]));
        let means: Vec<_> = Windows::new(steps, 10, 200).collect();
        assert_eq!(means, [(0, [0.5]), (200, [1.0])]);
    }
}

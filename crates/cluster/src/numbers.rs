//! Numbers of reports: rounded, and in the middle of others.

/// ns to three places.
pub(crate) fn thousandth(ns: f64) -> f64 {
    (ns * 1000.0).round() / 1000.0
}

/// The median of sorted numbers, of an even count the lower one.
pub(crate) fn lower_median<T: Copy>(sorted: &[T]) -> Option<T> {
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

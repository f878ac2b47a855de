//! The interface through which views report their progress.

/// Shows progress.
pub trait Progress: Sync {
    /// Starts a task of `total` steps; 0 where their number is not known.
    fn task(&self, name: &str, total: u64) -> Box<dyn ProgressTask>;
}

/// A task in progress; it ends when dropped.
pub trait ProgressTask: Send + Sync {
    /// Tells of `steps` more.
    fn advance(&self, steps: u64);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn task(&self, _name: &str, _total: u64) -> Box<dyn ProgressTask> {
        Box::new(Quiet)
    }
}

impl ProgressTask for Quiet {
    fn advance(&self, _steps: u64) {}
}

//! What the system tells of a process that runs, and of those that it started: where they work, and which runtime they use.
//! Only Linux tells; elsewhere the directory in which the process was started has to do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::runtime::Runtime;

/// Processes that are looked at: a run that starts more is a build or a test suite.
const MOST_PROCESSES: usize = 256;

/// The list of a process's libraries is long, and the process waits while the system writes it: it is read at each look while
/// the command starts, and then at each so many looks.
const FIRST_LOOKS: u32 = 10;
const LIBRARIES_EVERY: u32 = 25;

/// What was seen of a command while it ran.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Directories in which its processes worked.
    pub(super) directories: BTreeSet<PathBuf>,
    /// The runtime that one of them used.
    pub(super) runtime: Option<Runtime>,
    looks: u32,
}

impl Seen {
    /// Looks at a process and its descendants.
    pub(super) fn look(&mut self, process: u32) {
        let has_libraries = self.looks < FIRST_LOOKS || self.looks.is_multiple_of(LIBRARIES_EVERY);
        self.looks = self.looks.saturating_add(1);
        let mut waiting = vec![process];
        let mut count = 0;
        while let Some(process) = waiting.pop().filter(|_| count < MOST_PROCESSES) {
            count += 1;
            let root = PathBuf::from(format!("/proc/{process}"));
            self.directories.extend(std::fs::read_link(root.join("cwd")).ok());
            if has_libraries {
                self.look_at_libraries(&root);
            }
            let threads = std::fs::read_dir(root.join("task")).into_iter().flatten().flatten();
            let children = threads
                .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
            for children in children {
                waiting.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
            }
        }
    }

    /// Libraries are loaded while a process starts, a runtime often later.
    fn look_at_libraries(&mut self, root: &Path) {
        let maps = std::fs::read_to_string(root.join("maps")).unwrap_or_default();
        let names = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
        let names = names.filter_map(|path| path.rsplit('/').next());
        let found = Runtime::of_files(names);
        // A script's shell has no runtime; the program that it starts has.
        self.runtime = found.or(self.runtime);
    }
}

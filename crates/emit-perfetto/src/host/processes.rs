//! Processes and threads of a host trace: their tracks are defined when something is on them.

use bigtpu_host_trace::{HostTrace, StrId};

use crate::tracks::Tracks;

/// Viewers need numbers: ids that are texts get some from here on, which no system gives.
const FIRST_MADE_UP: i32 = 1 << 30;

/// The tracks of processes and threads.
pub(super) struct Processes<'h> {
    host: &'h HostTrace,
    processes: Vec<Option<u64>>,
    threads: Vec<Option<u64>>,
}

impl<'h> Processes<'h> {
    pub(super) fn collect(host: &'h HostTrace) -> Self {
        let (processes, threads) = (host.processes.len(), host.threads.len());
        Self { host, processes: vec![None; processes], threads: vec![None; threads] }
    }

    /// The track of a process; `None` where the host trace has no such process.
    pub(super) fn process(&mut self, index: u32, tracks: &mut Tracks) -> Option<u64> {
        let process = self.host.processes.get(index as usize)?;
        if let Some(known) = self.processes.get(index as usize).copied().flatten() {
            return Some(known);
        }
        let (pid, text) = (self.pid(index), self.text(process.pid));
        let name = self.title(process.name, "process", text, i64::from(pid));
        let label = process.labels.map(|label| self.text(label));
        let track = tracks.process(pid, &name, label);
        *self.processes.get_mut(index as usize)? = Some(track);
        Some(track)
    }

    /// The track of a thread; `None` where the host trace has no such thread.
    pub(super) fn thread(&mut self, index: usize, tracks: &mut Tracks) -> Option<u64> {
        if let Some(known) = self.threads.get(index).copied().flatten() {
            return Some(known);
        }
        let thread = self.host.threads.get(index)?;
        let process = self.process(thread.process, tracks)?;
        let text = self.text(thread.tid);
        let tid = number(text, index);
        let name = match text {
            "" if thread.name.is_none() => "thread without an id".to_owned(),
            _ => self.title(thread.name, "thread", text, i64::from(tid)),
        };
        let track = tracks.thread(process, self.pid(thread.process), i64::from(tid), &name);
        *self.threads.get_mut(index)? = Some(track);
        Some(track)
    }

    fn pid(&self, index: u32) -> i32 {
        let process = self.host.processes.get(index as usize);
        number(process.map_or("", |process| self.text(process.pid)), index as usize)
    }

    fn text(&self, id: StrId) -> &'h str {
        self.host.strings.get(id).trim()
    }

    /// The name, and the id where viewers do not show it: they show the number only.
    fn title(&self, name: Option<StrId>, what: &str, id: &str, shown: i64) -> String {
        let name = name.map(|name| self.text(name)).filter(|name| !name.is_empty()).unwrap_or(what);
        if id.is_empty() || id == shown.to_string() || name.contains(id) {
            return name.to_owned();
        }
        format!("{name} {id}")
    }
}

/// The number that an id is; a made up one where it is none, or that of the idle process.
fn number(id: &str, index: usize) -> i32 {
    let made_up = || FIRST_MADE_UP.saturating_add(i32::try_from(index).unwrap_or(i32::MAX));
    id.parse().ok().filter(|id| (1..FIRST_MADE_UP).contains(id)).unwrap_or_else(made_up)
}

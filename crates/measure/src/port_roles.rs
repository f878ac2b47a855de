//! Which records of a port are of data commands, and which way these move data.

use bigtpu_chip::{Engine, Pmu, Slot};
use bigtpu_format::{CdmaRecord, PortThread, U32};
use bigtpu_timeline::{Binding, EngineEvents, Profile};

/// How a command takes part in a communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PortRole {
    /// A send: the peer has a receive for it.
    Send,
    /// A receive: the peer has a send for it.
    Receive,
    /// A read, write or general copy: the peer has no record of it.
    OneSided,
    /// A command that moves data, and nothing says which way.
    Unknown,
}

/// The data commands of a port, in the order of its events.
pub(crate) fn data_commands<'d>(profile: &Profile<'d>, track: &EngineEvents<'d>) -> Vec<Known<'d>> {
    let record = |i: usize| match profile.pmu(track, i) {
        Some(Pmu::Cdma(record)) => Some(record),
        _ => None,
    };
    let count = track.events.len();
    let is_receiving = |r: &CdmaRecord| r.thread() == PortThread::Receive;
    let threads = Threads {
        both: (0..count).filter_map(record).any(is_receiving),
        silent_receives: (0..count).all(|i| {
            let is_bound = track.events.binding.get(i).is_some_and(|b| b.is_bound());
            let says = record(i).is_some_and(|r| is_receiving(r) && r.moves_data());
            !is_bound && !says
        }),
    };
    let known = |i: usize| {
        let record = record(i)?;
        let (role, task) = role_of(profile, track, i, record, threads)?;
        Some(Known { event: i, record, role, task })
    };
    let mut known: Vec<Known<'d>> = (0..count).filter_map(known).collect();
    correct_directions(&mut known);
    known
}

/// What a port's records show of its threads.
#[derive(Debug, Clone, Copy)]
struct Threads {
    /// Some are of the receiving thread: bit 24 says which thread it is.
    both: bool,
    /// No command is known, and no receive says that data moved: the peer writes into memory past the port. Then what
    /// the receiving thread did for longer than a nop are receives.
    silent_receives: bool,
}

/// A data command before its direction is certain.
pub(crate) struct Known<'r> {
    /// Index of its event in the port's track.
    pub(crate) event: usize,
    pub(crate) record: &'r CdmaRecord,
    pub(crate) role: PortRole,
    /// Type of its command; [`NO_TASK`] where none is known.
    pub(crate) task: u8,
}

impl Known<'_> {
    /// Whether its command says the direction.
    fn is_said(&self) -> bool {
        self.task != NO_TASK && matches!(self.role, PortRole::Send | PortRole::Receive)
    }
}

/// Share, in percent, of the records whose counters say a direction that must be of its thread; of the sends and of the
/// receives by their commands, where counters say none.
const OF_THEIR_THREAD: [usize; 2] = [99, 80];

/// Where a port's sends are of one thread and its receives of the other, the thread of a record says its direction. Near
/// lost records a record may be joined to the command of another call that looks alike: of such records the command is not
/// known, and nops among them are no data commands.
fn correct_directions(known: &mut Vec<Known<'_>>) {
    let [by_counters, by_commands] = OF_THEIR_THREAD;
    let are_directions = |direction: fn(&Known<'_>) -> Option<PortRole>, least: usize| {
        [PortRole::Send, PortRole::Receive].into_iter().all(|role| {
            let own = || known.iter().filter(|one| direction(one) == Some(role));
            let right = own().filter(|one| role_of_thread(one.record) == role).count();
            right > 0 && right * 100 >= own().count() * least
        })
    };
    let says = |one: &Known<'_>| match role_by_counters(one.record, false) {
        PortRole::Unknown => None,
        role => Some(role),
    };
    let said = |one: &Known<'_>| one.is_said().then_some(one.role);
    if !(are_directions(says, by_counters) || are_directions(said, by_commands)) {
        return;
    }
    known.retain(|one| !one.is_said() || one.record.moves_data() || !is_short(one.record));
    let is_other = |one: &Known<'_>| one.is_said() && role_of_thread(one.record) != one.role;
    for one in known.iter_mut().filter(|one| is_other(one)) {
        (one.role, one.task) = (role_of_thread(one.record), NO_TASK);
    }
}

/// The direction that a record's thread stands for.
fn role_of_thread(record: &CdmaRecord) -> PortRole {
    match record.thread() {
        PortThread::Transmit => PortRole::Send,
        PortThread::Receive => PortRole::Receive,
    }
}

/// Whether a record's command took no longer than a nop.
fn is_short(record: &CdmaRecord) -> bool {
    record.end.get().wrapping_sub(record.start.get()) <= LONGEST_NOP
}

/// Cycles that a nop takes at most.
const LONGEST_NOP: u32 = 64;

/// Task numbers of commands whose type is not known: none has this one.
pub(crate) const NO_TASK: u8 = 255;
/// Types of the two conversions that are sends.
const LOSSY: [u8; 2] = [5, 6];
/// Types of send and receive, also over TCP.
const SENDS: [u8; 2] = [0, 8];
const RECEIVES: [u8; 2] = [4, 9];

fn role_of(
    profile: &Profile<'_>,
    track: &EngineEvents<'_>,
    i: usize,
    record: &CdmaRecord,
    threads: Threads,
) -> Option<(PortRole, u8)> {
    let binding = *track.events.binding.get(i)?;
    let known = match binding {
        Binding::Send | Binding::Wait => {
            let receives = record.thread() == PortThread::Receive && !is_short(record);
            return (threads.silent_receives && receives).then_some((PortRole::Receive, NO_TASK));
        }
        _ => task_of(profile, track, i),
    };
    match known {
        Some(task) if profile.chip.is_system(Engine::Cdma, task) => None,
        Some(task) if SENDS.contains(&task) || LOSSY.contains(&task) => {
            Some((PortRole::Send, task))
        }
        Some(task) if RECEIVES.contains(&task) => Some((PortRole::Receive, task)),
        Some(task) => Some((PortRole::OneSided, task)),
        None => Some((role_by_counters(record, threads.both), NO_TASK)),
    }
}

/// The type of an event's command, where it is known.
fn task_of(profile: &Profile<'_>, track: &EngineEvents<'_>, i: usize) -> Option<u8> {
    match track.events.word(i) {
        Some(word) => Some(word.task()),
        None => Some(profile.command(track, i)?.get(Slot::DmaType) as u8),
    }
}

/// The role of a record without a command: its thread, where the port uses both, else its counters.
fn role_by_counters(record: &CdmaRecord, has_threads: bool) -> PortRole {
    let any = |words: &[U32]| words.iter().any(|word| word.get() != 0);
    if has_threads {
        return role_of_thread(record);
    }
    let sends = any(&[record.ati_data_valid, record.m0_data_rd_valid, record.m0_data_ar]);
    let receives = any(&[record.ari_data_valid]);
    let writes = any(&[record.m0_data_wr_valid, record.m0_data_wr]);
    match (sends, receives) {
        (true, false) => PortRole::Send,
        (false, true) => PortRole::Receive,
        (false, false) if writes => PortRole::Receive,
        _ => PortRole::Unknown,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Makes the record of a command with moments on the sending bus.
    pub(crate) fn record(start: u32, first: u32, last: u32, end: u32) -> CdmaRecord {
        CdmaRecord {
            start: start.into(),
            end: end.into(),
            m0_data_aw: 4096.into(),
            ati_data: [first.into(), last.into()],
            ..CdmaRecord::default()
        }
    }

    #[test]
    fn threads_decide_before_counters() {
        let mut receive = record(0, 7, 60, 80);
        receive.id = (1 << 24 | 5).into();
        assert_eq!(role_by_counters(&receive, true), PortRole::Receive);
        receive.ari_data_valid = 3.into();
        receive.ati_data_valid = 3.into();
        assert_eq!(role_by_counters(&receive, false), PortRole::Unknown);
    }

    /// Next to lost records two of forty sends have the record of a receive, and a nop has that of a send.
    #[test]
    fn a_record_of_the_other_thread_is_of_another_command() {
        let of = |thread: u32, cycles: u32| {
            let mut record = record(0, 7, cycles.min(60), cycles);
            record.id = (thread << 24 | 5).into();
            record
        };
        let (send, receive) = (of(0, 80), of(1, 80));
        let nop = CdmaRecord { end: 12.into(), ..CdmaRecord::default() };
        let known = |event, record, role, task| Known { event, record, role, task };
        let mut all: Vec<Known<'_>> = Vec::new();
        for event in 0..40 {
            all.push(known(event, if event < 2 { &receive } else { &send }, PortRole::Send, 0));
            all.push(known(event, &receive, PortRole::Receive, 4));
        }
        all.push(known(40, &nop, PortRole::Send, 0));
        correct_directions(&mut all);
        let count = |role, task| all.iter().filter(|k| (k.role, k.task) == (role, task)).count();
        assert_eq!(
            (
                count(PortRole::Send, 0),
                count(PortRole::Receive, 4),
                count(PortRole::Receive, NO_TASK)
            ),
            (38, 40, 2)
        );
        assert_eq!(all.len(), 80);
    }

    /// On a port whose sends are of both threads, a thread says nothing.
    #[test]
    fn threads_without_a_direction_correct_nothing() {
        let mut other = record(0, 7, 60, 80);
        other.id = (1 << 24 | 5).into();
        let own = record(0, 7, 60, 80);
        let known = |record, role, task| Known { event: 0, record, role, task };
        let mut all: Vec<Known<'_>> = vec![
            known(&own, PortRole::Send, 0),
            known(&other, PortRole::Send, 0),
            known(&other, PortRole::Receive, 4),
        ];
        correct_directions(&mut all);
        assert!(all.iter().all(Known::is_said));
    }
}

//! Flows join a send to the wait that it releases, where nothing else could have released it, a command to those of
//! other engines that it kept waiting, and the critical path to its commands.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::case::{real_dump, with_reference};
use crate::support::dump::{DumpCopy, kind};
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Trace, without_lane};

/// GDMA and TIU in turn wait for each other, on both cores.
const CASE: &str = "aks-mode2-sync";
const FILES: [&str; 2] = ["cdmlib0_0.profile", "cdmlib0_1.profile"];

/// The message of a synchronizing command, and how many commands of the other side it pairs with.
#[derive(Clone, Copy)]
struct Message {
    number: u32,
    partners: u32,
}

/// What a synchronizing command is.
#[derive(Clone, Copy, PartialEq)]
enum Sync {
    GdmaSend,
    GdmaWait,
    TiuSend,
    TiuWait,
}

/// Engine and type of each dispatched command, by the words of DYN_DATA.
fn commands(words: &[u8]) -> Vec<(u32, u32)> {
    let word = |at: usize| u32::from_le_bytes(words[at..at + 4].try_into().unwrap());
    let mut commands = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let now = word(at);
        at += 4;
        match now & 0x7f {
            // A kernel's name follows, padded to whole words.
            0 => at += (now as usize >> 7).next_multiple_of(4),
            1 => commands.push((now >> 7 & 7, now >> 10 & 31)),
            _ => {}
        }
    }
    commands
}

/// The dump with the messages of its synchronizing commands set: `message(which, nth of the file)`.
fn with_messages(message: impl Fn(Sync, usize) -> Message) -> Trace {
    let dump = DumpCopy::copy(CASE);
    for file in FILES {
        dump.edit(file, |blocks| {
            let data = blocks.iter().find(|block| block.kind == kind::DYN_DATA).unwrap();
            let commands = commands(&data.content);
            let extra = blocks.iter_mut().find(|block| block.kind == kind::DYN_EXTRA).unwrap();
            let mut at = 0;
            for (nth, command) in commands.into_iter().enumerate() {
                let item = &mut extra.content[at..];
                let length = u32::from_le_bytes(item[8..12].try_into().unwrap()) as usize;
                at += 12 + length;
                let bits = &mut item[12..12 + length];
                // Sub-types are at bit 45 (TIU) and 37 (DMA), messages at bit 64 and 96.
                let (sync, place) = match (command, bits[4] >> 5, bits[5] >> 5 | bits[6] << 3 & 31)
                {
                    ((0, 15), _, 8) => (Sync::TiuSend, 8),
                    ((0, 15), _, 9) => (Sync::TiuWait, 8),
                    ((1, 6), 3, _) => (Sync::GdmaSend, 12),
                    ((1, 6), 4, _) => (Sync::GdmaWait, 12),
                    _ => continue,
                };
                let Message { number, partners } = message(sync, nth);
                bits[place..place + 4].copy_from_slice(&(partners << 16 | number).to_le_bytes());
            }
        });
    }
    let run = dump.analyze(&["--perfetto"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    run.trace()
}

/// The send of every flow and the wait that it releases: the last slice that is over when the flow ends. The flow ends
/// at what the waiting engine runs next, or at a mark where it runs nothing more.
fn flows(trace: &Trace) -> Vec<(&Slice, &Slice)> {
    assert_eq!(trace.problems, Vec::<String>::new());
    let mut ends: BTreeMap<u64, (Vec<&Slice>, Vec<&Slice>)> = BTreeMap::new();
    let sends: BTreeSet<u64> = trace
        .slices
        .iter()
        .filter(|slice| slice.name.contains("send") && slice.track != "Critical Path")
        .flat_map(|slice| slice.flows.iter().copied())
        .filter(|flow| !of_path(trace).contains(flow))
        .collect();
    for slice in trace.slices.iter().chain(&trace.instants) {
        slice.flows.iter().for_each(|&flow| ends.entry(flow).or_default().0.push(slice));
        slice.ended_flows.iter().for_each(|&flow| ends.entry(flow).or_default().1.push(slice));
    }
    // An arrow that is no message's: its end names the command that it starts at.
    let is_named = |flow: &u64, targets: &[&Slice]| {
        let send = trace.slices.iter().find(|slice| slice.flows.contains(flow)).unwrap();
        let id = format!("#{} (", send.arg("Cmd Id").unwrap().int().unwrap());
        let released = targets.iter().filter_map(|at| at.arg("released by")?.text());
        released.into_iter().any(|by| by.contains(&id) && !by.contains("message"))
    };
    let released = |at: &Slice| {
        let on_track = trace.slices.iter().filter(|slice| slice.track == at.track);
        on_track.filter(|slice| slice.end() <= at.ts).max_by_key(|slice| (slice.end(), slice.ts))
    };
    ends.into_iter()
        .filter(|(flow, (_, targets))| sends.contains(flow) && !is_named(flow, targets))
        .map(|(flow, (sends, targets))| {
            assert_eq!((sends.len(), targets.len()), (1, 1), "flow {flow}");
            assert!(sends[0].ts < targets[0].ts, "flow {flow} ends before it starts");
            (sends[0], released(targets[0]).unwrap())
        })
        .collect()
}

/// The flows of the critical path.
fn of_path(trace: &Trace) -> BTreeSet<u64> {
    let path = trace.slices.iter().filter(|slice| slice.track == "Critical Path");
    path.flat_map(|slice| slice.flows.iter().chain(&slice.ended_flows).copied()).collect()
}

/// Each stretch of the critical path is joined to its command, of the engine that it names.
#[test]
fn the_critical_path_is_joined_to_its_commands() {
    for case in with_reference().iter().filter(|case| case.host_trace().is_none()) {
        let trace = analyzed(&case.dump(), &case.args()).trace();
        assert_eq!(trace.problems, Vec::<String>::new(), "{}", case.name);
        let path: Vec<_> = trace.slices.iter().filter(|s| s.track == "Critical Path").collect();
        let of = |slice: &Slice| -> Vec<u64> {
            slice.flows.iter().chain(&slice.ended_flows).copied().collect()
        };
        let joined = path.iter().filter(|slice| of(slice).len() == 1).count();
        assert!(joined * 10 >= path.len() * 9, "{}: {joined} of {}", case.name, path.len());
        for stretch in path {
            let Some(flow) = of(stretch).first().copied() else { continue };
            let command = trace
                .slices
                .iter()
                .find(|slice| slice.track != "Critical Path" && of(slice).contains(&flow))
                .unwrap_or_else(|| panic!("{}: no command of {}", case.name, stretch.line()));
            let engine = stretch.arg("Engine").and_then(|v| v.text()).unwrap();
            let engine = engine.rsplit(' ').next().unwrap();
            assert!(command.track.contains(engine), "{} {engine}", command.line());
            let event = |slice: &Slice, arg: &str| slice.arg(arg).and_then(|v| v.int()).unwrap();
            assert_eq!(event(stretch, "Event"), event(command, "Global Idx"), "{}", case.name);
        }
    }
}

/// Real dumps: every arrow between engines starts at the command that is named where it ends.
#[test]
fn commands_name_and_are_joined_to_what_kept_them_waiting() {
    for dump in ["cdm_profile_data_dev0_bm1690", "bmprofile_data_bm1688_2core"] {
        let trace = analyzed(&real_dump(dump), &["--perfetto"]).trace();
        assert_eq!(trace.problems, Vec::<String>::new(), "{dump}");
        let path = of_path(&trace);
        let mut starts: BTreeMap<u64, &Slice> = BTreeMap::new();
        for slice in trace.slices.iter().filter(|slice| slice.track != "Critical Path") {
            starts.extend(slice.flows.iter().filter(|f| !path.contains(f)).map(|f| (*f, slice)));
        }
        let mut arrows = 0;
        for slice in trace.slices.iter().filter(|slice| slice.track.starts_with("Core ")) {
            let released = slice.arg("released by").and_then(|v| v.text()).unwrap_or_default();
            for flow in slice.ended_flows.iter().filter(|flow| !path.contains(flow)) {
                let cause = starts[flow];
                let id = cause.arg("Cmd Id").and_then(|v| v.int()).unwrap();
                let engine = cause.track.split('/').nth(1).unwrap();
                let engine = without_lane(engine);
                let expected = format!("{engine} #{id} (");
                assert!(released.contains(&expected), "{} by {expected}", slice.line());
                assert!(cause.end() <= slice.ts, "{} {}", cause.line(), slice.line());
                arrows += 1;
            }
            let field = ["cmd_id_dep", "des_cmd_id_dep"].iter().find_map(|arg| slice.arg(arg));
            if let Some(waits) = slice.arg("waits for").and_then(|v| v.text()) {
                let number = field.and_then(|v| v.int()).unwrap() & 0xfffff;
                assert!(waits.ends_with(&format!(" #{number}")), "{}", slice.line());
            }
        }
        assert!(arrows > 50, "{dump}: {arrows}");
    }
}

/// A message for each direction.
fn plain(sync: Sync) -> Message {
    let number = if matches!(sync, Sync::GdmaSend | Sync::TiuWait) { 1 } else { 2 };
    Message { number, partners: 1 }
}

#[test]
fn every_send_is_joined_to_its_wait() {
    let trace = with_messages(|sync, _| plain(sync));
    let flows = flows(&trace);
    let on_engine = trace.slices.iter().filter(|slice| slice.track != "Critical Path");
    let waits = on_engine.filter(|slice| slice.name.contains("wait")).count();
    assert!(waits > 6, "too few waits to be a test");
    assert_eq!(flows.len(), waits, "each wait is released by one send");
    for (send, wait) in flows {
        let names = (send.name.as_str(), wait.name.as_str());
        let known = [("sys_send", "system.wait_msg"), ("system.send_msg", "sys_wait")];
        assert!(known.contains(&names), "{names:?}");
        assert_eq!(send.track.split('/').next(), wait.track.split('/').next(), "of one core");
        assert!(send.end() <= wait.end(), "{} is over before {}", wait.line(), send.line());
    }
}

#[test]
fn a_message_with_incomplete_rounds_has_no_flows() {
    // One wait asks for a second send, which never comes.
    let uneven = |sync, nth| match plain(sync) {
        message if sync == Sync::TiuWait && nth > 20 => Message { partners: 2, ..message },
        message => message,
    };
    let trace = with_messages(uneven);
    let flows = flows(&trace);
    assert!(!flows.is_empty(), "the other message is not touched");
    assert!(flows.iter().all(|(send, _)| send.name == "system.send_msg"));
}

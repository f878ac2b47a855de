//! The program of a dump: a static model's streams, or the commands that were dispatched one by one.

use bigtpu_timeline::{Dump, Mode, Profile, model_streams};
use foldhash::{HashMap, HashMapExt};

use crate::error::Error;
use crate::program::{Program, ProgramCore, Queued};

/// The program of a dump.
///
/// # Errors
/// [`Error::NoCommands`] where the dump has no descriptors.
pub fn program_of_dump<'d>(dump: &'d Dump, profile: &Profile<'d>) -> Result<Program<'d>, Error> {
    let program = match of_streams(dump, profile) {
        Some(program) => program,
        None => of_events(dump, profile),
    };
    if program.is_empty() { Err(Error::NoCommands) } else { Ok(program) }
}

/// A static model's program, as often as it was launched.
fn of_streams<'d>(dump: &'d Dump, profile: &Profile<'d>) -> Option<Program<'d>> {
    let (streams, notes) = model_streams(dump);
    let cores = streams.iter().map(|stream| stream.core as usize + 1).max()?;
    let mut program = Program::of_model(dump.chip, profile.clocks, cores);
    let launches = launches(profile);
    let groups = streams.iter().map(|stream| stream.groups.len()).max().unwrap_or(0) as u32;
    for launch in 0..launches {
        for stream in &streams {
            let places = stream.groups.iter().map(|group| group.iter().map(|c| (c.offset, c.code)));
            let to = (stream.core, stream.engine);
            program.push(to, stream.file, places, launch * groups, launch);
        }
    }
    program.notes = notes;
    program.note_groups(launches * groups, &dump.root);
    Some(program)
}

/// How often the records show the same bits.
fn launches(profile: &Profile<'_>) -> u32 {
    let of_track = |track: &bigtpu_timeline::EngineEvents<'_>| {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for bits in (0..track.events.len()).filter_map(|i| track.events.bits(i)) {
            *counts.entry(bits).or_default() += 1;
        }
        counts.into_values().max().unwrap_or(0)
    };
    profile.tracks().map(of_track).max().unwrap_or(0).max(1)
}

/// The dispatched commands whose bits are known, in the order of their records. A launch is a group; in it, ids that
/// start again make further ones.
fn of_events<'d>(dump: &'d Dump, profile: &Profile<'d>) -> Program<'d> {
    let mut program = Program {
        chip: dump.chip,
        clocks: profile.clocks,
        is_static: profile.is_static,
        is_whole: false,
        cores: Vec::new(),
        tags: profile.tags.clone(),
        kernels: profile.kernels.clone(),
        notes: Vec::new(),
    };
    for core in &profile.cores {
        let mut queues: [Vec<Queued>; 3] = Default::default();
        let mut seen: HashMap<u64, u32> = HashMap::new();
        for (queue, track) in queues.iter_mut().zip(&core.tracks) {
            let (mut group, mut number, mut last) = (0, 0, None);
            for i in 0..track.events.len() {
                let Some(offset) = track.events.bits(i) else { continue };
                let tag = track.events.tag.get(i).copied().unwrap_or(0);
                let scope = profile.tag(track, i).scope;
                if last.is_some_and(|last| last != scope) {
                    (group, number) = (scope.map_or(group + 1, |scope| scope.max(group + 1)), 0);
                }
                last = Some(scope);
                number += 1;
                let launch = seen.entry(offset).or_default();
                let code = track.events.code.get(i).copied();
                let is_word = profile.tag(track, i).mode == Some(Mode::Tdi);
                queue.push(Queued { offset, code, group, number, tag, launch: *launch, is_word });
                *launch += 1;
            }
        }
        program.cores.push(ProgramCore { file: core.file, tags: core.tags.clone(), queues });
    }
    program
}

//! Small loads that follow one another, and dense halves of separable convolutions.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, Memory, OpCode, Precision, Slot};
use bigtpu_command_cost::Filter;
use bigtpu_measure::{CommandTable, Side, TrackCommand, TrackCommands};
use bigtpu_timeline::Profile;

use super::{Case, Changes, Place, check, said, saved_by};

/// Loads of less than 8 KiB among loads that follow one another and wait for the same command: they become a part of the largest of these, which has the bytes of all.
fn merged_loads(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    let mut add = |run: &mut Vec<(Place, u64, u64)>| {
        let largest = run.iter().max_by_key(|(_, bytes, _)| *bytes).copied();
        for (place, bytes, elements) in run.drain(..) {
            let (whole, _, own) = largest.unwrap();
            if place != whole && bytes < 8192 {
                changes.removed.insert(place);
                changes.part_of.insert(place, whole);
                *changes.merged.entry(whole).or_insert(own) += elements;
            }
        }
    };
    let gdma = |track: &TrackCommands<'_, '_>| track.track.engine_id.engine == Engine::Gdma;
    for commands in table.all_commands(profile).filter(gdma) {
        let core = commands.track.engine_id.index as usize;
        let mut run: Vec<(Place, u64, u64)> = Vec::new();
        let mut last = None;
        for command in commands.iter() {
            let way = command.kind.direction();
            let is_load = way.is_some_and(|way| way.from == Memory::Ddr && way.to == Memory::Lmem);
            // Copies of the runtime are not in the stream.
            if !is_load || command.bits().is_none() {
                add(&mut run);
                continue;
            }
            let bytes = command.kind.moved_bytes(command.bytes());
            let format = command.kind.transfer.and_then(|transfer| transfer.data_format);
            let element = u64::from(Precision(format.unwrap()).whole_bytes());
            let waits_for = command.dependence();
            if std::mem::replace(&mut last, waits_for) != waits_for {
                add(&mut run);
            }
            run.push(((core, 1, command.index), bytes, bytes / element));
        }
        add(&mut run);
    }
    changes
}

/// Convolutions of as many channels as their result has, before one of 1x1: as the depthwise command of the stream.
fn depthwise_halves(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        let filter = |command: &TrackCommand<'_, '_>| command.kind.expected.as_ref()?.filter;
        let mut templates: BTreeMap<[u32; 2], (OpCode, Vec<u8>)> = BTreeMap::new();
        for command in commands.iter() {
            if let (Some(Filter::Depthwise(size)), Some(bits)) = (filter(&command), command.bits())
            {
                let code = commands.track.events.code[command.index];
                templates.insert(size, (code, bits.bits[..bits.register.bytes()].to_vec()));
            }
        }
        let mut before: Option<(usize, [u32; 3])> = None;
        for command in commands.iter() {
            let Some(Filter::Dense(size)) = filter(&command) else { continue };
            if let Some((index, [channels, height, width])) = before.take()
                && size == [channels, 1, 1]
                && let Some(template) = templates.get(&[height, width])
            {
                changes.depthwise.insert((id.index as usize, 0, index), template.clone());
            }
            let channels = command.bits().map(|bits| bits.get(Slot::Res0C));
            before = (channels == Some(u64::from(size[0]))).then_some((command.index, size));
        }
    }
    changes
}

/// Bytes that lie together on both sides of a transfer.
fn piece_bytes(command: &TrackCommand<'_, '_>) -> Option<u64> {
    let format = command.kind.transfer?.data_format?;
    let element = u64::from(Precision(format).whole_bytes());
    let sides = command.sides();
    let [_, _, h, w] = sides.source.sizes.map(|size| size.unwrap_or(0).max(1));
    let lies_together = |of: fn(&Side) -> bool| of(&sides.source) && of(&sides.destination);
    if !lies_together(|side| side.strides[3] == Some(1)) {
        return Some(element);
    }
    let rows_follow = [&sides.source, &sides.destination].map(|side| side.strides[2] == Some(w));
    Some(element * w * if rows_follow == [true; 2] { h } else { 1 })
}

/// Pieces of less than 64 bytes: what they hold lies in one stretch.
fn long_pieces(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        for command in commands.iter().filter(|command| command.kind.direction().is_some()) {
            let (Some(bytes), Some(_)) = (piece_bytes(&command), command.bits()) else { continue };
            let moved = command.kind.moved_bytes(command.bytes());
            if bytes < 64 && moved > 8 * bytes {
                let format = command.kind.transfer.and_then(|transfer| transfer.data_format);
                let element = u64::from(Precision(format.unwrap()).whole_bytes());
                let place = (id.index as usize, 1, command.index);
                changes.merged.insert(place, moved / element);
            }
        }
    }
    changes
}

#[test]
fn small_loads_and_dense_halves_gain_what_the_simulation_of_the_changed_commands_gives() {
    let cases: [Case; 4] = [
        ("cdm_profile_data_dev0_bm1690", "dense-depthwise", 17.8, depthwise_halves),
        ("bmprofile_data-1_bm1684x", "dense-depthwise", 16.3, depthwise_halves),
        ("cdm_profile_data_dev0_bm1690", "small-transfers", 14.0, merged_loads),
        ("bmprofile_data-1_bm1684x", "small-transfers", 19.5, merged_loads),
    ];
    for case in cases {
        let ratio = check(case);
        // On AKS the rule also counts neighbours that wait for different commands: 1.3 us.
        assert!((ratio - 1.0).abs() < 0.1, "{} {}: {ratio}", case.0, case.1);
    }
}

#[test]
fn short_pieces_gain_what_the_simulation_of_long_ones_gives() {
    let ratio = check(("bmprofile_data-1_bm1688", "short-pieces", 6.03, long_pieces));
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    // On BM1684X pieces take less than half of the time in some of these transfers, which the rule leaves out.
    let name = "bmprofile_data-1_bm1684x";
    let (saved, (said, _)) = (saved_by(name, long_pieces), said(name, "short-pieces"));
    assert!((saved / 22.3 - 1.0).abs() < 0.005 && said < saved, "{said} of {saved} us");
}

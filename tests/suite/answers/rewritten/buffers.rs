//! Loads with a second buffer: they wait for the tile before the last one, and come before the stores of the last one.

use std::collections::BTreeSet;

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::CommandTable;
use bigtpu_timeline::Profile;

use super::round_trips::transfers;
use super::{Changes, Place, said, saved_by};

/// The loads of a static model on the first core.
fn loads_ahead(profile: &Profile<'_>, table: &CommandTable) -> Changes {
    let mut changes = Changes::default();
    let moved = transfers(profile, table);
    let bytes = |place: Place| moved.iter().find(|transfer| transfer.place == place);
    for commands in table.all_commands(profile) {
        if commands.track.engine_id.engine != Engine::Gdma {
            continue;
        }
        let core = commands.track.engine_id.index as usize;
        // What loads wait for, in their order: the last one is of the tile that is loaded now.
        let mut awaited: Vec<u32> = vec![0];
        // Stores since the last load, and what each waits for: a load may come before those that wait no shorter than it.
        let mut stores: Vec<(Place, u32)> = Vec::new();
        for command in commands.iter().filter(|command| command.bits().is_some()) {
            let place = (core, 1, command.index);
            let Some(way) = command.kind.direction() else { continue };
            let waits_for = command.dependence().map_or(0, |dependence| dependence.number());
            if way.to != Memory::Lmem {
                stores.push((place, waits_for));
                continue;
            }
            if waits_for > *awaited.last().unwrap() {
                awaited.push(waits_for);
            }
            let earlier = awaited.len().checked_sub(2).map_or(0, |at| awaited[at]);
            let earlier = earlier.min(waits_for);
            changes.awaits.insert(place, earlier);
            let reads: BTreeSet<u64> =
                bytes(place).map(|load| load.reads.iter().copied().collect()).unwrap_or_default();
            let has_its_bytes = |store: Place| {
                bytes(store).is_none_or(|of| of.writes.iter().any(|byte| reads.contains(byte)))
            };
            let may_pass =
                |(store, awaits): &&(Place, u32)| *awaits >= earlier && !has_its_bytes(*store);
            match stores.iter().rev().take_while(may_pass).last() {
                Some((first, _)) => _ = changes.before.insert(place, *first),
                None => stores.clear(),
            }
        }
    }
    changes
}

#[test]
fn loads_ahead_save_what_their_simulation_says() {
    let name = "bmprofile_data-1_cv184x";
    let (saved, (said, text)) = (saved_by(name, loads_ahead), said(name, "double-buffer"));
    assert!((saved / 149.4 - 1.0).abs() < 0.005, "{saved} us");
    // The buffers do not fit, so that the rule gives a bound, whatever the order of the commands is.
    assert!(said > saved && text.contains("This is a bound"), "{said} of {saved} us: {text}");
}

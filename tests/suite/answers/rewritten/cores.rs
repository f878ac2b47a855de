//! Work of one core that is divided among several: each executes all commands, with a part of their rows or columns.

use bigtpu_chip::{Command, Engine, Slot};
use bigtpu_measure::CommandTable;
use bigtpu_timeline::Profile;

use super::{Changes, Pair, QUEUES, said, saved_by_pairs};

/// Fields of a command that say how many rows it has, else how many columns, and their parts.
fn divided(engine: Engine, command: &Command<'_>, cores: u64) -> Vec<(Slot, u64)> {
    let sizes: &[[Slot; 2]] = match engine {
        Engine::Tiu => &[[Slot::Res0H, Slot::Opd0H], [Slot::Res0W, Slot::Opd0W]],
        _ => &[
            [Slot::SrcH, Slot::DstH],
            [Slot::SrcN, Slot::DstN],
            [Slot::SrcC, Slot::DstC],
            [Slot::SrcW, Slot::DstW],
        ],
    };
    let value = |slot: Slot| if command.register.has(slot) { command.get(slot) } else { 0 };
    let is_long = |pair: &&[Slot; 2]| value(pair[0]) > 1;
    let Some(pair) = sizes.iter().find(is_long) else { return Vec::new() };
    let parts = pair.iter().filter(|slot| value(**slot) > 1);
    parts.map(|slot| (*slot, value(*slot).div_ceil(cores))).collect()
}

/// The commands of core 0 that start in a part of the run, on one core, and divided among several. Messages between cores are left out.
fn one_and_several(
    profile: &Profile<'_>,
    table: &CommandTable,
    (from, to): (i64, i64),
    cores: usize,
) -> Pair {
    let mut now = Changes { cores: 1, ..Changes::default() };
    let mut then = Changes { cores, ..Changes::default() };
    for commands in table.all_commands(profile) {
        let id = commands.track.engine_id;
        let Some(queue) = QUEUES.iter().position(|engine| *engine == id.engine) else { continue };
        for command in commands.iter() {
            let place = (id.index as usize, queue, command.index);
            let is_own = (from..to).contains(&command.start()) && command.kind.activity.is_work();
            if !is_own {
                now.removed.insert(place);
                then.removed.insert(place);
            } else if let Some(bits) = command.bits() {
                then.fields.insert(place, divided(id.engine, &bits, cores as u64));
            }
        }
    }
    (now, then)
}

#[test]
fn work_for_all_cores_is_bounded_by_what_the_simulation_of_divided_commands_gives() {
    for (name, cores, us) in
        [("bmprofile_data-1_bm1688", 2, 62.9), ("cdm_profile_data_dev0_bm1690", 8, 59.2)]
    {
        let saved = saved_by_pairs(name, |profile, table| {
            vec![one_and_several(profile, table, (i64::MIN, i64::MAX), cores)]
        });
        let (said, _) = said(name, "idle-cores");
        assert!((saved / us - 1.0).abs() < 0.005, "{name}: {saved} us, said {said}");
        // What a command takes however short it is makes the bound one that is not reached.
        assert!(saved <= said, "{name}: {saved} of {said} us");
    }
}

/// Core 1 works in the middle of the run; before and behind this, core 0 does all.
#[test]
fn an_even_split_gains_what_the_simulation_of_divided_commands_gives() {
    let name = "bmprofile_data_bm1688_2core";
    let saved = saved_by_pairs(name, |profile, table| {
        let of_core = table.all_commands(profile).filter(|of| of.track.engine_id.index == 1);
        let times: Vec<(i64, i64)> = of_core
            .flat_map(|of| of.iter().collect::<Vec<_>>())
            .filter(|command| command.kind.activity.is_work())
            .map(|command| (command.start(), command.end()))
            .collect();
        let start = times.iter().map(|(start, _)| *start).min().unwrap();
        let end = times.iter().map(|(_, end)| *end).max().unwrap();
        let parts = [(i64::MIN, start), (end, i64::MAX)];
        parts.map(|part| one_and_several(profile, table, part, 2)).into()
    });
    let (said, text) = said(name, "core-imbalance");
    assert!((saved / 599.1 - 1.0).abs() < 0.005, "{saved} us");
    // The least and the most that the rule says.
    assert!(said <= saved && text.contains("551.7 to 965.5 us"), "{saved} us, said {said}: {text}");
}

//! Scenes of the fixtures, and of slices that no profile has.

use std::path::Path;

use bigtpu_answers::Analysis;
use bigtpu_chip::{Engine, PortDirection};
use bigtpu_scene::{Commands, Content, Detail, Owner, Role, Slice, Slices, measured};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

fn sorted_rows(commands: &Commands, all: usize) -> Vec<u32> {
    let mut rows: Vec<u32> = commands
        .lanes()
        .flat_map(|lane| lane.map_or_else(|| (0..all as u32).collect(), <[u32]>::to_vec))
        .collect();
    rows.sort_unstable();
    rows
}

#[test]
fn every_command_is_once_on_its_engine_and_once_on_a_side_of_its_port() {
    let dumps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for name in ["aksv-mode2-cdma", "aks-mode0-cdma", "aksv-disorder", "bm1688-mode1"] {
        let dump = Dump::open(&dumps.join(name).join("dump")).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let scene = measured(&profile, &Analysis::of_device(&profile), None);
        let mut events = 0;
        for group in &scene.groups {
            let mut sides = Vec::new();
            let mut of_port = 0;
            for track in &group.tracks {
                let Content::Commands(commands) = &track.content else { continue };
                match (&track.role, &group.owner) {
                    (Role::Engine(engine), Owner::Core(core)) => {
                        let core = &profile.cores[*core as usize];
                        let of =
                            core.tracks.iter().find(|t| t.engine_id.engine == *engine).unwrap();
                        let all: Vec<u32> = (0..of.events.len() as u32).collect();
                        assert_eq!(sorted_rows(commands, all.len()), all, "{name}");
                        events += all.len();
                    }
                    (Role::Engine(Engine::Cdma), Owner::Port(port)) => {
                        let of = profile.ports.iter().find(|t| t.engine_id.index == *port).unwrap();
                        of_port = of.events.len();
                        events += of_port;
                    }
                    (Role::Side(_), Owner::Port(_)) => {
                        sides.extend(sorted_rows(commands, usize::MAX));
                    }
                    other => panic!("{other:?}"),
                }
            }
            sides.sort_unstable();
            assert_eq!(sides, (0..of_port as u32).collect::<Vec<_>>(), "{name}");
        }
        assert_eq!(events, profile.event_count(), "{name}");
    }
}

#[test]
fn sends_are_on_the_transmitting_side() {
    let dumps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let dump = Dump::open(&dumps.join("aksv-mode2-cdma/dump")).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let scene = measured(&profile, &Analysis::of_device(&profile), None);
    let side = |direction| {
        let tracks = scene.groups.iter().flat_map(|group| &group.tracks);
        let sides = tracks.filter(|track| track.role == Role::Side(direction));
        let rows = sides.map(|track| match &track.content {
            Content::Commands(commands) => sorted_rows(commands, 0).len(),
            _ => 0,
        });
        rows.sum::<usize>()
    };
    assert!(side(PortDirection::Transmit) > 0);
    assert!(side(PortDirection::Receive) > 0);
}

#[test]
fn slices_that_overlap_have_lanes_of_their_own() {
    let slice = |start, end, name: &str| Slice {
        start,
        end,
        name: name.into(),
        detail: Detail::Other { category: "stage", args: Vec::new() },
    };
    let slices = Slices::new(vec![slice(0, 10, "a"), slice(5, 7, "b"), slice(10, 12, "c")]);
    assert_eq!(slices.lane_count(), 2);
    let name = |lane, at| slices.in_lane(lane, at).map(|slice| slice.name.as_str());
    assert_eq!([name(0, 0), name(0, 1), name(0, 2)], [Some("a"), Some("c"), None]);
    assert_eq!([name(1, 0), name(1, 1), name(2, 0)], [Some("b"), None, None]);
}

//! Disturbed dumps: what can be repaired is, what is lost is reported.

use bigtpu_chip::Engine;
use bigtpu_synth::{Options, Style, kernel_names};
use bigtpu_timeline::Severity;

use super::{Synth, events, notes, options, total};

const ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// All cores' events.
fn all(options: &Options) -> Vec<(i64, i64, String)> {
    Synth::new(options).look(|profile| {
        let cores = 0..profile.cores.len();
        cores.flat_map(|core| ENGINES.map(|e| events(profile, core, e))).flatten().collect()
    })
}

#[test]
fn disorder_is_undone() {
    let tidy = options("aks", |o| o.ports = 2);
    let untidy = Options { disorder: 0.3, ..tidy.clone() };
    assert_eq!(all(&untidy), all(&tidy));
    let reordered = Synth::new(&untidy).look(|profile| {
        assert_eq!(notes(profile), []);
        total(profile, |c| c.reordered)
    });
    assert!(reordered > 20, "only {reordered} records were out of order");
}

/// Rounding to whole cycles depends on where the counter starts, nothing else does.
#[test]
fn a_counter_that_wraps_changes_nothing() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for style in [Style::Op, Style::Graph, Style::Bmodel] {
            let smooth = options(chip, |o| (o.launches, o.style) = (12, style));
            let wrapped = Options { wrap: true, ..smooth.clone() };
            let (one, other) = (all(&smooth), all(&wrapped));
            assert_eq!(one.len(), other.len(), "{chip} {style:?}");
            for (a, b) in one.iter().zip(&other) {
                assert!(
                    (a.0 - b.0).abs() <= 1 && (a.1, &a.2) == (b.1, &b.2),
                    "{chip}: {a:?} {b:?}"
                );
            }
            let wraps = Synth::new(&wrapped).look(|profile| {
                assert_eq!(notes(profile), [], "{chip} {style:?}");
                total(profile, |c| c.wrapped)
            });
            assert!(wraps >= u64::from(smooth.cores), "{chip} {style:?}: {wraps}");
        }
    }
}

#[test]
fn lost_records_are_counted_and_the_others_keep_their_kernels() {
    let whole = options("aks", |o| o.launches = 40);
    let lossy = Options { loss: 0.02, ..whole.clone() };
    let (all, left) = (all(&whole), all(&lossy));
    let share = (all.len() - left.len()) as f64 / all.len() as f64;
    assert!((0.01..0.03).contains(&share), "{share}");
    Synth::new(&lossy).look(|profile| {
        let unseen = total(profile, |c| c.unseen);
        assert!(unseen >= (all.len() - left.len()) as u64, "{unseen}");
        let known =
            |core| events(profile, core, Engine::Tiu).iter().filter(|e| e.2 != "None").count();
        let tiu = |core| events(profile, core, Engine::Tiu).len();
        let (known, events): (usize, usize) = ((0..8).map(known).sum(), (0..8).map(tiu).sum());
        // A kernel whose first or last record is lost keeps its length less the lost ones, and may miss its pair.
        assert!(known * 10 >= events * 6, "{known} of {events} have a kernel");
    });
}

#[test]
fn a_lapped_ring_is_rotated() {
    let options = options("aksv", |o| (o.lapped, o.launches) = (true, 40));
    Synth::new(&options).look(|profile| {
        let notes = notes(profile);
        let lapped = |engine: &str| {
            let told = notes.iter().filter(|(severity, text)| {
                *severity == Severity::Loss
                    && text.contains(&format!("{engine} PMU ring overflowed"))
            });
            told.count()
        };
        assert_eq!((lapped("TIU"), lapped("GDMA")), (4, 4), "{notes:?}");
        for core in &profile.cores {
            let tiu = &core.tracks[0].events;
            assert!(tiu.start.is_sorted(), "not in the order of time");
        }
        // What survives are the newest launches.
        let last = kernel_names().nth(39 % kernel_names().count()).unwrap();
        let events = events(profile, 0, Engine::Tiu);
        let kernel = &events.last().unwrap().2;
        assert!(kernel.contains(last), "{kernel} is not {last}");
    });
}

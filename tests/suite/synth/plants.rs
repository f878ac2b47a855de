//! Planted faults have the size that they were planted with.

use bigtpu_chip::Engine;
use bigtpu_synth::{Options, kernel_names};

use super::{Synth, events, options};

/// Cycles of the tiles' commands: the last two of a launch are its sync.
fn work(options: &Options, core: usize, engine: Engine) -> Vec<(i64, String)> {
    Synth::new(options).look(|profile| {
        let all = events(profile, core, engine);
        let is_sync = |i: usize| all.get(i + 2).is_none_or(|next| next.1 < all[i].1);
        let work = all.iter().enumerate().filter(|(i, _)| !is_sync(*i));
        work.map(|(_, (cycles, _, kernel))| (*cycles, kernel.clone())).collect()
    })
}

/// `Asic Cycle` counts one more than end - start, and both ends are rounded.
#[track_caller]
fn assert_times(before: i64, after: i64, factor: f64) {
    let expected = (before - 1) as f64 * factor + 1.0;
    assert!((after as f64 - expected).abs() <= factor + 1.0, "{before} became {after}");
}

#[test]
fn an_imbalance_slows_one_core_by_its_factor() {
    let even = options("aks", |o| o.launches = 11);
    let uneven = Options { plants: vec!["imbalance=2:1.5".parse().unwrap()], ..even.clone() };
    for engine in [Engine::Tiu, Engine::Gdma] {
        let (before, after) = (work(&even, 2, engine), work(&uneven, 2, engine));
        assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            assert_times(before.0, after.0, 1.5);
        }
        let (before, after) = (work(&even, 1, engine), work(&uneven, 1, engine));
        for (before, after) in before.iter().zip(&after) {
            assert_times(before.0, after.0, 1.0);
        }
    }
}

#[test]
fn only_the_planted_kernel_is_slow_on_every_core() {
    let even = options("cv84x6", |o| o.launches = 11);
    let slow = Options { plants: vec!["slow-kernel=rope:3".parse().unwrap()], ..even.clone() };
    assert!(kernel_names().any(|name| name == "rope"));
    for core in 0..4 {
        let (before, after) = (work(&even, core, Engine::Tiu), work(&slow, core, Engine::Tiu));
        let mut slowed = 0;
        for ((before, kernel), (after, _)) in before.iter().zip(&after) {
            let is_slow = kernel.contains("\"rope\"");
            slowed += usize::from(is_slow);
            assert_times(*before, *after, if is_slow { 3.0 } else { 1.0 });
        }
        assert_eq!(slowed, 2 * 8, "rope has two TIU commands a tile");
    }
}

#[test]
fn a_bubble_has_the_given_length() {
    let even = options("aksv", |o| (o.launches, o.repeat) = (4, 6));
    let plant = Options { plants: vec!["bubble=1:tiu:80".parse().unwrap()], ..even.clone() };
    let gaps = |options: &Options, core: usize| -> Vec<i64> {
        Synth::new(options).look(|profile| {
            let tiu = &profile.cores[core].tracks[0].events;
            tiu.start.iter().skip(1).zip(&tiu.end).map(|(start, end)| start - end).collect()
        })
    };
    let differences = |core| {
        let (before, after) = (gaps(&even, core), gaps(&plant, core));
        assert_eq!(before.len(), after.len());
        let differ = before.iter().zip(&after).map(|(before, after)| after - before);
        differ.filter(|difference| difference.abs() > 2).collect::<Vec<_>>()
    };
    let [bubble] = differences(1)[..] else { panic!("{:?}", differences(1)) };
    assert!((79_998..=80_002).contains(&bubble), "{bubble}");
    assert_eq!(differences(0), Vec::<i64>::new());
}

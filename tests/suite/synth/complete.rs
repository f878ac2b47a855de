//! Undisturbed dumps: every record finds its command, on every chip, in every style and mode.

use bigtpu_chip::{Engine, chips};
use bigtpu_synth::{Style, kernel_names};

use super::{Synth, notes, options, total};

const STYLES: [Style; 4] = [Style::Op, Style::Graph, Style::Rvt, Style::Bmodel];

#[test]
fn every_record_of_every_chip_style_and_mode_finds_its_command() {
    let mut dumps = 0;
    for chip in chips().iter().filter(|chip| chip.has_words()) {
        for style in STYLES {
            for mode in 0..=2 {
                let options = options(chip.name, |o| {
                    (o.style, o.mode, o.launches, o.repeat) = (style, mode, 12, 3);
                });
                if options.check().is_err() {
                    assert_eq!(style, Style::Rvt);
                    continue;
                }
                let what = format!("{} {style:?} mode {mode}", chip.name);
                Synth::new(&options).look(|profile| {
                    assert_eq!(notes(profile), [], "{what}");
                    assert!(total(profile, |c| c.shown) > 500, "{what}");
                    let accounted = total(profile, |c| c.shown + c.preamble + c.trimmed);
                    assert_eq!(total(profile, |c| c.read), accounted, "{what}");
                    assert_eq!(total(profile, |c| c.undecodable), 0, "{what}");
                    if mode > 0 || style == Style::Bmodel {
                        assert_eq!(total(profile, |c| c.unmatched), 0, "{what}");
                    }
                });
                dumps += 1;
            }
        }
    }
    assert_eq!(dumps, 4 * 3 * 3 + 2 * 3);
}

#[test]
fn all_kernels_run_on_all_cores_that_are_not_idle() {
    let options = options("aksv", |o| o.idle = vec![2]);
    Synth::new(&options).look(|profile| {
        let mut expected: Vec<_> = kernel_names().collect();
        let mut kernels: Vec<_> = profile.kernels.iter().map(String::as_str).collect();
        expected.sort_unstable();
        kernels.sort_unstable();
        assert_eq!(kernels, expected);
        let idle = |core: usize| profile.cores[core].tracks.iter().all(|t| t.events.is_empty());
        assert_eq!([0, 1, 2, 3].map(idle), [false, false, true, false]);
    });
}

/// Cores leave the sync of a launch at the same moment, whatever their counters showed.
#[test]
fn cores_are_aligned_by_their_syncs() {
    for chip in chips().iter().filter(|chip| chip.has_words()) {
        let options = options(chip.name, |o| o.launches = 5);
        Synth::new(&options).look(|profile| {
            let end = |core: &bigtpu_timeline::Core<'_>| {
                let tiu = core.tracks.iter().find(|t| t.engine_id.engine == Engine::Tiu).unwrap();
                *tiu.events.end.last().unwrap()
            };
            let ends: Vec<i64> = profile.cores.iter().map(end).collect();
            let spread = ends.iter().max().unwrap() - ends.iter().min().unwrap();
            assert!(spread <= 2, "{}: {ends:?}", chip.name);
        });
    }
}

/// The anchor of the chip's last core gives each port its time; its records find their core's commands.
#[test]
fn ports_are_anchored_and_matched() {
    for (chip, ports) in [("aks", 11), ("aksv", 3)] {
        let options = options(chip, |o| o.ports = ports);
        Synth::new(&options).look(|profile| {
            assert_eq!(notes(profile), [], "{chip}");
            assert_eq!(profile.ports.len(), usize::from(ports));
            let anchor = profile.chip.core_num - 1;
            for port in &profile.ports {
                assert_eq!(port.anchor, Some(anchor));
                assert!(!port.events.is_empty());
                let cores: Vec<_> = port.owner.iter().map(Option::is_some).collect();
                assert!(cores.iter().all(|&owned| owned), "{chip} {}", port.engine_id);
            }
        });
    }
}

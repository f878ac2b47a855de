//! Dumps in the forms of the runtimes, read back: nothing is lost, doubtful or without a name.

use bigtpu_chip::Engine;
use bigtpu_synth::{Options, Style, Writer, generate};
use bigtpu_timeline::{Profile, RuntimeKind};

use super::{Synth, notes, options, total};

/// Writer, chip, style, capture modes.
const FORMS: [(Writer, &str, Style, &[u8]); 10] = [
    (Writer::Tpudnn, "aks", Style::Op, &[0, 1, 2]),
    (Writer::Tpudnn, "aksv", Style::Op, &[0, 1, 2]),
    (Writer::Tpudnn, "aksv", Style::Rvt, &[1, 2]),
    (Writer::Tpudnn, "aks", Style::Graph, &[1, 2]),
    (Writer::ModelRuntime, "aks", Style::Bmodel, &[0, 1, 2]),
    (Writer::ModelRuntime, "aksv", Style::Bmodel, &[0, 1, 2]),
    (Writer::Libsophon, "cv84x6", Style::Bmodel, &[0, 1, 2]),
    (Writer::Libsophon, "cv84x6", Style::Op, &[0, 1, 2]),
    (Writer::Libsophon, "cv84x6", Style::Rvt, &[1, 2]),
    (Writer::Libsophon, "bm1688", Style::Bmodel, &[0]),
];

fn form(writer: Writer, chip: &str, style: Style, mode: u8) -> Options {
    options(chip, |o| {
        (o.writer, o.style, o.mode, o.launches, o.repeat) = (writer, style, mode, 14, 3);
    })
}

/// Copies of inputs and of outputs of each core.
fn copies(profile: &Profile<'_>, kind: RuntimeKind) -> usize {
    profile.runtime.iter().filter(|event| event.kind == kind).count()
}

#[test]
fn every_record_of_every_form_is_accounted_for() {
    for (writer, chip, style, modes) in FORMS {
        for (&mode, idle) in modes.iter().flat_map(|mode| [(mode, false), (mode, true)]) {
            let mut options = form(writer, chip, style, mode);
            options.idle = if idle { vec![1] } else { Vec::new() };
            let what = format!("{} {chip} {style:?} mode {mode} idle {idle}", writer.name());
            let active = options.cores as usize - options.idle.len();
            Synth::new(&options).look(|profile| {
                assert_eq!(notes(profile), [], "{what}");
                assert!(total(profile, |c| c.shown) > 200, "{what}");
                let named = total(profile, |c| c.shown + c.preamble + c.trimmed + c.runtime);
                assert_eq!(total(profile, |c| c.read), named, "{what}");
                if mode > 0 || style == Style::Bmodel {
                    assert_eq!(total(profile, |c| c.unmatched), 0, "{what}");
                }
                assert_eq!(total(profile, |c| c.unseen + c.undecodable), 0, "{what}");
                if style == Style::Bmodel {
                    for kind in [RuntimeKind::InputCopy, RuntimeKind::OutputCopy] {
                        assert_eq!(copies(profile, kind), 2 * active, "{what}");
                    }
                }
            });
        }
    }
}

/// Ports have names of their own with tpudnn, and are anchored by what the last core sends.
#[test]
fn ports_of_tpudnn_are_anchored() {
    let mut options = form(Writer::Tpudnn, "aksv", Style::Op, 2);
    options.ports = 3;
    let files = generate(&options).unwrap();
    assert!(files.contains_key("cdma_2.profile"), "{:?}", files.keys());
    Synth::new(&options).look(|profile| {
        assert_eq!(notes(profile), []);
        assert_eq!(profile.ports.len(), 3);
        assert!(profile.ports.iter().all(|port| port.anchor == Some(3)));
    });
}

#[test]
fn keys_and_files_equal_those_of_the_runtime() {
    let text = |options: &Options| {
        let files = generate(options).unwrap();
        String::from_utf8(files["global.profile"].clone()).unwrap()
    };
    let tpudnn = text(&form(Writer::Tpudnn, "aksv", Style::Op, 1));
    let keys: Vec<&str> = tpudnn.lines().filter_map(|line| line.split('=').next()).collect();
    assert_eq!(keys[..4], ["arch", "tpu_freq", "max_record_num", "core0_tiu_record"]);
    assert_eq!(keys.last(), Some(&"tail_offset_ns"));
    assert!(tpudnn.starts_with("arch=140814\ntpu_freq=1000\nmax_record_num=131072\n"), "{tpudnn}");
    let model = text(&form(Writer::ModelRuntime, "aks", Style::Bmodel, 0));
    assert_eq!(model, "bmodel\narch=5\ntpu_freq=1000\n");
    let mut cv = form(Writer::Libsophon, "cv84x6", Style::Bmodel, 0);
    cv.idle = vec![2];
    assert!(text(&cv).starts_with("bmodel\narch=7\ntpu_freq="));
    assert_eq!(generate(&cv).unwrap()["cdmlib0_2.profile"].len(), 0);
    let files = generate(&form(Writer::Libsophon, "bm1688", Style::Bmodel, 0)).unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.contains(&"iter0.profile") && names.contains(&"cmd_124000000_0_0.dat"));
}

#[test]
fn forms_of_no_runtime_are_refused() {
    for (writer, chip, style, mode, word) in [
        (Writer::Tpudnn, "cv84x6", Style::Op, 1, "AKS and AKSV"),
        (Writer::Tpudnn, "aks", Style::Bmodel, 1, "model-rt"),
        (Writer::ModelRuntime, "aks", Style::Op, 1, "static models"),
        (Writer::Libsophon, "aks", Style::Bmodel, 0, "CV84X6 and BM1688"),
        (Writer::Libsophon, "cv84x6", Style::Graph, 1, "no cached streams"),
        (Writer::Libsophon, "bm1688", Style::Bmodel, 1, "mode 0"),
    ] {
        let error = form(writer, chip, style, mode).check().unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let engines = |profile: &Profile<'_>| {
        profile.cores[0].tracks.iter().filter(|t| t.engine_id.engine == Engine::Sdma).count()
    };
    // libsophon uses no SDMA.
    let options = form(Writer::Libsophon, "cv84x6", Style::Bmodel, 0);
    Synth::new(&options).look(|profile| {
        assert!(engines(profile) <= 1);
        assert!(
            profile
                .ledger
                .lines
                .iter()
                .all(|l| l.engine_id.engine != Engine::Sdma || l.counts.read == 0)
        );
    });
}

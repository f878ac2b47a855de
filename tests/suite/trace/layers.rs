//! Layers of static models: a track for each core, and the layer of each command.

use std::collections::BTreeMap;

use crate::support::dump::DumpCopy;
use crate::support::run::Finished;

/// Ids of commands of which a layer has: core, whether of the TIU, first after, last.
type Ranges = Vec<(i128, bool, i128, i128)>;

fn ranges(locations: &str) -> Ranges {
    let entries: Vec<serde_json::Value> = serde_json::from_str(locations).unwrap();
    let ranges = entries.iter().flat_map(|entry| {
        let id = |key: &str, at: usize| i128::from(entry[key][at].as_i64().unwrap());
        let core = i128::from(entry["core_id"].as_i64().unwrap());
        [0, 1].map(|at| (core, at == 0, id("tiu_dma_id(before)", at), id("tiu_dma_id(after)", at)))
    });
    ranges.collect()
}

/// Checks all commands' layers against the ranges, and the layers' tracks against the commands. Returns how many
/// commands have a layer.
fn check(run: &Finished, ranges: &Ranges) -> usize {
    let trace = run.trace();
    let mut spans: BTreeMap<(i128, i128), (i64, i64)> = BTreeMap::new();
    let mut found = 0;
    for core in 0..2 {
        for engine in ["TIU", "GDMA", "SDMA"] {
            let path = format!("Core {core}/{engine}");
            for slice in trace.slices.iter().filter(|s| s.track == path) {
                let id = slice.arg("Cmd Id").unwrap().int().unwrap();
                let of = |&&(of_core, is_tiu, before, last): &&(i128, bool, i128, i128)| {
                    of_core == core && is_tiu == (engine == "TIU") && before < id && id <= last
                };
                let at = ranges.iter().position(|range| of(&range));
                let expected = at.map(|at| at as i128 / 2 + 1);
                assert_eq!(
                    slice.arg("Layer Id").map(|v| v.int().unwrap()),
                    expected,
                    "{path} {id}"
                );
                if let Some(layer) = expected {
                    found += 1;
                    let span = spans.entry((core, layer)).or_insert((slice.ts, slice.end()));
                    *span = (span.0.min(slice.ts), span.1.max(slice.end()));
                }
            }
        }
    }
    let mut shown = BTreeMap::new();
    for slice in trace.slices.iter().filter(|s| s.track.contains("/Layer")) {
        let core: i128 = slice.track["Core ".len()..].split('/').next().unwrap().parse().unwrap();
        let id = slice.arg("Layer Id").unwrap().int().unwrap();
        // One label: the slice's name, and the argument of it and of its commands.
        let label = slice.arg("Layer Name").and_then(|v| v.text()).unwrap();
        assert_eq!(slice.name, label);
        assert!(label.starts_with(&format!("{id} ")) || label.ends_with(')'), "{label}");
        // Ids that start again make several runs of a layer.
        let span = shown.entry((core, id)).or_insert((slice.ts, slice.end()));
        *span = (span.0.min(slice.ts), span.1.max(slice.end()));
    }
    assert_eq!(shown, spans);
    found
}

#[test]
fn commands_carry_their_layers() {
    for case in ["aks-layers", "bm1688-layers"] {
        let dump = DumpCopy::copy(case);
        let locations = String::from_utf8(dump.read("tensor_location.json")).unwrap();
        assert!(check(&dump.analyze(&["--perfetto"]), &ranges(&locations)) > 4, "{case}");
    }
}

#[test]
fn every_chip_has_layers() {
    for case in ["cv84x6-bmodel", "aksv-mode1", "aks-bmodel", "bm1688-bmodel"] {
        let dump = DumpCopy::copy(case);
        let layer = |before: u32, after: u32| {
            format!(
                r#"{{"opcode": "tpu.Layer{before}", "core_id": 0, "tiu_dma_id(before)": [{before}, {before}],
                "tiu_dma_id(after)": [{after}, {after}], "operands": [], "results": []}}"#
            )
        };
        let locations = format!("[{}, {}]", layer(0, 2), layer(2, 5));
        dump.write("tensor_location.json", &locations);
        dump.write("final.mlir", "module @net attributes {}");
        assert!(check(&dump.analyze(&["--perfetto"]), &ranges(&locations)) > 1, "{case}");
    }
}

#[test]
fn layers_have_the_models_names_and_shapes() {
    let dump = crate::support::case::real_dump("cdm_profile_data_dev0_bm1690");
    let trace = crate::support::run::analyzed(&dump, &["--perfetto"]).trace();
    let layer = trace.slices.iter().find(|slice| slice.name == "81_Conv (Conv2D)").unwrap();
    assert!(layer.track.starts_with("Core 0"), "{}", layer.track);
    let text = |name: &str| layer.arg(name).and_then(|value| value.text()).unwrap();
    assert!(text("Inputs").contains('x') && text("Outputs").contains("FP16"), "{}", layer.line());
}

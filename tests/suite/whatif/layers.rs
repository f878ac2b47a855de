//! Layers of a static model: on the path, and as what changes.

use serde_json::Value;

use super::{ns, whatif};
use crate::support::case::fixture;
use crate::support::run::{finish, tool};

#[test]
fn layers_of_real_models_are_on_the_path_and_can_be_scaled() {
    for name in ["bmprofile_data-1_bm1688", "bmprofile_data-1_cv184x"] {
        let dump = fixture("real").join(name);
        let measured = whatif(&dump, &[]);
        let pieces = measured["critical_path"].as_array().unwrap();
        let sum: i64 = pieces.iter().map(|piece| piece["ns"].as_i64().unwrap()).sum();
        assert_eq!(sum, ns(&measured, "measured_ns"), "{name}");
        let of_layers = pieces.iter().filter(|piece| piece["layer"].is_string());
        let in_layers: i64 = of_layers.clone().map(|piece| piece["ns"].as_i64().unwrap()).sum();
        assert!(in_layers * 10 > sum * 8, "{name}: {in_layers} of {sum}");
        let work = of_layers.clone().find(|piece| piece["all_ns"].as_i64() > Some(0)).unwrap();
        assert!(work["all_ns"].as_i64() >= work["ns"].as_i64(), "{work:#}");
        // Without the work of the heaviest layer the run is shorter, by no more than the layer's part of the path and all its work.
        let layer = work["layer"].as_str().unwrap();
        let faster = whatif(&dump, &["--scale", &format!("layer:{layer}=0.5")]);
        let saved = ns(&faster, "measured_ns") - ns(&faster, "predicted_ns");
        let own: i64 = of_layers
            .filter(|piece| piece["layer"] == work["layer"])
            .map(|piece| piece["all_ns"].as_i64().unwrap())
            .sum();
        assert!(saved > 0 && saved <= own / 2 + 1000, "{name} {layer}: {saved} of {own}");
        let sensitivity = measured["sensitivity"].as_array().unwrap();
        let is_layer = |row: &&Value| row["what"].as_str().unwrap().starts_with("layer:");
        assert!(sensitivity.iter().filter(is_layer).count() >= 5, "{name}");
        let said = finish(tool().arg("whatif").arg(&dump).args(["--scale", "layer:none*=2"]));
        assert_eq!(said.code, Some(1));
        assert!(said.stderr.contains("no layer matches"), "{}", said.stderr);
    }
}

//! Every file of the sources is compiled: the compiler says nothing of a file that no `mod` names, and its tests never run.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

/// Whether a file of the folder gives the module another name: `#[path = "file.rs"]`.
fn is_renamed(folder: &Path, file: &Path) -> bool {
    let attribute = format!("#[path = \"{}\"]", file.file_name().unwrap().to_str().unwrap());
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.is_file()).any(|path| {
        path != file && fs::read_to_string(path).unwrap_or_default().contains(&attribute)
    })
}

/// Whether a file names the module.
fn names(file: &Path, module: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| {
        let declared = line.split("mod ").nth(1).map(|rest| rest.trim_end_matches([';', ' ', '{']));
        declared == Some(module) && !line.trim_start().starts_with("//")
    })
}

#[test]
fn every_file_is_a_module_of_its_parent() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let folders =
        crates.map(|path| path.join("src")).chain([root.join("src"), root.join("tests/suite")]);
    let mut seen = 0;
    for folder in folders {
        for file in WalkDir::new(&folder).into_iter().map(Result::unwrap) {
            let path = file.path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let module = path.file_stem().unwrap().to_str().unwrap();
            let above = path.parent().unwrap();
            if module == "mod" || (above == folder && ["lib", "main"].contains(&module)) {
                continue;
            }
            seen += 1;
            let parents = ["mod.rs", "lib.rs", "main.rs"].map(|name| above.join(name));
            let is_named =
                parents.iter().chain([&above.with_extension("rs")]).any(|p| names(p, module))
                    || is_renamed(above, path);
            assert!(is_named, "{}: no `mod {module};`, so it is not compiled", path.display());
        }
    }
    assert!(seen > 500, "{seen} files");
}

//! The analyzer in one HTML file: `target/browser/bigtpuprofile.html`.
//!
//! `crates/browser` is compiled to WebAssembly, wasm-bindgen makes its JavaScript, and both stand in the page with the bundle of
//! `crates/emit-web/page/src/analyzer`. A package outside of the workspace, started by
//! `cargo run -p xtask -- browser`: nothing else needs what it depends on.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// The target that the analyzer is compiled for.
const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes of the page at most: it is sent by chat.
const MOST_BYTES: usize = 8 << 20;

/// Stack of the module: as much as the program's first thread has, where the target's own is an eighth.
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the page.
fn build() -> Result<()> {
    // This package is two directories below the repository's.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no repository")?;
    compile(root)?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let module = target.join(TARGET).join("wasm/bigtpu_browser.wasm");
    let mut bound = Bindgen::new();
    bound
        .input_path(&module)
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true);
    let mut output = bound.no_modules(true)?.generate_output()?;
    let glue = output.js().to_owned();
    let wasm = output.wasm_mut().emit_wasm();
    let page = page(root, &glue, &wasm)?;
    let directory = target.join("browser");
    fs::create_dir_all(&directory)?;
    let path = directory.join("bigtpuprofile.html");
    fs::write(&path, &page)?;
    println!("wrote {}: {} bytes; the module alone {}", path.display(), page.len(), wasm.len());
    if page.len() > MOST_BYTES {
        return Err(format!("the page has more than {MOST_BYTES} bytes").into());
    }
    Ok(())
}

fn compile(root: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["rustc", "--locked", "-p", "bigtpu-browser", "--lib", "--crate-type", "cdylib"])
        .args(["--target", TARGET, "--profile", "wasm"])
        // wasm-bindgen reads the list of features that stripping removes, and removes names itself.
        .args(["--", "-C", "strip=none", "-C", &format!("link-arg=-zstack-size={STACK_BYTES}")])
        .status()?;
    if status.success() {
        return Ok(());
    }
    Err(format!(
        "crates/browser does not compile; `rustup target add {TARGET}` adds what is missing most often"
    )
    .into())
}

/// The page: it runs its own script, its worker, and the script of the pages that it shows, and asks nobody for anything.
fn page(root: &Path, glue: &str, wasm: &[u8]) -> Result<String> {
    let dist = root.join("crates/emit-web/page/dist");
    let part = |name: &str| fs::read_to_string(dist.join(name));
    let (style, script) = (part("analyzer.css")?, part("analyzer.js")?);
    let (own, of_runs) = (part("analyzer.js.sha256")?, part("page.js.sha256")?);
    let of_clusters =
        fs::read_to_string(root.join("crates/emit-cluster/page/dist/cluster.js.sha256"))?;
    let worker = format!("{glue}\n{}", part("analyzer-worker.js")?);
    if worker.to_lowercase().contains("</script") || worker.contains("<!--") {
        return Err("the worker's script holds </script or <!--".into());
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(wasm)?;
    let module = STANDARD.encode(packed.finish()?);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'sha256-{own}' 'sha256-{of_runs}' 'sha256-{of_clusters}' 'wasm-unsafe-eval'; worker-src blob:; \
         style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>bigtpuprofile</title>\n\
         <style>{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         <noscript>This page analyzes dumps with JavaScript, which is switched off.</noscript>\n\
         <script type=\"text/plain\" id=\"worker\">{worker}</script>\n\
         <script type=\"text/plain\" id=\"module\">{module}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n"
    ))
}

//! Dumps of any size: blocks, records, commands, layers.

use std::io;

use super::{Case, Inputs};

pub(super) const CASES: [Case; 14] = [
    Case { name: "dump: launches", items: 8, make: launches },
    Case { name: "dump: static model, tiles", items: 4, make: tiles },
    Case { name: "dump: ports", items: 8, make: ports },
    Case { name: "info", items: 16, make: info },
    Case { name: "empty blocks", items: 5_000, make: empty_blocks },
    Case { name: "unknown blocks", items: 5_000, make: unknown_blocks },
    Case { name: "records without commands", items: 2_000, make: records },
    Case { name: "DYN_DATA: words", items: 5_000, make: words },
    Case { name: "DYN_DATA: kernels", items: 2_000, make: kernels },
    Case { name: "empty blocks of an iteration", items: 5_000, make: iteration },
    Case { name: "lines of global.profile", items: 2_000, make: global },
    Case { name: "layers in tensor_location.json", items: 200, make: layers },
    Case { name: "cluster: operations", items: 4, make: cluster },
    Case { name: "cluster: ranks", items: 6, make: ranks },
];

fn launches(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let launches = items.to_string();
    let dump = inputs.synth("dump", &["--cores", "2", "--repeat", "3", "--launches", &launches])?;
    Ok(inputs.analyze(dump))
}

fn tiles(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let tiles = items.to_string();
    let shape = ["--chip", "bm1688", "--style", "bmodel", "--cores", "2", "--launches", "4"];
    let dump = inputs.synth("dump", &[&shape[..], &["--repeat", &tiles]].concat())?;
    Ok(inputs.analyze(dump))
}

fn ports(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let launches = items.to_string();
    let shape = ["--cores", "2", "--repeat", "2", "--cdma", "4", "--launches", &launches];
    let dump = inputs.synth("dump", &shape)?;
    Ok(inputs.analyze(dump))
}

fn info(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let launches = items.to_string();
    let dump = inputs.synth("dump", &["--cores", "2", "--launches", &launches])?;
    Ok(vec!["info".to_owned(), dump])
}

/// A dump of one core of AKS whose file has these blocks.
fn core(inputs: &Inputs<'_>, blocks: &[u8]) -> io::Result<Vec<String>> {
    inputs.file("dump/global.profile", "arch=8800\ncore_num=1\n")?;
    inputs.file("dump/cdmlib0_0.profile", blocks)?;
    Ok(inputs.analyze(inputs.path("dump")))
}

fn block(kind: u32, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, content].concat()
}

fn empty_blocks(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    // TIU and GDMA monitors, logs, DYN_DATA in turn.
    let blocks = (0..items).flat_map(|item| block([3, 4, 11, 5][item % 4], &[]));
    core(inputs, &blocks.collect::<Vec<u8>>())
}

fn unknown_blocks(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    // A known one between them, so that each is a run of its own.
    let blocks = (0..items).flat_map(|item| block([0x7f00, 11][item % 2], &[0; 4]));
    core(inputs, &blocks.collect::<Vec<u8>>())
}

/// Numbers without an order.
fn mixed(item: usize) -> u32 {
    (item as u32).wrapping_mul(2_654_435_761)
}

fn records(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let record = |item: usize| {
        let start = item as u32 * 10;
        [start, start + 5, mixed(item) & 0xffff, 0].map(u32::to_le_bytes).concat()
    };
    core(inputs, &block(3, &(0..items).flat_map(record).collect::<Vec<u8>>()))
}

fn words(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    // Commands of engines in no order, words of unknown kind, ends of kernels.
    let word = |item: usize| mixed(item) & !0x7f | [1, 20, 13, 15][item % 4];
    let words: Vec<u8> = (0..items).flat_map(|item| word(item).to_le_bytes()).collect();
    let record = [10u32, 15, 1, 0].map(u32::to_le_bytes).concat();
    core(inputs, &[block(3, &record), block(5, &words)].concat())
}

fn kernels(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    // A name of four bytes, and the kernel's end.
    let kernel = |item: usize| {
        let name = format!("{:04x}", item & 0xffff);
        [&(4u32 << 7).to_le_bytes()[..], name.as_bytes(), &15u32.to_le_bytes()].concat()
    };
    let words: Vec<u8> = (0..items).flat_map(kernel).collect();
    let record = [10u32, 15, 1, 0].map(u32::to_le_bytes).concat();
    core(inputs, &[block(3, &record), block(5, &words)].concat())
}

fn iteration(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    inputs.file("dump/global.profile", "[bmprofile] arch=4\n[bmprofile] core_list=0,1,\n")?;
    let blocks: Vec<u8> = (0..items).flat_map(|item| block([3, 4, 9, 6][item % 4], &[])).collect();
    inputs.file("dump/iter0.profile", blocks)?;
    Ok(inputs.analyze(inputs.path("dump")))
}

/// The real dump whose layers and log are multiplied.
const REAL: &str = "fixtures/real/bmprofile_data-1_bm1688";

fn real(inputs: &Inputs<'_>) -> io::Result<()> {
    for file in std::fs::read_dir(REAL)? {
        let file = file?;
        if file.file_type()?.is_file() {
            let name = file.file_name().to_string_lossy().into_owned();
            inputs.file(&format!("dump/{name}"), std::fs::read(file.path())?)?;
        }
    }
    Ok(())
}

fn global(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    real(inputs)?;
    let text = std::fs::read_to_string(format!("{REAL}/global.profile"))?;
    let lines: Vec<&str> = text.lines().cycle().take(items).collect();
    inputs.file("dump/global.profile", lines.join("\n"))?;
    Ok(inputs.analyze(inputs.path("dump")))
}

fn layers(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    real(inputs)?;
    let text = std::fs::read_to_string(format!("{REAL}/tensor_location.json"))?;
    let layers: Vec<serde_json::Value> = serde_json::from_str(&text)?;
    let many: Vec<&serde_json::Value> = layers.iter().cycle().take(items).collect();
    inputs.file("dump/tensor_location.json", serde_json::to_string(&many)?)?;
    Ok(inputs.analyze(inputs.path("dump")))
}

fn cluster(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let operations = items.to_string();
    let run = inputs.synth("run", &["--cluster", "2", "--operations", &operations])?;
    Ok(vec!["cluster".to_owned(), run, inputs.path("out"), "-j1".to_owned()])
}

/// A pipeline: its ranks communicate alike, however many there are.
fn ranks(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let ranks = items.to_string();
    let shape = ["--topology", "pipeline", "--operations", "3", "--cores", "1"];
    let run = inputs.synth("run", &[&["--cluster", &ranks], &shape[..]].concat())?;
    Ok(vec!["cluster".to_owned(), run, inputs.path("out"), "-j1".to_owned()])
}

//! What the fuzz targets start from: the fixtures, cut to what each target takes.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use bigtpu_format::{BlockKind, blocks};
use bigtpu_fuzz_support::DumpFiles;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Engines in the order in which the target of descriptors counts them.
const STREAMS: [BlockKind; 4] =
    [BlockKind::DesTiu, BlockKind::DesGdma, BlockKind::DesSdma, BlockKind::DesCdma];

/// Chips in the order of the fixtures' names.
const CHIPS: [&str; 4] = ["aks-", "aksv-", "bm1688-", "cv84x6-"];

/// Writes the seeds of every target into `dir`.
pub(crate) fn write(dir: &Path) -> Result<()> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut seeds = Seeds { dir: dir.to_owned(), written: 0 };
    let mut cases: Vec<PathBuf> =
        fs::read_dir(&fixtures)?.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    cases.sort();
    for case in cases.iter().filter(|case| case.join("dump").is_dir()) {
        seeds.of_case(case)?;
    }
    for trace in fs::read_dir(fixtures.join("host"))? {
        let trace = trace?.path();
        seeds.add("host_trace", &file_name(&trace), &fs::read(&trace)?)?;
    }
    println!("{} seeds in {}", seeds.written, dir.display());
    Ok(())
}

struct Seeds {
    dir: PathBuf,
    written: usize,
}

impl Seeds {
    fn add(&mut self, target: &str, name: &str, bytes: &[u8]) -> Result<()> {
        let dir = self.dir.join(target);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join(name), bytes)?;
        self.written += 1;
        Ok(())
    }

    fn of_case(&mut self, case: &Path) -> Result<()> {
        let name = file_name(case);
        let mut files = DumpFiles::read(&case.join("dump"));
        let host = case.join("host_trace.json");
        if host.is_file() {
            self.add("host_trace", &name, &fs::read(&host)?)?;
            files.0.push((file_name(&host), fs::read(&host)?));
        }
        self.add("directory", &name, &files.pack())?;
        let chip = CHIPS.iter().position(|chip| name.starts_with(chip)).unwrap_or(0);
        for (file, bytes) in &files.0 {
            let seed = format!("{name}-{file}");
            if file == "global.profile" {
                self.add("global", &seed, bytes)?;
            } else if file.ends_with(".profile") {
                self.add("container", &seed, bytes)?;
                self.of_blocks(&seed, chip, bytes)?;
            }
        }
        Ok(())
    }

    fn of_blocks(&mut self, seed: &str, chip: usize, file: &[u8]) -> Result<()> {
        let found = blocks(file).blocks;
        for block in &found {
            let Some(engine) = STREAMS.iter().position(|&kind| kind == block.kind) else {
                continue;
            };
            let pick = [(chip * 4 + engine) as u8];
            let bytes = [&pick, block.content].concat();
            self.add("descriptors", &format!("{seed}-{engine}"), &bytes)?;
        }
        let of = |kind| found.iter().find(|block| block.kind == kind).map(|block| block.content);
        if let Some(data) = of(BlockKind::DynData) {
            let length = u16::try_from(data.len()).unwrap_or(u16::MAX).to_le_bytes();
            let extra = of(BlockKind::DynExtra).unwrap_or(&[]);
            self.add("dyn_data", seed, &[&length, data, extra].concat())?;
        }
        Ok(())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

//! A real BM1684X command stream, command by command against the compiler's log of it.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use bigtpu_chip::{Chip, Engine, Slot, StreamEnd, walk};

fn dump() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "fixtures", "real", "bmprofile_data-1_bm1684x"]
        .iter()
        .collect()
}

/// Id and dependence of each command of an engine, by the log: `bd cmd_id bd_id=1 gdma_id=2 ...`.
fn logged(engine: Engine) -> Vec<(u64, u64)> {
    let text = std::fs::read_to_string(dump().join("global.profile")).unwrap();
    let mark = if engine == Engine::Tiu { "bd cmd_id " } else { "gdma cmd_id " };
    let number = |line: &str, key: &str| -> u64 {
        let value = line.split_once(key).unwrap().1;
        value.split_whitespace().next().unwrap().parse().unwrap()
    };
    let lines =
        text.lines().filter_map(|line| line.strip_prefix("[bmprofile] ")?.strip_prefix(mark));
    let ids = lines.map(|line| (number(line, "bd_id="), number(line, "gdma_id=")));
    ids.map(|(tiu, gdma)| if engine == Engine::Tiu { (tiu, gdma) } else { (gdma, tiu) }).collect()
}

#[test]
fn every_command_has_the_id_and_dependence_of_the_log() {
    let chip = Chip::find("3").unwrap();
    for (engine, file, count) in
        [(Engine::Tiu, "cmd_12425c000_0_0.dat", 93), (Engine::Gdma, "cmd_12425e000_0_1.dat", 161)]
    {
        let bytes = std::fs::read(dump().join(file)).unwrap();
        let stream = walk(chip, engine, &bytes);
        assert_eq!(stream.end, StreamEnd::Sound, "{file}");
        let found: Vec<(u64, u64)> = stream
            .commands
            .iter()
            .map(|command| {
                let command = chip.ops(engine).decode(&bytes[command.offset..]).unwrap();
                (command.get(Slot::CommandId), command.get(Slot::IdDep))
            })
            .collect();
        let expected = logged(engine);
        assert_eq!(expected.len(), count);
        // The log gives the end commands no dependence.
        let (last, others) = found.split_last().unwrap();
        assert_eq!(others, &expected[..count - 1], "{file}");
        assert_eq!(last.0, expected[count - 1].0, "{file}");
    }
}

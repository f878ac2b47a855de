//! Names of the CModel's command files: `LABEL-LAUNCH-GROUP.ENGINE.CORE`, and the older `NAME.ENGINE.CORE`.

use bigtpu_chip::Engine;

/// What a command file holds, by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandFile {
    /// What the files of a run have in common.
    pub label: String,
    /// Launch and group; `None` where the name has none: only the last group of a run is left.
    pub group: Option<(u32, u32)>,
    /// Core.
    pub core: u32,
    /// Engine.
    pub engine: Engine,
}

impl CommandFile {
    /// What a file of this name, without its directory, holds; `None` for any other file.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (rest, core) = name.rsplit_once('.')?;
        let (stem, engine) = rest.rsplit_once('.')?;
        let engine = match engine {
            "BD" => Engine::Tiu,
            "GDMA" => Engine::Gdma,
            // VSDMA is a second queue of the SDMA.
            "SDMA" | "VSDMA" => Engine::Sdma,
            _ => return None,
        };
        let core = number(core)?;
        let numbered = stem.rsplit_once('-').and_then(|(rest, group)| {
            let (label, launch) = rest.rsplit_once('-')?;
            Some((label, (number(launch)?, number(group)?)))
        });
        let (label, group) = match numbered {
            Some((label, group)) => (label, Some(group)),
            None => (stem, None),
        };
        (!label.is_empty()).then(|| Self { label: label.to_owned(), group, core, engine })
    }
}

/// More cores or groups than any chip and model has.
const MOST: u32 = 1 << 20;

fn number(text: &str) -> Option<u32> {
    let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_decimal && *number < MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_in_a_file() {
        let file = CommandFile::of_name("my-op_1.2-0-3.GDMA.7").unwrap();
        assert_eq!(
            (file.label.as_str(), file.group, file.core, file.engine),
            ("my-op_1.2", Some((0, 3)), 7, Engine::Gdma)
        );
        let older = CommandFile::of_name("resnet.BD.0").unwrap();
        assert_eq!(
            (older.label.as_str(), older.group, older.engine),
            ("resnet", None, Engine::Tiu)
        );
        for other in ["a-0-0.HAU.0", "a-0-0.BD.0.txt", "a-0-0.BD.x", ".BD.0", "BD.0", "a-0-0.BD.+1"]
        {
            assert_eq!(CommandFile::of_name(other), None, "{other}");
        }
    }
}

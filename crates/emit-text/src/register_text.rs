//! Register texts: `tiuRegInfo_{core}.txt`, `tdmaRegInfo_{core}.txt` (GDMA, then SDMA) and
//! `cdmaRegInfo_{port}.txt`. A file exists only if it has events.

use bigtpu_answers::Depth;
use bigtpu_chip::Engine;
use bigtpu_compat::{
    Cell, CellField, Edition, INDEX, Kinds, OwnValues, RecordLayout, RecordValue, Varying, belongs,
    owner_number,
};
use bigtpu_emit::{Emitter, EmitterInput, ProgressTask};
use bigtpu_measure::TrackCommand;
use bigtpu_output::{Lines, OutputError, Text, Written, put};
use bigtpu_timeline::{EngineEvents, Profile};
use rayon::prelude::*;

/// The register texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct RegisterTexts {
    /// Whose names values have.
    pub edition: Edition,
}

/// Whether a register text has this name.
#[must_use]
pub fn is_register_text(name: &str) -> bool {
    let kinds = ["tiuRegInfo_", "tdmaRegInfo_", "cdmaRegInfo_"];
    let number = kinds.iter().find_map(|kind| name.strip_prefix(kind)?.strip_suffix(".txt"));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Text is handed on in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

impl Emitter for RegisterTexts {
    fn name(&self) -> &'static str {
        "text"
    }

    fn depth(&self) -> Depth {
        Depth::Commands
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let profile = input.profile;
        let mut files: Vec<(String, &'static str, Vec<&EngineEvents<'_>>)> = Vec::new();
        for (core, of_core) in profile.shown_cores() {
            let [tiu, gdma, sdma] = &of_core.tracks;
            files.push((format!("tiuRegInfo_{core}.txt"), "__TIU_REG_INFO__", vec![tiu]));
            files.push((format!("tdmaRegInfo_{core}.txt"), "__TDMA_REG_INFO__", vec![gdma, sdma]));
        }
        for port in &profile.ports {
            let name = format!("cdmaRegInfo_{}.txt", port.engine_id.index);
            files.push((name, "__CDMA_REG_INFO__", vec![port]));
        }
        let task = input.progress.task("register texts", profile.event_count() as u64);
        let written: Result<Vec<Option<Written>>, OutputError> = files
            .par_iter()
            .map(|(name, tag, tracks)| {
                if tracks.iter().all(|t| t.events.is_empty()) {
                    return Ok(None);
                }
                write_file(self.edition, input, (name, tag), tracks, &*task).map(Some)
            })
            .collect();
        Ok(written?.into_iter().flatten().collect())
    }
}

fn write_file(
    edition: Edition,
    input: &EmitterInput<'_, '_>,
    (name, tag): (&str, &'static str),
    tracks: &[&EngineEvents<'_>],
    task: &dyn ProgressTask,
) -> Result<Written, OutputError> {
    let mut file = input.out.file(name)?;
    let mut text = head(input.profile, edition);
    let mut since = 0;
    let mut templates: Kinds<Template> = Kinds::default();
    for track in tracks {
        let commands = input.analysis.table.commands(input.profile, track);
        let mut owner = Owner::default();
        for command in commands.into_iter().flat_map(|commands| commands.iter()) {
            owner.be_of(&command);
            let engine = command.kind.engine;
            let template = templates
                .get_or_make(&command, |layout| Template::new(layout, edition, tag, engine));
            template.write(&mut text, &command, &owner);
            since += 1;
            if text.len() >= PIECE {
                file.append(&text)?;
                text.clear();
                task.advance(std::mem::take(&mut since));
            }
        }
    }
    file.append(&text)?;
    task.advance(since);
    file.commit()
}

/// The chip's description, with the clocks in use.
fn head(profile: &Profile<'_>, edition: Edition) -> Text<Lines> {
    let mut text = Text::literal("__CHIP_ARCH_ARGS__\n");
    for entry in profile.chip.arch {
        let (key, value) = edition.described(profile.chip, entry, profile.clocks);
        put!(text, "\t{}: {}\n", key, value);
    }
    text
}

/// The lines that say what a command belongs to. Commands that follow one another mostly belong to the same.
#[derive(Default)]
struct Owner {
    number: Option<u32>,
    lines: Text<Lines>,
}

impl Owner {
    fn be_of(&mut self, command: &TrackCommand<'_, '_>) {
        let number = owner_number(command);
        if number.is_some() && number == self.number {
            return;
        }
        self.number = number;
        self.lines.clear();
        for (key, of) in belongs(command) {
            self.lines.own("\t").own(key).own(": ");
            value(&mut self.lines, &of);
            self.lines.own("\n");
        }
    }
}

/// What of a record differs between the commands of a kind.
enum Gap {
    Value(Varying),
    /// The index of the command, and what it belongs to.
    Owner,
}

/// The text of a kind's records: what all of them share, with gaps for the rest.
#[derive(Default)]
struct Template {
    edition: Edition,
    shared: Text<Lines>,
    /// The gaps, and how many bytes of what is shared are before each.
    gaps: Vec<(usize, Gap)>,
}

impl Template {
    fn new(layout: &RecordLayout<'_>, edition: Edition, tag: &'static str, engine: Engine) -> Self {
        let mut template = Self { edition, ..Self::default() };
        let [info, registers, after] = layout.parts();
        template.shared.own(tag).own("\n");
        template.part(info);
        template.shared.own("\t").own(INDEX).own(": ");
        template.gap(Gap::Owner);
        if engine == Engine::Tiu {
            template.shared.own(layout.function_type).own(":\n");
            template.part(registers);
            template.part(after);
        }
        template
    }

    /// Appends the lines of a part of the record.
    fn part(&mut self, (prefix, fields): (&'static str, &[CellField<'_>])) {
        for (key, cell) in fields {
            self.shared.own("\t").own(prefix).own(self.edition.title(key)).own(": ");
            match cell {
                Cell::Shared(of) => value(&mut self.shared, of),
                Cell::Varies(varying) => self.gap(Gap::Value(*varying)),
            }
            self.shared.own("\n");
        }
    }

    fn gap(&mut self, gap: Gap) {
        self.gaps.push((self.shared.len(), gap));
    }

    fn write(&self, text: &mut Text<Lines>, command: &TrackCommand<'_, '_>, owner: &Owner) {
        let mut values = OwnValues::new(command);
        let mut from = 0;
        for (until, gap) in &self.gaps {
            text.part(&self.shared, from..*until);
            from = *until;
            match gap {
                Gap::Value(varying) => value(text, &values.get(*varying)),
                Gap::Owner => {
                    text.int(command.index).own("\n").show(&owner.lines);
                }
            }
        }
        text.part(&self.shared, from..self.shared.len());
    }
}

/// Millions of values go through here: whole numbers are by far the most, and formatting them through `fmt` took half of the
/// time.
fn value(text: &mut Text<Lines>, value: &RecordValue<'_>) {
    match value {
        RecordValue::Int(n) => match i64::try_from(*n) {
            Ok(n) => text.int(n),
            Err(_) => text.int(*n),
        },
        RecordValue::Text(value) => text.show(value),
        RecordValue::Float(x) => text.float(*x),
    };
}

//! What is damaged, and what is seen then.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bigtpu_format::{BlockKind, blocks};
use bigtpu_timeline::{BuildOptions, Dump, Profile, Quality};

/// Start within its engine and cycles of an event, by what it is.
pub(crate) type Seen = BTreeMap<(u32, usize, i64, i64), (String, bool)>;

/// Every event of core 0: at which time it is which command. Times count from the engine's last record that damage did
/// not touch, which is the last of all.
pub(crate) fn seen(dir: &Path) -> (Seen, i64, bool) {
    let dump = Dump::open(dir).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let mut seen = Seen::new();
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    for track in profile.tracks() {
        let events = &track.events;
        let end = events.end.last().copied().unwrap_or(0);
        for i in 0..events.len() {
            (first, last) = (first.min(events.start[i]), last.max(events.end[i]));
            let tag = profile.tag(track, i);
            let what = format!(
                "{:?} {:?} {:?} {:?}",
                events.binding[i],
                profile.command(track, i).map(|command| command.bits.to_vec()),
                events.word(i),
                (profile.kernel(tag), tag.mode),
            );
            let key = (
                track.engine_id.index,
                track.engine_id.engine as usize,
                events.start[i] - end,
                events.cycles(i).unwrap(),
            );
            let is_sure = events.quality(i) == Some(Quality::Sure);
            seen.insert(key, (what, is_sure));
        }
    }
    (seen, last - first, profile.ledger.has_loss())
}

/// What is done to the records of a monitor; `at`: the record, `size`: its bytes.
pub(crate) fn harm(kind: &str, content: &mut Vec<u8>, at: usize, size: usize) {
    let place = at * size;
    let flip = |content: &mut Vec<u8>, word: usize, bit: usize| {
        content[place + 4 * word + bit / 8] ^= 1 << (bit % 8);
    };
    match kind {
        "lost" => drop(content.drain(place..place + size)),
        "ten lost" => drop(content.drain(place..place + 10 * size)),
        "doubled" => {
            let record = content[place..place + size].to_vec();
            content.splice(place..place, record);
        }
        "exchanged" => content[place..place + 2 * size].rotate_left(size),
        "zeroed" => content[place..place + size].fill(0),
        "torn" => drop(content.drain(place + size / 4..place + size)),
        "id" => flip(content, 2, at % 16),
        "start" => flip(content, 0, 12 + at % 20),
        "end" => flip(content, 1, 12 + at % 20),
        _ => panic!("{kind}"),
    }
}

/// The bytes of a file with the content of its first block of a kind changed.
pub(crate) fn with_block(
    file: &[u8],
    kind: BlockKind,
    change: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut change = Some(change);
    let mut out = Vec::new();
    for block in blocks(file).blocks {
        let start = block.offset as usize;
        let mut content = block.content.to_vec();
        if block.kind == kind
            && let Some(change) = change.take()
        {
            change(&mut content);
        }
        out.extend(&file[start - 8..start - 4]);
        out.extend((content.len() as u32).to_le_bytes());
        out.extend(content);
    }
    out
}

/// The dump of the real BM1690: a static model on one core.
pub(crate) fn copy_of_real() -> tempfile::TempDir {
    let real = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/real/cdm_profile_data_dev0_bm1690");
    let dir = tempfile::tempdir().unwrap();
    for file in fs::read_dir(real).unwrap() {
        let path = file.unwrap().path();
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    dir
}

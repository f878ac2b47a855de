//! Any bytes give a result or one sentence.

use bigtpu_chip::{Engine, chips};
use bigtpu_simulate::compiled::{Bmodel, CommandFile, Error, stream};
use proptest::prelude::*;

fn with_header(tables: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut file = vec![0u8; 64];
    let words = [0xff55_aaeeu32, 64, tables.len() as u32, binary.len() as u32];
    for (to, word) in file.chunks_mut(4).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    [file.as_slice(), tables, binary].concat()
}

proptest! {
    #[test]
    fn any_tables_are_read_or_refused(tables in prop::collection::vec(any::<u8>(), 0..400), binary in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = Bmodel::read(&with_header(&tables, &binary)) {
            prop_assert!(error.to_string().len() < 300);
        }
    }

    #[test]
    fn small_offsets_are_read_or_refused(tables in prop::collection::vec(prop::sample::select(vec![0u8, 1, 2, 4, 8, 16, 24, 255]), 0..400)) {
        let _ = Bmodel::read(&with_header(&tables, &[]));
    }

    #[test]
    fn any_stream_is_walked_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600), chip in 0..6usize) {
        for engine in [Engine::Tiu, Engine::Gdma, Engine::Sdma] {
            if let Ok(groups) = stream(&chips()[chip], engine, &bytes, 0..bytes.len()) {
                let offsets = groups.iter().flatten().map(|(offset, _)| *offset as usize);
                prop_assert!(offsets.max().is_none_or(|last| last < bytes.len()));
            }
        }
    }

    #[test]
    fn any_name_is_one_or_none(name in ".{0,40}") {
        let _ = CommandFile::of_name(&name);
    }
}

#[test]
fn each_wrong_file_has_its_sentence() {
    let read = |file: &[u8]| Bmodel::read(file).unwrap_err();
    assert!(matches!(read(b"onnx, not a bmodel"), Error::NoBmodel { .. }));
    assert!(matches!(read(&[0xee, 0xaa]), Error::Truncated { .. }));
    assert!(matches!(read(&0xff55_aaffu32.to_le_bytes()), Error::Older));
    let mut cut = with_header(&[0; 100], &[0; 100]);
    cut.truncate(200);
    assert!(matches!(read(&cut), Error::Truncated { part: "binary part", .. }));
    assert!(matches!(read(&with_header(&[0xa5; 100], &[])), Error::Tables { .. }));
    let mut header = with_header(&[0; 8], &[]);
    header[4] = 80;
    assert!(matches!(read(&header), Error::Tables { .. }));
}

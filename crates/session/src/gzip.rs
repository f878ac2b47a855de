//! Models and traces that are gzipped.

use std::io::{Error, ErrorKind, Read, Result};

use bigtpu_format::MOST_MODEL;
use bigtpu_host_trace::{FREE_BYTES, MOST_FOLD};
use flate2::read::MultiGzDecoder;

/// How gzipped data begin.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The content of a file, unpacked where it is gzipped.
///
/// # Errors
/// When it is damaged, or a few bytes that stand for many: more than 16 MiB and 100 times the file, or more than a model may have.
pub(crate) fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let most = FREE_BYTES.max((bytes.len() as u64).saturating_mul(MOST_FOLD)).min(MOST_MODEL);
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes.as_slice()).take(most + 1).read_to_end(&mut plain)?;
    if plain.len() as u64 > most {
        let text = format!("it unpacks to more than {most} bytes: give it unpacked");
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn few_bytes_do_not_become_many() {
        assert_eq!(unpacked(b"plain".to_vec()).unwrap(), b"plain");
        assert_eq!(unpacked(gzipped(b"packed")).unwrap(), b"packed");
        let free = vec![0; 16 << 20];
        assert_eq!(unpacked(gzipped(&free)).unwrap().len(), free.len());
        let error = unpacked(gzipped(&vec![0; free.len() + 1])).unwrap_err();
        assert!(error.to_string().contains("more than 16777216 bytes"), "{error}");
    }
}

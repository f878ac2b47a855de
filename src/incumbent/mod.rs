//! The program under the names of other tools: what scripts of theirs expect.

mod console;
pub(crate) mod foreign;
pub(crate) mod tpu_profile;

use std::ffi::OsStr;
use std::path::Path;

use bigtpu_session::Edition;

pub(crate) use console::show;

/// The command of bigTpuProfile.
const BIG_TPU_PROFILE: &str = "bigTpuProfile";

/// The commands of tpu-mlir and PPL, which take the same arguments.
const TPU_PROFILE: [&str; 2] = ["tpu_profile", "bmprofile"];

/// Whose defaults apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Defaults {
    /// Defaults of `bigtpuprofile`.
    #[default]
    Own,
    /// Defaults of a version of bigTpuProfile.
    BigTpuProfile(Edition),
    /// Defaults of tpu-mlir's `tpu_profile`, and of PPL's `bmprofile`.
    TpuProfile(tpu_profile::Format),
}

impl Defaults {
    /// Whether they are those of a version of bigTpuProfile.
    pub(crate) fn is_big_tpu_profile(self) -> bool {
        matches!(self, Self::BigTpuProfile(_))
    }

    /// The defaults of a program that was started under this name.
    pub(crate) fn from_program(program: Option<&OsStr>) -> Self {
        match program.and_then(|program| Path::new(program).file_stem()) {
            Some(name) if name == BIG_TPU_PROFILE => Self::BigTpuProfile(Edition::default()),
            Some(name) if TPU_PROFILE.iter().any(|known| name == *known) => {
                Self::TpuProfile(tpu_profile::Format::default())
            }
            _ => Self::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_decides() {
        let of = |name: &str| Defaults::from_program(Some(OsStr::new(name)));
        let newest = Defaults::BigTpuProfile(Edition::V037);
        assert_eq!(of("/usr/local/bin/bigTpuProfile"), newest);
        assert_eq!(of("bigTpuProfile.exe"), newest);
        assert_eq!(of("target/debug/bigtpuprofile"), Defaults::Own);
        let page = Defaults::TpuProfile(tpu_profile::Format::Html);
        assert_eq!([of("bin/tpu_profile"), of("tpu_profile.py"), of("bmprofile")], [page; 3]);
        assert_eq!(Defaults::from_program(None), Defaults::Own);
    }
}

//! What the run waited for.

use bigtpu_messages::Language;
use bigtpu_replay::{CriticalPath, Piece, Refusal};
use serde::{Deserialize, Serialize};

/// The critical path of the run: what its wall time consisted of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct PathReport {
    /// ns: the sum of all pieces.
    pub wall_ns: i64,
    /// Share of the wall time that is idle and that nothing explains, 0 to 1.
    pub unexplained: f64,
    /// Why there is no path; `null` if there is one.
    pub refusal: Option<String>,
    /// The refusal in Chinese.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub refusal_zh: Option<String>,
    /// Pieces by kernel, engine and reason, heaviest first.
    pub pieces: Vec<Piece>,
}

impl PathReport {
    pub(crate) fn from_path(path: Result<&CriticalPath, &Refusal>) -> Self {
        match path {
            Ok(path) => Self {
                wall_ns: path.wall_ns,
                unexplained: path.unexplained(),
                refusal: None,
                refusal_zh: None,
                pieces: path.pieces.clone(),
            },
            Err(refusal) => {
                let [refusal, refusal_zh] =
                    Language::ALL.map(|language| Some(refusal.message().text(language)));
                Self { refusal, refusal_zh, ..Self::default() }
            }
        }
    }
}

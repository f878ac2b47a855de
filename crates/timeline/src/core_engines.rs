//! The engines of a core that have records.

use bigtpu_chip::Engine;

/// The TIU, GDMA and SDMA of a core; also an index into `[T; 3]`.
pub(crate) const CORE_ENGINES: [Engine; 3] = [Engine::Tiu, Engine::Gdma, Engine::Sdma];

/// Commands in the descriptor streams of a core: TIU, GDMA, SDMA.
pub(crate) type Decoded = [u64; 3];

//! System commands (section 4.1): sends, waits and the rest that neither computes nor moves data.

use crate::chip::{Chip, Engine};

/// What a system command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SystemRole {
    /// Sends a sync message.
    Send,
    /// Waits for sync messages.
    Wait,
    /// Anything else, such as `nop` and `end`.
    Control,
}

/// The functions (sub-types) of an engine's send and wait commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncFunctions {
    /// Sends.
    pub send: &'static [u8],
    /// Waits.
    pub wait: &'static [u8],
}

impl SyncFunctions {
    /// Send and wait functions of an engine. CDMA has one of each for either direction of a transfer.
    #[must_use]
    pub fn for_engine(engine: Engine) -> Self {
        match engine {
            Engine::Tiu => Self { send: &[8], wait: &[9] },
            Engine::Gdma | Engine::Sdma => Self { send: &[3], wait: &[4] },
            Engine::Cdma => Self { send: &[3, 5], wait: &[4, 6] },
        }
    }
}

impl SystemRole {
    /// Role of an engine's system command with this function.
    #[must_use]
    pub fn from_function(engine: Engine, function: u8) -> Self {
        let functions = SyncFunctions::for_engine(engine);
        if functions.send.contains(&function) {
            Self::Send
        } else if functions.wait.contains(&function) {
            Self::Wait
        } else {
            Self::Control
        }
    }

    /// Role of a command of an RVT front end, whose words hold generator indices, from the names of its function type
    /// and function; `None` for a command that is not a system command.
    #[must_use]
    pub fn of_generator(function_type: &str, name: &str) -> Option<Self> {
        match function_type {
            "sys" | "sdma_sys" if name.ends_with("_msgsend") => Some(Self::Send),
            "sys" | "sdma_sys" if name.ends_with("_msgwait") => Some(Self::Wait),
            "sys" | "sdma_sys" => Some(Self::Control),
            _ => None,
        }
    }
}

impl Chip {
    /// Whether a hardware type code is that of the engine's system commands. Generator indices of RVT nodes are no
    /// such codes: see [`Names::has_rvt`](crate::Names::has_rvt).
    #[must_use]
    pub fn is_system(&self, engine: Engine, task: u8) -> bool {
        task == self.system.engine_code(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_functions_depend_on_the_engine() {
        assert_eq!(SystemRole::from_function(Engine::Tiu, 9), SystemRole::Wait);
        assert_eq!(SystemRole::from_function(Engine::Gdma, 4), SystemRole::Wait);
        assert_eq!(SystemRole::from_function(Engine::Sdma, 3), SystemRole::Send);
        assert_eq!(SystemRole::from_function(Engine::Gdma, 6), SystemRole::Control);
        assert_eq!(SystemRole::from_function(Engine::Cdma, 6), SystemRole::Wait);
    }

    #[test]
    fn generators_of_system_commands_are_known_by_their_names() {
        let chip = Chip::find("CV84X6").unwrap();
        let role = |function, variant| {
            let (function_type, name) = chip.names.rvt(function, variant);
            SystemRole::of_generator(function_type, name)
        };
        // The functions 24 and 13 are the system commands of TIU and DMA, 15 are products.
        let tiu = [0, 1, 2].map(|variant| role(24, variant));
        let dma = [0, 1, 2].map(|variant| role(13, variant));
        let all = [SystemRole::Control, SystemRole::Send, SystemRole::Wait].map(Some);
        assert_eq!((tiu, dma, role(15, 4)), (all, all, None));
    }
}

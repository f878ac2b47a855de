//! Options that have no effect where they are given: they are refused, so that none is left out in silence.

use bigtpu_messages::{Message, error_message};

/// An option without effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-unused", option, place))]
pub struct Unused {
    option: &'static str,
    place: Message,
}

impl Unused {
    /// Refuses the first of the options that is given.
    ///
    /// # Errors
    /// The first option that is given.
    pub(crate) fn refuse(place: &Message, options: &[(&'static str, bool)]) -> Result<(), Self> {
        match options.iter().find(|(_, is_given)| *is_given) {
            Some(&(option, _)) => Err(Self { option, place: place.clone() }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_given_is_named() {
        let place = error_message!("problem-graph-has-events");
        assert_eq!(Unused::refuse(&place, &[("--fwd", false), ("--bwd", false)]), Ok(()));
        let error = Unused::refuse(&place, &[("--fwd", false), ("--bwd", true)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "--bwd has no effect with --graph, whose file has all events; leave it out"
        );
    }
}

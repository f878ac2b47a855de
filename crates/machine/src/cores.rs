//! Chips of which some cores run, and chips that are such a part of another one: `bm1688:1`, `cv186x`.

use bigtpu_chip::Chip;
use bigtpu_messages::{Message, error_message};

use crate::machine::Machine;
use crate::roofs::Hardware;

/// Why a text with a colon names no cores of a chip.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoresError {
    /// No number after the colon.
    #[error("{}", error_message!("error-machine-cores-number", value = .0))]
    Number(String),
    /// The chip has fewer cores, or none was asked for.
    #[error("{}", error_message!("error-machine-cores-count", name, chip, cores, most))]
    Count {
        /// As written.
        name: String,
        /// The chip.
        chip: &'static str,
        /// Its cores, with the word.
        cores: String,
        /// Its cores.
        most: u32,
    },
}

/// A chip that is as many cores of another one.
struct PartOfChip {
    name: &'static str,
    chip: &'static str,
    cores: u32,
    /// Who says so: an id of the catalogue.
    source: &'static str,
}

const PARTS: [PartOfChip; 1] =
    [PartOfChip { name: "CV186X", chip: "BM1688", cores: 1, source: "source-cv186x" }];

/// A machine that is part of a chip; `None` where the text does not name one.
///
/// # Errors
/// The text names a chip and cores that it does not have.
pub(crate) fn part(text: &str) -> Option<Result<Machine, CoresError>> {
    if let Some(part) = PARTS.iter().find(|part| part.name.eq_ignore_ascii_case(text)) {
        return of_part(part).map(Ok);
    }
    let (name, count) = text.split_once(':')?;
    let chip = Chip::find(name).ok()?;
    let Ok(count) = count.trim().parse::<u32>() else {
        return Some(Err(CoresError::Number(text.to_owned())));
    };
    if count == 0 || count > chip.core_num {
        let word = if chip.core_num == 1 { "core" } else { "cores" };
        return Some(Err(CoresError::Count {
            name: text.to_owned(),
            chip: chip.name,
            cores: format!("{} {word}", chip.core_num),
            most: chip.core_num,
        }));
    }
    let machine = of_cores(chip, count);
    Some(Ok(Machine { name: format!("{}:{count}", Machine::mapping_name(chip.name)), ..machine }))
}

/// The machines that are part of a chip and have a name of their own.
pub(crate) fn named_parts() -> impl Iterator<Item = Machine> {
    PARTS.iter().filter_map(of_part)
}

fn of_part(part: &PartOfChip) -> Option<Machine> {
    let mut machine = of_cores(Chip::find(part.chip).ok()?, part.cores);
    part.name.clone_into(&mut machine.name);
    machine.sources.insert("*".to_owned(), Message::new(part.source));
    Some(machine)
}

fn of_cores(chip: &'static Chip, cores: u32) -> Machine {
    let hardware = Hardware::at_own_clock(chip);
    if cores == chip.core_num {
        return Machine::from(&hardware);
    }
    Machine::of_cores(&hardware, cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_of_a_chip_have_their_share() {
        let of = |text: &str| part(text).unwrap().unwrap();
        let one = of("bm1688:1");
        assert_eq!((one.name.as_str(), one.cores, one.memory.gbps), ("BM1688:1", 1, Some(24.0)));
        let [two, whole] =
            [of("BM1688:2"), Machine::from(&Hardware::at_own_clock(Chip::find("bm1688").unwrap()))];
        assert_eq!(Machine { name: whole.name.clone(), ..two }, whole);
        let same = of("cv186x");
        assert_eq!((same.name.as_str(), same.tflops), ("CV186X", one.tflops));
        assert!(part("bm1688").is_none() && part("h100:1").is_none());
    }

    #[test]
    fn cores_that_are_not_there_are_refused() {
        let error = |text: &str| part(text).unwrap().unwrap_err().to_string();
        assert_eq!(error("bm1688:3"), "machine `bm1688:3`: BM1688 has 2 cores; name 1 to 2");
        assert_eq!(error("bm1684x:0"), "machine `bm1684x:0`: BM1684X has 1 core; name 1 to 1");
        assert!(error("bm1688:one").contains("number of cores"));
    }
}

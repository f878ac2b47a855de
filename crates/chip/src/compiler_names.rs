//! What the compilers call the chips: tpu-mlir by its own names, PPL by the numbers of the tensor unit.

/// A compiler's name of a chip, and the chip whose records and commands those are.
const NAMES: [(&str, &str); 11] = [
    // tpu-mlir
    ("A2", "BM1688"),
    ("CV186X", "BM1688"),
    ("MARS3", "CV184X"),
    ("BM1684XE", "BM1684X"),
    // PPL
    ("tpu_6_0", "BM1684X"),
    ("tpu_6_0_e", "BM1684X"),
    ("tpul_6_0", "BM1688"),
    ("tpul_8_1", "CV184X"),
    ("tpub_7_1", "AKS"),
    ("tpub_7_1_e", "AKSV"),
    // The same chip with the other programming model.
    ("tpub_7_1_e_rv", "AKSV"),
];

/// The chip that a compiler calls so, in any case of letters.
pub(crate) fn chip_name(given: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(given));
    found.map(|&(_, chip)| chip)
}

#[cfg(test)]
mod tests {
    use crate::Chip;

    #[test]
    fn names_of_compilers_are_those_of_chips_that_there_are() {
        for (name, chip) in super::NAMES {
            for given in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(Chip::find_target(&given).unwrap().name, chip, "{given}");
            }
        }
        assert_eq!(Chip::find_target("tpul_6_0").unwrap().name, "BM1688");
        assert_eq!(Chip::find_target("mars3").unwrap().name, "CV184X");
        assert!(Chip::find_target("tpub_9_0").is_err() && Chip::find("A2").is_err());
    }
}

//! From one machine to another: how many times as fast each part is, and how far predictions from these ratios were off
//! where both sides were measured (`docs/prediction/across.md`).

use bigtpu_machine::{DataType, Machine};
use bigtpu_messages::error_message;
use bigtpu_model::costs::PathTimes;

/// How many times as fast the other machine is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedRatios {
    /// Arithmetic.
    pub compute: f64,
    /// Main memory.
    pub memory: f64,
    /// On-chip shared memory; the main memory of a machine without it. `None`: the measured machine has none.
    pub shared: Option<f64>,
    /// Links between chips. `None`: one of the two is not known.
    pub link: Option<f64>,
}

/// Why a run can't be predicted for a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcrossError {
    /// A rate that times depend on.
    #[error("{}", error_message!("error-predict-across-unknown", what, machine))]
    Unknown {
        /// What is not known.
        what: &'static str,
        /// Whose.
        machine: String,
    },
}

/// How far predictions were off for a network on one core of four chips, in twelve directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AcrossErrors {
    /// Measured time over predicted time, least and most, to a matrix unit that is no larger.
    pub to_smaller: [f64; 2],
    /// Measured time over predicted time, least and most, to a larger matrix unit.
    pub to_larger: [f64; 2],
    /// Measured times within the range that the other eleven predictions give, and the number of all measured times.
    pub held_without_prediction: [u32; 2],
    /// Measured times from and to one of the four chips within the range that the predictions between the other three
    /// chips give, and the number of all such times: six for each chip.
    pub held_without_chip: [u32; 2],
}

/// Errors of predictions that replay every command of a dump.
pub const ERRORS_OF_COMMANDS: AcrossErrors = AcrossErrors {
    to_smaller: [0.55, 1.12],
    to_larger: [1.0, 1.54],
    held_without_prediction: [9, 12],
    held_without_chip: [17, 24],
};

/// Errors of predictions from the sums of each part, as `costs.json` has them: with the ratios of
/// [`ERRORS_OF_COMMANDS`], but without knowing which command waits for which.
pub const ERRORS_OF_PARTS: AcrossErrors = AcrossErrors {
    to_smaller: [0.52, 1.14],
    to_larger: [1.0, 1.62],
    held_without_prediction: [9, 12],
    held_without_chip: [16, 24],
};

impl SpeedRatios {
    /// Ratios from a machine to itself.
    pub const SAME: Self = Self { compute: 1.0, memory: 1.0, shared: None, link: None };

    /// From one machine to another at the peaks of a data type. `fill` is the share of the operations of the measured
    /// run's matrix unit that were asked for: a smaller unit is filled better, so that it is not slower by more than the
    /// part of the larger one that worked.
    ///
    /// # Errors
    /// A peak or a bandwidth of main memory is not known.
    pub fn from_machines(
        own: &Machine,
        other: &Machine,
        data_type: DataType,
        fill: Option<f64>,
    ) -> Result<Self, AcrossError> {
        let known = |value: f64, what, machine: &Machine| {
            let unknown = || AcrossError::Unknown { what, machine: machine.name.clone() };
            (value > 0.0).then_some(value).ok_or_else(unknown)
        };
        let peak = |m: &Machine| known(m.peak(data_type).0, "peak", m);
        let memory = |m: &Machine| known(m.memory.gbps.unwrap_or(0.0), "memory bandwidth", m);
        let plain = peak(other)? / peak(own)?;
        let compute = match fill {
            Some(fill) if plain < 1.0 => (plain / fill).min(1.0),
            _ => plain,
        };
        let shared = |own: f64, other_memory: f64| other.l2.gbps.unwrap_or(other_memory) / own;
        Ok(Self {
            compute,
            memory: memory(other)? / memory(own)?,
            shared: own
                .l2
                .gbps
                .filter(|gbps| *gbps > 0.0)
                .zip(other.memory.gbps)
                .map(|(a, b)| shared(a, b)),
            link: own
                .chip_to_chip
                .gbps
                .zip(other.chip_to_chip.gbps)
                .map(|(own, other)| other / own),
        })
    }

    /// ns of a path of the measured run on the other machine. What is not known of it is as fast as on the measured one.
    #[must_use]
    pub fn path_ns(&self, path: &PathTimes) -> f64 {
        path.fixed
            + path.compute / self.compute
            + path.ddr / self.memory
            + path.l2m / self.shared.unwrap_or(1.0)
            + path.link / self.link.unwrap_or(1.0)
    }

    /// Whether nothing is faster or slower.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let others = [self.shared, self.link];
        let is_same = |ratio: f64| ratio == 1.0;
        [self.compute, self.memory].into_iter().chain(others.into_iter().flatten()).all(is_same)
    }

    /// The range of a predicted time: what the measured errors of such predictions make of it. The same machine has none.
    #[must_use]
    pub fn range(&self, predicted_ns: f64, errors: &AcrossErrors) -> Option<[f64; 2]> {
        if self.is_same() {
            return None;
        }
        let errors = if self.compute > 1.0 { errors.to_larger } else { errors.to_smaller };
        Some(errors.map(|error| error * predicted_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(tflops: f64, gbps: Option<f64>) -> Machine {
        let mut machine = Machine { name: "x".to_owned(), tflops, ..Machine::default() };
        machine.memory.gbps = gbps;
        machine
    }

    #[test]
    fn a_smaller_unit_is_filled_better() {
        let (large, small) = (machine(16.0, Some(100.0)), machine(2.0, Some(25.0)));
        let ratios =
            |fill| SpeedRatios::from_machines(&large, &small, DataType::Fp16, fill).unwrap();
        assert_eq!((ratios(None).compute, ratios(None).memory), (0.125, 0.25));
        assert_eq!(ratios(Some(0.25)).compute, 0.5);
        assert_eq!(ratios(Some(0.01)).compute, 1.0);
        let back = SpeedRatios::from_machines(&small, &large, DataType::Fp16, Some(0.25)).unwrap();
        assert_eq!(back.compute, 8.0);
        assert_eq!(back.range(100.0, &ERRORS_OF_COMMANDS), Some([100.0, 154.0]));
        assert_eq!(SpeedRatios::SAME.range(100.0, &ERRORS_OF_COMMANDS), None);
    }

    #[test]
    fn what_is_not_known_is_no_reason_to_leave_it_out() {
        let (known, unknown) = (machine(16.0, Some(100.0)), machine(2.0, None));
        for (own, other) in [(&known, &unknown), (&unknown, &known)] {
            let error = SpeedRatios::from_machines(own, other, DataType::Fp16, None).unwrap_err();
            assert!(error.to_string().starts_with("the memory bandwidth of x is not known"));
        }
    }
}

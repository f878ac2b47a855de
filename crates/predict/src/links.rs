//! What messages between equal devices take, of which any two have a link: the rule of all planning.
//!
//! Times are ns. Messages of a device follow one another, and nothing is computed meanwhile.

/// Links between devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Links {
    /// Bandwidth in one direction, in bytes a ns.
    pub bytes_per_ns: f64,
    /// ns before the first byte of a message.
    pub latency_ns: f64,
}

impl Links {
    /// A message.
    #[must_use]
    pub fn message(&self, bytes: f64) -> f64 {
        bytes / self.bytes_per_ns + self.latency_ns
    }

    /// The sum of tensors of so many bytes on all devices, by a ring: 2 (devices - 1) messages of one part of them.
    #[must_use]
    pub fn all_reduce(&self, bytes: f64, devices: u32) -> f64 {
        let devices = f64::from(devices.max(1));
        2.0 * (devices - 1.0) * self.message(bytes / devices)
    }

    /// Pieces of so many bytes of each device on all devices, by a ring: (devices - 1) messages of a piece.
    #[must_use]
    pub fn all_gather(&self, bytes: f64, devices: u32) -> f64 {
        (f64::from(devices.max(1)) - 1.0) * self.message(bytes)
    }

    /// Of so many bytes of each device, an equal part for each: (devices - 1) messages of a part.
    #[must_use]
    pub fn all_to_all(&self, bytes: f64, devices: u32) -> f64 {
        let devices = f64::from(devices.max(1));
        (devices - 1.0) * self.message(bytes / devices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collectives_are_messages() {
        let links = Links { bytes_per_ns: 50.0, latency_ns: 1000.0 };
        assert_eq!(links.message(5000.0), 1100.0);
        assert_eq!(links.all_reduce(20_000.0, 4), 6.0 * 1100.0);
        assert_eq!(links.all_gather(5000.0, 4), 3.0 * 1100.0);
        assert_eq!(links.all_to_all(20_000.0, 4), 3.0 * 1100.0);
        // Alone, a device has nothing to say.
        let alone = [links.all_reduce(1e9, 1), links.all_gather(1e9, 1), links.all_to_all(1e9, 1)];
        assert_eq!(alone, [0.0; 3]);
    }
}

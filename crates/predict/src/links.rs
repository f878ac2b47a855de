//! What messages between equal devices take, of which any two have a link: the rule of all planning.
//!
//! Times are ns. Messages of a device follow one another, and nothing is computed meanwhile.

use bigtpu_messages::error_message;

/// Links between devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Links {
    /// Bandwidth in one direction, in bytes a ns.
    pub bytes_per_ns: f64,
    /// ns before the first byte of a message.
    pub latency_ns: f64,
}

/// A bandwidth or a latency that no link has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", error_message!("error-no-links"))]
pub struct NoLinks;

impl Links {
    /// What is given of a bandwidth in GB/s and a latency in ns, and for the rest what is `known` of both; `None` where
    /// nothing says the bandwidth.
    ///
    /// # Errors
    /// A number that no link has, whether it is needed or not.
    pub fn from_options(
        gbps: Option<f64>,
        latency_ns: Option<f64>,
        known: (Option<f64>, f64),
    ) -> Result<Option<Self>, NoLinks> {
        let (gbps, latency_ns) = (gbps.or(known.0), latency_ns.unwrap_or(known.1));
        let is_possible = |value: f64| value.is_finite() && value >= 0.0;
        if !is_possible(latency_ns) || gbps.is_some_and(|gbps| !is_possible(gbps) || gbps == 0.0) {
            return Err(NoLinks);
        }
        Ok(gbps.map(|bytes_per_ns| Self { bytes_per_ns, latency_ns }))
    }

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

    /// Exchange of equal parts between all devices, where each device sends `bytes` in all: (devices - 1) messages of a
    /// part.
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
    fn links_are_given_or_known_and_possible() {
        let of = |gbps, latency_ns| Links::from_options(gbps, latency_ns, (Some(50.0), 7.0));
        let links = |bytes_per_ns, latency_ns| Ok(Some(Links { bytes_per_ns, latency_ns }));
        assert_eq!(of(None, None), links(50.0, 7.0));
        assert_eq!(of(Some(2.0), None), links(2.0, 7.0));
        assert_eq!(of(None, Some(0.0)), links(50.0, 0.0));
        assert_eq!(Links::from_options(None, Some(3.0), (None, 0.0)), Ok(None));
        for gbps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(of(Some(gbps), None), Err(NoLinks));
        }
        for latency_ns in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Links::from_options(None, Some(latency_ns), (None, 0.0)), Err(NoLinks));
        }
    }

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

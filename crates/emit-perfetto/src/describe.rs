//! What tracks show, in a sentence for who points at their names.

/// The description of a device's track.
pub(crate) fn describe(name: &str) -> Option<&'static str> {
    let plain = match name.rsplit_once(" #") {
        Some((plain, lane)) if lane.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    };
    Some(match plain {
        "TIU" => "Commands of the tensor unit, by the PMU's records.",
        "GDMA" => "Transfers between memories by the core's DMA engine.",
        "SDMA" => "Commands of the core's system DMA engine.",
        "Layer" => "Layers of the static model that overlap those on the core's own track.",
        "Kernel Function" => "Kernels: from the first to the last command of a launch.",
        "TIU Utilization" => "Operations without padding, as a share of the tensor unit's peak.",
        "GDMA Bandwidth" => "Bandwidth between the GDMA and DDR while a command runs.",
        "DDR Bandwidth" => "Bandwidth between DDR and the core's GDMA and SDMA together.",
        "L2M Bandwidth" => "Bandwidth between L2M and the core's GDMA and SDMA together.",
        "Runtime TIU" | "Runtime GDMA" | "Runtime SDMA" => {
            "The runtime's own work around the model: copies of inputs and outputs, barriers."
        }
        "Pause" => "Where a pause of the device is drawn shorter than it was.",
        "CDMA" => "The ports to other chips: when any of them was busy.",
        "Gaps" => "Times in which the engines did no work. Unfold it for each engine.",
        _ if plain.ends_with(" Gaps") => {
            "Times in which the engine did no work: why, what ended each, what it costs the run."
        }
        "Critical Path" => {
            "What the run waited for, from its first start to its last end without gaps."
        }
        "Steps" => "Repetitions of the kernels: iterations of the model.",
        "Host-Bound Idle" => "The chip was idle because the host had launched nothing.",
        _ if plain.starts_with("Core ") => {
            "What the core ran: kernels, or layers of a static model. Unfold it for its engines."
        }
        _ if plain.ends_with(" phases") => {
            "What the time of its commands is: waiting for the peer, transfer, completion."
        }
        _ if plain.ends_with(" TX") => "Transfers to another chip.",
        _ if plain.ends_with(" RX") => "Transfers from another chip.",
        _ => return None,
    })
}

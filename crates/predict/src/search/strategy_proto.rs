//! FlexFlow's strategies as protocol buffers (`.pb`, `.strategy`), in both of their forms:
//!
//! | field of an operator | until v1 | later |
//! |---|---|---|
//! | 1 | name | name |
//! | 2 | parts along each dimension, innermost first | kind of device (0 GPU, 1 CPU) |
//! | 3 | devices | parts along each dimension, innermost first |
//! | 4 | | devices |
//! | 5 | | kinds of memory, which are not read |

use bigtpu_messages::error_message;
use prost::Message;

use crate::search::error::StrategyError;
use crate::search::strategies::{NamedConfig, OpName};

#[derive(Clone, PartialEq, Message)]
struct File {
    #[prost(message, repeated, tag = "1")]
    ops: Vec<FileOp>,
}

#[derive(Clone, PartialEq, Message)]
struct FileOp {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int32, repeated, packed = "false", tag = "2")]
    second: Vec<i32>,
    #[prost(int32, repeated, packed = "false", tag = "3")]
    third: Vec<i32>,
    #[prost(int32, repeated, packed = "false", tag = "4")]
    fourth: Vec<i32>,
}

/// Whether the bytes of a file are no text.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
    std::str::from_utf8(bytes).is_err() || bytes.iter().any(is_control)
}

/// Reads the bytes; dims stay as they are, innermost first.
pub(crate) fn parse(bytes: &[u8]) -> Result<Vec<NamedConfig>, StrategyError> {
    let file = File::decode(bytes)
        .map_err(|_| StrategyError::whole(error_message!("problem-strategy-proto")))?;
    if file.ops.is_empty() {
        return Err(StrategyError::whole(error_message!("problem-strategy-proto-empty")));
    }
    // One version writes all operators of a file.
    let is_later = file.ops.iter().any(|op| !op.fourth.is_empty());
    let config = |op: FileOp| {
        let (dims, devices) = if is_later { (op.third, op.fourth) } else { (op.second, op.third) };
        let whole = |numbers: Vec<i32>, what: bigtpu_messages::Message| {
            let numbers = numbers.into_iter().map(|number| u32::try_from(number).ok());
            numbers.collect::<Option<Vec<u32>>>().ok_or_else(|| {
                StrategyError::node(&op.name, error_message!("problem-strategy-negative", what))
            })
        };
        Ok(NamedConfig {
            dims: whole(dims, error_message!("problem-strategy-parts"))?,
            devices: whole(devices, error_message!("problem-strategy-device"))?,
            op: OpName::Name(op.name.clone()),
            name: None,
        })
    };
    file.ops.into_iter().map(config).collect()
}

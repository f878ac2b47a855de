//! Why the system or a library refused something: their errors know English only.

use std::io;

use crate::message::Message;

/// An error of the system or of a library, whose sentence the catalogue has in Chinese; in English it is the error's own.
pub trait ForeignReason {
    /// Why it failed.
    fn reason(&self) -> Message;
}

impl ForeignReason for io::Error {
    fn reason(&self) -> Message {
        let text = self.to_string();
        match (self.raw_os_error(), self.get_ref()) {
            // What our code or a library put into it.
            (None, Some(inner)) => {
                let message = Message::displayed(inner);
                let [english, chinese] = message.in_both();
                if english != chinese {
                    return message;
                }
                crate::error_message!(
                    "error-library",
                    kind = format_args!("{:?}", self.kind()),
                    text = inner
                )
            }
            (Some(code), _) => {
                crate::error_message!(
                    "error-system-code",
                    kind = format_args!("{:?}", self.kind()),
                    code,
                    text
                )
            }
            (None, None) => {
                crate::error_message!(
                    "error-system",
                    kind = format_args!("{:?}", self.kind()),
                    text
                )
            }
        }
    }
}

impl ForeignReason for serde_json::Error {
    fn reason(&self) -> Message {
        if self.is_io() {
            return Message::displayed(self);
        }
        let (line, column) = (self.line(), self.column());
        let kind = format!("{:?}", self.classify());
        crate::error_message!("error-json", kind, line, column, text = self)
    }
}

impl ForeignReason for std::num::TryFromIntError {
    fn reason(&self) -> Message {
        crate::error_message!("error-number", text = self)
    }
}

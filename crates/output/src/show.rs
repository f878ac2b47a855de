//! Values that a sink shows.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::text::TextPiece;
use crate::{Markdown, Markup, Sink, Text, Untrusted};

/// A value that can be shown in a sink: a text, which the sink encodes, a number, or a text that is written for this sink.
pub trait Show<S> {
    #[doc(hidden)]
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result;

    /// Appends what [`show`](Show::show) writes.
    #[doc(hidden)]
    fn append(&self, out: &mut String) {
        // Writing to a text never fails.
        let _ = write!(out, "{}", TextPiece(self, PhantomData::<S>));
    }
}

/// A text as its sink encodes it.
struct Encoded<'a, S>(&'a str, PhantomData<S>);

impl<S: Sink> Display for Encoded<'_, S> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        S::encode(self.0, out)
    }
}

/// A text as its sink encodes it, character by character.
#[cfg(test)]
pub(crate) fn encoded<S: Sink>(text: &str) -> String {
    Encoded(text, PhantomData::<S>).to_string()
}

impl<S: Sink> Show<S> for str {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match out.width() {
            None => S::encode(self, out),
            // A column: as wide as what is shown.
            Some(_) => out.pad(&Encoded(self, PhantomData::<S>).to_string()),
        }
    }

    fn append(&self, out: &mut String) {
        if S::is_plain(self) {
            out.push_str(self);
            return;
        }
        let _ = write!(out, "{}", Encoded(self, PhantomData::<S>));
    }
}

impl<S: Sink> Show<S> for Text<S> {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }

    fn append(&self, out: &mut String) {
        out.push_str(self.as_str());
    }
}

/// Markdown may hold HTML.
impl Show<Markdown> for Text<Markup> {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl<S, T: Show<S> + ?Sized> Show<S> for &T {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        (**self).show(out)
    }

    fn append(&self, out: &mut String) {
        (**self).append(out);
    }
}

macro_rules! texts {
    ($($kind:ty: $text:ident;)*) => {$(
        impl<S: Sink> Show<S> for $kind {
            fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
                let text: &str = self.$text();
                Show::<S>::show(text, out)
            }

            fn append(&self, out: &mut String) {
                let text: &str = self.$text();
                Show::<S>::append(text, out);
            }
        }
    )*};
}

impl<S: Sink> Show<S> for Path {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Show::<S>::show(&*self.to_string_lossy(), out)
    }
}

impl<S: Sink> Show<S> for PathBuf {
    fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Show::<S>::show(self.as_path(), out)
    }
}

texts! {
    String: as_str;
    Cow<'_, str>: as_ref;
    Untrusted<'_>: for_library;
}

macro_rules! numbers {
    ($($kind:ty)*) => {$(
        impl<S: Sink> Show<S> for $kind {
            fn show(&self, out: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, out)
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool }

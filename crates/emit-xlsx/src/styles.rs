//! Colours and cell formats.

use bigtpu_chip::Engine;
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook};

use crate::number::Shape;

/// All cell formats of the workbook, made once.
#[derive(Debug)]
pub(crate) struct Styles {
    numbers: [Format; Shape::ALL.len()],
    linked: [Format; Shape::ALL.len()],
    heads: [Format; Engine::ALL.len()],
    /// Head of a table that belongs to no engine.
    pub(crate) head: Format,
    /// Title of a sheet or table.
    pub(crate) title: Format,
    /// Text next to a number.
    pub(crate) beside: Format,
    /// Text over several columns and lines.
    pub(crate) paragraph: Format,
    /// Text that leads somewhere.
    pub(crate) link: Format,
    /// Data that was lost.
    pub(crate) loss: Format,
    /// Doubtful data.
    pub(crate) warning: Format,
}

/// Colour of an engine's headers and bars.
pub(crate) fn engine_color(engine: Engine) -> Color {
    Color::RGB(match engine {
        Engine::Tiu => 0x1F_4E79,
        Engine::Gdma => 0x37_5623,
        Engine::Sdma => 0x0B_6E75,
        Engine::Cdma => 0x8A_4B08,
    })
}

/// Lighter colour of an engine, behind numbers.
pub(crate) fn light_color(engine: Engine) -> Color {
    Color::RGB(match engine {
        Engine::Tiu => 0x9D_C3E6,
        Engine::Gdma => 0xA9_D18E,
        Engine::Sdma => 0x7F_D1D6,
        Engine::Cdma => 0xF4_B183,
    })
}

const NEUTRAL: Color = Color::RGB(0x40_4040);

/// Colours of the scales: least, middle, most.
pub(crate) const SCALE: [Color; 3] =
    [Color::RGB(0xF8_B9A4), Color::RGB(0xFF_F2CC), Color::RGB(0x9F_D5A4)];

fn head(color: Color) -> Format {
    Format::new()
        .set_bold()
        .set_font_color(Color::White)
        .set_background_color(color)
        .set_align(FormatAlign::Center)
        .set_border_bottom(FormatBorder::Thin)
}

impl Default for Styles {
    fn default() -> Self {
        let number = |shape: Shape| match shape {
            Shape::General => Format::new(),
            _ => Format::new().set_num_format(shape.code()),
        };
        let fill = |color| Format::new().set_background_color(Color::RGB(color));
        Self {
            numbers: Shape::ALL.map(number),
            linked: Shape::ALL.map(|shape| number(shape).set_hyperlink()),
            heads: Engine::ALL.map(|engine| head(engine_color(engine))),
            head: head(NEUTRAL),
            title: Format::new().set_bold().set_font_size(14),
            paragraph: Format::new().set_text_wrap().set_align(FormatAlign::Top),
            beside: Format::new().set_indent(1),
            link: Format::new().set_hyperlink(),
            loss: fill(0xF8_CBAD).set_bold(),
            warning: fill(0xFF_E699).set_bold(),
        }
    }
}

impl Styles {
    /// Format of a number.
    pub(crate) fn number(&self, shape: Shape) -> &Format {
        &self.numbers[shape as usize]
    }

    /// Format of a number that leads somewhere.
    pub(crate) fn linked(&self, shape: Shape) -> &Format {
        &self.linked[shape as usize]
    }

    /// Format of an engine's headers.
    pub(crate) fn head_of(&self, engine: Engine) -> &Format {
        &self.heads[engine as usize]
    }

    /// Gives every format its number, so that the numbers do not depend on which sheet is written first.
    pub(crate) fn register(&self, book: &mut Workbook) {
        let others = [&self.head, &self.title, &self.beside, &self.link, &self.loss, &self.warning];
        for format in self.numbers.iter().chain(&self.linked).chain(&self.heads).chain(others) {
            book.register_format(format);
        }
    }
}

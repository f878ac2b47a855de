//! Colours and cell formats.

use bigtpu_chip::Engine;
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook};

use crate::number::Shape;
use crate::xml::put_whole;

/// A cell format of [`Styles`]: its number in the workbook. By default a cell has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style(pub(crate) usize);

/// All cell formats of the workbook, made once.
#[derive(Debug)]
pub(crate) struct Styles {
    /// The formats, each once, by their numbers.
    formats: Vec<Format>,
    numbers: [Style; Shape::ALL.len()],
    linked: [Style; Shape::ALL.len()],
    heads: [Style; Engine::ALL.len()],
    /// Head of a table that belongs to no engine.
    pub(crate) head: Style,
    /// Title of a sheet or table.
    pub(crate) title: Style,
    /// Text next to a number.
    pub(crate) beside: Style,
    /// Text over several columns and lines.
    pub(crate) paragraph: Style,
    /// Text that leads somewhere.
    pub(crate) link: Style,
    /// Data that was lost.
    pub(crate) loss: Style,
    /// Doubtful data.
    pub(crate) warning: Style,
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
        let mut formats = Vec::new();
        let mut add = |format: Format| {
            let known = formats.iter().position(|other| *other == format);
            Style(known.unwrap_or_else(|| {
                formats.push(format);
                formats.len() - 1
            }))
        };
        // The first one is that of cells without a format.
        let numbers = Shape::ALL.map(|shape| add(number(shape)));
        let linked = Shape::ALL.map(|shape| add(number(shape).set_hyperlink()));
        let heads = Engine::ALL.map(|engine| add(head(engine_color(engine))));
        let head = add(head(NEUTRAL));
        let title = add(Format::new().set_bold().set_font_size(14));
        let beside = add(Format::new().set_indent(1));
        let link = add(Format::new().set_hyperlink());
        let loss = add(fill(0xF8_CBAD).set_bold());
        let warning = add(fill(0xFF_E699).set_bold());
        let paragraph = add(Format::new().set_text_wrap().set_align(FormatAlign::Top));
        Self {
            formats,
            numbers,
            linked,
            heads,
            head,
            title,
            beside,
            paragraph,
            link,
            loss,
            warning,
        }
    }
}

impl Styles {
    /// Format of a number.
    pub(crate) fn number(&self, shape: Shape) -> Style {
        self.numbers[shape as usize]
    }

    /// Format of a number that leads somewhere.
    pub(crate) fn linked(&self, shape: Shape) -> Style {
        self.linked[shape as usize]
    }

    /// Format of an engine's headers.
    pub(crate) fn head_of(&self, engine: Engine) -> Style {
        self.heads[engine as usize]
    }

    /// The attributes of numbers' formats.
    pub(crate) fn number_marks(&self) -> StyleMarks {
        self.numbers.map(|style| {
            let mut mark = Vec::new();
            put_mark(&mut mark, style);
            mark
        })
    }

    /// The formats, by their numbers.
    #[cfg(test)]
    pub(crate) fn formats(&self) -> &[Format] {
        &self.formats
    }

    /// Gives every format its number in a new workbook.
    pub(crate) fn register(&self, book: &mut Workbook) {
        for format in &self.formats {
            book.register_format(format);
        }
    }
}

/// The attribute of a cell's format, such as ` s="3"`, for each [`Shape`]; nothing where a cell needs none.
pub(crate) type StyleMarks = [Vec<u8>; Shape::ALL.len()];

/// Appends the attribute of a cell's format; nothing where it has none.
pub(crate) fn put_mark(out: &mut Vec<u8>, Style(number): Style) {
    if number > 0 {
        out.extend_from_slice(b" s=\"");
        put_whole(out, number);
        out.push(b'"');
    }
}

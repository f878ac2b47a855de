//! Parts of pages without scripts. They have the elements and classes of the parts that scripts make on the other pages
//! (`components.css` has the style of both): panel, "?" that opens a definition, legend.

use bigtpu_messages::Message;

use crate::{Markup, Text, both, put, text};

/// What the numbers of a panel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PanelDefinition {
    /// Id of the sentence in the catalogues. The docs have the same sentence, in both languages.
    pub id: &'static str,
    /// File below `docs`, and section, as in a link.
    pub source: &'static str,
}

/// The mark that opens a definition.
#[must_use]
pub fn explained(definition: &PanelDefinition) -> Text<Markup> {
    text!(
        " <details class=\"explain\"><summary aria-label=\"What these numbers are, 这些数值的定义\">?</summary>\
         <span class=\"explain-text\">{} <span class=\"muted\">docs/{}</span></span></details>",
        both(&Message::new(definition.id)),
        definition.source
    )
}

/// A panel: heading, the mark of its definition where there is one, content.
#[must_use]
pub fn panel(
    heading: &Text<Markup>,
    definition: Option<&PanelDefinition>,
    content: &Text<Markup>,
) -> Text<Markup> {
    let mark = definition.map(explained).unwrap_or_default();
    text!("<section class=\"panel\">\n<h2>{}{}</h2>\n{}</section>\n", heading, mark, content)
}

/// What the colours of a picture are: the class that sets `--part` to a colour, and its meaning.
#[must_use]
pub fn legend(keys: impl IntoIterator<Item = (&'static str, Message)>) -> Text<Markup> {
    let mut text = Text::literal("<p class=\"legend-row\">");
    for (class, meaning) in keys {
        put!(text, "<span><i class=\"swatch {}\"></i>{}</span>", class, both(&meaning));
    }
    text.own("</p>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_explains_its_numbers_in_both_languages() {
        let definition = PanelDefinition { id: "fleet-trends-are", source: "fleet.md#trends" };
        let [english, chinese] = Message::new(definition.id).in_both();
        let page = panel(&Text::literal("Trends"), Some(&definition), &Text::literal("<p>1</p>\n"));
        let page = page.as_str();
        assert!(
            page.starts_with("<section class=\"panel\">\n<h2>Trends <details class=\"explain\">")
        );
        assert!(page.contains(&format!("<span lang=\"zh\">{chinese}</span>")), "{page}");
        assert!(page.contains(&english) && page.contains("docs/fleet.md#trends"), "{page}");
        let bare = panel(&Text::literal("Trends"), None, &Text::new());
        assert!(!bare.as_str().contains("details"));
    }
}

//! A report: one view of the page in one file, with everything that it would request from a server.

use crate::modules::{import_map, name_of, needed};
use crate::{assets, base64};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A view of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageView {
    /// A reduction.
    Reduce,
    /// A campaign.
    Fuzz,
    /// Coverage of a C function.
    Cover,
    /// Why a C assertion fails.
    Explain,
}

impl PageView {
    fn name(self) -> &'static str {
        match self {
            PageView::Reduce => "reduce",
            PageView::Fuzz => "fuzz",
            PageView::Cover => "cover",
            PageView::Explain => "explain",
        }
    }
}

/// In `index.html`: what a report embeds is between these.
const ASSETS: [&str; 2] = ["<!-- assets -->\n", "<!-- /assets -->\n"];
const TITLE: &str = "<title>nub workbench</title>";
const POLICY: &str = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none';";

/// A page that needs no server: the view, the address it is opened with, and the answers to its requests.
#[derive(Clone, Debug)]
pub struct ReportPage {
    view: PageView,
    title: String,
    params: Map<String, Value>,
    answers: Map<String, Value>,
}

impl ReportPage {
    /// A page without any answers.
    pub fn new(view: PageView, title: &str) -> ReportPage {
        ReportPage { view, title: title.to_owned(), params: Map::new(), answers: Map::new() }
    }

    /// A parameter of the view's address, such as `file`.
    #[must_use]
    pub fn param(mut self, name: &str, value: &str) -> ReportPage {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    /// Adds what a server would answer: `asked` is the path and the values of its parameters, in order.
    #[must_use]
    pub fn answer(mut self, asked: &[&str], content: &impl Serialize) -> ReportPage {
        // What cannot be serialised as JSON is missing in the report, and the view says so.
        if let Ok(content) = serde_json::to_value(content) {
            self.answers.insert(asked.join("\n"), content);
        }
        self
    }

    /// The file. It depends only on its content.
    pub fn html(&self) -> String {
        let view = format!("views/{}.js", self.view.name());
        let modules = needed("main.js", &view);
        let data = embedded(
            &json!({ "view": self.view.name(), "title": self.title, "params": self.params, "answers": self.answers }),
        );
        // Content cannot contain its own hash, so it cannot inject a script with this nonce.
        let hash = blake3::hash(data.as_bytes()).to_hex();
        let nonce = &hash.as_str()[..32];
        let mut head = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY} script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'\">\n"
        );
        let icon = assets::asset("icon.svg").unwrap_or_default();
        head.push_str(&format!(
            "<link rel=\"icon\" href=\"data:image/svg+xml;base64,{}\">\n",
            base64::encode(icon)
        ));
        let has_charts = modules.contains_key("lib/charts.js");
        let styles =
            ["base.css", "views.css"].into_iter().chain(has_charts.then_some("vendor/uPlot.min.css"));
        for style in styles.filter_map(assets::text) {
            head.push_str(&format!("<style nonce=\"{nonce}\">\n{style}</style>\n"));
        }
        for script in has_charts.then(|| assets::text("vendor/uPlot.iife.min.js")).into_iter().flatten() {
            head.push_str(&format!("<script nonce=\"{nonce}\">{script}</script>\n"));
        }
        head.push_str(&format!(
            "<script type=\"application/json\" id=\"report\">{data}</script>\n\
             <script type=\"importmap\" nonce=\"{nonce}\">{}</script>\n\
             <script type=\"module\" nonce=\"{nonce}\">import '{}';</script>\n",
            embedded(&import_map(&modules)),
            name_of("main.js")
        ));
        let document = assets::document().replace(TITLE, &format!("<title>{}</title>", escape(&self.title)));
        let (before, rest) = document.split_once(ASSETS[0]).unwrap_or((&document, ""));
        let (_, after) = rest.split_once(ASSETS[1]).unwrap_or(("", rest));
        format!("{before}{head}{after}")
    }
}

/// JSON for a `script` element, escaped so that nothing in it can end the element or start a comment.
fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Text in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        ReportPage::new(PageView::Cover, text).param("file", text).answer(&["/api/file", text], &text).html()
    }

    #[test]
    fn content_never_becomes_markup() {
        let hostile = "</script><script>alert(1)</script><!--<script>\u{2028}'\"&lt;";
        let (plain, with) = (page("x"), page(hostile));
        let count = |text: &str, part: &str| text.to_lowercase().matches(part).count();
        for part in ["<script", "</script", "<!--", "-->"] {
            assert_eq!(count(&plain, part), count(&with, part), "{part}");
        }
        let data = with.split("id=\"report\">").nth(1).unwrap().split("</script>").next().unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["params"]["file"], hostile);
        assert_eq!(data["answers"][format!("/api/file\n{hostile}")], hostile);
    }

    #[test]
    fn every_script_and_style_has_the_nonce_and_nothing_is_loaded() {
        let page = page("x");
        let nonce = page.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
        for tag in page.split('<').filter(|tag| tag.starts_with("script") || tag.starts_with("style")) {
            let open = tag.split('>').next().unwrap();
            assert!(open.contains(nonce) || open.contains("application/json"), "{open}");
            assert!(!open.contains("src="), "{open}");
        }
        assert!(!page.contains("href=\"/") && !page.contains("href=\"http"));
    }

    #[test]
    fn the_same_content_is_the_same_file() {
        assert_eq!(page("a"), page("a"));
    }
}

//! Pages: one shell, one look for light and dark, one way to escape. No script, nothing from elsewhere.

/// The look that all pages share. A page adds rules of its own, in these colours: `--ink` and `--paper`, `--faint` for what is less
/// important, `--line` for borders, `--code` behind code, and `--good`, `--bad`, `--warn`, `--note` behind what is marked.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c1e21;--paper:#fff;--faint:#5b6066;--line:#ddd;--code:#f5f6f7;\
--good:#e2f4e4;--bad:#fde3e0;--warn:#fdf3d6;--note:#e8e8f8}\n\
@media(prefers-color-scheme:dark){:root{--ink:#e4e6e8;--paper:#16181b;--faint:#a8adb3;--line:#3a3f45;--code:#22262a;\
--good:#1c3a24;--bad:#4a2222;--warn:#46391a;--note:#2a2c4a}}\n\
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:var(--ink);background:var(--paper)}\n\
h1{font-size:1.5em}h2{font-size:1.1em}table{border-collapse:collapse;margin:1em 0}\n\
td,th{padding:.2em .7em;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n\
pre,code{font-family:ui-monospace,monospace;font-size:13px}pre{overflow:auto}.facts{color:var(--faint);margin:.3em 0}\n";

/// A whole page: its title, its own style and what is on it, which is HTML.
pub fn page(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}{style}</style></head><body>\n{body}</body></html>\n",
        escape(title)
    )
}

/// Text in HTML, within and outside of attributes. Programs print anything: control characters, which a page must not have, become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            control if control.is_control() && !matches!(control, '\n' | '\t') => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_print_does_not_become_markup() {
        assert_eq!(escape("<b>&'\"\u{1b}[1m\n\t"), "&lt;b&gt;&amp;&#39;&quot;\u{fffd}[1m\n\t");
    }

    #[test]
    fn a_page_has_its_title_escaped_and_both_looks() {
        let page = page("a < b", ".own{color:red}", "<p>text</p>\n");
        assert!(
            page.contains("<title>a &lt; b</title>") && page.contains(".own{color:red}</style>"),
            "{page}"
        );
        assert!(
            page.contains("prefers-color-scheme:dark") && page.ends_with("<p>text</p>\n</body></html>\n")
        );
    }
}

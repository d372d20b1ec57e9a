//! The files of the page, embedded in the binary.

/// A file that the browser loads.
pub(crate) struct Asset {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[$(Asset { name: $name, bytes: include_bytes!(concat!("../files/", $name)) }),*]
    };
}

const ASSETS: &[Asset] = assets![
    "base.css",
    "views.css",
    "icon.svg",
    "main.js",
    "lib/api.js",
    "lib/charts.js",
    "lib/c_view.js",
    "lib/diff.js",
    "lib/dom.js",
    "lib/files.js",
    "lib/graph.js",
    "lib/graph_worker.js",
    "lib/highlight.js",
    "lib/job.js",
    "lib/layering.js",
    "lib/palette.js",
    "lib/panes.js",
    "lib/storage.js",
    "lib/text.js",
    "views/comparison.js",
    "views/console.js",
    "views/cover.js",
    "views/cover_tests.js",
    "views/explain.js",
    "views/explain_runs.js",
    "views/fuzz.js",
    "views/generator.js",
    "views/home.js",
    "views/reduce.js",
    "views/reduce_form.js",
    "views/reduce_run.js",
    "vendor/dagre.esm.js",
    "vendor/uPlot.iife.min.js",
    "vendor/uPlot.min.css",
];

const DOCUMENT: &str = include_str!("../files/index.html");
/// The page for a browser without a session. It needs no assets.
pub const CLOSED: &[u8] = include_bytes!("../files/closed.html");

/// The document of all views: its script shows the right one.
pub fn document() -> &'static str {
    DOCUMENT
}

/// A file of the page by its name below `/assets/`.
pub fn asset(name: &str) -> Option<&'static [u8]> {
    ASSETS.iter().find(|asset| asset.name == name).map(|asset| asset.bytes)
}

/// A text file that is embedded in reports.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    asset(name).and_then(|bytes| std::str::from_utf8(bytes).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_light() {
        let weight = DOCUMENT.len() + ASSETS.iter().map(|asset| asset.bytes.len()).sum::<usize>();
        assert!(weight < 1_500_000, "{weight} bytes");
    }

    #[test]
    fn every_file_of_the_page_is_embedded_and_known() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("files");
        for part in ["", "lib", "views"] {
            for entry in
                folder.join(part).read_dir().unwrap().flatten().filter(|entry| entry.path().is_file())
            {
                let name = entry.path().strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
                let is_known = name.ends_with(".html") || ASSETS.iter().any(|asset| asset.name == name);
                assert!(is_known, "{name} is not in ASSETS");
            }
        }
    }
}

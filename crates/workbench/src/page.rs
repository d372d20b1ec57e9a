//! The page: files of `page/`, part of the binary.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file that the browser loads.
struct Asset {
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[$(Asset { name: $name, bytes: include_bytes!(concat!("../page/", $name)) }),*]
    };
}

const ASSETS: &[Asset] = assets![
    "base.css",
    "views.css",
    "icon.svg",
    "main.js",
    "lib/api.js",
    "lib/charts.js",
    "lib/diff.js",
    "lib/dom.js",
    "lib/files.js",
    "lib/graph.js",
    "lib/graph_worker.js",
    "lib/highlight.js",
    "lib/job.js",
    "lib/palette.js",
    "lib/panes.js",
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

/// Addresses that are views: all of them are the same document, and its script shows the right one.
const VIEWS: [&str; 5] = ["/", "/reduce", "/fuzz", "/cover", "/explain"];

const DOCUMENT: &[u8] = include_bytes!("../page/index.html");
const CLOSED: &[u8] = include_bytes!("../page/closed.html");

/// The view or file at an address.
pub fn get(path: &str) -> Option<Response> {
    if VIEWS.contains(&path) {
        return Some(file("index.html", DOCUMENT));
    }
    let name = path.strip_prefix("/assets/")?;
    ASSETS.iter().find(|asset| asset.name == name).map(|asset| file(asset.name, asset.bytes))
}

/// What a browser sees that has no session: where to find the address. It needs nothing else from us.
pub fn closed() -> Response {
    (StatusCode::UNAUTHORIZED, file("closed.html", CLOSED)).into_response()
}

/// Bytes of all files together.
#[cfg(test)]
pub fn weight() -> usize {
    DOCUMENT.len() + ASSETS.iter().map(|asset| asset.bytes.len()).sum::<usize>()
}

fn file(name: &str, bytes: &'static [u8]) -> Response {
    ([(header::CONTENT_TYPE, content_type(name))], bytes).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_light() {
        assert!(weight() < 1_500_000, "{} bytes", weight());
    }

    #[test]
    fn every_file_of_the_page_is_embedded_and_known() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
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

//! The page: the files of `nub_page`, by their addresses.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Addresses that are views: all of them are the same document, and its script shows the right one.
const VIEWS: [&str; 5] = ["/", "/reduce", "/fuzz", "/cover", "/explain"];

/// The view or file at an address.
pub fn get(path: &str) -> Option<Response> {
    if VIEWS.contains(&path) {
        return Some(file("index.html", nub_page::document().as_bytes()));
    }
    let name = path.strip_prefix("/assets/")?;
    nub_page::asset(name).map(|bytes| file(name, bytes))
}

/// The answer to a browser without a session: says where to find the address. It needs no other file.
pub fn closed() -> Response {
    (StatusCode::UNAUTHORIZED, file("closed.html", nub_page::CLOSED)).into_response()
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

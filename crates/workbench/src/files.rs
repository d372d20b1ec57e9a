//! Folders, files and pasted text.

use crate::answer::RequestRefusal;
use crate::api::Shared;
use crate::limits;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use nub_store::{RealFs, commit, create_folder};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A file or folder by its name.
#[derive(Deserialize)]
pub(crate) struct Named {
    path: String,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    is_folder: bool,
    bytes: u64,
}

#[derive(Serialize)]
struct Listing {
    path: String,
    entries: Vec<Entry>,
    is_complete: bool,
}

/// What is in a folder: folders first, without hidden files.
pub async fn list(
    State(shared): State<Arc<Shared>>,
    Query(named): Query<Named>,
) -> Result<Response, RequestRefusal> {
    if named.path.is_empty() {
        let entries = shared.roots.list().iter();
        let entries =
            entries.map(|root| Entry { name: root.name.clone(), is_folder: true, bytes: 0 }).collect();
        return Ok(Json(Listing { path: String::new(), entries, is_complete: true }).into_response());
    }
    let folder = shared.roots.path(&named.path)?;
    let found = folder
        .read_dir()
        .map_err(|error| RequestRefusal::bad(format!("cannot list `{}`: {error}", named.path)))?;
    let mut entries: Vec<Entry> =
        found.flatten().take(limits::N_ENTRIES + 1).filter_map(|entry| shown(&entry)).collect();
    let is_complete = entries.len() <= limits::N_ENTRIES;
    entries.truncate(limits::N_ENTRIES);
    entries.sort_by(|a, b| b.is_folder.cmp(&a.is_folder).then_with(|| a.name.cmp(&b.name)));
    Ok(Json(Listing { path: named.path, entries, is_complete }).into_response())
}

fn shown(entry: &std::fs::DirEntry) -> Option<Entry> {
    let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
    let meta = entry.metadata().ok()?;
    (meta.is_dir() || meta.is_file()).then(|| Entry { name, is_folder: meta.is_dir(), bytes: meta.len() })
}

/// The content of a file, sent as plain text, so that a browser only displays it.
pub async fn read(
    State(shared): State<Arc<Shared>>,
    Query(named): Query<Named>,
) -> Result<Response, RequestRefusal> {
    let bytes = shared.roots.read(&named.path)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}

/// A file to write.
#[derive(Deserialize)]
pub struct Written {
    path: String,
    text: String,
}

#[derive(Serialize)]
struct Saved {
    path: String,
}

/// Saves a file below a folder of the workbench.
pub async fn save(
    State(shared): State<Arc<Shared>>,
    Json(written): Json<Written>,
) -> Result<Response, RequestRefusal> {
    let path = shared.roots.path_to_write(&written.path)?;
    commit(&RealFs, &path, written.text.as_bytes())?;
    Ok(Json(Saved { path: written.path }).into_response())
}

/// A dropped or pasted file.
#[derive(Deserialize)]
pub struct Pasted {
    name: String,
    text: String,
}

/// Saves a dropped or pasted file under its own name, with a number added if that name is taken.
pub async fn paste(
    State(shared): State<Arc<Shared>>,
    Json(pasted): Json<Pasted>,
) -> Result<Response, RequestRefusal> {
    let folder = shared.state_folder().join("files");
    create_folder(&RealFs, &folder)?;
    let name = free_name(&plain_name(&pasted.name), |name| folder.join(name).exists());
    let path = folder.join(name);
    commit(&RealFs, &path, pasted.text.as_bytes())?;
    let path = shared.roots.name_of(&path).ok_or_else(|| RequestRefusal::bad("the file was lost"))?;
    Ok(Json(Saved { path }).into_response())
}

/// The last part of a name, with only letters, digits and `._+-`.
pub fn plain_name(name: &str) -> String {
    const MAX_CHARS: usize = 80;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '+' | '-');
    let plain: String =
        last.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(MAX_CHARS).collect();
    let plain = plain.trim_start_matches('.');
    if plain.is_empty() { "pasted.txt".to_owned() } else { plain.to_owned() }
}

/// The name, or the name with the first number that makes it free: `bug-2.smt2`.
pub fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let (stem, extension) =
        name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    let numbered = (2..u32::MAX).map(|number| format!("{stem}-{number}{extension}"));
    numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_plain() {
        assert_eq!(plain_name("../../etc/passwd"), "passwd");
        assert_eq!(plain_name("C:\\bugs\\a b.smt2"), "a_b.smt2");
        assert_eq!(plain_name("..."), "pasted.txt");
        assert_eq!(free_name("a.c", |name| name == "a.c" || name == "a-2.c"), "a-3.c");
    }
}

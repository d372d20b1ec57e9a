//! The suite that every [`FileSystem`] passes.

use std::io::ErrorKind;
use std::path::Path;

use nub_store::{EntryInfo, EntryKind, FileSystem, write_all};

/// Checks a file system in `folder`, which must exist and be empty.
///
/// # Panics If a check fails.
pub fn check_file_system(fs: &dyn FileSystem, folder: &Path) {
    check_files(fs, &folder.join("file"));
    check_append(fs, &folder.join("log"));
    check_rename(fs, &folder.join("from"), &folder.join("to"));
    check_folders(fs, &folder.join("sub"));
}

fn error_of<T>(result: std::io::Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

fn content(fs: &dyn FileSystem, path: &Path) -> Vec<u8> {
    fs.read(path).expect("the file is there")
}

fn create(fs: &dyn FileSystem, path: &Path, bytes: &[u8]) {
    let mut file = fs.create_new(path, 0o600).expect("a new file");
    write_all(file.as_mut(), bytes).expect("room on the disk");
    file.sync().expect("a sync");
}

fn check_files(fs: &dyn FileSystem, path: &Path) {
    assert_eq!(fs.info(path).expect("a look"), None);
    assert_eq!(error_of(fs.read(path)), Some(ErrorKind::NotFound));
    assert_eq!(error_of(fs.remove_file(path)), Some(ErrorKind::NotFound));
    create(fs, path, b"content");
    assert_eq!(content(fs, path), b"content");
    assert_eq!(error_of(fs.create_new(path, 0o600)), Some(ErrorKind::AlreadyExists));
    let info = fs.info(path).expect("a look").expect("an entry");
    assert_eq!((info.kind, info.mode), (EntryKind::File, 0o600));
    assert_eq!(error_of(fs.read_link(path)), Some(ErrorKind::InvalidInput));

    let mut file = fs.append(path).expect("an open file");
    file.adopt(&EntryInfo { mode: 0o640, ..info }).expect("our own file");
    assert_eq!(fs.info(path).expect("a look").map(|info| info.mode), Some(0o640));
    fs.remove_file(path).expect("a removal");
    assert_eq!(fs.info(path).expect("a look"), None);
}

fn check_append(fs: &dyn FileSystem, path: &Path) {
    for piece in [&b"one "[..], b"two"] {
        let mut file = fs.append(path).expect("an open file");
        write_all(file.as_mut(), piece).expect("room on the disk");
        file.sync_data().expect("a sync");
    }
    assert_eq!(content(fs, path), b"one two");
}

fn check_rename(fs: &dyn FileSystem, from: &Path, to: &Path) {
    assert_eq!(error_of(fs.rename(from, to)), Some(ErrorKind::NotFound));
    create(fs, from, b"new");
    create(fs, to, b"old");
    fs.rename(from, to).expect("a rename");
    assert_eq!(content(fs, to), b"new");
    assert_eq!(fs.info(from).expect("a look"), None);
}

fn check_folders(fs: &dyn FileSystem, path: &Path) {
    let inner = path.join("inner");
    assert_eq!(error_of(fs.sync_folder(path)), Some(ErrorKind::NotFound));
    assert_eq!(error_of(fs.create_new(&inner, 0o600)), Some(ErrorKind::NotFound));
    assert_eq!(error_of(fs.create_folder(&inner)), Some(ErrorKind::NotFound));
    fs.create_folder(path).expect("a new folder");
    assert_eq!(error_of(fs.create_folder(path)), Some(ErrorKind::AlreadyExists));
    assert_eq!(fs.info(path).expect("a look").map(|info| info.kind), Some(EntryKind::Folder));
    create(fs, &inner, b"x");
    fs.sync_folder(path).expect("a sync");
    create(fs, &path.with_extension("file"), b"x");
    assert_eq!(error_of(fs.rename(&path.with_extension("file"), path)), Some(ErrorKind::IsADirectory));
}

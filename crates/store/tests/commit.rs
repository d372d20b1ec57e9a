//! `commit` and `check_writable` on the real disk: links, permissions, names, refusals.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use nub_store::{
    ErrorKind, FileSystem, RealFs, StoreError, Unsuitable, check_writable, commit, sweep_leftovers,
};

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o7777
}

#[test]
fn replaces_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bug.smt2");
    for bytes in [&b"first"[..], b"", &[0; 1 << 20]] {
        check_writable(&RealFs, &path).unwrap();
        commit(&RealFs, &path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(names(folder.path()), ["bug.smt2"]);
    }
}

#[test]
fn keeps_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bug.smt2");
    fs::write(&path, "old").unwrap();
    for bits in [0o600, 0o755, 0o666, 0o640, 0o400] {
        fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
        commit(&RealFs, &path, b"new").unwrap();
        assert_eq!(mode(&path), bits);
    }
}

#[test]
fn a_new_file_gets_the_mode_of_any_new_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ordinary"), "").unwrap();
    commit(&RealFs, &folder.path().join("new"), b"").unwrap();
    assert_eq!(mode(&folder.path().join("new")), mode(&folder.path().join("ordinary")));
}

#[test]
fn follows_links() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real");
    fs::create_dir(&real).unwrap();
    let link = folder.path().join("link");
    symlink("second", &link).unwrap();
    symlink("real/target", folder.path().join("second")).unwrap();
    // Dangling first, then existing.
    for bytes in [b"one", b"two"] {
        commit(&RealFs, &link, bytes).unwrap();
        assert_eq!(fs::read(real.join("target")).unwrap(), bytes);
    }
    assert!(link.is_symlink());
    assert_eq!(names(folder.path()), ["link", "real", "second"]);
    assert_eq!(names(&real), ["target"]);
}

fn refusal(path: &Path) -> Unsuitable {
    let early = check_writable(&RealFs, path).unwrap_err();
    assert_eq!(early.kind(), ErrorKind::Refused);
    assert!(early.hint().is_some());
    let StoreError::Unsuitable { reason, .. } = early else { panic!("{early}") };
    reason
}

#[test]
fn refuses_what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(refusal(folder.path()), Unsuitable::Folder);
    assert_eq!(refusal(Path::new("/dev/null")), Unsuitable::Special);
    let open = std::fs::File::create(folder.path().join("open")).unwrap();
    let of_process = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
    assert_eq!(refusal(Path::new(&of_process)), Unsuitable::OpenFile);
    assert_eq!(refusal(Path::new("")), Unsuitable::NoName);
    assert_eq!(refusal(Path::new("/")), Unsuitable::NoName);
    assert_eq!(refusal(Path::new("..")), Unsuitable::NoName);
    let cycle = folder.path().join("cycle");
    symlink("cycle", &cycle).unwrap();
    assert_eq!(refusal(&cycle), Unsuitable::LinkCycle);
    let read_only = folder.path().join("read-only");
    fs::write(&read_only, "").unwrap();
    fs::set_permissions(&read_only, Permissions::from_mode(0o444)).unwrap();
    assert_eq!(refusal(&read_only), Unsuitable::ReadOnly);
    assert!(commit(&RealFs, Path::new("/dev/null"), b"").is_err());
}

#[test]
fn missing_and_impossible_folders() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("absent/bug.smt2");
    for result in [check_writable(&RealFs, &missing), commit(&RealFs, &missing, b"")] {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert_eq!(error.hint(), Some("check that the folder exists"));
        assert!(error.to_string().contains("absent/bug.smt2"), "{error}");
    }
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(check_writable(&RealFs, &folder.path().join("file/bug.smt2")).is_err());
}

#[test]
fn a_folder_without_write_permission() {
    if rustix::process::geteuid().is_root() {
        return; // Permissions do not restrict root.
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bug.smt2");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o500)).unwrap();
    let error = check_writable(&RealFs, &path).unwrap_err();
    assert_eq!(error.hint(), Some("check the permissions of the file and of its folder"));
    assert!(commit(&RealFs, &path, b"new").is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn names_of_any_length_and_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd: &[u8] = b"\xff\n %.smt2";
    for name in [&[b'x'; 255][..], odd] {
        let path = folder.path().join(std::ffi::OsStr::from_bytes(name));
        check_writable(&RealFs, &path).unwrap();
        commit(&RealFs, &path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 2);
}

#[test]
fn leftovers_of_killed_runs_are_swept_and_those_of_living_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bug.smt2");
    fs::write(&path, "old").unwrap();
    fs::write(folder.path().join(".bug.smt2.nub-123-0"), "of a killed run").unwrap();
    fs::write(folder.path().join(".bug.smt2.nub-notes"), "of the user").unwrap();
    fs::write(folder.path().join(".other.smt2.nub-123-0"), "of another output").unwrap();
    let living = RealFs.create_new(&folder.path().join(".bug.smt2.nub-124-0"), 0o600).unwrap();
    assert_eq!(sweep_leftovers(&path), 1);
    let expected = [".bug.smt2.nub-124-0", ".bug.smt2.nub-notes", ".other.smt2.nub-123-0", "bug.smt2"];
    assert_eq!(names(folder.path()), expected);
    drop(living);
    assert_eq!(sweep_leftovers(&path), 1);
}

#[test]
fn many_at_once_end_with_one_whole_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bug.smt2");
    std::thread::scope(|scope| {
        for letter in b'a'..=b'd' {
            let path = &path;
            scope.spawn(move || (0..20).for_each(|_| commit(&RealFs, path, &[letter; 5_000]).unwrap()));
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 5_000);
    assert!(bytes.iter().all(|&byte| byte == bytes[0]));
    assert_eq!(names(folder.path()), ["bug.smt2"]);
}

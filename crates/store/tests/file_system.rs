//! The real file system and the fake pass one suite.

use std::path::Path;

use nub_store::{FileSystem, RealFs};
use nub_test_kit::{FaultFs, check_file_system};

#[test]
fn real() {
    let folder = tempfile::tempdir().unwrap();
    check_file_system(&RealFs, folder.path());
}

#[test]
fn fake() {
    for max_write in [1, usize::MAX] {
        let fs = FaultFs::new().short_writes(max_write);
        fs.create_folder(Path::new("/folder")).unwrap();
        check_file_system(&fs, Path::new("/folder"));
    }
}

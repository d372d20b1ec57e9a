//! C programs as used by all jobs: preprocessed, type-checked, and compiled to run their tests.

mod loaded;
mod model_macros;
pub(crate) mod native;
mod outline;
mod preprocess;
pub(crate) mod quick;
mod target;

pub(crate) use loaded::LoadedProgram;
pub use outline::{BlockOutline, FlowEdge, FunctionOutline, outline};
pub(crate) use preprocess::{Preprocessed, preprocess};
pub(crate) use target::{Targets, for_target};

use std::path::{Path, PathBuf};

/// The absolute path; the file need not exist.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// How a file at `path` refers to another one that it includes: relative to its folder, so that both can be moved together.
pub(crate) fn include_name(input: &Path, path: &Path) -> String {
    let (input, path) = (absolute(input), absolute(path));
    let folder = path.parent().map(absolute).unwrap_or_default();
    let n_shared = input.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(n_shared).map(|_| std::path::Component::ParentDir);
    let name: PathBuf = up.chain(input.components().skip(n_shared)).collect();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative() {
        let name = |input, path| include_name(Path::new(input), Path::new(path));
        assert_eq!(name("/a/src/f.c", "/a/src/tests.c"), "f.c");
        assert_eq!(name("/a/src/f.c", "/a/tests/unit/tests.c"), "../../src/f.c");
        assert_eq!(name("/a/f.c", "/a/tests/tests.c"), "../f.c");
    }
}

//! Embeds JavaScript modules in one file.
//!
//! A module imports others by a path relative to its own. In one file there are no paths, so each import becomes
//! `nub/PATH`, and an import map maps that name to a `data:` address with the module itself. Names also allow import
//! cycles, such as between `main.js` and the views, which embedding the contents directly would not.

use crate::{assets, base64};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A module with its imports renamed, by its path.
pub type Modules = BTreeMap<String, String>;

/// The module `first` and all modules that it needs. Of the modules in `views/` that are loaded on demand, only those
/// of `view`.
pub fn needed(first: &str, view: &str) -> Modules {
    let mut found = Modules::new();
    let mut todo = vec![first.to_owned(), view.to_owned()];
    while let Some(path) = todo.pop() {
        if found.contains_key(&path) {
            continue;
        }
        let Some(text) = assets::text(&path) else { continue };
        let (renamed, uses) = rename(&path, text);
        todo.extend(
            uses.into_iter()
                .filter(|used| !used.is_on_demand || !used.path.starts_with("views/"))
                .map(|used| used.path),
        );
        found.insert(path, renamed);
    }
    found
}

/// The import map: `{ "imports": { "nub/PATH": "data:…" } }`.
pub fn import_map(modules: &Modules) -> Value {
    let entry = |(path, text): (&String, &String)| {
        let address = format!("data:text/javascript;base64,{}", base64::encode(text.as_bytes()));
        (name_of(path), Value::String(address))
    };
    let imports: Map<String, Value> = modules.iter().map(entry).collect();
    Value::Object(Map::from_iter([("imports".to_owned(), Value::Object(imports))]))
}

/// The name of a module in the map.
pub fn name_of(path: &str) -> String {
    format!("nub/{path}")
}

/// A module that another one imports.
#[derive(PartialEq, Eq, Debug)]
struct Used {
    path: String,
    /// Whether it is loaded on demand, by `import('…')`.
    is_on_demand: bool,
}

/// The text with relative names replaced, and the modules that it imports.
fn rename(path: &str, text: &str) -> (String, Vec<Used>) {
    let mut renamed = String::with_capacity(text.len());
    let mut uses = Vec::new();
    let mut rest = text;
    while let Some((at, before)) = next_import(rest) {
        let (head, tail) = rest.split_at(at);
        renamed.push_str(head);
        let end = tail.find('\'').unwrap_or(0);
        let target = resolve(path, &tail[..end]);
        renamed.push_str(&name_of(&target));
        uses.push(Used { path: target, is_on_demand: before == ON_DEMAND });
        rest = &tail[end..];
    }
    renamed.push_str(rest);
    (renamed, uses)
}

const ON_DEMAND: &str = "import('";

/// Where the next relative name begins, and what it follows.
fn next_import(text: &str) -> Option<(usize, &'static str)> {
    let kinds = [" from './", " from '../", "import('./", "import('../"];
    let found = kinds.iter().filter_map(|kind| {
        let start = kind.find('\'').map_or(0, |quote| quote + 1);
        let before = if kind.starts_with("import") { ON_DEMAND } else { "from '" };
        text.find(kind).map(|at| (at + start, before))
    });
    found.min_by_key(|(at, _)| *at)
}

/// Resolves a name relative to the module that imports it.
fn resolve(path: &str, name: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_map() {
        let text =
            "import { h } from '../lib/dom.js';\nconst a = () => import('./home.js');\nlet from = './x';";
        let (renamed, uses) = rename("views/cover.js", text);
        assert_eq!(
            renamed,
            "import { h } from 'nub/lib/dom.js';\nconst a = () => import('nub/views/home.js');\nlet from = './x';"
        );
        let used = |path: &str, is_on_demand| Used { path: path.to_owned(), is_on_demand };
        assert_eq!(uses, [used("lib/dom.js", false), used("views/home.js", true)]);
    }

    #[test]
    fn a_report_has_what_its_view_needs_and_nothing_that_is_missing() {
        let cover = needed("main.js", "views/cover.js");
        assert!(cover.contains_key("lib/text.js") && cover.contains_key("vendor/dagre.esm.js"));
        assert!(!cover.contains_key("views/home.js") && !cover.contains_key("views/fuzz.js"));
        for (path, text) in ["views/cover.js", "views/explain.js", "views/fuzz.js", "views/reduce.js"]
            .iter()
            .flat_map(|view| needed("main.js", view))
        {
            for name in text.split(" from 'nub/").skip(1).filter_map(|rest| rest.split('\'').next()) {
                assert!(assets::asset(name).is_some(), "{path} imports {name}");
            }
        }
    }
}

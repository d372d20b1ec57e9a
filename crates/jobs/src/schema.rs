//! The JSON that nub prints, by name, with its schema. `nub schema` prints it, and `docs/schema` has one file for each.

use schemars::Schema;

/// A kind of JSON that nub prints.
#[derive(Clone, Copy, Debug)]
pub struct JsonDocument {
    /// The name, as in `nub schema NAME`.
    pub name: &'static str,
    /// Which command prints it.
    pub printed_by: &'static str,
    schema: fn() -> Schema,
}

impl JsonDocument {
    /// All of them.
    pub const ALL: [JsonDocument; 9] = [
        JsonDocument {
            name: "event",
            printed_by: "each line of `nub reduce --json`, `nub fuzz --json` and `nub cover --project --json`, and of `events.jsonl` in the folder of a job",
            schema: nub_report::event_schema,
        },
        JsonDocument {
            name: "comparison",
            printed_by: "`nub reduce --compare-strategies --json`",
            schema: nub_report::comparison_schema,
        },
        JsonDocument {
            name: "cover",
            printed_by: "`nub cover --json`",
            schema: nub_report::cover::cover_schema,
        },
        JsonDocument {
            name: "project",
            printed_by: "the last line of `nub cover --project --json`, as `content`",
            schema: nub_report::project_schema,
        },
        JsonDocument {
            name: "explain",
            printed_by: "`nub explain --json`",
            schema: nub_report::explain::explain_schema,
        },
        JsonDocument {
            name: "properties",
            printed_by: "`nub explain --list --json`",
            schema: nub_report::explain::properties_schema,
        },
        JsonDocument {
            name: "cause",
            printed_by: "`nub explain --cause PREDICATE --json`",
            schema: nub_report::explain::cause_schema,
        },
        JsonDocument {
            name: "config",
            printed_by: "`nub config --json`",
            schema: nub_report::settings_schema,
        },
        JsonDocument { name: "status", printed_by: "`nub status --json`", schema: nub_report::fleet_schema },
    ];

    /// The one with this name.
    pub fn named(name: &str) -> Option<JsonDocument> {
        JsonDocument::ALL.into_iter().find(|document| document.name == name)
    }

    /// Its JSON Schema (draft 2020-12), indented, with a newline at the end.
    pub fn schema_text(&self) -> String {
        let text = serde_json::to_string_pretty(&(self.schema)());
        text.expect("a schema is plain JSON") + "\n"
    }
}

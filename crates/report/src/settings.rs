//! What `nub config --json` prints.

use crate::VERSION;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The values of the configuration files, and where each is set.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SettingsReport {
    /// Version of this format.
    pub version: u32,
    /// The values that are set, by key.
    pub settings: Vec<SettingEntry>,
}

/// One value of a configuration file.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SettingEntry {
    /// The key, with its table: `reduce.jobs`.
    pub key: String,
    /// The value as text.
    pub value: String,
    /// The file that sets it.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
}

impl SettingsReport {
    /// A report of these values.
    pub fn new(settings: Vec<SettingEntry>) -> SettingsReport {
        SettingsReport { version: VERSION, settings }
    }

    /// One line of JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("plain structs with string keys always serialize")
    }
}

/// The schema of [`SettingsReport`].
pub fn settings_schema() -> Schema {
    crate::schema_of::<SettingsReport>()
}

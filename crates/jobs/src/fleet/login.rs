//! How to log in to a NATS server: from options, the URL, the environment variables of NATS clients, or `nub.toml`.
//!
//! The first of these sources that specifies a user must specify all of the login: a password from the environment is not combined with a
//! user from a file. Files for TLS are looked up one by one.

use crate::context::JobContext;
use crate::failure::Failure;
use crate::request::FleetOptions;
use crate::unreadable::unreadable;
use nub_fleet::{Address, NatsLogin, TlsFiles};
use std::path::{Path, PathBuf};

/// Environment variables of NATS clients.
pub(crate) const VARIABLES: [&str; 9] = [
    "NATS_URL",
    "NATS_USER",
    "NATS_PASSWORD",
    "NATS_TOKEN",
    "NATS_CREDS",
    "NATS_NKEY",
    "NATS_CA",
    "NATS_CERT",
    "NATS_KEY",
];

/// The server in the options, with the login. `None` if everything runs on this machine.
pub(crate) fn address(options: &FleetOptions, context: &JobContext) -> Result<Option<Address>, Failure> {
    options.on.clone().map(|url| complete(url, options, context)).transpose()
}

/// The server of a command that needs one: from the options, the environment or `nub.toml`.
pub(crate) fn needed_address(options: &FleetOptions, context: &JobContext) -> Result<Address, Failure> {
    let places = Places { context };
    let url = options.on.clone().or_else(|| places.variable("NATS_URL")).or_else(|| places.text("nats.url"));
    let none = || {
        Failure::usage("no NATS server was given")
            .with_hint("give nats://HOST:PORT, set NATS_URL, or write `url` below [nats] in nub.toml")
    };
    complete(url.ok_or_else(none)?, options, context)
}

fn complete(url: String, options: &FleetOptions, context: &JobContext) -> Result<Address, Failure> {
    let places = Places { context };
    let mut address = Address { url, login: None, tls: places.tls(options)? };
    address.login = match given(options).or_else(|| address.url_login()).or_else(|| places.environment()) {
        Some(login) => Some(login),
        None => places.file()?,
    };
    Ok(address)
}

fn given(options: &FleetOptions) -> Option<NatsLogin> {
    let credentials = options.credentials.clone().map(NatsLogin::Credentials);
    credentials.or_else(|| options.nkey.clone().map(NatsLogin::Nkey))
}

/// The sources of the settings.
struct Places<'a> {
    context: &'a JobContext,
}

impl Places<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        let found = self.context.nats_variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
    }

    fn variable_path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).map(|path| self.context.folder.join(path))
    }

    fn text(&self, key: &str) -> Option<String> {
        self.context.settings.text(key).map(str::to_owned)
    }

    /// A path in `nub.toml` is relative to the folder of that file.
    fn setting_path(&self, key: &str) -> Option<PathBuf> {
        self.context.settings.path(key)
    }

    fn environment(&self) -> Option<NatsLogin> {
        if let Some(file) = self.variable_path("NATS_CREDS") {
            return Some(NatsLogin::Credentials(file));
        }
        if let Some(file) = self.variable_path("NATS_NKEY") {
            return Some(NatsLogin::Nkey(file));
        }
        match (self.variable("NATS_USER"), self.variable("NATS_PASSWORD")) {
            (Some(user), Some(password)) => Some(NatsLogin::Password { user, password }),
            // As everywhere in NATS, a user without a password is a token.
            (user, _) => self.variable("NATS_TOKEN").or(user).map(NatsLogin::Token),
        }
    }

    fn file(&self) -> Result<Option<NatsLogin>, Failure> {
        if let Some(file) = self.setting_path("nats.creds") {
            return Ok(Some(NatsLogin::Credentials(file)));
        }
        if let Some(file) = self.setting_path("nats.nkey") {
            return Ok(Some(NatsLogin::Nkey(file)));
        }
        match (self.text("nats.user"), self.setting_path("nats.password-file")) {
            (Some(user), Some(file)) => Ok(Some(NatsLogin::Password { user, password: first_line(&file)? })),
            (None, None) => {
                let token = self.setting_path("nats.token-file");
                token.map(|file| Ok(NatsLogin::Token(first_line(&file)?))).transpose()
            }
            _ => Err(Failure::usage("`user` and `password-file` below [nats] in nub.toml belong together")),
        }
    }

    fn tls(&self, options: &FleetOptions) -> Result<TlsFiles, Failure> {
        let file = |given: &Option<PathBuf>, variable, key| {
            given.clone().or_else(|| self.variable_path(variable)).or_else(|| self.setting_path(key))
        };
        let certificate = file(&options.certificate, "NATS_CERT", "nats.cert");
        let key = file(&options.key, "NATS_KEY", "nats.key");
        let client = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => {
                return Err(Failure::usage("a certificate and its key belong together").with_hint(
                    "--nats-cert and --nats-key, NATS_CERT and NATS_KEY, or `cert` and `key` below [nats]",
                ));
            }
        };
        Ok(TlsFiles { authority: file(&options.authority, "NATS_CA", "nats.ca"), client })
    }
}

/// Reads a secret from the first line of a file.
pub(super) fn first_line(file: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    match text.lines().next().unwrap_or_default() {
        "" => Err(Failure::usage(format!("{}: the first line is empty", file.display()))),
        secret => Ok(secret.to_owned()),
    }
}

//! The address of the server, and how we log in.

use crate::error::FleetError;
use async_nats::ConnectOptions;
use std::path::{Path, PathBuf};

/// What the seed of a user's nkey begins with.
const USER_SEED: &str = "SU";

/// A NATS server and how to log in to it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// `nats://HOST:PORT` or `tls://…`, with `USER:PASSWORD@` or `TOKEN@` if the server wants that.
    pub url: String,
    /// How to log in; the user in the URL if this is `None`.
    pub login: Option<NatsLogin>,
    /// Files for a secure connection.
    pub tls: TlsFiles,
}

/// One of the ways to log in to NATS.
#[derive(Clone, PartialEq, Eq)]
pub enum NatsLogin {
    /// A user and a password.
    Password {
        /// The user.
        user: String,
        /// The password.
        password: String,
    },
    /// A token.
    Token(String),
    /// A file with the seed of an nkey.
    Nkey(PathBuf),
    /// A file with a JWT and its seed (`nsc generate creds`).
    Credentials(PathBuf),
}

/// Files for a secure connection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TlsFiles {
    /// The certificate of the authority that signed the server's certificate; the system's authorities if
    /// `None`.
    pub authority: Option<PathBuf>,
    /// Our own certificate and its key, for a server that requires one.
    pub client: Option<(PathBuf, PathBuf)>,
}

impl Address {
    /// The address for messages: without a password.
    #[must_use]
    pub fn shown(&self) -> String {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("nats", &self.url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://{host}")
    }

    /// The login in the URL, where `%` and two hexadecimal digits stand for a byte. As everywhere in NATS, a single word is a token.
    #[must_use]
    pub fn url_login(&self) -> Option<NatsLogin> {
        let (_, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        let (login, _) = rest.rsplit_once('@')?;
        Some(match login.split_once(':') {
            Some((user, password)) => {
                NatsLogin::Password { user: decoded(user), password: decoded(password) }
            }
            None => NatsLogin::Token(decoded(login)),
        })
    }

    /// The options with the login and the files for TLS.
    pub(crate) async fn identify(&self, options: ConnectOptions) -> Result<ConnectOptions, FleetError> {
        let mut options = match self.login.clone().or_else(|| self.url_login()) {
            None => options,
            Some(NatsLogin::Password { user, password }) => options.user_and_password(user, password),
            Some(NatsLogin::Token(token)) => options.token(token),
            Some(NatsLogin::Nkey(file)) => options.nkey(seed(&file)?),
            Some(NatsLogin::Credentials(file)) => options.credentials_file(&file).await.map_err(|error| {
                FleetError::CredentialsFile { file: file.display().to_string(), reason: error.to_string() }
            })?,
        };
        if let Some(file) = &self.tls.authority {
            options = options.add_root_certificates(readable(file)?);
        }
        if let Some((certificate, key)) = &self.tls.client {
            options = options.add_client_certificate(readable(certificate)?, readable(key)?);
        }
        Ok(options)
    }
}

/// The seed in a file: the line that looks like one.
fn seed(file: &Path) -> Result<String, FleetError> {
    let wrong = |reason: String| FleetError::CredentialsFile { file: file.display().to_string(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let line = text.lines().map(str::trim).find(|line| line.starts_with(USER_SEED));
    line.map(str::to_owned).ok_or_else(|| wrong("it contains no user seed, which begins with SU".to_owned()))
}

/// Checks that a file exists, because the library's message about a missing one says less.
fn readable(file: &Path) -> Result<PathBuf, FleetError> {
    match std::fs::File::open(file) {
        Ok(_) => Ok(file.to_owned()),
        Err(error) => {
            Err(FleetError::TlsFile { file: file.display().to_string(), reason: error.to_string() })
        }
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code =
            tail.get(..2).filter(|_| first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Address({})", self.shown())
    }
}

impl std::fmt::Debug for NatsLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NatsLogin::Password { user, .. } => write!(f, "Password({user})"),
            NatsLogin::Token(_) => write!(f, "Token"),
            NatsLogin::Nkey(file) => write!(f, "Nkey({})", file.display()),
            NatsLogin::Credentials(file) => write!(f, "Credentials({})", file.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        Address { url: url.to_owned(), ..Address::default() }
    }

    #[test]
    fn users_passwords_and_tokens() {
        let pair = |user: &str, password: &str| {
            Some(NatsLogin::Password { user: user.to_owned(), password: password.to_owned() })
        };
        assert_eq!(address("nats://me:secret@host:4222").url_login(), pair("me", "secret"));
        assert_eq!(address("tls://me:a%40b%2fc%@host").url_login(), pair("me", "a@b/c%"));
        assert_eq!(address("nats://s3cr%3at@host").url_login(), Some(NatsLogin::Token("s3cr:t".to_owned())));
        assert_eq!(address("nats://host:4222").url_login(), None);
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(address("nats://me:se@cret@host:4222").shown(), "nats://host:4222");
        assert_eq!(address("tls://host").shown(), "tls://host");
        assert_eq!(address("host:4222").shown(), "nats://host:4222");
        let shown = format!("{:?}", address("nats://me:secret@host"));
        assert!(!shown.contains("secret"));
        let logins = [
            NatsLogin::Password { user: "me".into(), password: "secret".into() },
            NatsLogin::Token("secret".into()),
        ];
        assert!(!format!("{logins:?}").contains("secret"));
    }
}

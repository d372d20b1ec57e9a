//! Where the server is, and who we are to it.

use std::path::PathBuf;

/// A NATS server and credentials for it, as NATS has them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// `nats://HOST:PORT` or `tls://…`, with `USER:PASSWORD@` if the server wants it.
    pub url: String,
    /// A file with credentials (`nsc generate creds`).
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that vouches for the server; the system's authorities if there is none.
    pub authority: Option<PathBuf>,
}

impl Address {
    /// The address for messages: without a password.
    #[must_use]
    pub fn shown(&self) -> String {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("nats", &self.url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://{host}")
    }
}

impl Address {
    /// The user and the password of the URL. `%` begins a byte in hexadecimal there, for what a URL cannot hold.
    pub(crate) fn login(&self) -> Option<(String, String)> {
        let (_, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        let (login, _) = rest.rsplit_once('@')?;
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        Some((decoded(user), decoded(password)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords() {
        let login = |url: &str| Address { url: url.to_owned(), ..Address::default() }.login();
        let pair = |user: &str, password: &str| Some((user.to_owned(), password.to_owned()));
        assert_eq!(login("nats://me:secret@host:4222"), pair("me", "secret"));
        assert_eq!(login("tls://me:a%40b%2fc%@host"), pair("me", "a@b/c%"));
        assert_eq!(login("nats://host:4222"), None);
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = |url: &str| Address { url: url.to_owned(), ..Address::default() }.shown();
        assert_eq!(shown("nats://me:se@cret@host:4222"), "nats://host:4222");
        assert_eq!(shown("tls://host"), "tls://host");
        assert_eq!(shown("host:4222"), "nats://host:4222");
        let address = Address { url: "nats://me:secret@host".to_owned(), ..Address::default() };
        assert!(!format!("{address:?}").contains("secret"));
    }
}

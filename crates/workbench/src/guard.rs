//! Access control: the checks that every request must pass before it is handled.
//!
//! | request | must have |
//! |---|---|
//! | any | our `Host`, once; no foreign `Origin`; no sign of another site in `Sec-Fetch-Site`; no `Upgrade` |
//! | the address printed at the start | a token that is valid once; the answer is a cookie and a clean address |
//! | any other | the cookie |
//! | a change | JSON, and a header with the second token, which only our own page can read |

use crate::answer::RequestRefusal;
use crate::limits;
use crate::secret::Secret;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use std::sync::{Mutex, PoisonError};

/// The header with the second token.
pub const TOKEN_HEADER: &str = "x-nub-token";

/// Secrets of one server, and its address.
#[derive(Debug)]
pub(crate) struct Guard {
    port: u16,
    cookie: Secret,
    token: Secret,
    links: Mutex<Vec<Secret>>,
}

impl Guard {
    /// For a server at this port.
    ///
    /// # Errors
    /// If the kernel provides no random numbers.
    pub fn new(port: u16) -> std::io::Result<Guard> {
        Ok(Guard { port, cookie: Secret::new()?, token: Secret::new()?, links: Mutex::new(Vec::new()) })
    }

    /// An address that opens the page in one browser, once.
    ///
    /// # Errors
    /// If the kernel provides no random numbers.
    pub fn new_link(&self) -> std::io::Result<String> {
        let secret = Secret::new()?;
        let link = format!("http://127.0.0.1:{}/?token={}", self.port, secret.text());
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.len() >= limits::N_LINKS {
            links.remove(0);
        }
        links.push(secret);
        Ok(link)
    }

    /// Uses up a token from an address.
    pub fn redeem(&self, token: &str) -> bool {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        let place = links.iter().position(|link| link.is(token));
        place.map(|index| links.remove(index)).is_some()
    }

    /// The second token, for the page.
    pub fn token(&self) -> &str {
        self.token.text()
    }

    /// The cookie that marks a browser as ours. Cookies are shared by all ports of a host, so its name has the port.
    pub fn set_cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.cookie.text())
    }

    fn cookie_name(&self) -> String {
        format!("nub-{}", self.port)
    }

    /// Checks that the request is addressed to us and does not come from another site.
    ///
    /// # Errors
    /// What to answer otherwise.
    pub fn check_sender<B>(&self, request: &Request<B>) -> Result<(), RequestRefusal> {
        let headers = request.headers();
        let host = only(headers, header::HOST.as_str())?;
        if !host.is_some_and(|host| self.is_our_host(host)) {
            return Err(RequestRefusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this is not the host of the workbench",
            ));
        }
        if request.uri().authority().is_some_and(|authority| !self.is_our_host(authority.as_str())) {
            return Err(RequestRefusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this is not the host of the workbench",
            ));
        }
        if let Some(origin) = only(headers, header::ORIGIN.as_str())? {
            // The page and its requests have the same origin: the two names of this host are not mixed.
            if origin.strip_prefix("http://") != host {
                return Err(RequestRefusal::new(
                    StatusCode::FORBIDDEN,
                    "other pages may not use the workbench",
                ));
            }
        }
        let site = only(headers, "sec-fetch-site")?;
        if !matches!(site, None | Some("same-origin" | "none")) {
            return Err(RequestRefusal::new(StatusCode::FORBIDDEN, "other pages may not use the workbench"));
        }
        if headers.contains_key(header::UPGRADE) {
            return Err(RequestRefusal::new(StatusCode::BAD_REQUEST, "the workbench has no web sockets"));
        }
        Ok(())
    }

    /// Checks that the request has the cookie.
    ///
    /// # Errors
    /// What to answer otherwise.
    pub fn check_session(&self, headers: &HeaderMap) -> Result<(), RequestRefusal> {
        let name = self.cookie_name();
        let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let is_ours = |pair: &str| {
            pair.trim().split_once('=').is_some_and(|(key, value)| key == name && self.cookie.is(value))
        };
        if cookies.any(|line| line.split(';').any(is_ours)) {
            return Ok(());
        }
        Err(RequestRefusal::new(
            StatusCode::UNAUTHORIZED,
            "open the address that `nub workbench` printed; it is valid once, for one browser",
        ))
    }

    /// Checks that the request may change something.
    ///
    /// # Errors
    /// What to answer otherwise.
    pub fn check_change(&self, method: &Method, headers: &HeaderMap) -> Result<(), RequestRefusal> {
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        if method != Method::POST {
            return Err(RequestRefusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "the workbench accepts only GET and POST",
            ));
        }
        let kind = only(headers, header::CONTENT_TYPE.as_str())?;
        let is_json =
            kind.is_some_and(|kind| kind.split(';').next().unwrap_or_default().trim() == "application/json");
        if !is_json {
            return Err(RequestRefusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "changes must be sent as application/json",
            ));
        }
        let length =
            only(headers, header::CONTENT_LENGTH.as_str())?.and_then(|length| length.parse::<usize>().ok());
        if length.is_none_or(|length| length > limits::BODY_BYTES) {
            let message =
                format!("a change must have a content length of at most {} bytes", limits::BODY_BYTES);
            return Err(RequestRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        if !only(headers, TOKEN_HEADER)?.is_some_and(|token| self.token.is(token)) {
            return Err(RequestRefusal::new(StatusCode::FORBIDDEN, "the header token is missing or wrong"));
        }
        Ok(())
    }

    fn is_our_host(&self, host: &str) -> bool {
        let port = self.port;
        host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}")
    }
}

/// The value of a header that may appear at most once, and only as plain text.
fn only<'map>(headers: &'map HeaderMap, name: &str) -> Result<Option<&'map str>, RequestRefusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    let bad = || RequestRefusal::new(StatusCode::BAD_REQUEST, format!("bad header: {name}"));
    if values.next().is_some() {
        return Err(bad());
    }
    first.map(|value| value.to_str().map_err(|_| bad())).transpose()
}

//! Answers: JSON, files and refusals, all with the same strict headers.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// What the browser may do with our pages: run our scripts, send us requests, and nothing else.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
pub const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// An error answer to a request, with its reason.
#[derive(Debug)]
pub struct RequestRefusal {
    status: StatusCode,
    message: String,
    hint: Option<String>,
}

impl RequestRefusal {
    /// A refusal with a message for the user.
    pub fn new(status: StatusCode, message: impl Into<String>) -> RequestRefusal {
        RequestRefusal { status, message: message.into(), hint: None }
    }

    /// The request is wrong.
    pub fn bad(message: impl Into<String>) -> RequestRefusal {
        RequestRefusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// What the request names does not exist.
    pub fn missing(message: impl Into<String>) -> RequestRefusal {
        RequestRefusal::new(StatusCode::NOT_FOUND, message)
    }

    /// Adds a hint about what to try.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> RequestRefusal {
        self.hint = hint;
        self
    }
}

#[derive(Serialize)]
struct RefusalJson<'text> {
    error: &'text str,
    hint: Option<&'text str>,
}

impl IntoResponse for RequestRefusal {
    fn into_response(self) -> Response {
        let body = RefusalJson { error: &self.message, hint: self.hint.as_deref() };
        (self.status, Json(&body)).into_response()
    }
}

impl From<crate::roots::RootError> for RequestRefusal {
    fn from(error: crate::roots::RootError) -> RequestRefusal {
        use crate::roots::RootError;
        let status = match &error {
            RootError::NoRoot(_) | RootError::Outside(_) => StatusCode::FORBIDDEN,
            RootError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            RootError::System { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                StatusCode::NOT_FOUND
            }
            RootError::Kind { .. } | RootError::System { .. } => StatusCode::BAD_REQUEST,
        };
        RequestRefusal::new(status, error.to_string())
    }
}

impl From<nub_store::StoreError> for RequestRefusal {
    fn from(error: nub_store::StoreError) -> RequestRefusal {
        let hint = error.hint().map(str::to_owned);
        RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).with_hint(hint)
    }
}

//! The server: one thread, plain HTTP on the loopback interface, bounded by [`limits`].

use crate::answer::{HEADERS, RequestRefusal};
use crate::api::{self, Shared};
use crate::guard::Guard;
use crate::options::WorkbenchOptions;
use crate::{limits, page};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Request, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How often the server checks whether it should stop.
const POLL: Duration = Duration::from_millis(100);

/// Why the workbench cannot start.
#[derive(Debug, thiserror::Error)]
pub enum WorkbenchError {
    /// The port cannot be used; usually it is taken.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder cannot be used.
    #[error("cannot open {folder}: {source}")]
    Folder {
        /// Its path.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder for jobs cannot be used.
    #[error(transparent)]
    Store(#[from] nub_store::StoreError),
    /// Any other error of the system.
    #[error("cannot start the workbench: {0}")]
    System(#[from] std::io::Error),
}

/// A workbench that does not listen yet.
pub struct Workbench {
    options: WorkbenchOptions,
}

impl Workbench {
    /// Creates a workbench; the options are checked by [`Workbench::bind`].
    pub fn new(options: WorkbenchOptions) -> Workbench {
        Workbench { options }
    }

    /// Opens the folders and binds the port.
    ///
    /// # Errors
    /// If the port is taken, or a folder cannot be opened.
    pub fn bind(self) -> Result<Listening, WorkbenchError> {
        let asked = self.options.port;
        let listen = |source| WorkbenchError::Listen { port: asked, source };
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, asked))).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let port = listener.local_addr().map_err(listen)?.port();
        let shared = Arc::new(Shared::open(self.options, Guard::new(port)?)?);
        Ok(Listening { listener, shared })
    }
}

/// A workbench that is bound to its port.
pub struct Listening {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Listening {
    /// An address that opens the page in one browser, once.
    ///
    /// # Errors
    /// If the kernel provides no random numbers.
    pub fn link(&self) -> std::io::Result<String> {
        self.shared.guard.new_link()
    }

    /// Answers requests until `is_over` returns true; it is called several times a second. Jobs that are then running are
    /// stopped and keep their results.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn serve(self, is_over: &dyn Fn() -> bool) -> Result<(), WorkbenchError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let shared = Arc::clone(&self.shared);
        let served = runtime.block_on(accept(self, is_over));
        shared.work.stop_all(limits::FAREWELL_TIME);
        // Streams of events never end by themselves.
        runtime.shutdown_timeout(POLL);
        served
    }
}

async fn accept(listening: Listening, is_over: &dyn Fn() -> bool) -> Result<(), WorkbenchError> {
    let listener = tokio::net::TcpListener::from_std(listening.listener)?;
    let router = router(&listening.shared);
    let seats = Arc::new(Semaphore::new(limits::N_CONNECTIONS));
    while !is_over() {
        let Ok(accepted) = tokio::time::timeout(POLL, listener.accept()).await else { continue };
        // Too many open files, or a client that disconnected: the next attempt may succeed.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(POLL).await;
            continue;
        };
        let Ok(seat) = Arc::clone(&seats).try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new())
                .header_read_timeout(limits::HEADER_TIME)
                .max_headers(limits::N_HEADERS)
                .max_buf_size(limits::HEADER_BYTES);
            // A broken connection is not our error.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
            drop(seat);
        });
    }
    Ok(())
}

fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .nest("/api", api::routes())
        .fallback(document)
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES))
        .layer(from_fn_with_state(Arc::clone(shared), admit))
        .with_state(Arc::clone(shared))
}

async fn document(uri: Uri) -> Response {
    page::get(uri.path()).unwrap_or_else(|| RequestRefusal::missing("there is no such page").into_response())
}

/// Applies the checks of [`Guard`] to every request.
async fn admit(State(shared): State<Arc<Shared>>, request: Request<Body>, next: Next) -> Response {
    let mut response = match check(&shared.guard, &request) {
        Ok(Admission::Enter) => match tokio::time::timeout(limits::BODY_TIME, next.run(request)).await {
            Ok(response) => response,
            Err(_) => {
                RequestRefusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response()
            }
        },
        Ok(Admission::Redeem) => {
            ([(header::SET_COOKIE, shared.guard.set_cookie())], Redirect::to("/")).into_response()
        }
        Ok(Admission::Closed) => page::closed(),
        Err(refusal) => refusal.into_response(),
    };
    response.headers_mut().extend(HEADERS);
    response
}

enum Admission {
    Enter,
    Redeem,
    Closed,
}

fn check(guard: &Guard, request: &Request<Body>) -> Result<Admission, RequestRefusal> {
    guard.check_sender(request)?;
    let token = request.uri().query().and_then(|query| query.strip_prefix("token="));
    if request.uri().path() == "/" && token.is_some_and(|token| guard.redeem(token)) {
        return Ok(Admission::Redeem);
    }
    match guard.check_session(request.headers()) {
        Ok(()) => guard.check_change(request.method(), request.headers()).map(|()| Admission::Enter),
        Err(_) if request.uri().path() == "/" => Ok(Admission::Closed),
        Err(refusal) => Err(refusal),
    }
}

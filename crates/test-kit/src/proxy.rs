//! A network that fails on request: a proxy in front of a server, whose connections can be cut and stalled.
//!
//! A cut connection is closed at both ends, and data still in the proxy is lost. A stalled one stays open without an error, and its
//! data waits in the proxy, to arrive late or never. Nothing here sleeps: callers wait for events.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Bytes that are forwarded at once.
const CHUNK: usize = 1 << 14;

/// The state of the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Weather {
    Fair,
    /// Bytes wait.
    Stalled,
    /// Connections are closed as soon as they are made.
    Cut,
    /// The proxy is gone.
    Over,
}

struct State {
    weather: Weather,
    /// Connections of earlier generations have been cut.
    generation: u64,
    open: Vec<TcpStream>,
    n_connections: u64,
    /// Chunks held back since the network was stalled.
    n_held: u64,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// A proxy in front of a server on this machine.
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

impl Proxy {
    /// A proxy on its own port, in front of the server that listens on port `server`.
    ///
    /// # Panics
    /// If there is no free port.
    #[must_use]
    pub fn before(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound socket has an address").port();
        let state =
            State { weather: Weather::Fair, generation: 0, open: Vec::new(), n_connections: 0, n_held: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let inner = shared.clone();
        let listener = std::thread::spawn(move || {
            for client in listener.incoming() {
                if inner.lock().weather == Weather::Over {
                    return;
                }
                if let Ok(client) = client {
                    inner.connect(client, server);
                }
            }
        });
        Proxy { port, shared, listener: Some(listener) }
    }

    /// Where it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Closes all connections, and new ones immediately, until [`Proxy::mend`].
    pub fn cut(&self) {
        self.shared.close_all(Weather::Cut);
    }

    /// Forwards nothing until [`Proxy::mend`]; connections stay open.
    pub fn stall(&self) {
        self.shared.lock().n_held = 0;
        self.shared.set(Weather::Stalled);
    }

    /// Forwards again, starting with the held data.
    pub fn mend(&self) {
        self.shared.set(Weather::Fair);
    }

    /// Connections made so far.
    #[must_use]
    pub fn n_connections(&self) -> u64 {
        self.shared.lock().n_connections
    }

    /// Waits until somebody has connected after the first `n` connections.
    pub fn wait_for_connection_after(&self, n: u64) {
        self.shared.wait(|state| state.n_connections > n);
    }

    /// Waits until the stalled proxy holds data, which it may do already. Something must be sending.
    pub fn wait_until_held(&self) {
        self.shared.wait(|state| state.n_held > 0 || state.weather != Weather::Stalled);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.close_all(Weather::Over);
        // Wakes the listener.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent whenever the lock is released.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, is_so: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while !is_so(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, weather: Weather) {
        self.lock().weather = weather;
        self.changed.notify_all();
    }

    fn close_all(&self, weather: Weather) {
        let mut state = self.lock();
        state.weather = weather;
        state.generation += 1;
        for stream in state.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.changed.notify_all();
    }

    fn connect(self: &Arc<Shared>, client: TcpStream, server: u16) {
        let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { return };
        let ends = [client.try_clone(), server.try_clone(), client.try_clone(), server.try_clone()];
        let [Ok(client_end), Ok(server_end), Ok(client_kept), Ok(server_kept)] = ends else { return };
        let generation = {
            let mut state = self.lock();
            if matches!(state.weather, Weather::Cut | Weather::Over) {
                return;
            }
            state.open.extend([client_kept, server_kept]);
            state.n_connections += 1;
            state.generation
        };
        self.changed.notify_all();
        for (from, to) in [(client, server_end), (server, client_end)] {
            let shared = self.clone();
            std::thread::spawn(move || shared.forward(from, to, generation));
        }
    }

    fn forward(&self, mut from: TcpStream, mut to: TcpStream, generation: u64) {
        let mut chunk = [0; CHUNK];
        while let Ok(len @ 1..) = from.read(&mut chunk) {
            if !self.let_through(generation) || to.write_all(&chunk[..len]).is_err() {
                break;
            }
        }
        for stream in [from, to] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits while the network is stalled. False if the connection is cut.
    fn let_through(&self, generation: u64) -> bool {
        let mut state = self.lock();
        if state.weather == Weather::Stalled {
            state.n_held += 1;
            self.changed.notify_all();
        }
        while state.weather == Weather::Stalled && state.generation == generation {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.generation == generation
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A server that sends back what it gets.
    fn echo() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let mut byte = [0];
                    while let Ok(1) = stream.read(&mut byte) {
                        let _ = stream.write_all(&byte);
                    }
                });
            }
        });
        port
    }

    fn trip(stream: &mut TcpStream, byte: u8) -> Option<u8> {
        stream.write_all(&[byte]).ok()?;
        let mut back = [0];
        stream.read_exact(&mut back).ok()?;
        Some(back[0])
    }

    #[test]
    fn stalled_bytes_arrive_late_and_cut_ones_never() {
        let proxy = Proxy::before(echo());
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
        assert_eq!(trip(&mut stream, 1), Some(1));
        proxy.stall();
        stream.write_all(&[2]).unwrap();
        proxy.wait_until_held();
        // The byte is held already, and none follows.
        proxy.wait_until_held();
        proxy.mend();
        let mut back = [0];
        stream.read_exact(&mut back).unwrap();
        assert_eq!(back, [2]);
        proxy.stall();
        stream.write_all(&[3]).unwrap();
        proxy.wait_until_held();
        proxy.cut();
        assert_eq!(stream.read(&mut back).unwrap_or(0), 0, "the connection is closed");
        let mut refused = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
        assert_eq!(trip(&mut refused, 4), None, "new ones are closed, too");
        proxy.mend();
        let n_before = proxy.n_connections();
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
        proxy.wait_for_connection_after(n_before);
        assert_eq!(trip(&mut stream, 5), Some(5));
    }
}

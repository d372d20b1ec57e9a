//! Why the fleet cannot be used, with hints for the user.

use crate::protocol::Hello;

/// What went wrong between this machine and the others.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FleetError {
    /// The address is not valid.
    #[error("{address} is not the address of a NATS server: {reason}")]
    Address {
        /// As it was given, without its password.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No server answers.
    #[error("no NATS server answers at {address}: {reason}")]
    NoServer {
        /// The address of the server.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// The server rejects our login.
    #[error("the NATS server at {address} rejects the credentials")]
    Credentials {
        /// The address of the server.
        address: String,
    },
    /// The file with credentials cannot be used.
    #[error("cannot use the credentials in {file}: {reason}")]
    CredentialsFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file for a secure connection cannot be used.
    #[error("cannot use {file} for a secure connection: {reason}")]
    TlsFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The connection cannot be made secure.
    #[error("no secure connection to {address}: {reason}")]
    Tls {
        /// The address of the server.
        address: String,
        /// What the library said.
        reason: String,
    },
    /// The server does not support streams.
    #[error("the NATS server at {address} cannot keep streams: {reason}")]
    NoJetStream {
        /// The address of the server.
        address: String,
        /// What the server said.
        reason: String,
    },
    /// The server answers but accepts no data.
    #[error("the NATS server at {address} accepts no more data, probably because its disk is full: {reason}")]
    Full {
        /// The address of the server.
        address: String,
        /// What the server said.
        reason: String,
    },
    /// No worker has joined.
    #[error("no worker has joined {address}")]
    NoWorker {
        /// The address of the server.
        address: String,
    },
    /// There are workers, but none has the program.
    #[error("no worker has a program `{program}`; {offers}")]
    NoProgram {
        /// The name that was asked for.
        program: String,
        /// Which worker offers which programs.
        offers: String,
    },
    /// Workers have different builds of a program.
    #[error("workers have different builds of `{program}`, whose verdicts must not be mixed: {builds}")]
    MixedBuilds {
        /// The name that was asked for.
        program: String,
        /// Which worker has which build.
        builds: String,
    },
    /// Workers use another version of the protocol.
    #[error("all workers run another version of nub: {versions}")]
    Versions {
        /// Which worker runs which version.
        versions: String,
    },
    /// A program of a worker cannot be used.
    #[error("the program `{program}` cannot be registered: {reason}")]
    Program {
        /// Its name.
        program: String,
        /// Why not.
        reason: String,
    },
    /// A problem on this machine.
    #[error("{0}")]
    Here(String),
}

/// Why a worker cannot do a task.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TaskError {
    /// It does not know tasks of this kind.
    #[error("tasks of kind {0} are not known here")]
    UnknownKind(String),
    /// The task was started and failed, with this message.
    #[error("{0}")]
    Failed(String),
}

impl FleetError {
    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            FleetError::Address { .. } => "an address is nats://HOST:PORT or tls://USER:PASSWORD@HOST:PORT".to_owned(),
            FleetError::NoServer { .. } => "`nub hub` starts a server on this machine".to_owned(),
            FleetError::Credentials { .. } => {
                "give --nats-creds FILE or --nats-nkey FILE, nats://USER:PASSWORD@HOST:PORT, or NATS_USER and NATS_PASSWORD or NATS_TOKEN in the environment".to_owned()
            }
            FleetError::CredentialsFile { .. } => {
                "--nats-creds takes a file written by `nsc generate creds`, --nats-nkey a file with a user seed".to_owned()
            }
            FleetError::TlsFile { .. } => "--nats-ca, --nats-cert and --nats-key take files in PEM format".to_owned(),
            FleetError::Tls { .. } => {
                "--nats-ca FILE names the certificate of the server's authority; --nats-cert and --nats-key are for a server that requires client certificates".to_owned()
            }
            FleetError::NoJetStream { .. } => {
                "start the server with `nats-server --jetstream`, or with `nub hub`, and make sure that its disk is not full".to_owned()
            }
            FleetError::Full { .. } => "make room on its disk; --resume continues the run".to_owned(),
            FleetError::NoWorker { address } => {
                format!("start `nub worker --join {address}` on the worker machines")
            }
            FleetError::NoProgram { program, .. } => format!(
                "a line `{program} = \"COMMAND\"` below [programs] in nub.toml registers it on a worker's machine"
            ),
            FleetError::MixedBuilds { .. } => {
                "install the same program on all of them, or register the other build under another name".to_owned()
            }
            FleetError::Versions { .. } => "install the same nub on all machines".to_owned(),
            FleetError::Program { .. } => {
                "see [programs] in nub.toml; a relative path starts at the folder of the worker".to_owned()
            }
            FleetError::Here(_) => return None,
        })
    }

    /// Whether the request was declined, rather than something broken.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            FleetError::NoWorker { .. }
                | FleetError::NoProgram { .. }
                | FleetError::MixedBuilds { .. }
                | FleetError::Versions { .. }
        )
    }

    /// Whether the command line or `nub.toml` is wrong.
    #[must_use]
    pub fn is_wrong_use(&self) -> bool {
        matches!(
            self,
            FleetError::Address { .. }
                | FleetError::Program { .. }
                | FleetError::CredentialsFile { .. }
                | FleetError::TlsFile { .. }
        )
    }
}

/// Who offers which programs, for messages.
pub(crate) fn offers(workers: &[Hello]) -> String {
    let offer = |hello: &Hello| {
        let names: Vec<&str> = hello.programs.iter().map(|build| build.name.as_str()).collect();
        let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        format!("{} offers {names}", hello.host)
    };
    workers.iter().map(offer).collect::<Vec<_>>().join("; ")
}

//! Every way to log in to NATS, and TLS: with the right secret a reduction runs, with a wrong one a message and an exit code say what is
//! missing. Certificates are made by `openssl`, as a user would make them.

use crate::common::Run;
use crate::site::{Process, Site, nub};
use crate::{CRASHING, read, remote_args, script};
use nub_test_kit::{find_tool, missing_tool};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An nkey for tests: its public half, and its seed.
const NKEY: [&str; 2] = [
    "UDI6DBMR6SHK32SQCQ2SAAJHCBEJXRFY4IMXHP7UJ26VVWQ4T4UCVBL5",
    "SUAMLDY2ZQM7PD4LC7RDJ4H4EQR67FVKZQCTWKPDN5ALKAJRM6PTAPV4CE",
];
/// The seed of another one.
const OTHER_SEED: &str = "SUAEGEK45OFEZGDCQMLGUKKXI2GQPF3OWBYKGY7VA2UE5BETW56S73AGNE";

/// `nub status` with options and variables.
fn status(site: &Site, args: &[&str], env: &[(&str, &str)]) -> Run {
    let mut command = nub(site.folder.path());
    Run::of(command.arg("status").args(args).envs(env.iter().copied()).output().unwrap())
}

#[track_caller]
fn assert_in(run: &Run) {
    assert!(run.stdout.starts_with("0 workers, 0 slots"), "{run:#?}");
}

#[track_caller]
fn assert_rejected(run: Run) {
    let run = run.expect(4);
    assert!(run.stderr.contains("rejects the credentials"), "{run:#?}");
    assert!(run.stderr.contains("--nats-creds FILE") && run.stderr.contains("NATS_TOKEN"), "{run:#?}");
    assert!(!run.stderr.contains("wrong"), "secrets are not shown: {run:#?}");
}

#[test]
fn a_user_and_a_password() {
    let Some(site) = Site::open(&["--user", "me", "--pass", "s3cret"]) else { return };
    let url = site.url();
    assert_in(&status(&site, &["--on", &url.replace("//", "//me:s3cret@")], &[]));
    assert_in(&status(&site, &["--on", &url], &[("NATS_USER", "me"), ("NATS_PASSWORD", "s3cret")]));
    assert_in(&status(&site, &[], &[("NATS_URL", &url), ("NATS_USER", "me"), ("NATS_PASSWORD", "s3cret")]));
    // The login on the command line is complete: an environment variable does not add to it.
    let env = [("NATS_USER", "me"), ("NATS_PASSWORD", "s3cret")];
    assert_rejected(status(&site, &["--on", &url.replace("//", "//me:wrong@")], &env));
    assert_rejected(status(&site, &["--on", &url], &[]));
    // A file of the project, whose paths are relative to its folder.
    std::fs::create_dir(site.path("below")).unwrap();
    std::fs::write(site.path("secret.txt"), "s3cret\n").unwrap();
    let settings = format!("[nats]\nurl = \"{url}\"\nuser = \"me\"\npassword-file = \"secret.txt\"\n");
    std::fs::write(site.path("nub.toml"), settings).unwrap();
    let below = Run::of(nub(&site.path("below")).arg("status").output().unwrap());
    assert_in(&below);
    assert_rejected(status(&site, &[], &[("NATS_TOKEN", "wrong")]));
}

#[test]
fn a_token() {
    let Some(site) = Site::open(&["--auth", "t0ken"]) else { return };
    let url = site.url();
    assert_in(&status(&site, &["--on", &url.replace("//", "//t0ken@")], &[]));
    assert_in(&status(&site, &["--on", &url], &[("NATS_TOKEN", "t0ken")]));
    assert_rejected(status(&site, &["--on", &url], &[("NATS_TOKEN", "wrong")]));
    std::fs::write(site.path("token.txt"), "t0ken\n").unwrap();
    std::fs::write(site.path("nub.toml"), "[nats]\ntoken-file = \"token.txt\"\n").unwrap();
    assert_in(&status(&site, &["--on", &url], &[]));
}

#[test]
fn an_nkey() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("server.conf");
    std::fs::write(&config, format!("authorization {{ users: [ {{ nkey: {} }} ] }}\n", NKEY[0])).unwrap();
    let Some(site) = Site::open(&["-c", config.to_str().unwrap()]) else { return };
    let url = site.url();
    std::fs::write(site.path("me.nk"), format!("# my key\n{}\n", NKEY[1])).unwrap();
    std::fs::write(site.path("other.nk"), OTHER_SEED).unwrap();
    std::fs::write(site.path("none.nk"), "nothing").unwrap();
    assert_in(&status(&site, &["--on", &url, "--nats-nkey", "me.nk"], &[]));
    assert_in(&status(&site, &["--on", &url], &[("NATS_NKEY", "me.nk")]));
    assert_rejected(status(&site, &["--on", &url, "--nats-nkey", "other.nk"], &[]));
    let run = status(&site, &["--on", &url, "--nats-nkey", "none.nk"], &[]).expect(2);
    assert!(run.stderr.contains("cannot use the credentials in") && run.stderr.contains("SU"), "{run:#?}");
}

#[test]
fn credentials_of_an_operator() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet/nats");
    let Some(site) = Site::open(&["-c", here.join("operator.conf").to_str().unwrap()]) else { return };
    let url = site.url();
    let [user, stranger] = ["user.creds", "stranger.creds"].map(|name| here.join(name));
    let [user, stranger] = [user.to_str().unwrap(), stranger.to_str().unwrap()];
    assert_in(&status(&site, &["--on", &url, "--nats-creds", user], &[]));
    assert_in(&status(&site, &["--on", &url], &[("NATS_CREDS", user)]));
    assert_rejected(status(&site, &["--on", &url, "--nats-creds", stranger], &[]));
    assert_rejected(status(&site, &["--on", &url], &[]));
    let run = status(&site, &["--on", &url, "--nats-creds", "missing.creds"], &[]).expect(2);
    assert!(run.stderr.contains("cannot use the credentials in"), "{run:#?}");
}

/// Certificates in a folder: an authority, and certificates signed by it.
struct Certificates(tempfile::TempDir);

impl Certificates {
    fn make() -> Option<Certificates> {
        if find_tool("openssl").is_none() {
            missing_tool("openssl");
            return None;
        }
        let made = Certificates(tempfile::tempdir().unwrap());
        made.openssl("ca", &[]);
        let signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "basicConstraints=critical,CA:FALSE"];
        let here = ["-addext", "subjectAltName=IP:127.0.0.1"];
        made.openssl("server", &[&signed[..], &here].concat());
        made.openssl("client", &signed);
        made.openssl("elsewhere", &[&signed[..], &["-addext", "subjectAltName=DNS:elsewhere"]].concat());
        made.openssl("stranger", &[]);
        Some(made)
    }

    /// `NAME.pem` and `NAME.key`.
    fn openssl(&self, name: &str, more: &[&str]) {
        let (key, file, subject) = (format!("{name}.key"), format!("{name}.pem"), format!("/CN={name}"));
        let args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
        let files = ["-days", "2", "-subj", &subject, "-keyout", &key, "-out", &file];
        let mut openssl = Command::new("openssl");
        let made = openssl.current_dir(self.0.path()).args(args).args(files).args(more).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// Options of a server with this certificate.
    fn server(&self, name: &str) -> [String; 5] {
        let (cert, key) = (self.text(&format!("{name}.pem")), self.text(&format!("{name}.key")));
        ["--tls".to_owned(), "--tlscert".to_owned(), cert, "--tlskey".to_owned(), key]
    }
}

fn open(options: &[String]) -> Option<Site> {
    Site::open(&options.iter().map(String::as_str).collect::<Vec<_>>())
}

#[track_caller]
fn assert_insecure(run: Run, why: &str) {
    let run = run.expect(4);
    assert!(run.stderr.contains("no secure connection to") && run.stderr.contains(why), "{run:#?}");
    assert!(run.stderr.contains("--nats-ca FILE"), "{run:#?}");
}

#[test]
fn a_reduction_over_tls() {
    let Some(certificates) = Certificates::make() else { return };
    let Some(site) = open(&certificates.server("server")) else { return };
    let url = site.url().replace("nats://", "tls://");
    let (ca, stranger) = (certificates.text("ca.pem"), certificates.text("stranger.pem"));
    std::fs::write(site.path("bug.smt2"), script(24)).unwrap();
    crate::site::program(&site.path("solver"), CRASHING);
    let local = ["reduce", "bug.smt2", "-j", "1", "--no-header", "-o", "local.smt2", "-q", "--", "./solver"];
    site.nub(&local).expect(0);
    let machine = site.machine("a", "[programs]\nsolver = \"./solver\"\n", &[("solver", CRASHING)]);
    let worker = ["worker", "--join", &url, "-q", "--nats-ca", &ca];
    let _worker = Process::start(nub(&machine).args(worker).stdout(std::process::Stdio::null()));
    site.nub(&remote_args(&url, &["-q", "--nats-ca", &ca, "--", "@solver"])).expect(0);
    assert_eq!(read(&site.path("remote.smt2")), read(&site.path("local.smt2")));
    // A server that requires TLS gets it, whatever the URL says.
    let run = status(&site, &["--on", &site.url()], &[("NATS_CA", &ca)]).expect(0);
    assert!(run.stdout.starts_with("1 worker,"), "{run:#?}");
    assert_insecure(status(&site, &["--on", &url], &[]), "UnknownIssuer");
    assert_insecure(status(&site, &["--on", &url, "--nats-ca", &stranger], &[]), "UnknownIssuer");
    let run = status(&site, &["--on", &url, "--nats-ca", "missing.pem"], &[]).expect(2);
    assert!(run.stderr.contains("for a secure connection: No such file"), "{run:#?}");
}

#[test]
fn certificates_that_do_not_fit() {
    let Some(certificates) = Certificates::make() else { return };
    let ca = certificates.text("ca.pem");
    let Some(other) = open(&certificates.server("elsewhere")) else { return };
    let url = other.url().replace("nats://", "tls://");
    assert_insecure(status(&other, &["--on", &url, "--nats-ca", &ca], &[]), "not valid for name");
    // A server without TLS is refused.
    let Some(plain) = Site::open(&[]) else { return };
    let url = plain.url().replace("nats://", "tls://");
    assert_insecure(status(&plain, &["--on", &url, "--nats-ca", &ca], &[]), "");
}

#[test]
fn a_server_that_wants_certificates_of_its_clients() {
    let Some(certificates) = Certificates::make() else { return };
    let ca = certificates.text("ca.pem");
    let verify = ["--tlsverify".to_owned(), "--tlscacert".to_owned(), ca.clone()];
    let Some(site) = open(&[&certificates.server("server")[..], &verify].concat()) else { return };
    let url = site.url().replace("nats://", "tls://");
    let with = |name: &str| {
        let (cert, key) =
            (certificates.text(&format!("{name}.pem")), certificates.text(&format!("{name}.key")));
        status(&site, &["--on", &url, "--nats-ca", &ca, "--nats-cert", &cert, "--nats-key", &key], &[])
    };
    assert_in(&with("client"));
    assert_insecure(with("stranger"), "--nats-cert");
    assert_insecure(status(&site, &["--on", &url, "--nats-ca", &ca], &[]), "--nats-cert");
    let cert = certificates.text("client.pem");
    let run = status(&site, &["--on", &url, "--nats-ca", &ca, "--nats-cert", &cert], &[]).expect(2);
    assert!(run.stderr.contains("a certificate and its key belong together"), "{run:#?}");
}

/// A worker is told why its login is rejected, and does not wait forever.
#[test]
fn credentials_that_are_withdrawn_end_a_worker() {
    let Some(mut site) = Site::open(&["--user", "me", "--pass", "s3cret"]) else { return };
    let machine = site.machine("a", "[programs]\nsolver = \"./solver\"\n", &[("solver", CRASHING)]);
    let url = site.url().replace("//", "//me:s3cret@");
    let mut worker = nub(&machine);
    worker.args(["worker", "--join", &url, "-q"]);
    let mut worker = Process::start(worker.stdout(std::process::Stdio::null()));
    while !status(&site, &["--on", &url], &[]).stdout.starts_with("1 worker,") {
        assert!(!worker.is_over());
    }
    site.kill_server();
    site.restart_with(&["--user", "me", "--pass", "another"]);
    assert_eq!(worker.wait(), Some(4));
}

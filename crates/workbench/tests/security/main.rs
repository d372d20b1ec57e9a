//! Checks that other pages, other programs and malformed requests cannot do anything to a workbench.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests prepare their own files and may panic

mod client;

use client::{SECRET, Server};
use nub_random::Rng;

#[test]
fn forged_hosts_are_refused() {
    let server = Server::start();
    let port = server.port;
    let forged = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("localhost.:{port}"),
        format!("LOCALHOST.evil:{port}"),
        format!("127.0.0.1.nip.io:{port}"),
        format!("127.0.0.2:{port}"),
        format!("0.0.0.0:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f.1:{port}"),
        format!("127.1:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        format!("evil.example@127.0.0.1:{port}"),
        format!("127.0.0.1:0{port}"),
        format!("127.0.0.1:{port}.evil.example"),
        format!("127.0.0.1:{port} evil.example"),
        format!("127.0.0.1:{port},evil"),
        format!("127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}"),
        format!("127.0.0.1:{port}#"),
        "null".to_owned(),
        String::new(),
        "*".to_owned(),
        format!("localhost:{port}:{port}"),
        format!("xn--localhost:{port}"),
        format!("127。0。0。1:{port}"),
    ];
    assert_eq!(forged.len(), 30);
    for host in forged {
        let rest = format!(
            "Connection: close\r\nCookie: {}\r\nX-Nub-Token: {}\r\n\r\n",
            server.cookie, server.token
        );
        let answer = server.ask(&format!("GET /api/session HTTP/1.1\r\nHost: {host}\r\n{rest}"));
        assert!(matches!(answer.status, 400 | 421), "{host}: {}", answer.text);
        assert!(!answer.text.contains(&server.token), "{host}");
    }
    // Twice, or in the line of the request.
    let twice = format!("GET /api/session HTTP/1.1\r\nHost: evil.example\r\n{}\r\n", server.ours());
    assert!(matches!(server.ask(&twice).status, 400 | 421));
    let absolute = format!("GET http://evil.example/api/session HTTP/1.1\r\n{}\r\n", server.ours());
    assert_eq!(server.ask(&absolute).status, 421);
    assert_eq!(server.get("/api/session").status, 200, "and ours is taken");
}

#[test]
fn other_sites_get_nothing() {
    let server = Server::start();
    let (host, cookie) = (server.host(), format!("Cookie: {}\r\n", server.cookie));
    let evil = "Origin: http://evil.example\r\n";
    let body = r#"{"program":"registered","path":"shown/open.txt"}"#;
    let length = format!("Content-Length: {}\r\n", body.len());
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let plain = "Content-Type: text/plain\r\n";
    let json = "Content-Type: application/json\r\n";
    let token = format!("X-Nub-Token: {}\r\n", server.token);
    let post = "POST /api/console HTTP/1.1\r\n";
    let cases = [
        ("a form", format!("{post}{host}{evil}{cookie}{form}{length}\r\n{body}")),
        ("a form of its own", format!("{post}{host}{cookie}{form}{token}{length}\r\n{body}")),
        ("text that looks like JSON", format!("{post}{host}{cookie}{plain}{length}\r\n{body}")),
        ("a fetch", format!("{post}{host}{evil}{cookie}{json}{token}{length}\r\n{body}")),
        ("a fetch without the token", format!("{post}{host}{cookie}{json}{length}\r\n{body}")),
        (
            "a fetch with a wrong token",
            format!("{post}{host}{cookie}{json}X-Nub-Token: {}\r\n{length}\r\n{body}", "0".repeat(64)),
        ),
        ("a fetch without the cookie", format!("{post}{host}{json}{token}{length}\r\n{body}")),
        ("a sandboxed frame", format!("{post}{host}Origin: null\r\n{cookie}{json}{token}{length}\r\n{body}")),
        (
            "the other name of the host",
            format!(
                "{post}{host}Origin: http://localhost:{}\r\n{cookie}{json}{token}{length}\r\n{body}",
                server.port
            ),
        ),
        (
            "another port",
            format!("{post}{host}Origin: http://127.0.0.1:1\r\n{cookie}{json}{token}{length}\r\n{body}"),
        ),
        (
            "an encrypted origin",
            format!(
                "{post}{host}Origin: https://127.0.0.1:{}\r\n{cookie}{json}{token}{length}\r\n{body}",
                server.port
            ),
        ),
        (
            "an image",
            format!(
                "GET /api/file?path=shown/open.txt HTTP/1.1\r\n{host}{cookie}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n\r\n"
            ),
        ),
        (
            "a script of the same site",
            format!("GET /api/session HTTP/1.1\r\n{host}{cookie}Sec-Fetch-Site: same-site\r\n\r\n"),
        ),
        (
            "an event stream",
            format!("GET /api/events HTTP/1.1\r\n{host}{evil}{cookie}Accept: text/event-stream\r\n\r\n"),
        ),
        (
            "a socket",
            format!(
                "GET /api/events HTTP/1.1\r\n{host}{cookie}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            ),
        ),
        (
            "a question before",
            format!(
                "OPTIONS /api/console HTTP/1.1\r\n{host}{evil}{cookie}Access-Control-Request-Method: POST\r\n\r\n"
            ),
        ),
        (
            "another method",
            format!("PUT /api/file HTTP/1.1\r\n{host}{cookie}{json}{token}{length}\r\n{body}"),
        ),
        ("nobody", format!("GET /api/jobs HTTP/1.1\r\n{host}\r\n")),
    ];
    for (who, request) in cases {
        let answer = server.ask(&request);
        assert!((400..500).contains(&answer.status), "{who}: {}", answer.text);
        assert!(!answer.text.to_lowercase().contains("access-control-"), "{who}: {}", answer.text);
        assert!(!answer.text.contains(&server.token), "{who}");
    }
    assert!(!server.was_run(), "a program was run for another site");
    assert_eq!(server.post("/api/console", body.as_bytes()).status, 200);
    assert!(server.was_run(), "and our own page can run it");
}

#[test]
fn the_address_is_valid_once() {
    let server = Server::start();
    let link = server.post("/api/link", b"{}");
    let token = link.text.split("token=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let first = server.ask(&format!("GET /?token={token} HTTP/1.1\r\n{}\r\n", server.host()));
    assert_eq!(first.status, 303, "{}", first.text);
    assert!(first.text.contains("location: /\r\n"), "the address is clean afterwards: {}", first.text);
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(first.text.contains(part), "{}", first.text);
    }
    let second = server.ask(&format!("GET /?token={token} HTTP/1.1\r\n{}\r\n", server.host()));
    assert_eq!(second.status, 401);
    assert!(!second.text.contains("set-cookie"), "{}", second.text);
    let policy = "script-src 'self'";
    assert!(first.text.contains(policy) && second.text.contains(policy), "every answer has the policy");
    assert!(!server.get("/").text.contains("unsafe-inline"));
}

/// Names that lead out of the folder, or into what is not a plain file.
fn path_payloads(outside: &str) -> Vec<String> {
    let mut payloads: Vec<String> = [
        "",
        "/",
        "..",
        "../secret.txt",
        "shown",
        "shown/",
        "shown/..",
        "shown/../secret.txt",
        "shown/../../secret.txt",
        "shown/inner/../../secret.txt",
        "shown//../secret.txt",
        "shown/./../secret.txt",
        "shown/link",
        "shown/relative",
        "shown/winding",
        "shown/folder-link",
        "shown/folder-link/secret.txt",
        "shown/folder-link/shown/link",
        "shown/inner/..",
        "shown/..%2fsecret.txt",
        "shown/%2e%2e/secret.txt",
        "shown/....//secret.txt",
        "shown/..\\secret.txt",
        "shown\\..\\secret.txt",
        "shown/../shown/../secret.txt",
        "/etc/passwd",
        "shown//etc/passwd",
        "shown/etc/passwd",
        "file:///etc/passwd",
        "shown/\0",
        "shown/open.txt\0.png",
        "\0",
        "shown/inner/",
        "state/../secret.txt",
        "state/jobs/../../secret.txt",
        "shown/~",
        "~/.ssh/id_rsa",
        "shown/$HOME",
        "shown/`id`",
        "shown/;id",
        "shown/|id",
        "shown/open.txt/..",
        "shown/open.txt/../../secret.txt",
        "other/secret.txt",
        "ROOT/../secret.txt",
        "shown /../secret.txt",
        ".",
        "./shown/../secret.txt",
        "/proc/self/environ",
        "shown/../state/../secret.txt",
        "shown/inner/../inner/../../secret.txt",
    ]
    .map(str::to_owned)
    .to_vec();
    payloads.push(format!("shown/{outside}"));
    payloads.push(outside.to_owned());
    payloads
}

#[test]
fn no_path_leads_out() {
    let server = Server::start();
    let outside = server.folder.path().join("secret.txt").display().to_string();
    let payloads = path_payloads(&outside);
    assert!(payloads.len() >= 50, "{}", payloads.len());
    for payload in &payloads {
        let encoded: String = payload.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for address in ["/api/file", "/api/graph", "/api/folder", "/api/functions", "/api/flow"] {
            let answer = server.get(&format!("{address}?path={encoded}&function=f"));
            assert!(!answer.text.contains(SECRET), "{address} {payload:?}: {}", answer.text);
            assert!(!answer.text.contains("root:x:0"), "{address} {payload:?}");
            let is_listing = address == "/api/folder" && answer.text.contains(r#""name":"secret.txt""#);
            assert!(!is_listing, "{address} {payload:?}: {}", answer.text);
        }
        let body = serde_json::json!({ "path": payload, "text": "overwritten" }).to_string();
        server.post("/api/file", body.as_bytes());
        let form =
            serde_json::json!({ "kind": "reduce", "file": payload, "program": "registered" }).to_string();
        if !payload.starts_with("shown/inner") {
            server.post("/api/command", form.as_bytes());
        }
        server.get(&format!("/assets/{payload}").replace(['\0', ' ', '\\', '`', '|'], "_"));
    }
    let secret = std::fs::read_to_string(server.folder.path().join("secret.txt")).unwrap();
    assert_eq!(secret, SECRET, "a file outside was written");
    let beside: Vec<_> =
        server.folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside.len(), 4, "shown, state, program.sh, secret.txt: {beside:?}");
    assert_eq!(server.get("/api/file?path=shown/inside").status, 200, "a link that stays inside is followed");
    assert!(!server.was_run());
}

#[test]
fn pipes_and_folders_are_not_read() {
    let server = Server::start();
    let pipe = server.folder.path().join("shown/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(server.get("/api/file?path=shown/pipe").status, 400, "and it does not wait for a writer");
    assert_eq!(server.get("/api/file?path=shown/inner").status, 400);
    for kind in ["cover", "explain", "reduce"] {
        let form = serde_json::json!({ "kind": kind, "file": "shown/pipe" }).to_string();
        let answer = server.post("/api/jobs", form.as_bytes());
        assert_eq!(answer.status, 400, "a job would wait as well: {}", answer.text);
    }
}

/// A body: bytes, JSON that is cut or changed, or a form with fields that it must not have.
fn random_body(random: &mut Rng) -> Vec<u8> {
    const FORMS: [&str; 6] = [
        r#"{"kind":"reduce","file":"shown/open.txt","program":"PROGRAM","strategy":"auto","timeout":1}"#,
        r#"{"kind":"cover","file":"shown/open.txt","function":"f","tests":{"tests":[[1,2]]}}"#,
        r#"{"kind":"explain","file":"shown/open.txt","assume":["1 @ 1"]}"#,
        r#"{"kind":"fuzz","solvers":["PROGRAM"],"generate":"smt2"}"#,
        r#"{"program":"PROGRAM","path":"shown/open.txt"}"#,
        r#"{"name":"crash"}"#,
    ];
    const PROGRAMS: [&str; 8] = [
        "touch was-run",
        "/bin/sh -c id",
        "registered;id",
        "../program.sh",
        "registered\\u0000",
        "",
        "sh",
        "$(touch was-run)",
    ];
    const EXTRAS: [&str; 6] = [
        r#","command":["touch","was-run"]}"#,
        r#","shell":true}"#,
        r#","test":"program.sh"}"#,
        r#","program":"../program.sh"}"#,
        r#","cc":"program.sh"}"#,
        r#","nub":"program.sh"}"#,
    ];
    if random.below(3) == 0 {
        return (0..random.below(200)).map(|_| random.bits() as u8).collect();
    }
    let text = FORMS[random.below(FORMS.len())].replace("PROGRAM", PROGRAMS[random.below(PROGRAMS.len())]);
    let text = match random.below(3) {
        0 => format!("{}{}", text.trim_end_matches('}'), EXTRAS[random.below(EXTRAS.len())]),
        _ => text,
    };
    let mut bytes = text.into_bytes();
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
    }
    if random.below(4) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    bytes
}

#[test]
fn random_bodies_run_nothing() {
    let n_bodies = if std::env::var_os("NUB_FULL").is_some() { 100_000 } else { 2_000 };
    let server = Server::start();
    let addresses = [
        "/api/console",
        "/api/command",
        "/api/jobs",
        "/api/file",
        "/api/paste",
        "/api/example",
        "/api/generate",
        "/api/link",
        "/api/jobs/000001-reduce/stop",
        "/api/jobs/x/continue",
        "/api/nothing",
    ];
    let mut random = Rng::new(17);
    for number in 0..n_bodies {
        let address = addresses[random.below(addresses.len())];
        let body = random_body(&mut random);
        let answer = server.post(address, &body);
        assert!(answer.status != 0, "{number}: no answer to {address} {:?}", String::from_utf8_lossy(&body));
        assert!(!answer.text.contains(SECRET));
    }
    assert!(!server.was_run(), "a command was run");
    assert_eq!(server.get("/api/session").status, 200, "and the server is well");
}

#[test]
fn limits_hold() {
    let server = Server::start();
    let head =
        format!("POST /api/paste HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n", server.ours(), 1_u64 << 40);
    assert!(matches!(server.ask(&(head + "{")).status, 400 | 408 | 413));
    let many: String = (0..200).map(|number| format!("X-{number}: 1\r\n")).collect();
    assert!(matches!(
        server.ask(&format!("GET / HTTP/1.1\r\n{}{many}\r\n", server.ours())).status,
        400 | 431
    ));
    let long = "a".repeat(100_000);
    assert!(matches!(
        server.ask(&format!("GET /{long} HTTP/1.1\r\n{}\r\n", server.ours())).status,
        0 | 400 | 414 | 431
    ));
    assert!(matches!(server.ask("nonsense\r\n\r\n").status, 0 | 400));
}

//! `open`: a server for this machine's browser only, which ends when the browser has the file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::case::case;
use crate::support::run::{TRACE, analyzed, fails, say, tool};

const SITE: &str = "https://ui.perfetto.dev";

/// `open` that was started, and the address that it printed.
pub(crate) struct Open {
    process: Child,
    address: String,
}

impl Open {
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut command = tool();
        command.arg("open").args(args).args(["--port", "0", "--no_browser"]);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim_end().split_once(" is at ").unwrap();
        assert!(address.len() < 80, "{address}");
        let mut open = Self { address: address.to_owned(), process };
        // That of a trace leads to the viewer.
        if open.path().matches('/').count() == 1 {
            let (head, _) = open.ask("GET", &open.path(), &[]);
            let place = head.lines().find_map(|line| line.strip_prefix("Location: "));
            open.address = place.unwrap().to_owned();
        }
        open
    }

    /// The address of the file: for a viewer it is an argument of the viewer's.
    fn file(&self) -> String {
        match self.address.split_once("?url=") {
            Some((_, rest)) => {
                let url = rest.split('&').next().unwrap();
                url.replace("%3A", ":").replace("%2F", "/")
            }
            None => self.address.clone(),
        }
    }

    fn host(&self) -> String {
        self.file().strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned()
    }

    pub(crate) fn path(&self) -> String {
        self.file().split_once(&self.host()).unwrap().1.to_owned()
    }

    /// Whether it ends, and how.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.process.wait().unwrap().code()
    }

    /// Head and body of the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str]) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let host = format!("Host: {}", self.host());
        let is_host = |header: &&str| header.starts_with("Host:");
        let own: Vec<&str> = match headers.iter().any(is_host) {
            true => vec![],
            false => vec![&host],
        };
        let lines = [own.as_slice(), headers].concat().join("\r\n");
        write!(stream, "{method} {path} HTTP/1.1\r\n{lines}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        (String::from_utf8(answer[..end].to_vec()).unwrap(), answer[end + 4..].to_vec())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn the_trace_goes_to_the_viewer_of_perfetto_and_to_no_other_site() {
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--perfetto"]);
    let trace = run.out_dir().join(TRACE);
    let mut open = Open::start(&[text(run.out_dir()), "--perfetto"]);
    assert!(open.address.starts_with(&format!("{SITE}/#!/?url=http%3A%2F%2F127.0.0.1%3A")));
    assert!(open.address.contains("&startupCommands=%5B"), "{}", open.address);
    let path = open.path();
    let refused = [
        ("GET", "/", [].as_slice(), "404"),
        ("GET", "/perfetto.pftrace", &[], "404"),
        ("GET", &path.replace(&path[1..33], &"0".repeat(32)), &[], "404"),
        ("POST", &path, &[], "405"),
        // A page elsewhere whose name leads to this address.
        ("GET", &path, &["Host: evil.example:9001"], "403"),
    ];
    for (method, path, headers, status) in refused {
        let (head, body) = open.ask(method, path, headers);
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {head}");
        assert!(body.len() < 100, "{head}");
    }
    let (head, _) = open.ask("OPTIONS", &path, &["Origin: https://evil.example"]);
    assert!(!head.contains("Access-Control"), "{head}");
    let (head, body) = open.ask("OPTIONS", &path, &[&format!("Origin: {SITE}")]);
    assert!(head.contains(&format!("Access-Control-Allow-Origin: {SITE}\r\n")), "{head}");
    assert!(body.is_empty());
    // Nothing was taken so far.
    assert!(open.process.try_wait().unwrap().is_none());
    let (head, body) = open.ask("GET", &path, &[&format!("Origin: {SITE}")]);
    assert!(head.contains(&format!("Access-Control-Allow-Origin: {SITE}")), "{head}");
    assert!(body == std::fs::read(&trace).unwrap());
    assert_eq!(open.process.wait().unwrap().code(), Some(0), "it ends when the browser has it");
}

#[test]
fn the_page_of_a_dump_is_made_and_shown() {
    let mut open = Open::start(&[text(&case("aks-mode2-sync").dump())]);
    let (head, body) = open.ask("GET", &open.path(), &[]);
    assert!(head.contains("Content-Type: text/html"), "{head}");
    assert!(!head.contains("Access-Control"), "{head}");
    assert!(String::from_utf8(body).unwrap().starts_with("<!"));
    assert_eq!(open.process.wait().unwrap().code(), Some(0));
}

#[test]
fn a_copy_of_the_viewer_is_served_and_nothing_around_it() {
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--perfetto"]);
    let keep = tempfile::tempdir().unwrap();
    let copy = keep.path().join("viewer");
    std::fs::create_dir(&copy).unwrap();
    std::fs::write(copy.join("index.html"), "viewer").unwrap();
    std::fs::write(copy.join("a.wasm"), "wasm").unwrap();
    std::fs::write(keep.path().join("secret"), "secret").unwrap();
    let trace = run.out_dir().join(TRACE);
    let open = Open::start(&[text(&trace), "--offline", text(&copy)]);
    assert!(open.address.starts_with("http://127.0.0.1:"), "{}", open.address);
    assert!(open.ask("GET", "/", &[]).1.starts_with(b"viewer<script>"));
    let (head, body) = open.ask("GET", "/a.wasm?v=1", &[]);
    assert!(head.contains("Content-Type: application/wasm") && body == b"wasm", "{head}");
    for path in ["/../secret", "/a/../../secret", "/%2e%2e/secret", "//etc/passwd", "/"] {
        let (_, body) = open.ask("GET", path, &[]);
        assert!(body != b"secret" && !body.starts_with(b"root:"), "{path}");
    }
    // The viewer loads fonts long after it has the trace: as long as its tab is open, they are served.
    let mut open = open;
    let mut tab = TcpStream::connect(open.host()).unwrap();
    write!(tab, "GET /held-open HTTP/1.1\r\nHost: {}\r\n\r\n", open.host()).unwrap();
    let mut line = String::new();
    BufReader::new(&tab).read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    assert_eq!(open.ask("GET", &open.path(), &[]).1, std::fs::read(&trace).unwrap());
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert_eq!(open.process.try_wait().unwrap(), None);
    assert_eq!(open.ask("GET", "/a.wasm", &[]).1, b"wasm");
    drop(tab);
    assert_eq!(open.end(), Some(0), "it ends when the tab is closed");
}

/// Other machines can't reach it.
#[cfg(target_os = "linux")]
#[test]
fn it_listens_for_this_machine_only() {
    let open = Open::start(&[text(&case("aks-mode2-sync").dump())]);
    let (_, port) =
        open.host().rsplit_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let port = format!(":{:04X} ", port.parse::<u16>().unwrap());
    // Addresses in hex, lowest byte first; state 0A is listening.
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    });
    let listening = |line: &&String| line.contains(&port) && line.contains(" 0A ");
    let own: Vec<&String> = tables.iter().flatten().filter(listening).collect();
    assert!(own.len() == 1 && own[0].contains(&format!("0100007F{port}")), "{own:?}");
}

#[test]
fn what_cannot_be_opened_is_one_sentence() {
    let keep = tempfile::tempdir().unwrap();
    let folder = text(keep.path());
    fails(&["open", folder, "--no_browser"], folder);
    let page = keep.path().join("result.html");
    std::fs::write(&page, "<!doctype html>").unwrap();
    fails(&["open", text(&page), "--perfetto"], "is a page");
    let trace = keep.path().join("a.pftrace");
    std::fs::write(&trace, "\n\0").unwrap();
    fails(&["open", text(&trace), "--page"], "is no page");
    fails(&["open", text(&trace), "--offline", folder], "has no index.html");
    // Neither the one nor the other.
    for (name, bytes) in [("notes.txt", "hello"), ("report.json", "{}"), ("result2.html", "page")] {
        let other = keep.path().join(name);
        std::fs::write(&other, bytes).unwrap();
        fails(&["open", text(&other), "--no_browser"], "is neither a page nor a trace");
    }
}

/// Not to the viewer of traces, which can do nothing with it.
#[test]
fn a_packed_dump_is_analyzed() {
    let keep = tempfile::tempdir().unwrap();
    let packed = keep.path().join("dump.tar.gz");
    let dump = case("aks-mode2-sync").dump();
    let status = Command::new("tar")
        .args(["-czf", text(&packed), "-C", text(dump.parent().unwrap()), "dump"])
        .status();
    assert!(status.unwrap().success());
    let open = Open::start(&[text(&packed)]);
    let (head, body) = open.ask("GET", &open.path(), &[]);
    assert!(head.contains("Content-Type: text/html"), "{head}");
    assert!(String::from_utf8(body).unwrap().starts_with("<!"));
    assert_eq!(open.end(), Some(0));
    std::fs::write(keep.path().join("cut.zip"), "PK\x03\x04 cut").unwrap();
    fails(&["open", text(&keep.path().join("cut.zip"))], "cut.zip: ");
}

/// The address is in no argument of a process: others of the machine see those.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_gets_the_path_of_a_page_for_its_user_only() {
    use std::os::unix::fs::PermissionsExt;

    let run = analyzed(&case("aks-mode2-sync").dump(), &["--perfetto"]);
    let keep = tempfile::tempdir().unwrap();
    let browser = keep.path().join("browser");
    let (seen, pages) = (keep.path().join("seen"), keep.path().join("pages"));
    std::fs::create_dir(&pages).unwrap();
    std::fs::write(
        &browser,
        format!("#!/bin/sh\necho \"$@\" > {0}.new\nmv {0}.new {0}\n", seen.display()),
    )
    .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = tool();
    command.arg("open").arg(run.out_dir()).args(["--perfetto", "--port", "0"]);
    command.env("BROWSER", &browser).env("TMPDIR", &pages);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let (_, address) = line.trim_end().split_once(" is at ").unwrap();
    let given = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::fs::read_to_string(&seen).ok()
    });
    let given = given.unwrap();
    let page = Path::new(given.trim_end().strip_prefix("file://").unwrap());
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(page), mode(page.parent().unwrap())), (0o600, 0o700));
    let text = std::fs::read_to_string(page).unwrap();
    assert!(
        text.contains(&address.replace('&', "&amp;")) && text.contains("Content-Security-Policy"),
        "{text}"
    );
    process.kill().unwrap();
    process.wait().unwrap();
    // A killed process leaves it; the next one takes it away.
    assert!(page.exists());
    let dump = case("aks-mode2-sync").dump();
    let mut next = tool();
    next.arg("open").arg(&dump).args(["--port", "0", "--no_browser"]).env("TMPDIR", &pages);
    let mut next = next.stdout(Stdio::piped()).spawn().unwrap();
    BufReader::new(next.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(!page.exists());
    next.kill().unwrap();
    next.wait().unwrap();
}

/// A program of a release has the page inside, see .ci/browser; that of the tests has not.
#[test]
fn a_program_without_the_analyzers_page_says_where_to_get_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page.html");
    let path = file.to_str().unwrap();
    fails(
        &["open", "--page-only", "-o", path],
        "page.html: is not written, because this program was built without",
    );
    assert!(!file.exists());
    let incomplete = say(&["open", "--page-only"]);
    assert_eq!(incomplete.code, Some(2));
    assert!(incomplete.stderr.contains("--output <FILE>"), "{}", incomplete.stderr);
}

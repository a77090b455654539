//! Addresses and files where ranks meet.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};

/// Where ranks that are processes find each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeetingPoint {
    /// `host:port`, where rank 0 listens. Under a name, and not that of this machine alone (`localhost`),
    /// it listens on all networks of its machine.
    Address(String),
    /// A file that rank 0 writes and the others wait for: which port it listens at, and a word that the
    /// others show. Rank 0 takes it away when all have come.
    File(PathBuf),
}

/// The first line of a file.
const FIRST_LINE: &str = "meerkat rendezvous 1";

/// The most bytes of a file that is read.
const MOST_BYTES: u64 = 4096;

/// Where rank 0 listens, and what says so.
#[derive(Debug)]
pub(super) struct Listening {
    listener: TcpListener,
    /// What the others find in the file; empty without one.
    word: String,
    /// Taken away when all have come.
    file: Option<PathBuf>,
}

impl Listening {
    /// Listens there; where all ranks are on this machine, nobody else hears of a file's port.
    ///
    /// # Errors
    /// In words.
    pub(super) fn at(
        point: &MeetingPoint,
        is_one_machine: bool,
        word: &str,
    ) -> Result<Self, String> {
        match point {
            MeetingPoint::Address(address) => {
                let listener = listen(address).map_err(|error| {
                    format!(
                        "rank 0 cannot listen at {address}: {error}; give another port, or the \
                             address of its machine"
                    )
                })?;
                Ok(Listening { listener, word: String::new(), file: None })
            }
            MeetingPoint::File(path) => {
                let in_words = |error: io::Error| {
                    format!("rank 0 cannot write where it listens to {}: {error}", path.display())
                };
                let listener = if is_one_machine { loopback(0) } else { all_networks(0) };
                let listener = listener.map_err(in_words)?;
                let port = listener.local_addr().map_err(in_words)?.port();
                write(path, port, is_one_machine, word).map_err(in_words)?;
                Ok(Listening { listener, word: word.to_owned(), file: Some(path.clone()) })
            }
        }
    }

    pub(super) fn listener(&self) -> &TcpListener {
        &self.listener
    }

    pub(super) fn word(&self) -> &str {
        &self.word
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Another job's by now, if somebody gives two jobs one file.
        let is_own = |path: &PathBuf| read(path).is_ok_and(|(_, word)| word == self.word);
        if let Some(path) = self.file.as_ref().filter(|path| is_own(path)) {
            let _ = fs::remove_file(path);
        }
    }
}

fn loopback(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port))
}

fn all_networks(port: u16) -> io::Result<TcpListener> {
    // Where it is there, it takes the old addresses as well.
    TcpListener::bind(("::", port)).or_else(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Err(error),
        _ => TcpListener::bind(("0.0.0.0", port)),
    })
}

/// Listens at an address. A name may stand for an address that others do not have, so there it is all
/// networks.
fn listen(address: &str) -> io::Result<TcpListener> {
    let (host, port) = split(address)?;
    match host.parse::<IpAddr>() {
        Ok(ip) => TcpListener::bind((ip, port)).or_else(|error| match error.kind() {
            // Another machine stands before this one.
            io::ErrorKind::AddrNotAvailable => all_networks(port),
            _ => Err(error),
        }),
        Err(_) if host == "localhost" => TcpListener::bind((host, port)),
        Err(_) => all_networks(port),
    }
}

/// The host and the port of `host:port`.
fn split(address: &str) -> io::Result<(&str, u16)> {
    let no_address = || io::Error::new(io::ErrorKind::InvalidInput, "this is not `host:port`");
    let (host, port) = address.rsplit_once(':').ok_or_else(no_address)?;
    let port = port.parse().ok().filter(|&port| port > 0).ok_or_else(no_address)?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if host.is_empty() { Err(no_address()) } else { Ok((host, port)) }
}

/// Where rank 0 may be.
#[derive(Debug)]
pub(super) struct Sought {
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) word: String,
    /// Whether another place may be named in a moment.
    pub(super) may_change: bool,
}

impl Sought {
    /// What a place says now.
    ///
    /// # Errors
    /// In words: it says nothing yet, or what nobody understands.
    pub(super) fn at(point: &MeetingPoint) -> Result<Self, String> {
        let resolve = |address: &String| {
            let found = split(address).and_then(|place| place.to_socket_addrs());
            found.map(Vec::from_iter).map_err(|error| format!("{address}: {error}"))
        };
        match point {
            MeetingPoint::Address(address) => {
                let addresses = resolve(address)?;
                Ok(Sought { addresses, word: String::new(), may_change: false })
            }
            MeetingPoint::File(path) => {
                let named = read(path).map_err(|error| format!("{}: {error}", path.display()))?;
                let (names, word) = named;
                // A name that this machine does not know is none of its ways to rank 0.
                let known = names.iter().filter_map(|name| resolve(name).ok());
                Ok(Sought { addresses: known.flatten().collect(), word, may_change: true })
            }
        }
    }
}

/// Writes where rank 0 listens, whole or not at all. Others of this machine do not see the word.
fn write(path: &Path, port: u16, is_one_machine: bool, word: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    writeln!(file, "{FIRST_LINE}\naddress 127.0.0.1:{port}")?;
    if let Some(name) = host_name().filter(|_| !is_one_machine) {
        writeln!(file, "address {name}:{port}")?;
    }
    writeln!(file, "word {word}")?;
    file.persist(path)?;
    Ok(())
}

/// The addresses and the word of a file.
fn read(path: &Path) -> io::Result<(Vec<String>, String)> {
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(fs::File::open(path)?, MOST_BYTES), &mut text)?;
    let no_place = || io::Error::new(io::ErrorKind::InvalidData, "rank 0 did not write this file");
    let lines = text.strip_prefix(FIRST_LINE).ok_or_else(no_place)?.lines();
    let (mut addresses, mut word) = (Vec::new(), None);
    for (what, rest) in lines.filter_map(|line| line.split_once(' ')) {
        match what {
            "address" => addresses.push(rest.to_owned()),
            "word" => word = Some(rest.to_owned()),
            _ => {}
        }
    }
    word.map(|word| (addresses, word)).ok_or_else(no_place)
}

/// The name of this machine, under which others may know it.
fn host_name() -> Option<String> {
    let of_system = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = of_system.or_else(|| std::env::var("HOSTNAME").ok())?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        assert_eq!(split("node7:29500").expect("an address"), ("node7", 29500));
        assert_eq!(split("[::1]:80").expect("an address"), ("::1", 80));
        assert_eq!(split("10.0.0.1:1").expect("an address"), ("10.0.0.1", 1));
        for text in ["", "node7", "node7:", ":80", "node7:0", "node7:99999", "node7:x"] {
            assert!(split(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_says_where_rank_0_listens_until_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ranks");
        let point = MeetingPoint::File(path.clone());
        assert!(Sought::at(&point).is_err());
        fs::write(&path, "something else\n").expect("a file");
        assert!(Sought::at(&point).is_err());
        for is_one_machine in [true, false] {
            let listening = Listening::at(&point, is_one_machine, "secret").expect("a port");
            let found = Sought::at(&point).expect("a place");
            assert_eq!(found.word, "secret");
            let port = listening.listener().local_addr().expect("an address").port();
            assert_eq!(found.addresses[0], SocketAddr::from(([127, 0, 0, 1], port)));
            drop(listening);
            assert!(!path.exists());
        }
        let first = Listening::at(&point, true, "first").expect("a port");
        let second = Listening::at(&point, true, "second").expect("a port");
        drop(first);
        assert!(path.exists(), "it is the second's");
        drop(second);
    }
}

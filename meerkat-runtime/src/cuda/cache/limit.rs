//! How much the cache may hold, and what goes when there is more.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::error::CudaError;

/// How the names of files begin that are being written.
pub(super) const WRITING: &str = ".writing-";

/// A file that has been in the writing for so long is left over from a process that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A number of bytes, or of KiB, MiB or GiB with the letter K, M or G.
pub(super) fn parse(text: &str) -> Result<u64, CudaError> {
    let trimmed = text.trim();
    let (digits, shift) = match trimmed.chars().next_back() {
        Some('k' | 'K') => (&trimmed[..trimmed.len() - 1], 10),
        Some('m' | 'M') => (&trimmed[..trimmed.len() - 1], 20),
        Some('g' | 'G') => (&trimmed[..trimmed.len() - 1], 30),
        _ => (trimmed, 0),
    };
    let bytes = digits.trim_end().parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift));
    bytes.ok_or_else(|| CudaError::CacheLimit { text: text.to_owned() })
}

/// An entry of the folder.
struct Entry {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
}

/// Removes entries, those used longest ago first, until all together take at most `limit` bytes;
/// `newest` stays. Returns how many it removed. Looks at each file of the folder, which takes
/// little beside the compilation that it follows.
pub(super) fn keep_within(directory: &Path, limit: u64, newest: &Path) -> u64 {
    let mut entries = entries(directory);
    let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    entries.retain(|entry| entry.path != newest);
    // The path too: entries of one time go in the same order in every process.
    entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
    let mut removed = 0;
    for entry in entries {
        if bytes <= limit {
            break;
        }
        // One that another process removed does not take room any more either. One that cannot
        // be removed does, so a newer one goes in its place.
        match fs::remove_file(&entry.path) {
            Ok(()) => removed += 1,
            Err(_) if !entry.path.exists() => {}
            Err(_) => continue,
        }
        bytes -= entry.bytes;
    }
    removed
}

/// The entries of a folder. Files that a killed process left are removed meanwhile.
fn entries(directory: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    for file in fs::read_dir(directory).into_iter().flatten().flatten() {
        // Another process may have removed it.
        let Ok(metadata) = file.metadata() else { continue };
        let path = file.path();
        if metadata.is_file() && is_entry(&path) {
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            entries.push(Entry { used, bytes: metadata.len(), path });
        } else if is_abandoned(&file.file_name(), &metadata) {
            // Left to the next who stores, if it cannot be removed.
            let _ = fs::remove_file(path);
        }
    }
    entries
}

/// Whether a file has the name of an entry: the key in hexadecimal digits. Others are not ours.
fn is_entry(path: &Path) -> bool {
    let is_key = |name: &str| {
        name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    path.extension() == Some(OsStr::new("cubin"))
        && path.file_stem().and_then(OsStr::to_str).is_some_and(is_key)
}

fn is_abandoned(name: &OsStr, metadata: &Metadata) -> bool {
    let age = metadata.modified().ok().and_then(|written| written.elapsed().ok());
    name.to_string_lossy().starts_with(WRITING) && age.is_some_and(|age| age > ABANDONED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_limit_is_bytes_or_a_number_with_a_letter() {
        for (text, bytes) in
            [("0", 0), ("17", 17), ("3K", 3 << 10), ("200M", 200 << 20), (" 2 g ", 2 << 30)]
        {
            assert_eq!(parse(text).ok(), Some(bytes), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "1T", "1GB", "99999999999G", "µ"] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(&format!("is `{text}`: give it")), "{error}");
        }
    }

    /// A file that was used so many seconds ago.
    fn file(directory: &Path, name: &str, bytes: usize, seconds: u64) -> PathBuf {
        let path = directory.join(name);
        fs::write(&path, vec![0; bytes]).expect("a file");
        let used = SystemTime::now() - Duration::from_secs(seconds);
        File::options().append(true).open(&path).and_then(|f| f.set_modified(used)).expect("set");
        path
    }

    fn names(directory: &Path) -> Vec<String> {
        let files = fs::read_dir(directory).expect("a folder").flatten();
        let mut names: Vec<_> =
            files.map(|file| file.file_name().into_string().expect("UTF-8")).collect();
        names.sort_unstable();
        names
    }

    /// The name of an entry.
    fn entry(digit: char) -> String {
        format!("{}.cubin", String::from(digit).repeat(64))
    }

    #[test]
    fn those_used_longest_ago_go_first_and_the_newest_stays_and_files_of_others() {
        let directory = tempfile::tempdir().expect("a folder");
        let at = directory.path();
        let [a, b, c, d] = ['a', 'b', 'c', 'd'].map(entry);
        let newest = file(at, &d, 40, 900);
        file(at, &b, 30, 300);
        file(at, &a, 30, 200);
        file(at, &c, 30, 100);
        file(at, "kernel.cubin", 1000, 5000);
        file(at, "notes.txt", 1000, 5000);
        let with_others = |own: &[&String]| {
            let own = own.iter().map(|name| name.as_str());
            own.chain(["kernel.cubin", "notes.txt"]).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(keep_within(at, 130, &newest), 0);
        assert_eq!(keep_within(at, 129, &newest), 1);
        assert_eq!(names(at), with_others(&[&a, &c, &d]));
        assert_eq!(keep_within(at, 70, &newest), 1);
        assert_eq!(names(at), with_others(&[&c, &d]));
        assert_eq!(keep_within(at, 1, &newest), 1);
        assert_eq!(names(at), with_others(&[&d]));
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_being_written_is_not() {
        let directory = tempfile::tempdir().expect("a folder");
        let at = directory.path();
        file(at, ".writing-old", 10, 2 * 3600);
        file(at, ".writing-now", 10, 1);
        keep_within(at, 100, Path::new("none"));
        assert_eq!(names(at), [".writing-now"]);
    }

    #[test]
    fn a_folder_that_is_not_there_holds_nothing() {
        assert_eq!(keep_within(Path::new("/nonexistent/cache"), 0, Path::new("none")), 0);
    }
}

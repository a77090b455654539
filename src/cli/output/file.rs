//! A file of results: whole, or not there.
//!
//! It is written to a file without a name in the same folder, which takes the place of the
//! former one at the end: an interrupted run leaves that, and nothing else. The standard
//! output, pipes and devices are written as they are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempPath;

use crate::cli::failure::Failure;
use crate::cli::input::STANDARD;

/// A place that can be written to.
pub(in crate::cli) struct OutputFile {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    StandardOutput,
    /// A pipe or a device.
    Special,
    /// A file, which may be there, and what its permissions are then.
    Regular(Option<fs::Permissions>),
}

impl OutputFile {
    /// Finds out before the work starts what cannot be written after it, and leaves the
    /// place as it is.
    pub(in crate::cli) fn at(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == STANDARD {
            return Ok(Self { path: path.to_owned(), kind: Kind::StandardOutput });
        }
        let refused = |cause| Failure::OutputRefused { path: path.to_owned(), cause };
        // A link stays, and what it names is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let kind = Kind::of(&path).map_err(refused)?;
        if let Kind::Regular(_) = kind {
            tempfile::tempfile_in(folder_of(&path)).map_err(refused)?;
        }
        Ok(Self { path, kind })
    }

    /// Refuses to replace one of the files that are read.
    pub(in crate::cli) fn beside<'a>(
        path: &Path,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Self, Failure> {
        let output = fs::canonicalize(path).ok();
        let mut inputs = inputs.into_iter().filter_map(|input| fs::canonicalize(input).ok());
        match output {
            Some(output) if inputs.any(|input| input == output) => {
                Err(Failure::OutputIsInput { path: path.to_owned() })
            }
            _ => Self::at(path),
        }
    }

    /// Writes what `content` does, compressed if the name ends in `.gz`.
    pub(in crate::cli) fn write(
        self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Self { path, kind } = self;
        let compressed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let written = match kind {
            Kind::StandardOutput => ignore_closed(write_to(io::stdout().lock(), false, content)),
            Kind::Special => OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| write_to(file, compressed, content)),
            Kind::Regular(permissions) => replace(&path, permissions, compressed, content),
        };
        written.map_err(|cause| Failure::OutputBroken { path, cause })
    }
}

impl Kind {
    fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) => {
                // Tells a folder, and a file that may not be changed.
                OpenOptions::new().write(true).open(path)?;
                let permissions = found.is_file().then(|| found.permissions());
                Ok(permissions.map_or(Self::Special, |found| Self::Regular(Some(found))))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Regular(None)),
            Err(error) => Err(error),
        }
    }
}

fn replace(
    path: &Path,
    permissions: Option<fs::Permissions>,
    compressed: bool,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = tempfile::tempfile_in(folder_of(path))?;
    write_to(&file, compressed, content)?;
    let named = named(&mut file, folder_of(path))?;
    if let Some(permissions) = permissions {
        fs::set_permissions(&named, permissions)?;
    }
    named.persist(path).map_err(|error| error.error)
}

/// Gives a file without a name one that no other file in the folder has.
fn named(file: &mut File, folder: &Path) -> io::Result<TempPath> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".meerkat-").suffix(".tmp");
    #[cfg(target_os = "linux")]
    if let Ok(linked) = builder.make_in(folder, |path| link(file, path)) {
        return Ok(linked.into_temp_path());
    }
    // Elsewhere, and in file systems that know no such files, its content is copied.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut copy = builder.tempfile_in(folder)?;
    file.rewind()?;
    io::copy(file, &mut copy)?;
    Ok(copy.into_temp_path())
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn write_to(
    to: impl Write,
    compressed: bool,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    if compressed {
        let mut encoder = GzEncoder::new(to, Compression::fast());
        content(&mut encoder)?;
        to = encoder.finish()?;
    } else {
        content(&mut to)?;
    }
    to.flush()
}

/// The reader of a pipe may have seen enough.
fn ignore_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        fs::write(&path, "former").expect("a file");
        let broken = OutputFile::at(&path).expect("a place").write(|to| {
            to.write_all(b"half")?;
            Err(io::Error::other("interrupted"))
        });
        assert!(broken.is_err());
        assert_eq!(fs::read(&path).expect("the file"), b"former");
        let written = OutputFile::at(&path).expect("a place").write(|to| to.write_all(b"new"));
        assert!(written.is_ok());
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn nothing_is_there_while_it_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let entries = || fs::read_dir(folder.path()).expect("a folder").count();
        let written = OutputFile::at(&folder.path().join("out")).expect("a place").write(|to| {
            to.write_all(&[b'x'; 1 << 20])?;
            assert_eq!(entries(), 0);
            Ok(())
        });
        assert!(written.is_ok());
        assert_eq!(entries(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_of_a_replaced_file_and_links_to_it_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("out"), folder.path().join("link"));
        fs::write(&path, "former").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink(&path, &link).expect("a link");
        let written = OutputFile::at(&link).expect("a place").write(|to| to.write_all(b"new"));
        assert!(written.is_ok());
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }
}

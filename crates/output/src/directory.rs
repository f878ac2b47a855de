//! An open directory. Names in it are looked up from its handle, not from a path, and no symbolic link is followed:
//! whatever a directory of someone else holds, nothing outside of it is read, written or removed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) use system::{Directory, try_lock};

/// What a name stands for; links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// A symbolic link in the place of a directory.
#[derive(Debug)]
struct IsLink;

impl std::fmt::Display for IsLink {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("is a symbolic link")
    }
}

impl std::error::Error for IsLink {}

/// Whether a directory could not be opened because it is a symbolic link.
pub(crate) fn is_link_error(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<IsLink>())
}

impl Directory {
    /// The directory of this name; a symbolic link is an error, see [`is_link_error`].
    pub(crate) fn child(&self, name: &OsStr) -> io::Result<Self> {
        match self.kind(name)? {
            Some(Kind::Link) => Err(io::Error::other(IsLink)),
            // Whatever takes its place meanwhile, a link is not followed.
            _ => self.open_child(name),
        }
    }

    /// The directory at a relative path, each part of which has to be a directory.
    pub(crate) fn open_subdirectory(&self, path: &Path) -> io::Result<Self> {
        let mut directory = self.duplicate()?;
        for part in path.components() {
            directory = directory.child(part.as_os_str())?;
        }
        Ok(directory)
    }

    /// The content of a file of at most `most` bytes; a longer one is cut.
    pub(crate) fn read(&self, name: &OsStr, most: u64) -> io::Result<Vec<u8>> {
        use std::io::Read;
        let mut content = Vec::new();
        if self.kind(name)? == Some(Kind::File) {
            self.open_file(name)?.take(most).read_to_end(&mut content)?;
        }
        Ok(content)
    }
}

#[cfg(unix)]
mod system {
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt;

    use rustix::fs::{AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags};
    use rustix::io::{Errno, retry_on_intr};
    use rustix::path::Arg;

    use super::*;

    const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    const NOT_FOLLOWED: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);

    #[derive(Debug)]
    pub(crate) struct Directory {
        handle: OwnedFd,
    }

    /// The right to change a directory, held until it is dropped.
    #[derive(Debug)]
    pub(crate) struct Lock {
        _handle: OwnedFd,
    }

    /// Opens a file or directory; once more where a signal came between.
    fn opened<P: Arg + Copy>(
        at: impl AsFd,
        path: P,
        flags: OFlags,
        mode: Mode,
    ) -> io::Result<OwnedFd> {
        Ok(retry_on_intr(|| rustix::fs::openat(at.as_fd(), path, flags, mode))?)
    }

    impl Directory {
        /// Opens a directory that the user named; links in its path are the user's.
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            let handle = opened(CWD, path, DIRECTORY, Mode::empty())?;
            Ok(Self { handle })
        }

        pub(crate) fn duplicate(&self) -> io::Result<Self> {
            Ok(Self { handle: self.handle.try_clone()? })
        }

        pub(super) fn open_child(&self, name: &OsStr) -> io::Result<Self> {
            let flags = DIRECTORY | OFlags::NOFOLLOW;
            let handle = opened(&self.handle, name, flags, Mode::empty())?;
            Ok(Self { handle })
        }

        pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            // A pipe that has taken the file's place must not be waited for.
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | NOT_FOLLOWED;
            Ok(File::from(opened(&self.handle, name, flags, Mode::empty())?))
        }

        /// Makes a directory; `false` where the name is taken.
        pub(crate) fn make(&self, name: &OsStr) -> io::Result<bool> {
            match rustix::fs::mkdirat(&self.handle, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => Ok(true),
                Err(Errno::EXIST) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }

        /// Gives a file a second name, in a directory; a link is not followed. An existing name is an error.
        pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::linkat(&self.handle, name, &to.handle, new, AtFlags::empty())?)
        }

        /// Makes a file, whose mode follows the process's mask; an existing one is an error.
        pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | NOT_FOLLOWED;
            let mode = Mode::from_raw_mode(0o666);
            Ok(File::from(opened(&self.handle, name, flags, mode)?))
        }

        /// Moves a file into a directory, in the place of a former file of this name.
        pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::renameat(&self.handle, name, &to.handle, new)?)
        }

        pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
        }

        /// Removes a directory that holds nothing.
        pub(crate) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
            Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR)?)
        }

        /// What a name stands for; `None` where there is nothing.
        pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
            let found = rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW);
            let stat = match found {
                Ok(stat) => stat,
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Directory,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            }))
        }

        /// The names in it.
        pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
            let mut names = Vec::new();
            for entry in Dir::read_from(self.handle.as_fd())? {
                let name = entry?;
                let name = OsStr::from_bytes(name.file_name().to_bytes());
                if name != "." && name != ".." {
                    names.push(name.to_owned());
                }
            }
            Ok(names)
        }

        /// The names in it are on the disk.
        pub(crate) fn sync(&self) {
            // Where a directory can't be synced, the system does it in its own time.
            let _ = rustix::fs::fsync(&self.handle);
        }

        /// Waits until no other run changes names in this directory; `None` where the file system knows no locks.
        pub(crate) fn lock(&self) -> Option<Lock> {
            // A handle of its own: clones of one share their lock.
            let handle = opened(&self.handle, ".", DIRECTORY, Mode::empty()).ok()?;
            retry_on_intr(|| rustix::fs::flock(&handle, FlockOperation::LockExclusive)).ok()?;
            Some(Lock { _handle: handle })
        }

        /// Takes the lock of the directory itself, if it is free, and keeps it as long as the handle lives.
        pub(crate) fn claim(&self) -> bool {
            rustix::fs::flock(&self.handle, FlockOperation::NonBlockingLockExclusive).is_ok()
        }

        /// Whether it belongs to the user of this process.
        pub(crate) fn is_own(&self) -> bool {
            let owner = rustix::fs::fstat(&self.handle).map(|stat| stat.st_uid);
            owner.is_ok_and(|owner| owner == rustix::process::geteuid().as_raw())
        }

        /// Whether a living run holds the lock of a file; if that can't be told, it does.
        pub(crate) fn is_locked(&self, name: &OsStr) -> bool {
            !self.open_file(name).is_ok_and(|file| try_lock(&file))
        }
    }

    /// Takes the lock of a file, if it is free.
    pub(crate) fn try_lock(file: &File) -> bool {
        rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    #[derive(Debug)]
    pub(crate) struct Directory {
        path: PathBuf,
    }

    #[derive(Debug)]
    pub(crate) struct Lock;

    impl Directory {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            fs::read_dir(path)?;
            Ok(Self { path: path.to_owned() })
        }

        pub(crate) fn duplicate(&self) -> io::Result<Self> {
            Ok(Self { path: self.path.clone() })
        }

        pub(super) fn open_child(&self, name: &OsStr) -> io::Result<Self> {
            Self::open(&self.path.join(name))
        }

        pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.path.join(name))
        }

        pub(crate) fn make(&self, name: &OsStr) -> io::Result<bool> {
            match fs::create_dir(self.path.join(name)) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            }
        }

        pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
            fs::hard_link(self.path.join(name), to.path.join(new))
        }

        pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
            fs::OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
        }

        pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
            fs::rename(self.path.join(name), to.path.join(new))
        }

        pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub(crate) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_dir(self.path.join(name))
        }

        pub(crate) fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
            let kind = match fs::symlink_metadata(self.path.join(name)) {
                Ok(found) => found.file_type(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            };
            Ok(Some(match () {
                () if kind.is_symlink() => Kind::Link,
                () if kind.is_dir() => Kind::Directory,
                () if kind.is_file() => Kind::File,
                () => Kind::Other,
            }))
        }

        pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect()
        }

        pub(crate) fn sync(&self) {}

        pub(crate) fn lock(&self) -> Option<Lock> {
            None
        }

        pub(crate) fn claim(&self) -> bool {
            false
        }

        pub(crate) fn is_own(&self) -> bool {
            false
        }

        pub(crate) fn is_locked(&self, _name: &OsStr) -> bool {
            true
        }
    }

    pub(crate) fn try_lock(_file: &File) -> bool {
        false
    }
}

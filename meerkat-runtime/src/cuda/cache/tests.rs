use super::super::arch::Arch;
use super::super::test_support::nvrtc_is_present;
use super::*;

const SOURCE: Source<'static> =
    Source { name: "one.cu", text: "extern \"C\" __global__ void one(int* x) { *x = 1; }" };

fn sm_90() -> Options {
    Options::new(Arch::new(9, 0))
}

fn key() -> Key {
    key_of(&SOURCE, &sm_90(), (13, 0))
}

fn key_of(source: &Source<'_>, options: &Options, nvrtc_version: (i32, i32)) -> Key {
    Key::of_image(source, options, nvrtc_version, entry::LAYOUT_VERSION)
}

/// Keeps an image of [`key`].
fn put(directory: &Path, kind: Image, image: &[u8]) -> Result<u64, CudaError> {
    put_as(&CubinCache::at(directory), &key(), kind, image)
}

fn put_as(cache: &CubinCache, key: &Key, kind: Image, image: &[u8]) -> Result<u64, CudaError> {
    let compiled = Compiled::new(SOURCE.name, image.to_vec(), kind, String::new());
    cache.store(cache.directory().unwrap(), key, &compiled)
}

fn files(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

#[test]
fn a_key_changes_with_all_that_an_image_depends_on() {
    let named = Source { name: "two.cu", ..SOURCE };
    let worded = Source { text: "", ..SOURCE };
    // The same bytes split elsewhere.
    let split = Source { name: "one.cue", text: &SOURCE.text[1..] };
    let fast = Options { fast_math: true, ..sm_90() };
    let extra = Options { extra: vec!["-DX".into()], ..sm_90() };
    let keys = [
        key(),
        key_of(&named, &sm_90(), (13, 0)),
        key_of(&worded, &sm_90(), (13, 0)),
        key_of(&split, &sm_90(), (13, 0)),
        key_of(&SOURCE, &fast, (13, 0)),
        key_of(&SOURCE, &extra, (13, 0)),
        key_of(&SOURCE, &Options::new(Arch::new(8, 0)), (13, 0)),
        key_of(&SOURCE, &sm_90(), (12, 0)),
        key_of(&SOURCE, &sm_90(), (13, 1)),
    ];
    for (i, a) in keys.iter().enumerate() {
        assert!(keys[..i].iter().all(|b| a != b), "key {i} is not new");
    }
    assert!(key() == keys[0], "a key is the same each time");
}

#[test]
fn an_entry_comes_back_and_no_temporary_file_stays() {
    let directory = tempfile::tempdir().unwrap();
    let nested = directory.path().join("a").join("b");
    assert!(load(&nested, &key()).is_none());
    put(&nested, Image::Cubin, b"image").unwrap();
    assert_eq!(load(&nested, &key()), Some((Image::Cubin, b"image".to_vec())));
    assert_eq!(files(&nested), 1);
}

#[test]
fn a_damaged_entry_is_a_miss_and_is_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = path_of(directory.path(), &key());
    for damage in [b"".as_slice(), b"MKCUBIN\n", &[0; 4096]] {
        fs::write(&path, damage).unwrap();
        assert!(load(directory.path(), &key()).is_none());
        put(directory.path(), Image::Ptx, b"good").unwrap();
        assert_eq!(load(directory.path(), &key()), Some((Image::Ptx, b"good".to_vec())));
    }
}

#[test]
fn an_entry_renamed_to_another_key_is_a_miss() {
    let directory = tempfile::tempdir().unwrap();
    let other = key_of(&SOURCE, &sm_90(), (13, 1));
    put(directory.path(), Image::Cubin, b"image").unwrap();
    fs::rename(path_of(directory.path(), &key()), path_of(directory.path(), &other)).unwrap();
    assert!(load(directory.path(), &other).is_none());
}

#[test]
fn eight_writers_and_readers_of_one_key_see_whole_entries() {
    let directory = tempfile::tempdir().unwrap();
    let image: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    put(directory.path(), Image::Cubin, &image).unwrap();
                    let found = load(directory.path(), &key());
                    assert!(found == Some((Image::Cubin, image.clone())));
                }
            });
        }
    });
    assert_eq!(files(directory.path()), 1);
}

#[test]
fn the_folder_is_the_first_variable_that_is_set() {
    let from = |set: &[(&str, &str)]| {
        directory_from(|name| {
            set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
        })
    };
    let all = [("MEERKAT_CACHE_DIR", "/m"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
    assert_eq!(from(&all), Some("/m".into()));
    assert_eq!(from(&all[1..]), Some("/x/meerkat".into()));
    assert_eq!(from(&all[2..]), Some("/h/.cache/meerkat".into()));
    assert_eq!(from(&[]), None);
    let odd = [("MEERKAT_CACHE_DIR", ""), ("XDG_CACHE_HOME", "x"), ("HOME", "/h")];
    assert_eq!(from(&odd), Some("/h/.cache/meerkat".into()));
}

#[test]
fn a_folder_that_cannot_be_made_is_a_cache_error_with_its_path() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = put(&file.path().join("x"), Image::Ptx, b"").unwrap_err();
    assert!(matches!(error, CudaError::Cache { .. }), "{error}");
    assert!(error.to_string().contains(&file.path().display().to_string()), "{error}");
}

#[test]
fn the_second_compilation_is_a_hit_with_the_same_image() {
    if !nvrtc_is_present() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let cache = CubinCache::at(directory.path());
    let (first, outcome) = cache.compile(&SOURCE, &sm_90()).unwrap();
    assert!(matches!(outcome, CacheOutcome::Stored { evicted: 0 }), "{outcome:?}");
    let (second, outcome) = cache.compile(&SOURCE, &sm_90()).unwrap();
    assert!(matches!(outcome, CacheOutcome::Hit), "{outcome:?}");
    assert_eq!(first.image(), second.image());
    assert_eq!((first.kind(), first.program()), (second.kind(), second.program()));
}

#[test]
fn a_compilation_goes_on_where_nothing_can_be_kept() {
    if !nvrtc_is_present() {
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let cache = CubinCache::at(file.path().join("x"));
    let (compiled, outcome) = cache.compile(&SOURCE, &sm_90()).unwrap();
    assert!(!compiled.image().is_empty());
    assert!(matches!(outcome, CacheOutcome::NotStored(CudaError::Cache { .. })));
    let (_, outcome) = CubinCache::disabled().compile(&SOURCE, &sm_90()).unwrap();
    assert!(matches!(outcome, CacheOutcome::Disabled));
}

/// The `i`-th of some keys.
fn numbered(i: u32) -> Key {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&i.to_le_bytes());
    Key(bytes)
}

#[test]
fn a_full_disk_leaves_the_cache_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    put(directory.path(), Image::Cubin, b"image").unwrap();
    let path = path_of(directory.path(), &key());
    let error = store(&path, |file| {
        file.write_all(b"half of an ent")?;
        Err(io::ErrorKind::StorageFull.into())
    });
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(load(directory.path(), &key()), Some((Image::Cubin, b"image".to_vec())));
    assert_eq!(files(directory.path()), 1);
}

#[test]
fn the_cache_never_holds_more_than_its_limit_and_keeps_what_is_used() {
    let directory = tempfile::tempdir().unwrap();
    let cache = CubinCache::at(directory.path()).with_limit(10_000);
    let mut evicted = 0;
    for i in 0..50 {
        evicted += put_as(&cache, &numbered(i), Image::Cubin, &[7; 900]).unwrap();
        // Used each time, so the oldest of all stays.
        assert!(load(directory.path(), &numbered(0)).is_some(), "after {i}");
        assert!(load(directory.path(), &numbered(i)).is_some(), "after {i}");
        let sizes = fs::read_dir(directory.path()).unwrap();
        let bytes: u64 = sizes.map(|file| file.unwrap().metadata().unwrap().len()).sum();
        assert!(bytes <= 10_000, "{bytes} bytes after {i}");
    }
    // 88 bytes of header.
    assert_eq!((files(directory.path()), evicted), (10, 40));
}

#[test]
fn an_image_above_the_limit_is_not_kept_and_evicts_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let cache = CubinCache::at(directory.path()).with_limit(1000);
    put_as(&cache, &numbered(1), Image::Cubin, &[7; 500]).unwrap();
    let error = put_as(&cache, &numbered(2), Image::Cubin, &[7; 950]).unwrap_err().to_string();
    assert!(error.contains("1038 bytes are above the limit of 1000"), "{error}");
    assert!(load(directory.path(), &numbered(1)).is_some());
}

/// The image of a key, of a length that differs from key to key.
fn image_of(i: u32) -> Vec<u8> {
    (0..5000 + i * 97).map(|at| (at ^ i) as u8).collect()
}

/// Processes that read, write and evict the same few entries find whole ones or none.
#[test]
fn four_processes_that_hammer_a_folder_see_whole_entries_and_keep_its_limit() {
    const CHILD: &str = "MEERKAT_TEST_CACHE_CHILD";
    const KEYS: u32 = 16;
    let limit = 40_000;
    if let Some(folder) = std::env::var_os(CHILD) {
        let cache = CubinCache::at(folder).with_limit(limit);
        let (folder, start) = (cache.directory().unwrap(), std::process::id());
        let mut hits = 0;
        for step in 0..400 {
            let i = (start ^ (step * 7 + step / 16)) % KEYS;
            match load(folder, &numbered(i)) {
                Some(found) => {
                    assert!(found == (Image::Cubin, image_of(i)), "key {i}");
                    hits += 1;
                }
                None => drop(put_as(&cache, &numbered(i), Image::Cubin, &image_of(i)).unwrap()),
            }
        }
        assert!(hits > 0, "nothing was ever found");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (_, module) = module_path!().split_once("::").unwrap();
    let test = "four_processes_that_hammer_a_folder_see_whole_entries_and_keep_its_limit";
    let child = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("{module}::{test}"), "--nocapture"])
            .env(CHILD, directory.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| child()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
    // Each lists the folder after its own entry is there, so the last to do so saw all of them.
    let left = fs::read_dir(directory.path()).unwrap().map(Result::unwrap);
    let (mut bytes, mut count) = (0, 0);
    for file in left {
        let name = file.file_name().into_string().unwrap();
        assert!(name.ends_with(".cubin"), "{name} was left");
        bytes += file.metadata().unwrap().len();
        count += 1;
    }
    assert!(bytes <= limit && count > 1, "{count} entries of {bytes} bytes");
}

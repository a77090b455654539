use super::super::arch::Arch;
use super::super::test_support::nvrtc_is_present;
use super::*;

const SOURCE: Source<'static> =
    Source { name: "one.cu", text: "extern \"C\" __global__ void one(int* x) { *x = 1; }" };

fn sm_90() -> Options {
    Options::new(Arch::new(9, 0))
}

fn key() -> Key {
    Key::new(&SOURCE, &sm_90(), (13, 0))
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
        Key::new(&named, &sm_90(), (13, 0)),
        Key::new(&worded, &sm_90(), (13, 0)),
        Key::new(&split, &sm_90(), (13, 0)),
        Key::new(&SOURCE, &fast, (13, 0)),
        Key::new(&SOURCE, &extra, (13, 0)),
        Key::new(&SOURCE, &Options::new(Arch::new(8, 0)), (13, 0)),
        Key::new(&SOURCE, &sm_90(), (12, 0)),
        Key::new(&SOURCE, &sm_90(), (13, 1)),
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
    store(&nested, &key(), Image::Cubin, b"image").unwrap();
    assert_eq!(load(&nested, &key()), Some((Image::Cubin, b"image".to_vec())));
    assert_eq!(files(&nested), 1);
}

#[test]
fn a_damaged_entry_is_a_miss_and_is_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = key().path(directory.path());
    for damage in [b"".as_slice(), b"MKCUBIN\n", &[0; 4096]] {
        fs::write(&path, damage).unwrap();
        assert!(load(directory.path(), &key()).is_none());
        store(directory.path(), &key(), Image::Ptx, b"good").unwrap();
        assert_eq!(load(directory.path(), &key()), Some((Image::Ptx, b"good".to_vec())));
    }
}

#[test]
fn an_entry_renamed_to_another_key_is_a_miss() {
    let directory = tempfile::tempdir().unwrap();
    let other = Key::new(&SOURCE, &sm_90(), (13, 1));
    store(directory.path(), &key(), Image::Cubin, b"image").unwrap();
    fs::rename(key().path(directory.path()), other.path(directory.path())).unwrap();
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
                    store(directory.path(), &key(), Image::Cubin, &image).unwrap();
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
    let error = store(&file.path().join("x"), &key(), Image::Ptx, b"").unwrap_err();
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
    assert!(matches!(outcome, CacheOutcome::Stored), "{outcome:?}");
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

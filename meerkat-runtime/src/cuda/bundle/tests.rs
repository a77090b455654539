use super::*;

const SOURCE: Source<'static> = Source { name: "one.cu", text: "the text" };
const SM_90: Arch = Arch::new(9, 0);

fn compiled(image: &[u8], kind: Image) -> Compiled {
    Compiled::new(SOURCE.name, image.to_vec(), kind, String::new())
}

fn builder(archs: &[Arch]) -> BundleBuilder {
    let mut builder = BundleBuilder::new();
    for arch in archs {
        let image = format!("image for {arch}").repeat(50);
        builder.insert(&SOURCE, &Options::new(*arch), &compiled(image.as_bytes(), Image::Cubin));
    }
    builder
}

fn bundle(archs: &[Arch]) -> Bundle {
    Bundle::from_bytes("some.bundle", builder(archs).to_bytes()).unwrap()
}

fn found(bundle: &Bundle, source: &Source<'_>, options: &Options) -> Option<String> {
    let compiled = bundle.get(source, options).unwrap()?;
    Some(String::from_utf8(compiled.image().to_vec()).unwrap())
}

#[test]
fn an_image_is_found_by_program_options_and_architecture() {
    let bundle = bundle(&[SM_90, Arch::new(8, 0)]);
    let options = Options::new(SM_90);
    assert_eq!(found(&bundle, &SOURCE, &options), Some("image for sm_90".repeat(50)));
    let other = Source { text: "another", ..SOURCE };
    assert_eq!(found(&bundle, &other, &options), None);
    let fast = Options { fast_math: true, ..options };
    assert_eq!(found(&bundle, &SOURCE, &fast), None);
    assert_eq!((bundle.len(), bundle.archs()), (2, vec![Arch::new(8, 0), SM_90]));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(bundle.to_string(), format!("1 kernels by meerkat {version} for sm_80, sm_90"));
}

/// Machine code runs on later architectures of its generation, never on earlier ones.
#[test]
fn the_newest_image_that_an_architecture_runs_is_found() {
    let bundle = bundle(&[Arch::new(8, 0), Arch::new(8, 6), Arch::new(7, 5)]);
    let of = |major, minor| found(&bundle, &SOURCE, &Options::new(Arch::new(major, minor)));
    assert_eq!(of(8, 0), Some("image for sm_80".repeat(50)));
    assert_eq!(of(8, 5), Some("image for sm_80".repeat(50)));
    assert_eq!(of(8, 9), Some("image for sm_86".repeat(50)));
    assert_eq!(of(7, 5), Some("image for sm_75".repeat(50)));
    assert_eq!((of(7, 0), of(9, 0)), (None, None));
}

#[test]
fn architectures_of_tegra_run_their_own_images_alone() {
    let bundle = bundle(&[Arch::new(8, 0), Arch::new(8, 7), Arch::new(7, 0)]);
    let of = |major, minor| found(&bundle, &SOURCE, &Options::new(Arch::new(major, minor)));
    assert_eq!(of(8, 7), Some("image for sm_87".repeat(50)));
    assert_eq!(of(8, 9), Some("image for sm_80".repeat(50)));
    assert_eq!((of(7, 2), of(7, 5)), (None, Some("image for sm_70".repeat(50))));
}

#[test]
fn a_file_comes_back_and_replaces_one_that_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new").join("k.bundle");
    let size = builder(&[SM_90]).write(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), size);
    builder(&[SM_90, Arch::new(8, 0)]).write(&path).unwrap();
    assert_eq!(Bundle::read(&path).unwrap().len(), 2);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

fn fault(bytes: Vec<u8>) -> BundleFault {
    match Bundle::from_bytes("some.bundle", bytes).unwrap_err() {
        CudaError::Bundle { path, fault } => {
            assert_eq!(path, Path::new("some.bundle"));
            fault
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_flipped_bit_and_every_truncation_is_found() {
    let whole = builder(&[SM_90]).to_bytes();
    for position in 0..whole.len() * 8 {
        let mut damaged = whole.clone();
        damaged[position / 8] ^= 1 << (position % 8);
        match (position / 8, fault(damaged)) {
            (..8, BundleFault::NotABundle) => {}
            (8..12, BundleFault::OtherLayout { expected: 1, .. }) => {}
            (12.., BundleFault::Damaged) => {}
            (byte, other) => panic!("byte {byte}: {other}"),
        }
    }
    for length in 0..whole.len() {
        match fault(whole[..length].to_vec()) {
            BundleFault::NotABundle if length < 8 => {}
            BundleFault::Damaged if length >= 8 => {}
            other => panic!("{length} bytes: {other}"),
        }
    }
    let mut longer = whole;
    longer.push(0);
    assert!(matches!(fault(longer), BundleFault::Damaged));
}

/// The checksum fits, but lengths do not.
#[test]
fn lengths_that_reach_outside_are_found() {
    let whole = builder(&[SM_90]).to_bytes();
    for at in 44..whole.len() - 4 {
        let mut forged = whole.clone();
        forged[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        use sha2::{Digest, Sha256};
        let checksum = Sha256::digest(&forged[44..]);
        forged[12..44].copy_from_slice(&checksum);
        // Never a panic; an image is whole or an error.
        if let Ok(bundle) = Bundle::from_bytes("some.bundle", forged) {
            drop(bundle.get(&SOURCE, &Options::new(SM_90)));
        }
    }
}

#[test]
fn a_message_names_the_file_and_the_way_out() {
    let error = Bundle::read("/nonexistent/k.bundle").unwrap_err().to_string();
    for part in ["/nonexistent/k.bundle", "meerkat bundle", "MEERKAT_BUNDLE"] {
        assert!(error.contains(part), "{error}");
    }
    let error = Bundle::from_bytes("k.bundle", &b"not one"[..]).unwrap_err().to_string();
    assert!(error.contains("k.bundle: this is no bundle of kernels"), "{error}");
    let error = builder(&[]).write("/dev/null/k.bundle").unwrap_err().to_string();
    assert!(error.contains("/dev/null/k.bundle"), "{error}");
}

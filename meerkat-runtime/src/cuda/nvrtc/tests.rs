use super::super::test_support::nvrtc_is_present;
use super::*;

const SCALE: &str = "extern \"C\" __global__ void scale(float* x, float a, unsigned n) {\n  \
                     unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  \
                     if (i < n) x[i] = a * x[i] + 1.0f;\n}\n";

fn scale() -> Source<'static> {
    Source { name: "scale.cu", text: SCALE }
}

#[test]
fn a_target_is_the_same_architecture_or_ptx_of_the_next_below() {
    let supported = [Arch::new(7, 5), Arch::new(9, 0), Arch::new(12, 0)];
    let choose = |arch| choose_target(arch, &supported).unwrap();
    assert_eq!(choose(Arch::new(9, 0)), (Arch::new(9, 0), Image::Cubin));
    assert_eq!(choose(Arch::new(8, 9)), (Arch::new(7, 5), Image::Ptx));
    assert_eq!(choose(Arch::new(13, 0)), (Arch::new(12, 0), Image::Ptx));
}

#[test]
fn a_command_line_keeps_exact_arithmetic_unless_told() {
    let mut options = Options::new(Arch::new(9, 0));
    options.extra.push("-DX=1".into());
    assert_eq!(
        options.command_line("sm_90"),
        ["--gpu-architecture=sm_90", "--std=c++20", "--generate-line-info", "--fmad=false"]
            .into_iter()
            .chain(["-DX=1"])
            .collect::<Vec<_>>()
    );
    options.fast_math = true;
    assert_eq!(options.command_line("sm_90")[3], "--use_fast_math");
}

#[test]
fn four_architectures_compile_to_elf_cubins() {
    if !nvrtc_is_present() {
        return;
    }
    for arch in [Arch::new(7, 5), Arch::new(8, 0), Arch::new(9, 0), Arch::new(12, 0)] {
        let compiled = compile(&scale(), &Options::new(arch)).unwrap();
        assert_eq!(compiled.kind(), Image::Cubin, "{arch}");
        assert_eq!(&compiled.image()[..4], b"\x7fELF", "{arch}");
        assert_eq!(compiled.program(), "scale.cu");
    }
}

#[test]
fn a_future_architecture_compiles_to_ptx_of_the_highest_known() {
    if !nvrtc_is_present() {
        return;
    }
    let highest = *supported_archs().unwrap().last().unwrap();
    let compiled = compile(&scale(), &Options::new(Arch::new(99, 0))).unwrap();
    assert_eq!(compiled.kind(), Image::Ptx);
    let target = format!(".target {highest}");
    assert!(String::from_utf8_lossy(compiled.image()).contains(&target), "{target}");
    assert_ne!(compiled.image().last(), Some(&0));
}

#[test]
fn an_architecture_before_the_first_known_is_refused() {
    if !nvrtc_is_present() {
        return;
    }
    let error = compile(&scale(), &Options::new(Arch::new(2, 0))).unwrap_err();
    assert!(matches!(error, CudaError::ArchUnsupported { .. }), "{error}");
}

#[test]
fn fast_math_fuses_and_exact_arithmetic_does_not() {
    if !nvrtc_is_present() {
        return;
    }
    let mut options = Options::new(Arch::new(9, 0));
    assert!(!compile_ptx(&scale(), &options).unwrap().contains("fma.rn"));
    options.fast_math = true;
    assert!(compile_ptx(&scale(), &options).unwrap().contains("fma.rn"));
}

#[test]
fn a_syntax_error_names_the_program_and_the_line() {
    if !nvrtc_is_present() {
        return;
    }
    let source = Source { name: "broken.cu", text: "int ok;\nint broken(\n}\n" };
    match compile(&source, &Options::new(Arch::new(9, 0))).unwrap_err() {
        CudaError::Compile { program, log } => {
            assert_eq!(program, "broken.cu");
            assert!(log.contains("broken.cu(3): error"), "{log}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_line_directive_points_at_the_users_file() {
    if !nvrtc_is_present() {
        return;
    }
    let source = Source { name: "broken.cu", text: "#line 41 \"user.rs\"\nint broken(\n}\n" };
    let error = compile(&source, &Options::new(Arch::new(9, 0))).unwrap_err().to_string();
    assert!(error.contains("user.rs(42): error"), "{error}");
}

#[test]
fn a_bad_option_is_reported_with_the_option() {
    if !nvrtc_is_present() {
        return;
    }
    let mut options = Options::new(Arch::new(9, 0));
    options.extra.push("--no-such-option".into());
    let error = compile(&scale(), &options).unwrap_err();
    assert!(matches!(error, CudaError::Nvrtc { code: 5, .. }), "{error}");
    assert!(error.to_string().contains("no-such-option"), "{error}");
}

#[test]
fn an_option_that_leaves_no_image_is_an_error() {
    if !nvrtc_is_present() {
        return;
    }
    let mut options = Options::new(Arch::new(9, 0));
    options.extra.push("-dlto".into());
    let error = compile(&scale(), &options).unwrap_err().to_string();
    assert!(error.contains("scale.cu"), "{error}");
}

#[test]
fn a_nul_byte_is_refused_before_nvrtc_is_asked() {
    let source = Source { name: "nul.cu", text: "a\0b" };
    let error = Program::create(&source).err().unwrap();
    assert!(matches!(error, CudaError::NulByte { what: "the text", .. }), "{error}");
}

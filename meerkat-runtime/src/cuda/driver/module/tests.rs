use super::super::super::arch::Arch;
use super::super::super::nvrtc::{Options, Source, compile, compile_ptx};
use super::super::super::test_support;
use super::super::{Event, Memory, device_count};
use super::*;

const TEXT: &str = r#"
extern "C" __global__ void saxpy(float* y, const float* x, float a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void reverse(unsigned* values) {
  extern __shared__ unsigned kept[];
  kept[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void tabled(unsigned* values) {
  __shared__ unsigned table[128];
  table[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = table[values[threadIdx.x] % 128];
}
#if __CUDA_ARCH__ >= 900
#define BEGIN_KERNEL asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory")
#else
#define BEGIN_KERNEL
#endif
// Each word counts up, late in some blocks; words that are not `from` are counted behind the last.
extern "C" __global__ void count_up(unsigned* values, unsigned n, unsigned from) {
  BEGIN_KERNEL;
  if (blockIdx.x % 7 == 3) __nanosleep(3000);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned other = (i + from * 4099) % n;
  if (values[other] != from) atomicAdd(&values[n], 1);
  values[other] = from + 1;
}
// Leaves the words in the caches of the multiprocessors, and counts those that are not `from`.
extern "C" __global__ void look(unsigned* values, unsigned n, unsigned from) {
  BEGIN_KERNEL;
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) {
    unsigned other = (i + blockIdx.x % 8 * 2048) % n;
    if (values[other] != from) atomicAdd(&values[n], 1);
  }
}
extern "C" __global__ void fault() {
  *(volatile unsigned*)16 = 1;
}
"#;

const SOURCE: Source<'static> = Source { name: "module_tests.cu", text: TEXT };

fn load(context: &Arc<Context>) -> Arc<Module> {
    let compiled = compile(&SOURCE, &Options::new(context.arch())).unwrap();
    Module::load(context, &compiled).unwrap()
}

fn upload(context: &Arc<Context>, bytes: &[u8]) -> Memory {
    let memory = context.allocate(bytes.len()).unwrap();
    context.copy_to_device(&memory, 0, bytes).unwrap();
    memory
}

fn download(memory: &Memory) -> Vec<[u8; 4]> {
    let mut bytes = vec![0; memory.len()];
    memory.context().copy_to_host(&mut bytes, memory, 0).unwrap();
    bytes.chunks_exact(4).map(|word| word.try_into().unwrap()).collect()
}

fn pointer<T>(value: &mut T) -> *mut c_void {
    std::ptr::from_mut(value).cast()
}

/// Runs `saxpy` on 100,003 elements and compares every one.
fn check_saxpy(context: &Arc<Context>, module: &Arc<Module>) {
    const N: u32 = 100_003;
    let saxpy = module.function("saxpy").unwrap();
    let x: Vec<u8> = (0..N).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let y: Vec<u8> = (0..N).flat_map(|_| 1f32.to_le_bytes()).collect();
    let (x, y) = (upload(context, &x), upload(context, &y));
    let (start, end) = (Event::new(context).unwrap(), Event::new(context).unwrap());
    let (mut y_ptr, mut x_ptr, mut a, mut n) = (y.ptr(), x.ptr(), 2f32, N);
    let mut args = [pointer(&mut y_ptr), pointer(&mut x_ptr), pointer(&mut a), pointer(&mut n)];

    start.record().unwrap();
    // SAFETY: four arguments of the kernel's types, alive here; both allocations hold `n`
    // floats and outlive the copy below, which synchronises.
    unsafe { context.launch(&saxpy, N.div_ceil(256), 256, 0, &mut args) }.unwrap();
    end.record().unwrap();

    assert!(start.elapsed_ms(&end).unwrap() >= 0.0);
    for (i, word) in download(&y).into_iter().enumerate() {
        assert_eq!(f32::from_le_bytes(word), 2.0 * i as f32 + 1.0, "element {i}");
    }
}

#[test]
fn modules_and_functions_are_send_and_sync() {
    fn assert<T: Send + Sync>() {}
    assert::<Module>();
    assert::<Function>();
    assert::<Event>();
    assert::<Memory>();
}

#[test]
fn saxpy_of_100003_elements_from_a_cubin_is_exact() {
    let Some(context) = test_support::context() else {
        return;
    };
    check_saxpy(&context, &load(&context));
}

#[test]
fn saxpy_of_100003_elements_from_ptx_is_exact() {
    let Some(context) = test_support::context() else {
        return;
    };
    let ptx = compile_ptx(&SOURCE, &Options::new(context.arch())).unwrap();
    let compiled = Compiled::new(SOURCE.name, ptx.into_bytes(), Image::Ptx, String::new());
    check_saxpy(&context, &Module::load(&context, &compiled).unwrap());
}

#[test]
fn a_function_keeps_its_module_loaded_and_reports_what_it_uses() {
    let Some(context) = test_support::context() else {
        return;
    };
    let reverse = load(&context).function("reverse").unwrap();
    let attributes = reverse.attributes();
    assert!(attributes.registers > 0);
    assert_eq!(attributes.local_bytes, 0);
    assert!(attributes.max_threads >= 256);

    let words: Vec<u8> = (0..256u32).flat_map(u32::to_le_bytes).collect();
    let memory = upload(&context, &words);
    let mut values = memory.ptr();
    // SAFETY: one argument of the kernel's type; the allocation holds one word per thread,
    // the shared memory too.
    unsafe { context.launch(&reverse, 1, 256, 1024, &mut [pointer(&mut values)]) }.unwrap();
    let expected: Vec<[u8; 4]> = (0..256u32).rev().map(u32::to_le_bytes).collect();
    assert_eq!(download(&memory), expected);
}

/// Kernels that start early see all that was queued before them: kernels, fills, copies, and other
/// streams by way of events.
#[test]
fn kernels_that_start_early_see_whatever_came_before_them() {
    const N: u32 = 50_000;
    let Some(context) = test_support::context() else { return };
    let beside = context.beside().unwrap();
    let module = load(&context);
    let [count_up, look] =
        ["count_up", "look"].map(|name| module.function(name).unwrap().starting_early());
    assert_eq!(count_up.starts_early, context.arch().major >= 9);
    let bytes = 4 * N as usize;
    let [values, copy] = [upload(&context, &vec![0; bytes + 4]), upload(&context, &vec![0; bytes])];
    let launch = |on: &Context, from: u32| {
        let (mut address, mut n, mut from) = (values.ptr(), N, from);
        let mut args = [pointer(&mut address), pointer(&mut n), pointer(&mut from)];
        // SAFETY: three arguments of the kernel's types; the allocation holds `n` words and one
        // more, and outlives the read below. Streams take turns by events.
        unsafe { on.launch(&look, N.div_ceil(256), 256, 0, &mut args) }.unwrap();
        // SAFETY: as above.
        unsafe { on.launch(&count_up, N.div_ceil(256), 256, 0, &mut args) }.unwrap();
    };
    let mut from = 0;
    for round in 0..500u32 {
        for _ in 0..3 {
            launch(&context, from);
            from += 1;
        }
        match round % 4 {
            0 => {
                context.fill_u32(&values, 0..bytes, round).unwrap();
                from = round;
            }
            1 => {
                context.copy_on_device(&copy, 0, &values, 0, bytes).unwrap();
                launch(&context, from);
                context.copy_on_device(&values, 0, &copy, 0, bytes).unwrap();
            }
            2 => {
                let [done, back] = [&context, &beside].map(|one| Event::new(one).unwrap());
                done.record().unwrap();
                done.join_on(&beside).unwrap();
                launch(&beside, from);
                launch(&beside, from + 1);
                from += 2;
                back.record().unwrap();
                back.join_on(&context).unwrap();
            }
            _ => {}
        }
    }
    let words = download(&values);
    assert_eq!(u32::from_le_bytes(words[N as usize]), 0, "words that came too early");
    assert!(words[..N as usize].iter().all(|word| u32::from_le_bytes(*word) == from));
}

#[test]
fn static_shared_memory_of_512_bytes_is_reported() {
    let Some(context) = test_support::context() else { return };
    let module = load(&context);
    let shared_bytes = |name| module.function(name).unwrap().attributes().shared_bytes;
    // Some architectures reserve a little for each block, so compare with a kernel without.
    assert_eq!(shared_bytes("tabled") - shared_bytes("saxpy"), 512);
}

#[test]
fn sixty_kib_of_shared_memory_need_to_be_allowed() {
    let Some(context) = test_support::context() else {
        return;
    };
    let reverse = load(&context).function("reverse").unwrap();
    let memory = upload(&context, &[0; 4]);
    let mut values = memory.ptr();
    let mut args = [pointer(&mut values)];
    let mut launch = || {
        // SAFETY: one argument of the kernel's type; one thread uses one word of each memory.
        unsafe { context.launch(&reverse, 1, 1, 60 << 10, &mut args) }
    };
    let error = launch().unwrap_err();
    assert!(!error.is_sticky(), "{error}");
    reverse.allow_shared_bytes(60 << 10).unwrap();
    launch().unwrap();
    context.synchronize().unwrap();
}

#[test]
fn a_kernel_that_is_not_there_is_named() {
    let Some(context) = test_support::context() else {
        return;
    };
    match load(&context).function("no_such_kernel").unwrap_err() {
        CudaError::KernelNotFound { kernel, program } => {
            assert_eq!((&*kernel, &*program), ("no_such_kernel", "module_tests.cu"));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_block_too_large_is_refused_and_an_empty_grid_does_nothing() {
    let Some(context) = test_support::context() else {
        return;
    };
    let fault = load(&context).function("fault").unwrap();
    // SAFETY: no parameters; refused before anything runs.
    let error = unsafe { context.launch(&fault, 1, 4096, 0, &mut []) }.unwrap_err();
    assert!(matches!(error, CudaError::TooLarge { asked: 4096, .. }), "{error}");
    // SAFETY: no parameters, and no block that could fault.
    unsafe { context.launch(&fault, 0, 32, 0, &mut []) }.unwrap();
    context.synchronize().unwrap();
}

#[test]
fn a_kernel_runs_in_all_contexts_of_its_device_also_when_the_one_that_loaded_it_has_gone() {
    let Some(first) = test_support::context() else {
        return;
    };
    let module = load(&first);
    for _ in 0..3 {
        let context = Context::new(0).unwrap();
        check_saxpy(&context, &module);
    }
    drop(first);
    check_saxpy(&Context::new(0).unwrap(), &module);
}

#[test]
fn a_kernel_of_another_device_is_refused() {
    let Some(context) = test_support::context() else {
        return;
    };
    if device_count().unwrap() < 2 {
        test_support::say_skipped("no second CUDA device");
        return;
    }
    let fault = load(&context).function("fault").unwrap();
    // SAFETY: no parameters; refused before anything runs.
    let error = unsafe { Context::new(1).unwrap().launch(&fault, 1, 32, 0, &mut []) }.unwrap_err();
    assert!(matches!(error, CudaError::WrongContext { .. }), "{error}");
}

#[test]
fn a_cubin_of_another_architecture_is_refused_with_its_program() {
    let Some(context) = test_support::context() else {
        return;
    };
    let foreign = if context.arch().major == 9 { Arch::new(8, 0) } else { Arch::new(9, 0) };
    let compiled = compile(&SOURCE, &Options::new(foreign)).unwrap();
    let error = Module::load(&context, &compiled).unwrap_err();
    assert!(matches!(error, CudaError::Load { .. }), "{error}");
    assert!(error.to_string().contains("module_tests.cu"), "{error}");
}

#[test]
fn broken_ptx_is_refused_with_the_drivers_log() {
    let Some(context) = test_support::context() else {
        return;
    };
    let image = b".version 7.0\n.target sm_75\n.address_size 64\nnonsense".to_vec();
    let compiled = Compiled::new("broken.ptx", image, Image::Ptx, String::new());
    match Module::load(&context, &compiled).unwrap_err() {
        CudaError::Load { log, .. } => assert!(!log.is_empty()),
        other => panic!("{other}"),
    }
}

/// A fault poisons the whole process's context, so it happens in a process of its own.
#[test]
fn an_illegal_address_is_a_sticky_error_with_its_name() {
    const CHILD: &str = "MEERKAT_TEST_FAULT_CHILD";
    let Some(context) = test_support::context() else {
        return;
    };
    if std::env::var_os(CHILD).is_some() {
        return fault_and_check(&context);
    }
    let (_, module) = module_path!().split_once("::").unwrap();
    let test = format!("{module}::an_illegal_address_is_a_sticky_error_with_its_name");
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &test, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && output.contains("1 passed"), "{output}");
}

fn fault_and_check(context: &Arc<Context>) {
    let memory = context.allocate(64).unwrap();
    let fault = load(context).function("fault").unwrap();
    // SAFETY: not met, on purpose: the kernel writes an unmapped address. The device's memory
    // protection stops it, and nothing else runs in this process.
    unsafe { context.launch(&fault, 1, 1, 0, &mut []) }.unwrap();
    let error = context.synchronize().unwrap_err();
    assert!(error.is_sticky(), "{error}");
    assert!(error.to_string().contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), "{error}");
    assert!(context.fill_u8(&memory, 0..64, 0).unwrap_err().is_sticky());
    // Dropping what the lost context owned must not panic.
    drop((memory, fault));
}

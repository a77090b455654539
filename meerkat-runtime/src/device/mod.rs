//! Where kernels run, and the memory they run on.

mod buffer;
mod cuda_device;
mod dump;
mod fault;
mod interrupt;
mod memory;
mod memory_faults;
mod pinned;
pub mod profile;
mod record;
mod tuning;
mod variant;

use crate::atomics::weak;
use crate::cuda::{self, Bundle};
use crate::program::Mode;
use crate::schedule::Schedule;
use crate::view::DeviceSlice;
use crate::{DeviceType, Error, ErrorKind};
pub use buffer::DeviceBuffer;
pub(crate) use buffer::{Words, read_together};
pub(crate) use cuda_device::CudaDevice;
pub use interrupt::Interrupt;
pub use memory_faults::MemoryFaults;
pub(crate) use pinned::{Arrival, PinnedList};
pub use record::KernelRecord;
use std::path::PathBuf;
use std::sync::Arc;
pub use tuning::Tuning;
pub(crate) use variant::KernelKey;
pub use variant::KernelVariant;

/// The CPU, or one CUDA device with a stream and its compiled kernels. Copies
/// are the same device.
#[derive(Clone, Debug)]
pub struct Device {
    kind: Kind,
    /// What `Schedule::Auto` is here; `Auto` itself leaves the choice to each launch.
    schedule: Schedule,
    weak_memory: weak::Seeds,
    /// When memory runs out, where a test says so.
    memory_faults: Option<MemoryFaults>,
    /// Who wants to know which kernels are launched.
    kernel_record: Option<KernelRecord>,
    /// Who may end its work.
    interrupt: Option<Interrupt>,
    tuning: Tuning,
    /// The environment variable that asks for what there is not, and what is wrong with it.
    misasked: Option<(&'static str, Arc<str>)>,
}

#[derive(Clone, Debug)]
enum Kind {
    Cpu,
    Cuda(Arc<CudaDevice>),
}

impl Device {
    /// The first CUDA device if it can be used, as [`cuda`](Self::cuda) says, else the CPU. Why it is the CPU,
    /// [`auto_or_why`](Self::auto_or_why) says, and a warning to `tracing`.
    pub fn auto() -> Device {
        let (device, why) = Device::auto_or_why();
        if let Some(why) = why {
            tracing::warn!(%why, "the CPU is used");
        }
        device
    }

    /// [`auto`](Self::auto), and where it is the CPU why.
    pub fn auto_or_why() -> (Device, Option<Error>) {
        match Device::cuda(0) {
            Ok(device) => (device, None),
            Err(why) => (Device::cpu(), Some(why)),
        }
    }

    /// The CPU back end: 32-lane warps in lock step, on all cores.
    pub fn cpu() -> Device {
        Device::of(Kind::Cpu)
    }

    /// CUDA device `ordinal`, from 0. Kernels are those of the [bundle](mod@crate::bundle) that
    /// `MEERKAT_BUNDLE` names, if it is set; NVRTC compiles those that are not in it. Without a
    /// bundle NVRTC has to be there.
    ///
    /// # Errors
    /// No driver, no such device; neither a bundle nor NVRTC; a bundle that is damaged;
    /// `MEERKAT_CACHE_LIMIT` is not a size.
    pub fn cuda(ordinal: usize) -> Result<Device, Error> {
        Self::cuda_in(ordinal, Self::mode_asked_for(), Bundle::from_env()?)
    }

    /// The same with a bundle of the caller's, whatever `MEERKAT_BUNDLE` names. It loads its kernels
    /// itself, and they stay loaded until no device of this GPU is left.
    ///
    /// # Errors
    /// As [`cuda`](Self::cuda).
    pub fn cuda_with_bundle(ordinal: usize, bundle: &Bundle) -> Result<Device, Error> {
        Self::cuda_in(ordinal, Self::mode_asked_for(), Some(bundle.clone()))
    }

    fn mode_asked_for() -> Mode {
        let checked = std::env::var_os("MEERKAT_CHECKED").is_some_and(|value| value != "0");
        if checked { Mode::Checked } else { Mode::Fast }
    }

    /// CUDA device `ordinal` in the checked mode: a bad index or a division by
    /// zero comes back from the launch as [`ErrorKind::Trap`](crate::ErrorKind),
    /// and the device stays usable. Slower, and every launch synchronises.
    /// `MEERKAT_CHECKED=1` makes [`cuda`](Self::cuda) do the same. It loads its kernels itself, and they
    /// stay loaded until no device of this GPU is left.
    ///
    /// # Errors
    /// As [`cuda`](Self::cuda).
    pub fn cuda_checked(ordinal: usize) -> Result<Device, Error> {
        Self::cuda_in(ordinal, Mode::Checked, Bundle::from_env()?)
    }

    fn cuda_in(ordinal: usize, mode: Mode, bundle: Option<Bundle>) -> Result<Device, Error> {
        let images = cuda::Images::new(cuda::CubinCache::from_env()?);
        let images = match bundle {
            Some(bundle) => images.with_bundle(bundle),
            None => {
                cuda::nvrtc::version()?;
                images
            }
        };
        let cuda = CudaDevice::new(ordinal, mode, images)?;
        let tuning = Tuning::of_device(cuda.context().name());
        Ok(Device { tuning, ..Device::of(Kind::Cuda(Arc::new(cuda))) })
    }

    fn of(kind: Kind) -> Device {
        let name = std::env::var("MEERKAT_SCHEDULE").unwrap_or_default();
        let schedule = if name.is_empty() { Ok(Schedule::Auto) } else { name.parse() };
        let schedule = schedule.map_err(|e| ("MEERKAT_SCHEDULE", Arc::from(e.to_string())));
        let seeds = weak::Seeds::asked_for().map_err(|e| ("MEERKAT_WEAK_MEMORY", Arc::from(e)));
        Device {
            kind,
            misasked: schedule.as_ref().err().or(seeds.as_ref().err()).cloned(),
            schedule: schedule.unwrap_or(Schedule::Auto),
            weak_memory: seeds.unwrap_or_default(),
            memory_faults: None,
            kernel_record: None,
            interrupt: None,
            tuning: Tuning::CPU,
        }
    }

    /// Refuses to launch where an environment variable asks for what there is not, and where the user
    /// ends the work.
    pub(crate) fn check_launch(&self) -> Result<(), Error> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_wanted) {
            return Err(ErrorKind::Interrupted.into());
        }
        match &self.misasked {
            None => Ok(()),
            Some((variable, reason)) => {
                Err(ErrorKind::Environment { variable, reason: reason.to_string() }.into())
            }
        }
    }

    /// The same device, whose launches under [`Schedule::Auto`] take this schedule where
    /// the operator can be served by it: for tests of all of them. `MEERKAT_SCHEDULE`
    /// is the schedule of devices that are not asked for another; each launch is refused if
    /// that is not the [name](Schedule::name) of one.
    #[must_use]
    pub fn with_schedule(self, schedule: Schedule) -> Device {
        Device { schedule, ..self }
    }

    /// What `Schedule::Auto` is here; `Auto` where each launch chooses for itself.
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// The same device with other thresholds, or the nearest to these that can be used, in place of those
    /// that `meerkat tune` has kept for it. Answers stay the same.
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Device {
        Device { tuning: tuning.usable(), ..self }
    }

    /// Its thresholds.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The file from which this device has its thresholds, if it is there. None of the CPU, and where
    /// there is no folder for compiled kernels.
    pub fn tuning_file(&self) -> Option<PathBuf> {
        self.cuda_device().and_then(|cuda| Tuning::path(cuda.context().name()))
    }

    /// The same device, whose launches on the CPU do what a GPU's memory may: for tests of
    /// programs that publish with release and acquire. Which warp is next is drawn from the
    /// seed, as is what each load finds of what the memory model allows, so a seed has the
    /// same outcome every time. `MEERKAT_WEAK_MEMORY` is the seed of devices that are not
    /// asked. See *Weak memory* in `docs/LANGUAGE.md`.
    #[cfg(feature = "weak-memory")]
    #[must_use]
    pub fn with_weak_memory(self, seed: u64) -> Device {
        Device { weak_memory: weak::Seeds::new(seed), ..self }
    }

    pub(crate) fn weak_memory(&self) -> &weak::Seeds {
        &self.weak_memory
    }

    /// The same device, whose launches are recorded: what a [bundle](mod@crate::bundle) needs.
    #[must_use]
    pub fn with_kernel_record(self, record: &KernelRecord) -> Device {
        Device { kernel_record: Some(record.clone()), ..self }
    }

    pub(crate) fn kernel_record(&self) -> Option<&KernelRecord> {
        self.kernel_record.as_ref()
    }

    /// The same device, whose work can be ended before each launch:
    /// [`ErrorKind::Interrupted`](crate::ErrorKind) comes back from the call, and what it was to change
    /// is as it was.
    #[must_use]
    pub fn with_interrupt(self, interrupt: &Interrupt) -> Device {
        Device { interrupt: Some(interrupt.clone()), ..self }
    }

    /// The same device with a stream of its own, for threads that read while others work: neither
    /// waits for what the other has queued, but for a kernel that is loaded, and for what was queued
    /// before [a buffer was moved](DeviceBuffer::moved_to) there. It is the same device each time, and
    /// another one than this. On the CPU it is this, and a device for readers is its own.
    ///
    /// # Errors
    /// The device fails.
    pub fn for_readers(&self) -> Result<Device, Error> {
        let kind = match &self.kind {
            Kind::Cpu => Kind::Cpu,
            Kind::Cuda(cuda) => Kind::Cuda(cuda.for_readers()?),
        };
        Ok(Device { kind, ..self.clone() })
    }

    /// Whether kernels run as CUDA.
    pub fn is_cuda(&self) -> bool {
        matches!(self.kind, Kind::Cuda(_))
    }

    /// `cpu` or `cuda:0`; `cuda:0 for readers`.
    pub fn name(&self) -> String {
        match &self.kind {
            Kind::Cpu => "cpu".to_owned(),
            Kind::Cuda(cuda) if cuda.is_for_readers() => {
                format!("cuda:{} for readers", cuda.context().ordinal())
            }
            Kind::Cuda(cuda) => format!("cuda:{}", cuda.context().ordinal()),
        }
    }

    /// What it is, for people: `2 threads`, or `NVIDIA H200, sm_90`.
    pub fn description(&self) -> String {
        match &self.kind {
            Kind::Cpu => match rayon::current_num_threads() {
                1 => "1 thread".to_owned(),
                threads => format!("{threads} threads"),
            },
            Kind::Cuda(cuda) => format!("{}, {}", cuda.context().name(), cuda.context().arch()),
        }
    }

    /// Waits for all launches; the CPU back end has none outstanding.
    ///
    /// # Errors
    /// A launch since the last wait failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.kind {
            Kind::Cpu => Ok(()),
            Kind::Cuda(cuda) => Ok(cuda.context().synchronize()?),
        }
    }

    /// Waits for all that this process has queued on the device, by other libraries, too; the CPU back
    /// end waits for nothing. An error is left to the next call.
    pub fn synchronize_with_others(&self) {
        if let Some(cuda) = self.cuda_device() {
            cuda.context().synchronize_with_others();
        }
    }

    /// Runs `work` and returns how many milliseconds its launches took: between
    /// events on CUDA, in wall time on the CPU. Synchronises.
    ///
    /// # Errors
    /// What `work` returns; the device fails.
    pub fn measure(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        match &self.kind {
            Kind::Cpu => {
                let start = std::time::Instant::now();
                work()?;
                Ok(start.elapsed().as_secs_f64() * 1e3)
            }
            Kind::Cuda(cuda) => {
                let (start, end) =
                    (cuda::Event::new(cuda.context())?, cuda::Event::new(cuda.context())?);
                start.record()?;
                work()?;
                end.record()?;
                Ok(start.elapsed_ms(&end)?.into())
            }
        }
    }

    /// About how many threads it runs at once: what a kernel is launched for whose
    /// warps take their items in turn. 1 on the CPU.
    pub fn threads_at_once(&self) -> usize {
        match &self.kind {
            // Lanes in turn: fewer, fuller tiles are faster.
            Kind::Cpu => 1,
            // 2048 threads fill a multiprocessor of all that are supported but sm_75.
            Kind::Cuda(cuda) => cuda.context().multiprocessors() as usize * 2048,
        }
    }

    /// Milliseconds that this device has spent so far in compiling and loading kernels; not those of
    /// waiting for another device of the same GPU that does.
    pub fn compile_ms(&self) -> f64 {
        match &self.kind {
            Kind::Cpu => 0.0,
            Kind::Cuda(cuda) => cuda.compile_ms(),
        }
    }

    /// Where its compiled kernels came from so far; nothing on the CPU, which needs none. A kernel that
    /// another device of the same GPU has loaded is not among them. Free.
    pub fn kernel_counters(&self) -> cuda::ImageCounters {
        self.cuda_device().map(|cuda| cuda.image_counters()).unwrap_or_default()
    }

    /// Whether launches look at the lists of items: the CPU, and CUDA in the checked mode.
    pub(crate) fn checks_lists(&self) -> bool {
        self.cuda_device().is_none_or(|cuda| cuda.is_checked())
    }

    /// The elements that a view has. Synchronises.
    ///
    /// # Safety
    /// The view's memory is alive.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn read_view<T: DeviceType>(
        &self,
        view: &DeviceSlice<T>,
    ) -> Result<Vec<T>, Error> {
        let Some(cuda) = self.cuda_device() else { return Ok(view.as_slice().to_vec()) };
        let mut elements = vec![crate::lanes::zeroed::<T>(); view.len() as usize];
        // SAFETY: the view is of that many elements, and alive.
        unsafe { cuda.context().copy_view_to_host(&mut elements, view.address_on_device()) }?;
        Ok(elements)
    }

    pub(crate) fn cuda_device(&self) -> Option<&Arc<CudaDevice>> {
        match &self.kind {
            Kind::Cpu => None,
            Kind::Cuda(cuda) => Some(cuda),
        }
    }

    /// Whether memory of one can be used on the other.
    pub(crate) fn is_same(&self, other: &Device) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Cpu, Kind::Cpu) => true,
            (Kind::Cuda(a), Kind::Cuda(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Devices are equal where memory of one can be used on the other.
impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for Device {}

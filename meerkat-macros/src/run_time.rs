//! Whether the crate that is compiled is the run time, whose kernels may change the memory
//! of a graph. It goes by the crate, as `pub(crate)` does.

#[cfg(not(test))]
pub(crate) fn is_compiled() -> bool {
    std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "meerkat-runtime")
}

#[cfg(test)]
thread_local! {
    static COMPILED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(test)]
pub(crate) fn is_compiled() -> bool {
    COMPILED.get()
}

/// Reads a function of the run time, as the run time.
#[cfg(test)]
pub(crate) fn compile<R>(read: impl FnOnce() -> R) -> R {
    let outer = COMPILED.replace(true);
    let result = read();
    COMPILED.set(outer);
    result
}

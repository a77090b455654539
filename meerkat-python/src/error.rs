//! Rust's errors as Python's exceptions: a class for each kind, with the same message.

use meerkat_runtime::{Error, ErrorKind};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Why a call failed.
pub(crate) enum Failure {
    /// Meerkat says so.
    Meerkat(Error),
    /// Python does.
    Python(PyErr),
}

impl Failure {
    /// An argument has a wrong value.
    pub(crate) fn value(message: impl Into<String>) -> Self {
        Failure::Python(PyValueError::new_err(message.into()))
    }

    /// An argument names what is not there.
    pub(crate) fn index(message: impl Into<String>) -> Self {
        Failure::Python(PyIndexError::new_err(message.into()))
    }

    /// An argument has a wrong type.
    pub(crate) fn kind(message: impl Into<String>) -> Self {
        Failure::Python(PyTypeError::new_err(message.into()))
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Meerkat(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Python(error) => error,
            Failure::Meerkat(error) => Python::attach(|py| raised(py, &error)),
        }
    }
}

/// The exception of an error.
fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let class = class_of(py, error.kind());
    class.map_or_else(|error| error, |class| PyErr::from_type(class, error.to_string()))
}

/// The class of an error, by the name of its kind.
fn class_of<'py>(py: Python<'py>, kind: &ErrorKind) -> PyResult<Bound<'py, PyType>> {
    let (group, shown) = match kind {
        ErrorKind::Cuda(error) => ("Cuda", format!("{error:?}")),
        ErrorKind::Read(error) => ("Read", format!("{error:?}")),
        other => ("", format!("{other:?}")),
    };
    // A derived `Debug` begins with the name of the variant.
    let name: String = shown.chars().take_while(char::is_ascii_alphanumeric).collect();
    let classes = py.import("meerkat._errors")?;
    let class = classes.getattr("class_of")?.call1((group, name))?;
    Ok(class.cast_into::<PyType>()?)
}

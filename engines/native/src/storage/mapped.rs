//! Bytes of read-only numpy arrays, usable without holding the interpreter.
use super::bytes::Bytes;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A block of a mapped file, or of any other array that nobody can write to.
pub struct Mapped {
    /// Keeps the bytes alive.
    _owner: Py<PyArray1<u8>>,
    data: *const u8,
    len: usize,
}

// SAFETY: the bytes are never written: `Mapped::new` takes read-only arrays only, whose files do not change
// once they are published. The owner is only touched when it is dropped, which PyO3 defers to a thread
// that holds the interpreter.
unsafe impl Send for Mapped {}
// SAFETY: as above; shared reads of unchanging bytes.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// ValueError unless the array is read-only and contiguous.
    pub fn new(array: &Bound<'_, PyArray1<u8>>) -> PyResult<Mapped> {
        let writeable: bool = array.getattr("flags")?.getattr("writeable")?.extract()?;
        if writeable || !array.is_contiguous() {
            return Err(PyValueError::new_err("blocks: read-only contiguous arrays are needed"));
        }
        Ok(Mapped { data: array.data().cast_const(), len: array.len(), _owner: array.clone().unbind() })
    }
}

impl Bytes for Mapped {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        // SAFETY: pointer and length are those of a contiguous array that `_owner` keeps alive and that is never written.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }
}

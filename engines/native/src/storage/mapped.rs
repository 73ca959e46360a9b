//! Bytes of numpy arrays that nobody can write to; they can be read without the interpreter's lock.
use super::arrays::value_error;
use super::bytes::Bytes;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A block of a mapped file, or of a bytes object.
pub struct Mapped {
    /// Keeps the bytes alive.
    _owner: Py<PyArray1<u8>>,
    data: *const u8,
    len: usize,
}

// SAFETY: nobody in this process can write the bytes: `Mapped::new` follows the array to the object that owns them, and takes
// only a bytes object or a mapping for reading. The owner is only touched when it is dropped, which PyO3 defers to a thread
// that holds the interpreter.
//
// A mapping shows its file, and another process can change that file. Shard files get their names when they are
// finished, and are never written again (storage/publish.py); only a program of someone else could do it. Bytes that
// change under a reader are then found by the checksum, or give wrong values, but never lead out of the block: each
// place is checked against its length. A file that is cut short while it is mapped ends this process by SIGBUS, as
// with every program that maps files. The size is checked when the file is opened; to be safe against more, every
// table would have to be copied into memory.
unsafe impl Send for Mapped {}
// SAFETY: as above; shared reads of bytes that nobody here writes.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// ValueError unless the array is contiguous and its bytes are those of a bytes object or of a mapping for reading.
    ///
    /// A read-only array is not enough: it may be a view of one that is not, and the owner of memory can make it
    /// writeable again.
    pub fn new(array: &Bound<'_, PyArray1<u8>>) -> PyResult<Mapped> {
        if !array.is_contiguous() {
            return Err(value_error("blocks: contiguous arrays are needed"));
        }
        if !is_fixed(array.as_any())? {
            return Err(value_error(
                "blocks: arrays of bytes or of files mapped for reading are needed, not writeable ones",
            ));
        }
        Ok(Mapped { data: array.data().cast_const(), len: array.len(), _owner: array.clone().unbind() })
    }
}

/// Whether the memory of an object can't be written, whatever is done to the object.
fn is_fixed(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let mut object = object.clone();
    loop {
        if object.is_instance_of::<PyUntypedArray>() {
            if object.getattr("flags")?.getattr("writeable")?.extract()? {
                return Ok(false);
            }
            object = object.getattr("base")?;
        } else if object.is_instance_of::<PyMemoryView>() {
            object = object.getattr("obj")?;
        } else if object.is_instance_of::<PyBytes>() {
            return Ok(true);
        } else {
            let mapping = py.import("mmap")?.getattr("mmap")?;
            return Ok(object.is_instance(&mapping)? && PyMemoryView::from(&object)?.getattr("readonly")?.extract()?);
        }
    }
}

impl Bytes for Mapped {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        // SAFETY: pointer and length are those of a contiguous array that `_owner` keeps alive and that is never written.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }
}

//! Keys between numpy and Rust: arrays of uint64, shape (N,) for one-word keys and (N, 4) for wide ones.
use super::keys::Key;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A ValueError; the message begins with the field's name.
pub fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

/// ValueError naming the field unless the array has the shape of keys.
pub fn keys_from<K: Key>(field: &str, array: &PyReadonlyArrayDyn<'_, u64>) -> PyResult<Vec<K>> {
    let shape = array.shape();
    let fits = if K::WORDS == 1 { shape.len() == 1 } else { shape.len() == 2 && shape[1] == K::WORDS };
    if !fits {
        let words = if K::WORDS == 1 { "(N,)".into() } else { format!("(N, {})", K::WORDS) };
        return Err(value_error(format!("{field}: an array of shape {words} is needed, not {shape:?}")));
    }
    let words = array.as_slice().map_err(|_| value_error(format!("{field}: not contiguous")))?;
    Ok(words.chunks_exact(K::WORDS).map(K::from_words).collect())
}

/// Keys as a numpy array.
pub fn keys_into<'py, K: Key>(py: Python<'py>, keys: &[K]) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
    let mut words = Vec::with_capacity(keys.len() * K::WORDS);
    for key in keys {
        key.push_words(&mut words);
    }
    let flat = PyArray1::from_vec(py, words);
    if K::WORDS == 1 { flat.reshape([keys.len()].as_slice()) } else { flat.reshape([keys.len(), K::WORDS].as_slice()) }
}

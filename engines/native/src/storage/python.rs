//! Blocks, merging and digests as Python sees them.
use super::arrays::{keys_from, keys_into};
use super::block::BlockKey;
use super::damaged::{Damaged, DamagedBlockError};
use super::digest;
use super::keys::{self, Key, Wide};
use super::layout::{CODEC_WIDE, Layout};
use super::values::ValueType;
use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyReadonlyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn value_type_from(name: &str) -> PyResult<ValueType> {
    ValueType::parse(name).ok_or_else(|| PyValueError::new_err(format!("value_type: {name:?} is not known")))
}

/// Packs keys (strictly ascending) and their values into a block.
#[pyfunction]
#[pyo3(signature = (keys, values, value_type, key_bits))]
fn encode_block<'py>(
    py: Python<'py>,
    keys: PyReadonlyArrayDyn<'_, u64>,
    values: Option<PyReadonlyArray1<'_, f64>>,
    value_type: &str,
    key_bits: u32,
) -> PyResult<Bound<'py, PyBytes>> {
    fn encode<'py, K: BlockKey>(
        py: Python<'py>,
        keys: &[K],
        values: Option<&[f64]>,
        value_type: ValueType,
        key_bits: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if keys.is_empty() || keys.len() > usize::from(u16::MAX) || !keys.is_sorted_by(|a, b| a < b) {
            return Err(PyValueError::new_err("keys: 1 to 65535 in strictly ascending order are needed"));
        }
        if values.map_or(0, <[f64]>::len) != if value_type == ValueType::None { 0 } else { keys.len() } {
            return Err(PyValueError::new_err("values: as many as keys are needed, and none without a value type"));
        }
        Ok(PyBytes::new(py, &py.detach(|| K::encode(keys, values, value_type, key_bits))))
    }
    let value_type = value_type_from(value_type)?;
    let values = match &values {
        Some(array) => Some(array.as_slice().map_err(|_| PyValueError::new_err("values: not contiguous"))?),
        None => None,
    };
    if keys.ndim() == 1 {
        encode(py, &keys_from::<u64>("keys", &keys)?, values, value_type, key_bits)
    } else {
        encode(py, &keys_from::<Wide>("keys", &keys)?, values, value_type, key_bits)
    }
}

/// Keys (or indices) and values (float64; None without a value type) of a block. DamagedBlockError says what is damaged.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn decode_block<'py>(
    py: Python<'py>,
    block: PyReadonlyArray1<'_, u8>,
) -> PyResult<(Bound<'py, PyArrayDyn<u64>>, Option<Bound<'py, PyArray1<f64>>>)> {
    fn decode<'py, K: BlockKey>(
        py: Python<'py>,
        layout: &Layout,
        bytes: &[u8],
    ) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        let mut keys = Vec::with_capacity(layout.count);
        K::decode(layout, bytes, &mut keys).map_err(Damaged::error_alone)?;
        keys_into(py, &keys)
    }
    let bytes = block.as_slice().map_err(|_| PyValueError::new_err("block: not contiguous"))?;
    let layout = Layout::parse(bytes).map_err(Damaged::error_alone)?;
    layout.check(bytes).map_err(Damaged::error_alone)?;
    let keys = match layout.codec {
        CODEC_WIDE => decode::<Wide>(py, &layout, bytes)?,
        _ => decode::<u64>(py, &layout, bytes)?,
    };
    let values = (layout.value_type != ValueType::None)
        .then(|| (0..layout.count).map(|i| layout.value(bytes, i)).collect::<Vec<_>>().into_pyarray(py));
    Ok((keys, values))
}

/// Unites sorted arrays of keys.
#[pyfunction]
fn merge<'py>(
    py: Python<'py>,
    lists: Vec<PyReadonlyArrayDyn<'py, u64>>,
    key_bits: u32,
) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
    fn unite<'py, K: Key>(
        py: Python<'py>,
        lists: &[PyReadonlyArrayDyn<'py, u64>],
        key_bits: u32,
    ) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        let lists: Vec<Vec<K>> = lists.iter().map(|l| keys_from("lists", l)).collect::<PyResult<_>>()?;
        let slices: Vec<&[K]> = lists.iter().map(Vec::as_slice).collect();
        let united = py.detach(|| keys::merge(&slices, key_bits));
        keys_into(py, &united)
    }
    if lists.first().is_none_or(|list| list.ndim() == 1) {
        unite::<u64>(py, &lists, key_bits)
    } else {
        unite::<Wide>(py, &lists, key_bits)
    }
}

/// The two lanes of the content digest of some records of a layer (storage/FORMAT.md).
#[pyfunction]
fn table_digest(
    py: Python<'_>,
    layer: u64,
    keys: PyReadonlyArrayDyn<'_, u64>,
    values: PyReadonlyArray1<'_, f64>,
    value_type: &str,
) -> PyResult<(u64, u64)> {
    let value_type = value_type_from(value_type)?;
    fn lanes<K: Key>(
        py: Python<'_>,
        layer: u64,
        keys: &[K],
        values: &[f64],
        value_type: ValueType,
    ) -> PyResult<(u64, u64)> {
        if keys.len() != values.len() {
            return Err(PyValueError::new_err(format!("values: {} do not go with {} keys", values.len(), keys.len())));
        }
        let [lane_0, lane_1] = py.detach(|| digest::digest(layer, keys, values, value_type));
        Ok((lane_0, lane_1))
    }
    let values = values.as_slice().map_err(|_| PyValueError::new_err("values: not contiguous"))?;
    if keys.ndim() == 1 {
        lanes(py, layer, &keys_from::<u64>("keys", &keys)?, values, value_type)
    } else {
        lanes(py, layer, &keys_from::<Wide>("keys", &keys)?, values, value_type)
    }
}

/// Two sums over the records (layer, index, value) of values at the indices from `first` on.
#[pyfunction]
fn indexed_digest(py: Python<'_>, layer: u64, first: u64, values: PyReadonlyArray1<'_, u8>) -> PyResult<(u64, u64)> {
    let values = values.as_slice().map_err(|_| PyValueError::new_err("values: not contiguous"))?;
    let [lane_0, lane_1] = py.detach(|| digest::indexed(layer, first, values));
    Ok((lane_0, lane_1))
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("DamagedBlockError", m.py().get_type::<DamagedBlockError>())?;
    m.add_function(wrap_pyfunction!(encode_block, m)?)?;
    m.add_function(wrap_pyfunction!(decode_block, m)?)?;
    m.add_function(wrap_pyfunction!(merge, m)?)?;
    m.add_function(wrap_pyfunction!(table_digest, m)?)?;
    m.add_function(wrap_pyfunction!(indexed_digest, m)?)
}

//! Blocks that are not as they were written.
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    _native,
    DamagedBlockError,
    PyValueError,
    "A block that is not as it was written; `layer`, `block` and `reason` say which one, and what is wrong."
);

/// A damaged block: its number among those given, and what is wrong with it.
#[derive(Debug)]
pub struct Damaged {
    pub block: usize,
    pub reason: String,
}

impl Damaged {
    /// For the blocks of one layer.
    pub fn error(&self) -> PyErr {
        self.raised(None, format!("block {}: {}", self.block, self.reason))
    }

    /// For the blocks of several layers.
    pub fn error_in(&self, layer: usize) -> PyErr {
        self.raised(Some(layer), format!("layer {layer}, block {}: {}", self.block, self.reason))
    }

    /// For a single block.
    pub fn error_alone(reason: String) -> PyErr {
        let text = reason.clone();
        Damaged { block: 0, reason }.raised(None, text)
    }

    fn raised(&self, layer: Option<usize>, text: String) -> PyErr {
        Python::attach(|py| {
            let error = DamagedBlockError::new_err(text);
            let value = error.value(py);
            let told = value
                .setattr("layer", layer)
                .and_then(|()| value.setattr("block", self.block))
                .and_then(|()| value.setattr("reason", &self.reason));
            told.map_or_else(|failure| failure, |()| error)
        })
    }
}

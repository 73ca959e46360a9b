//! The hot part of yamafuda: one module per game behind one Python extension, `engines._native`.
pub mod block;
pub mod keys;
pub mod reader;
pub mod stackgame;

use pyo3::prelude::*;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}

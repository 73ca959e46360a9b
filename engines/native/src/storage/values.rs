//! Values of states, as blocks store them.
use super::bits::align8;

/// Values as they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    None = 0,
    F32 = 1,
    F64 = 2,
    U8 = 3,
}

impl ValueType {
    pub fn bytes(self) -> usize {
        match self {
            ValueType::None => 0,
            ValueType::F32 => 4,
            ValueType::F64 => 8,
            ValueType::U8 => 1,
        }
    }

    pub fn parse(name: &str) -> Option<ValueType> {
        Some(match name {
            "none" => ValueType::None,
            "float32" => ValueType::F32,
            "float64" => ValueType::F64,
            "uint8" => ValueType::U8,
            _ => return None,
        })
    }

    pub fn from_byte(byte: u8) -> Option<ValueType> {
        [ValueType::None, ValueType::F32, ValueType::F64, ValueType::U8].into_iter().find(|v| *v as u8 == byte)
    }
}

/// Rounds a value as it will be stored.
pub fn stored_value(value: f64, kind: ValueType) -> f64 {
    match kind {
        ValueType::F32 => f64::from(value as f32),
        _ => value,
    }
}

/// Appends values, and zeros up to a whole word.
pub fn push_values(out: &mut Vec<u8>, values: Option<&[f64]>, value_type: ValueType) {
    for &value in values.unwrap_or(&[]) {
        match value_type {
            ValueType::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
            ValueType::F64 => out.extend_from_slice(&value.to_le_bytes()),
            ValueType::U8 => out.push(value as u8),
            ValueType::None => {}
        }
    }
    out.resize(align8(out.len()), 0);
}
